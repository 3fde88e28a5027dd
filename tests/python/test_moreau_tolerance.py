"""The error of moreau_jean follows the tolerance, through impacts, stick and slip, and in any unit: closed forms."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import saltus as sl

G = 9.81
TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)


def errors(scene, tolerances=TOLERANCES):
    """Error of the end over tolerance and motion."""
    out = []
    for tolerance in tolerances:
        model, read, until, exact, size = scene()
        result = model.simulate(until, scheme="moreau_jean", tolerance=tolerance)
        out.append(abs(read(result) - exact) / (tolerance * size))
    return out


def bouncing_ball(e=0.8, until=2.5):
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1.1))
    m.contact(m.plane(), ball, restitution=e)
    t = math.sqrt(2 / G)
    v = e * G * t
    while t + 2 * v / G < until:
        t, v = t + 2 * v / G, e * v
    s = until - t
    return m, lambda r: r[ball.position.z].last, until, 0.1 + v * s - G / 2 * s * s, 1.0


def pendulum_at_a_stop(e=0.5, until=2.0):
    length, stop = 0.6, math.pi / 2 + 0.4
    m = sl.Model()
    rod = m.rod((0, 0, 0), (length, 0, 0), mass=1.0, radius=1e-3)
    hinge = m.revolute(m.ground, rod, at=(0, 0, 0), axis=(0, 1, 0), limits=(-10.0, stop), restitution=e)

    def hit(t, y):
        return y[0] - stop

    hit.terminal, hit.direction = True, 1
    t, y = 0.0, [0.0, 0.0]
    while t < until:
        piece = solve_ivp(lambda t, y: [y[1], 1.5 * G / length * math.cos(y[0])], (t, until), y, rtol=1e-12, atol=1e-13, events=hit, method="DOP853")
        t, y = piece.t[-1], [piece.y[0, -1], piece.y[1, -1]]
        if piece.status == 1:
            y = [stop - 1e-15, -e * y[1]]
    return m, lambda r: r[hinge.angle].last, until, y[0], stop


def rubbing_oscillator(k=10.0, force=1.0, start=1.05):
    # Half a period at a time about +-force/k (Lagrange's decrement), read on the fourth half swing.
    m = sl.Model(gravity=(0, 0, 0))
    box = m.box(size=(0.1, 0.1, 0.1), mass=1.0, at=(start, 0, 0))
    m.prismatic(m.ground, box, at=(0, 0, 0), axis="x", friction=force)
    m.spring(m.ground.frame(at=(-5, 0, 0)), box, stiffness=k, rest_length=5.0)
    half, turn = math.pi / math.sqrt(k), start
    for _ in range(3):
        turn = -turn + math.copysign(2 * force / k, turn)
    centre = math.copysign(force / k, turn)
    return m, lambda r: r[box.position.x].last, 3.4 * half, centre + (turn - centre) * math.cos(0.4 * math.pi), start


def spinning_top():
    # A free body about two equal axes: the axis of figure turns about the angular momentum at |L| / J1.
    J, J3, w = 0.02, 0.03, (3.0, 0.0, 4.0)
    m = sl.Model(gravity=(0, 0, 0))
    body = m.body(mass=1.0, inertia=(J, J, J3), angular_velocity=w)
    L = np.array([J * w[0], 0.0, J3 * w[2]])
    rate, n, until = np.linalg.norm(L) / J, L / np.linalg.norm(L), 1.5
    z = np.array([0.0, 0.0, 1.0])
    turned = z * math.cos(rate * until) + np.cross(n, z) * math.sin(rate * until) + n * (n @ z) * (1 - math.cos(rate * until))
    tip = body.frame(at=(0, 0, 1))
    return m, lambda r: r[tip.position.y].last, until, turned[1], 1.0


def curling_ball(mu=0.3, r=0.1, until=1.0):
    # The slip u of a homogeneous ball keeps its direction, however it spins: v falls by mu g u/|u| until |u| = 7/2 mu g t.
    v, w = np.array([2.0, 0.0, 0.0]), np.array([10.0, 5.0, 3.0])
    u = v + np.cross(w, (0, 0, -r))
    stop = 2 * np.linalg.norm(u) / (7 * mu * G)
    a = -mu * G * u / np.linalg.norm(u)
    exact = v * until + a * stop * (until - stop / 2)
    m = sl.Model()
    ball = m.sphere(radius=r, mass=1, at=(0, 0, r), velocity=tuple(v), angular_velocity=tuple(w))
    m.contact(m.plane(), ball, friction=mu)
    return m, lambda result: result[ball.position.y].last, until, exact[1], abs(exact[1])


@pytest.mark.parametrize("scene", [bouncing_ball, pendulum_at_a_stop, rubbing_oscillator, spinning_top, curling_ball], ids=lambda f: f.__name__)
def test_the_error_follows_the_tolerance_over_six_decades(scene):
    assert max(errors(scene)) < 10


def test_the_error_of_a_circuit_follows_the_tolerance_and_not_its_unit():
    # One error from 1e-4 to 1e-8, in volts and in microvolts: eight periods of a capacitor and an inductor, 51 radians, each of its own size.
    def tank(volts):
        m = sl.Model()
        a = m.terminal()
        m.capacitor(a, m.ground, C=1e-3, voltage=volts)
        m.inductor(a, m.ground, L=1e-3)
        until = 8.2 * 2 * math.pi * 1e-3
        return m, lambda r: r[a.voltage].last, until, volts * math.cos(1e3 * until), volts

    large, small = (errors(lambda volts=volts: tank(volts), (1e-4, 1e-6, 1e-8)) for volts in (10.0, 1e-6))
    assert large == pytest.approx(small, rel=0.05)
    assert max(large) < 51


def test_the_steps_of_a_rectifier_do_not_depend_on_the_unit():
    def steps(volts):
        m = sl.Model()
        a, b, c = m.terminal(), m.terminal(), m.terminal()
        m.voltage_source(a, m.ground, voltage=f"{volts!r}*sin(100*t)")
        m.resistor(a, b, R=1.0)
        m.diode(b, c)
        m.capacitor(c, m.ground, C=1e-3)
        m.resistor(c, m.ground, R=100.0)
        return m.simulate(0.2, scheme="moreau_jean").report["steps"]

    assert steps(1e-6) == pytest.approx(steps(10.0), rel=0.05)


def test_a_small_drop_beside_a_large_motion_is_followed():
    # 1e-5 m onto the floor of a model of metres: its error was that of metres.
    drop, e = 1e-5, 0.8
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1 + drop))
    m.sphere(radius=0.1, mass=1, at=(3, 0, 5), velocity=(1, 0, 0))
    m.contact(m.plane(), ball, restitution=e)
    t, v = math.sqrt(2 * drop / G), e * math.sqrt(2 * drop * G)
    until = t + 1.6 * v / G
    z = v * (until - t) - G / 2 * (until - t) ** 2
    found = m.simulate(until, scheme="moreau_jean", tolerance=1e-5)[ball.position.z].last - 0.1
    assert found == pytest.approx(z, abs=2e-3 * drop)  # contacts close within 1e-9 of the model's length
