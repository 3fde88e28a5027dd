"""What the browser tests look at."""

from __future__ import annotations

import warnings

import saltus as sl
from saltus import running

warnings.simplefilter("ignore", sl.ModelWarning)


def crank(speed: float):
    """Slider-crank in space, with a spring; the picture's mechanism."""
    m = sl.Model()
    A, B, C = (0, 0.1, 0.12), (0, 0.18, 0.12), (0.2078461, 0, 0)
    crank, rod = m.rod(A, B, mass=0.1, name="crank"), m.rod(B, C, mass=0.2, name="rod")
    slider = m.box(size=(0.05, 0.05, 0.05), mass=1, at=C, name="slider")
    motor = m.revolute(m.ground, crank, at=A, axis="x", speed=speed, name="motor")
    m.spherical(crank, rod, at=B, name="ball")
    m.universal(rod, slider, at=C, axes=("y", "z"), name="cardan")
    m.prismatic(m.ground, slider, at=C, axis="x", name="guide")
    m.spring(m.ground.frame((0.45, 0, 0)), slider, stiffness=30, rest_length=0.2, name="spring")
    m.outputs = {"slider": slider.position.x, "drive": motor.drive}
    return m.simulate(until=2, step=5e-3)


def pile():
    """500 spheres that fall on a plane: impacts at different times."""
    m = sl.Model()
    floor = m.plane(name="floor")
    for i in range(500):
        x, y, z = i % 8, i // 8 % 8, i // 64
        ball = m.sphere(radius=0.1, mass=1, at=(0.22 * x + 0.01 * z, 0.22 * y, 0.12 + 0.22 * z))
        m.contact(floor, ball, restitution=0.5)
    return m.simulate(until=0.6, step=5e-3, record=0.02)


def circuit():
    m = sl.Model()
    a, p, n = m.terminal(name="a"), m.terminal(name="p"), m.terminal(name="n")
    m.capacitor(a, m.ground, C=1e-6, voltage=10), m.inductor(a, m.ground, L=1e-2), m.resistor(p, n, R=1e3)
    for anode, cathode in ((a, p), (m.ground, p), (n, a), (n, m.ground)):
        m.diode(anode, cathode)
    m.outputs = {"voltage": a.voltage}
    return m.simulate(until=2e-3, step=1e-6)


def room():
    """A ball in a box of five planes, of which the camera sees two from behind."""
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0.5, 0.5, 0.5), velocity=(2, 1, 0), name="ball")
    for at, normal in (((0, 0, 0), (0, 0, 1)), ((0, 0, 0), (1, 0, 0)), ((1, 0, 0), (-1, 0, 0)), ((0, 0, 0), (0, 1, 0)), ((0, 1, 0), (0, -1, 0))):
        m.contact(m.plane(at=at, normal=normal), ball, restitution=0.8)
    return m.simulate(until=1, step=2e-3)


def cart():
    """A body that shapes alone show, of which one lies in the faces of the other."""
    m = sl.Model(gravity=(0, 0, 0))
    body = m.body(mass=1, inertia=(1, 1, 1), at=(0, 0, 0.5), name="cart")
    deck = m.shape("box", body, size=(1, 1, 1), at=(0, 0, 0.5), name="deck_of_the_cart_behind_its_driver_and_passengers")
    m.shape("box", body, size=(1, 0.5, 0.5), at=(0, 0, 0.5), name="inlay")
    m.contact(m.plane(name="floor"), [deck], name="feet")
    return m.simulate(until=0.1)


def rest():
    """A weight on a hinged rod with a spring, and a box on the floor: an equilibrium."""
    m = sl.Model()
    rod = m.rod((0, 0, 1), (1, 0, 1), mass=2, name="rod")
    m.revolute(m.ground, rod, at=(0, 0, 1), axis="y", stiffness=200, name="hinge")
    box = m.box(size=(0.2, 0.2, 0.2), mass=2, at=(0.5, 0, 0.1), name="box")
    m.contact([m.plane(name="floor")], [box], friction=0.5, name="feet")
    m.outputs = {"tip": rod.end.position.z}
    return m.static()


def rolled():
    """A clamped beam that a moment at its end bends, so that the force of the clamp is rounding; a ball that is pressed on the floor."""
    m = sl.Model(gravity=(0, 0, 0))
    beam = m.beam((0, 0, 0), (1, 0, 0), section=sl.Section((1e6, 1e6, 1e6, 1.0, 1.0, 1.0)), elements=8, name="beam")
    m.fixed(m.ground, beam.start, name="clamp")
    m.torque(beam.end, (0, 0, 3.0), name="moment")
    m.plane(at=(2, 0, 0), normal=(-1, 0, 0), name="wall")
    ball = m.sphere(radius=0.1, mass=1, at=(1, 0.6, 0), name="ball")
    m.contact(m.plane(at=(0, 0, -0.1), name="floor"), ball, friction=0.5)
    m.force(ball, (0, 0, -2.0), name="weight")
    return m.static()


def woodpecker():
    """The model of the gallery that brings a sketch."""
    from saltus import gallery
    from saltus.model import Model
    from saltus.result import Result

    model = gallery.load("woodpecker")
    result = Result(running.run(model), Model._of(model))
    result._shapes = gallery.shapes("woodpecker")
    return result


def crowd(count: int):
    """Many free bodies of four shapes."""
    m = sl.Model(gravity=(0, 0, 0))
    for i in range(count):
        at, velocity = (0.3 * (i % 25), 0.3 * (i // 25 % 25), 0.3 * (i // 625)), (0, 0, 0.1 * (i % 7))
        if i % 4 == 0:
            m.sphere(radius=0.1, mass=1, at=at, velocity=velocity)
        elif i % 4 == 1:
            m.box(size=(0.15, 0.2, 0.1), mass=1, at=at, velocity=velocity)
        elif i % 4 == 2:
            m.cylinder(radius=0.06, length=0.2, mass=1, at=at, velocity=velocity)
        else:
            m.rod(at, (at[0] + 0.2, at[1], at[2] + 0.1), mass=1, velocity=velocity)
    return m.simulate(until=1, step=0.1, scheme="runge_kutta_4")


def live():
    """A box on a soft spring, damped so that it can be caught."""
    m = sl.Model(gravity=(0, 0, 0))
    m.parameters = {"k": 40.0}
    box = m.box(size=(0.4, 0.4, 0.4), mass=2, at=(0, 0, 0), name="box")
    m.spring(m.ground.frame((0, 0, 1.0)), box, stiffness="k", damping=6, rest_length=1.0, name="spring")
    m.outputs = {"height": box.position.z}
    return m


def live_options():
    return running.Options(until=600, step=0.005, scheme="generalized_alpha")


def shapes(model):
    return {name: handle.shape for name, handle in model._handles.items() if getattr(handle, "shape", None)}
