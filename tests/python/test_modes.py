"""Linearization, eigenvalues and modes against closed forms."""

import math
import warnings

import numpy as np
import pytest
from scipy.special import roots_laguerre

import saltus as sl
from saltus import modes as modes_module

TWO_PI = 2 * math.pi
G = 9.81


def hanging(n):
    """n unit masses on massless links of 0.1 m: each frequency of D. Bernoulli's chain twice, in two planes."""
    m, last = sl.Model(), None
    last = m.ground
    for i in range(n):
        mass = m.point_mass(mass=1, at=(0, 0, -0.1 * (i + 1)))
        m.distance(last, mass)
        last = mass
    return m


@pytest.mark.parametrize("n", [2, 5, 10])
def test_the_hanging_chain_has_the_roots_of_laguerre(n):
    modes = hanging(n).modes()
    truth = np.sqrt(G / 0.1 * roots_laguerre(n)[0]) / TWO_PI  # case chain_normal_modes
    assert modes.frequencies[0::2] == pytest.approx(truth, rel=1e-10)
    assert modes.frequencies[1::2] == pytest.approx(truth, rel=1e-10)
    assert not modes.damping_ratios.any()


def test_sparse_modes_are_the_dense_ones(monkeypatch):
    m = hanging(60)
    dense = m.modes()
    monkeypatch.setattr(modes_module, "DENSE", 10)
    sparse = m.modes(count=14)
    assert len(sparse) == 14
    assert sparse.frequencies == pytest.approx(dense.frequencies[:14], rel=1e-10)


def test_a_chain_of_springs_in_one_direction_has_its_sines():
    m = sl.Model(gravity=(0, 0, 0))
    last = m.ground
    for i in range(20):
        node = m.add(sl.items.Node1d(), name=f"n{i}")
        m.add(sl.items.Mass1d(node=node, mass=1.0))
        m.add(sl.items.CoordinateSpringDamper(A=last, B=node, stiffness=1000))
        last = node
    m.add(sl.items.CoordinateSpringDamper(A=last, B=m.ground, stiffness=1000))
    truth = 2 * np.sqrt(1000) * np.sin(np.arange(1, 21) * math.pi / 42)  # case chain_normal_modes
    assert m.modes().frequencies * TWO_PI == pytest.approx(truth, rel=1e-10)


def double_rod():
    m = sl.Model(gravity=(0, -G, 0))
    size = (0.05, 0.7, 0.05)
    one, two = (m.box(size=size, density=2000, at=(0, y, 0)) for y in (-0.35, -1.05))
    m.revolute(m.ground, one, at=(0, 0, 0), axis="z")
    m.revolute(one, two, at=(0, -0.7, 0), axis="z")
    return m, one, two


def test_reactions_stiffen_the_hanging_double_rod():
    modes = double_rod()[0].modes()
    assert modes.frequencies * TWO_PI == pytest.approx([3.202747023078287, 8.578099464731396], rel=1e-10)  # linearized_pendulum


def test_a_free_body_has_six_motions_at_no_frequency_and_a_warning_in_the_result_alone():
    m = sl.Model(gravity=(0, 0, 0))
    m.rod((0, 0, 0), (1, 0, 0), mass=1)
    modes = m.modes()
    assert len(modes) == 6 and not modes.frequencies.any()
    assert any("nothing holds" in warning.message for warning in modes.warnings)


def test_damping_gives_its_ratio_and_creeping_motions_are_reported():
    m = sl.Model(gravity=(0, 0, 0))
    for i, damping in enumerate((3.0, 50.0)):  # below and above critical: 2 sqrt(k m) = 28.3
        node = m.add(sl.items.Node1d(), name=f"n{i}")
        m.add(sl.items.Mass1d(node=node, mass=2.0))
        m.add(sl.items.CoordinateSpringDamper(A=m.ground, B=node, stiffness=100, damping=damping))
    modes = m.modes()
    w = math.sqrt(50)
    creep = [(50 - math.sqrt(2500 - 800)) / 4, (50 + math.sqrt(2500 - 800)) / 4]
    assert modes.frequencies * TWO_PI == pytest.approx([creep[0], w, creep[1]], rel=1e-12)
    assert modes.damping_ratios == pytest.approx([1, 3 / (2 * math.sqrt(200)), 1], rel=1e-12)


def test_an_upright_pendulum_grows():
    m = sl.Model()
    rod = m.rod((0, 0, 0), (0, 0, 1), mass=1)
    m.revolute(m.ground, rod, at=rod.start, axis="y")
    modes = m.modes(at="reference")
    assert modes.eigenvalues == pytest.approx([math.sqrt(1.5 * G)], rel=1e-12) and modes.damping_ratios[0] == -1


def test_shapes_are_displacements_of_the_bodies():
    m, one, two = double_rod()
    modes = m.modes()
    shape = modes.displacements(0)
    (p1, r1), (p2, r2) = shape[one.name], shape[two.name]
    assert p1[0] == pytest.approx(0.35 * r1[2], rel=1e-9)  # about the pin, y down: x moves with rotation about z
    assert p2[0] == pytest.approx(0.7 * r1[2] + 0.35 * r2[2], rel=1e-9)
    assert modes[one.position.x][0] == pytest.approx(p1[0], rel=1e-9)
    assert r1[2] * r2[2] > 0 > modes.displacements(1)[one.name][1][2] * modes.displacements(1)[two.name][1][2]


def test_a_deflated_equilibrium_is_where_the_modes_are_about():
    """A mass on a spring hangs lower; sideways it is a pendulum of the stretched length."""
    m = sl.Model()
    mass = m.point_mass(mass=1, at=(0, 0, -1))
    m.spring(m.ground, mass, stiffness=100, rest_length=1)
    length = 1 + G / 100
    assert m.modes().frequencies * TWO_PI == pytest.approx([math.sqrt(G / length)] * 2 + [10.0], rel=1e-10)


def oscillator():
    m = sl.Model(gravity=(0, 0, 0))
    cart = m.point_mass(mass=2, at=(1, 0, 0))
    spring = m.spring(m.ground, cart, stiffness=100, damping=3, rest_length=1)
    m.force(cart, (0, 0, 0), name="push")
    return m, cart, spring


def test_the_transfer_function_of_an_oscillator_is_its_closed_form():
    m, cart, spring = oscillator()
    outputs = [cart.position.x, cart.velocity.x, cart.acceleration.x, spring.force.x]
    lin = m.linearize(at="reference", inputs=["push.force.x"], outputs=outputs)
    s = np.array([0.3j, 7j, 40j])
    base = 1 / (2 * s**2 + 3 * s + 100)
    truth = np.stack([base, s * base, s**2 * base, -(100 + 3 * s) * base], axis=1)
    assert lin.transfer(s)[:, :, 0] == pytest.approx(truth, abs=1e-11)
    assert lin.inputs == ["push.force.x"] and lin.outputs[0] == f"{cart.name}.position.x"
    assert lin.exact and not lin.rest.any()


def test_a_speed_drive_is_an_input_without_its_rate():
    m = sl.Model()
    slider = m.box(size=(0.1, 0.1, 0.1), mass=1, at=(0, 0, 0))
    rod = m.rod((0, 0, 0), (0, 0, -1), mass=1)
    drive = m.prismatic(m.ground, slider, axis="x", speed=0.0)
    joint = m.revolute(slider, rod, at=rod.start, axis="y")
    lin = m.linearize(at="reference", inputs=[drive], outputs=[joint.angle])
    s = np.array([0.7j, 3j, 20j])
    assert lin.transfer(s)[:, 0, 0] == pytest.approx(0.5 * s / (s**2 / 3 + G / 2), rel=1e-9)  # of the swing by xddot
    with pytest.raises(sl.ModelError, match="follows the rate of the input"):
        m.linearize(at="reference", inputs=[drive], outputs=[drive.drive])


def test_an_equilibrium_with_a_speed_drive_is_refused_and_the_state_to_take_is_named():
    m = sl.Model()
    box = m.box(size=(0.1, 0.1, 0.1), mass=1)
    slide = m.prismatic(m.ground, box, axis="x", stiffness=100.0)
    load = m.force(box, (0, 0, 0), name="load")
    m.revolute(m.ground, m.cylinder(radius=0.1, length=0.1, mass=2, at=(1, 0, 0)), axis="z", speed=5.0)
    ask = dict(inputs=["load.force.x"], outputs=[slide.position])
    for verb in (lambda **at: m.frequency_response([1.0], **ask, **at), lambda **at: m.modes(**at)):
        with pytest.raises(sl.ModelError, match='at="start"'):
            verb()
        verb(at="start")
    response = m.frequency_response([1.0], **ask, at="start").values
    assert np.abs(np.ravel(response)[0]) == pytest.approx(1 / (100 - (2 * np.pi) ** 2), rel=1e-6)


def test_a_prescribed_position_is_no_input():
    m = sl.Model(gravity=(0, 0, 0))
    rod = m.rod((0, 0, 0), (0, 0, -1), mass=1)
    joint = m.revolute(m.ground, rod, at=rod.start, axis="y", angle=0.0)
    with pytest.raises(sl.ModelError, match="prescribes the row"):
        m.linearize(at="reference", inputs=[joint])


def test_a_parameter_is_an_input_and_what_is_not_there_is_named():
    m, cart, _ = oscillator()
    m.parameters = {"pull": 4.0}
    m["push"].set(force=["pull", 0, 0])
    lin = m.linearize(inputs=["pull"], outputs=[cart.position.x])
    assert lin.transfer(0)[0, 0] == pytest.approx(0.01, rel=1e-9) and lin.inputs == ["pull"]
    with pytest.raises(sl.ModelError, match='did you mean "pull"'):
        m.linearize(inputs=["pul"])
    with pytest.raises(sl.ModelError, match="has 3 components"):
        m.linearize(inputs=["push"])


def test_a_closed_contact_holds_and_an_open_one_is_left_out():
    m = sl.Model()
    floor = m.plane()
    low, high = (m.sphere(radius=0.1, mass=1, at=(x, 0, z)) for x, z in ((0, 0.1), (1, 2.0)))
    for ball in (low, high):
        m.contact(floor, ball)
    result = m.simulate(until=0.1, step=0.01)
    lin = m.linearize(at=result)
    assert len(lin.closed) == len(lin.open) == 1
    assert lin.sizes == (11, 11, 0)  # twelve motions, one held


def test_linear_circuits_have_their_poles():
    m = sl.Model()
    a = m.terminal()
    m.capacitor(a, m.ground, C=1e-6, voltage=10)
    m.inductor(a, m.ground, L=1e-2)
    m.resistor(a, m.ground, R=1e3)
    lin = m.linearize(at="start")
    decay = 1 / (2 * 1e3 * 1e-6)
    truth = -decay + 1j * math.sqrt(1 / (1e-2 * 1e-6) - decay**2)
    assert lin.eigenvalues[-1] == pytest.approx(truth.conjugate(), rel=1e-10) or lin.eigenvalues[-1] == pytest.approx(truth, rel=1e-10)
    assert len(lin.A) == 2


def damped_chain(n):
    """n unit masses in a row on springs k = 1000, each with a damper of 0.002 k: every mode has zeta = 0.001 omega."""
    m = sl.Model(gravity=(0, 0, 0))
    last = m.ground
    for i in range(n):
        node = m.add(sl.items.Node1d(), name=f"n{i}")
        m.add(sl.items.Mass1d(node=node, mass=1.0))
        m.add(sl.items.CoordinateSpringDamper(A=last, B=node, stiffness=1000, damping=2.0))
        last = node
    return m


def test_sparse_damped_modes_are_the_dense_ones_and_the_closed_form(monkeypatch):
    n = 60
    truth = 2 * np.sqrt(1000) * np.sin((2 * np.arange(n) + 1) * math.pi / (4 * n + 2))  # fixed at one end
    dense = damped_chain(n).modes()
    monkeypatch.setattr(modes_module, "DENSE", 10)
    sparse = damped_chain(n).modes(count=8)
    for modes in (dense, sparse):
        assert modes.frequencies[:8] * TWO_PI == pytest.approx(truth[:8], rel=1e-9)
        assert modes.damping_ratios[:8] == pytest.approx(0.001 * truth[:8], rel=1e-8)


def test_sparse_modes_find_rigid_motions(monkeypatch):
    """A free row of masses: one motion at no frequency, then 2 sqrt(k / m) sin(j pi / 2 n)."""
    m = sl.Model(gravity=(0, 0, 0))
    nodes = [m.add(sl.items.Node1d(), name=f"n{i}") for i in range(60)]
    for node in nodes:
        m.add(sl.items.Mass1d(node=node, mass=1.0))
    for A, B in zip(nodes, nodes[1:], strict=False):
        m.add(sl.items.CoordinateSpringDamper(A=A, B=B, stiffness=1000))
    monkeypatch.setattr(modes_module, "DENSE", 10)
    frequencies = m.modes(count=6).frequencies * TWO_PI
    assert frequencies[0] == 0
    assert frequencies[1:] == pytest.approx(2 * np.sqrt(1000) * np.sin(np.arange(1, 6) * math.pi / 120), rel=1e-9)


@pytest.mark.parametrize("voltage, pole", [(5.0, -(1 / 2 + 1 / 10) / 1e-3), (-5.0, -1 / (10 * 1e-3))])
def test_a_conducting_diode_is_a_wire_and_a_blocking_one_is_not_there(voltage, pole):
    m = sl.Model()
    a, p, b = m.terminal(), m.terminal(), m.terminal()
    m.voltage_source(a, m.ground, voltage=voltage)
    m.resistor(a, p, R=2.0)
    m.diode(p, b)
    m.resistor(b, m.ground, R=10.0)
    m.capacitor(b, m.ground, C=1e-3, voltage=1.0)
    lin = m.linearize(at=m.simulate(until=0.005, step=1e-4))
    assert (len(lin.closed), len(lin.open)) == ((1, 0) if voltage > 0 else (0, 1))
    assert lin.eigenvalues == pytest.approx([pole], rel=1e-10)


def test_a_source_that_holds_a_capacitor_is_refused_by_name():
    m = sl.Model()
    a = m.terminal()
    m.voltage_source(a, m.ground, voltage=5.0)
    m.capacitor(a, m.ground, C=1e-3)
    with pytest.raises(sl.ModelError, match="is not determined"):
        m.linearize(at="start")


def test_a_sphere_that_sticks_rolls_and_one_that_slides_is_refused():
    """Sticking holds the speed of the point of contact: a free rolling motion in two directions and the spin are left."""
    m = sl.Model()
    floor, ball = m.plane(), m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1))
    m.contact(floor, ball, friction=0.5)
    lin = m.linearize(at=m.simulate(until=0.1, step=0.01))
    assert len(lin.closed) == 1 and lin.sizes == (5, 3, 0)
    ball.set(node={**ball.fields["node"], "velocity": [3.0, 0, 0]})
    with pytest.raises(sl.ModelError, match="slides"):
        m.linearize(at=m.simulate(until=0.02, step=0.01))


def rotor(spin, offset=0.0):
    """A disk on a ball joint, its shaft's end 0.5 m off in an isotropic spring; `offset`: of the reference point along the shaft."""
    m = sl.Model(gravity=(0, 0, 0))
    disk = m.body(mass=1, inertia=(0.01, 0.01, 0.02), at=(0, 0, offset), center_of_mass=(0, 0, -offset), angular_velocity=(0, 0, spin))
    m.spherical(m.ground, disk, at=(0, 0, 0))
    m.add(sl.items.CartesianSpringDamper(A=m.ground.frame(at=(0, 0, 0.5)), B=disk.frame(at=(0, 0, 0.5)), stiffness=(144, 144, 0)))
    return m


@pytest.mark.parametrize("offset", [0.0, 0.2])
@pytest.mark.parametrize("spin", [30.0, -30.0, 200.0])
def test_a_rotor_whirls_with_the_frequencies_seen_from_the_ground(spin, offset):
    """It phi'' - i Ip spin phi' + k l^2 phi = 0 in phi = phi_x + i phi_y, world axes."""
    ratio, stiffness = 2.0, 144 * 0.25 / 0.01
    half = ratio * spin / 2
    truth = np.abs(half) + np.array([-1, 1]) * math.sqrt(half**2 + stiffness)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        modes = rotor(spin, offset).modes(at="start")
    assert modes.frequencies[-2:] * TWO_PI == pytest.approx(np.abs(truth), rel=1e-7)
    assert np.abs(modes.eigenvalues.real).max() < 1e-6


@pytest.mark.parametrize("spin", [100.0, 125.0])
def test_a_top_is_stable_above_its_critical_spin_alone(spin):
    """It phi'' - i Ip spin phi' - m g l phi = 0, critical where Ip spin = 2 sqrt(m g l It)."""
    m = sl.Model()
    Ip, It = 0.01, 0.006 + 0.04
    top = m.body(mass=1, inertia=(0.006, 0.006, Ip), at=(0, 0, 0.2), angular_velocity=(0, 0, spin * 2 * math.sqrt(G * 0.2 * It) / Ip / 110))
    m.spherical(m.ground, top, at=(0, 0, 0))
    roots = np.roots([It, -1j * Ip * spin * 2 * math.sqrt(G * 0.2 * It) / Ip / 110, -G * 0.2])
    values = m.modes(at="start").eigenvalues
    assert values.real.max() == pytest.approx(roots.real.max(), rel=1e-6, abs=1e-6)


def test_modes_of_a_motion_that_is_not_steady_warn():
    m = sl.Model(gravity=(0, 0, 0))
    m.body(mass=1, inertia=(0.006, 0.008, 0.01), at=(0, 0, 0), angular_velocity=(1, 20, 3))
    with pytest.warns(sl.ModelWarning, match="change with time"):
        assert m.modes(at="start").warnings


@pytest.mark.parametrize("damping", [0.0, 1e-9])
def test_low_modes_of_a_wide_spectrum_are_no_rigid_motions(damping):
    """Two pairs of masses: 1 rad/s beside 3e6 rad/s, a free pair too."""
    m = sl.Model(gravity=(0, 0, 0))
    for i, (stiffness, held) in enumerate([(1.0, True), (9e12, True), (4.0, False)]):
        a = m.add(sl.items.Node1d(), name=f"a{i}")
        m.add(sl.items.Mass1d(node=a, mass=1.0))
        other = m.ground
        if not held:
            other = m.add(sl.items.Node1d(), name=f"b{i}")
            m.add(sl.items.Mass1d(node=other, mass=1.0))
        m.add(sl.items.CoordinateSpringDamper(A=other, B=a, stiffness=stiffness, damping=damping))
    assert m.modes().frequencies * TWO_PI == pytest.approx([0, 1, math.sqrt(8), 3e6], rel=1e-9)


def test_a_slender_clamped_strip_has_the_modes_of_its_beam():
    """40 rods on bushings, stiff along and across, soft in bending: the frequencies of Bernoulli's cantilever, 2 % for 40 pieces."""
    n, length, width = 40, 0.5, 0.0001
    E, rho = 2.1e11, 7850.0
    area, I = width * 0.02, 0.02 * width**3 / 12
    m = sl.Model(gravity=(0, 0, 0))
    step = length / n
    last = m.ground
    for i in range(n):
        piece = m.box(size=(step, 0.02, width), density=rho, at=((i + 0.5) * step, 0, 0))
        part = step / 2 if i == 0 else step
        K = np.diag([E * area / part] + [E * area / part / 3] * 2 + [E * 0.02 * width**3 / 9 / part, E * I / part, E * width * 0.02**3 / 12 / part])
        place = (i * step, 0, 0)
        m.add(sl.items.Bushing(A=last.frame(at=place), B=piece.frame(at=place), stiffness=K.tolist()))
        last = piece
    roots = np.array([1.8751040687, 4.6940911330, 7.8547574382])
    truth = roots**2 * math.sqrt(E * I / (rho * area)) / length**2
    assert m.modes().frequencies[:3] * TWO_PI == pytest.approx(truth, rel=0.02)


def test_a_contact_that_carries_at_the_start_is_taken_as_open_with_a_warning():
    """A box on the floor at its start has no recorded forces; one above it, and one that has settled, say nothing."""
    for height, carries in ((0.1, True), (0.2, False)):
        m = sl.Model()
        box = m.box(size=(0.2, 0.2, 0.2), mass=1, at=(0, 0, height))
        m.contact([m.plane()], [box], friction=0.5, name="floor")
        result = m.simulate(0.01, step=1e-3)
        for at in ("start", (result, 0.0)):
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                lin = m.linearize(at=at)
            assert lin.open == ["floor"]
            assert [str(w.message).count("floor would carry: taken as open") for w in warned] == [1] * carries
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert m.linearize(at=result).closed == ["floor"] * carries


@pytest.mark.parametrize("lean", [0.0, 0.1])
@pytest.mark.parametrize("friction", [0.3, 0.8])
def test_a_planar_box_that_rests_on_two_feet_holds_what_swings_on_it(lean, friction):
    # Its feet strain each other up to their friction, and that across the plane is any.
    m = sl.Model(gravity=(G * math.sin(lean), -G * math.cos(lean)), planar=True)
    box = m.body(mass=5.0, inertia=0.1, at=(0, 0.25), name="box")
    for x in (-0.3, 0.3):
        m.add(sl.items.PlaneContact(A=m.plane(normal=(0, 1)), B={"body": "box", "local": (x, -0.25, 0)}, law=sl.items.CoulombImpact(friction=friction)))
    slider = m.body(mass=2.0, inertia=0.1, at=(0, 0.5), name="slider")
    m.prismatic(box, slider, at=(0, 0.5), axis=(1, 0), stiffness=800.0)
    found = m.modes().frequencies * TWO_PI
    assert found[found > 0] == pytest.approx([20.0], rel=1e-9)  # where it sticks is any place: its motion at no frequency


@pytest.mark.parametrize("speed", [0.0, 10.0, 50.0])
def test_a_disc_splits_its_frequencies_by_the_speed_that_its_drive_gives_it(speed):
    """Tilting in springs k, spinning at W: (+- Ip W / It + sqrt((Ip W / It)^2 + 4 k / It)) / 2."""
    It, Ip, k = 0.02, 0.03, 50.0
    m = sl.Model(gravity=(0, 0, 0))
    m.parameters = {"W": speed}
    carrier, disc = m.body(mass=1e-4, inertia=(1e-7, 1e-7, 1e-7)), m.body(mass=1, inertia=(It, It, Ip))
    m.generic(m.ground, carrier, locked=("x", "y", "z", "rz"), at=(0, 0, 0))
    m.bushing(m.ground, carrier, stiffness=(0, 0, 0, k, k, 0))
    m.revolute(carrier, disc, axis="z", speed="W", at=(0, 0, 0))
    a = Ip * speed / It
    truth = [(sign * a + np.sqrt(a * a + 4 * k / It)) / (4 * np.pi) for sign in (-1, 1)]
    assert np.asarray(m.campbell("W", [speed, speed + 1.0]).frequencies)[0][:2] == pytest.approx(truth, rel=1e-5)
    assert [f for f in m.modes(at="start").frequencies if f > 1e-3][:2] == pytest.approx(truth, rel=1e-5)
