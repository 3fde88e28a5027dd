"""Ropes over sheaves, tendons around bodies, winches: against closed forms, by every way to write them."""

import math

import numpy as np
import pytest

import saltus as sl
from saltus.geometry import rotation_matrix

EXACT = dict(scheme="dormand_prince", tolerance=1e-11)
G = 9.81


def weight(m, mass, at, name, **keywords):
    return m.body(mass=mass, inertia=(0.1 * mass,) * 3, at=at, name=name, **keywords)


def atwood(stiffness=None, **keywords):
    m = sl.Model(gravity=(0, 0, -G))
    heavy, light = weight(m, 3, (-0.2, 0, -1), "heavy"), weight(m, 2, (0.2, 0, -1), "light")
    wheel = m.sheave(m.ground, radius=0.2, axis="y", at=(0, 0, 0))
    return m, heavy, light, m.rope([heavy, wheel, light], stiffness=stiffness, **keywords)


@pytest.mark.parametrize("options", [dict(scheme="moreau_jean", step=1e-3), dict(scheme="nonsmooth_generalized_alpha", step=1e-3), dict(scheme="event_driven"), dict()], ids=str)
def test_atwoods_machine_with_a_rope_that_does_not_stretch(options):
    m, heavy, light, rope = atwood()
    result = m.simulate(0.5, **options)
    t, a = result.time, G / 5
    assert result[heavy.displacement.z] == pytest.approx(-0.5 * a * t**2, abs=2e-3 if options.get("scheme") == "moreau_jean" else 1e-3)
    assert result[heavy.displacement.z] == pytest.approx(-result[light.displacement.z], abs=1e-6)
    assert result[rope.tension].last == pytest.approx(2 * 3 * 2 * G / 5, rel=1e-3)
    assert result[rope.length] == pytest.approx(2.0 + 0.2 * math.pi, abs=1e-6)


def test_atwoods_machine_with_an_elastic_rope():
    """The stretch swings about T / k with the reduced mass."""
    m, heavy, light, rope = atwood(stiffness=500.0)
    result = m.simulate(0.5, **EXACT)
    reduced = 3 * 2 / 5
    tension = 2 * reduced * G
    w = math.sqrt(500.0 / reduced)
    assert result[rope.tension] == pytest.approx(tension * (1 - np.cos(w * result.time)), abs=1e-6)
    assert result[rope.length] - (2 + 0.2 * math.pi) == pytest.approx(tension / 500 * (1 - np.cos(w * result.time)), abs=1e-9)
    assert np.ptp(result["energy.total"]) < 1e-8


@pytest.mark.parametrize("parts", [2, 4, 6])
def test_a_block_and_tackle_lifts_n_to_one(parts):
    """n parts of the rope carry the block: at rest a pull of m g / n holds it; the free end moves n times as far."""
    m = sl.Model(gravity=(0, 0, -G))
    block = weight(m, 12, (0, 0, -2), "block")
    m.prismatic(m.ground, block, axis="z")
    through, x, r = [m.ground.frame(at=(-1.4, 0, 0))], -1.3, 0.1
    for _ in range(parts // 2):  # down, around a sheave of the block, up, around one of the crown
        through.append(m.sheave(block, radius=r, axis="-y", at=(x, 0, -2)))
        through.append(m.sheave(m.ground, radius=r, axis="y", at=(x + 0.2, 0, 0)))
        x += 0.4
    free = weight(m, 12 / parts, (x - 0.1, 0, -1), "free")
    m.prismatic(m.ground, free, at=(x - 0.1, 0, 0), axis="z")
    rope = m.rope([*through, free])
    m.force(free, (0, 0, -1.0))
    result = m.simulate(0.2, scheme="moreau_jean", step=1e-3)
    down, up = -result[free.displacement.z].last, result[block.displacement.z].last
    assert down == pytest.approx(parts * up, rel=1e-8)
    acceleration = 1.0 / (12 / parts + 12 / parts**2)
    assert down == pytest.approx(0.5 * acceleration * 0.04, rel=1e-2)
    assert result[rope.tension].last == pytest.approx(12 / parts * (G + acceleration / parts), rel=1e-6)


def test_a_crane_pendulum_swings_as_its_rope_is_long():
    """A load on a rope over a sheave: a pendulum that unrolls. Its free part is l0 + r phi at the angle phi, and swings about the place of tangency."""
    m = sl.Model(gravity=(0, 0, -G))
    load = m.point_mass(mass=2.0, at=(0.3, 0, -1.5), velocity=(1.2, 0, 0), name="load")
    sheave = m.sheave(m.ground, radius=0.3, axis="y", at=(0, 0, 0))
    m.rope([m.ground.frame(at=(-2, 0, 0.3)), sheave, load], stiffness=4e6)
    result = m.simulate(3.0, scheme="dormand_prince", tolerance=1e-9)
    r, l0 = 0.3, 1.5  # T = m (l phi')^2 / 2, V = m g (r sin phi - l cos phi), l = l0 + r phi: Lagrange

    def slope(y):
        phi, w = y
        free = l0 + r * phi
        return np.array([w, (-G * math.sin(phi) - r * w * w) / free])

    y, h = np.array([0.0, 1.2 / l0]), 1e-4
    for _ in range(30000):
        k1 = slope(y)
        k2 = slope(y + h / 2 * k1)
        k3 = slope(y + h / 2 * k2)
        k4 = slope(y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    phi = y[0]
    free = l0 + r * phi
    assert result[load.position.x].last == pytest.approx(r * math.cos(phi) + free * math.sin(phi), abs=1e-4)
    assert result[load.position.z].last == pytest.approx(r * math.sin(phi) - free * math.cos(phi), abs=1e-4)


def test_a_hanging_block_that_swings_in_all_directions_stays_in_its_rope():
    """Energy is kept to the tolerance while the sheaves are skew to each other; without grooves the block would slide off along its axis."""
    m = sl.Model(gravity=(0, 0, -G))
    block = m.body(mass=3, inertia=(0.05, 0.06, 0.07), at=(0.2, 0, -2), center_of_mass=(0, 0, -0.3), velocity=(0.4, 0.7, 0), angular_velocity=(0, 0, 0.5), name="block")
    over = m.sheave(m.ground, radius=0.1, axis="y", at=(0, 0, 0))
    under = m.sheave(block, radius=0.1, axis="-y", at=(0.2, 0, -2))
    rope = m.rope([m.ground.frame(at=(-1, 0, 0.1)), over, under, m.ground.frame(at=(0.3, 0, 0))], stiffness=5e3)
    result = m.simulate(3.0, scheme="dormand_prince", tolerance=1e-7)
    assert np.ptp(result["energy.total"]) < 1e-5
    assert np.max(np.abs(result[block.position.y])) < 0.5 and np.ptp(result[block.position.y]) > 0.5
    assert np.min(result[rope.tension]) >= 0.0


@pytest.mark.parametrize("stiffness", [None, 1e5])
def test_a_winch_hoists_over_many_turns(stiffness):
    m = sl.Model(gravity=(0, 0, -G))
    drum = m.body(mass=5, inertia=(0.1, 0.1, 0.1), at=(0, 0, 10), name="drum")
    hinge = m.revolute(m.ground, drum, axis="y", angle="-10*t")
    load = weight(m, 2, (0.1, 0, -5), "load")
    m.prismatic(m.ground, load, axis="z")
    rope = m.rope([m.ground.frame(at=(0.1, 0, 10)), load], stiffness=stiffness, damping=None if stiffness is None else 500.0, drum=hinge.angle, radius=0.1)
    result = m.simulate(5.0, scheme="moreau_jean", step=1e-3)  # eight turns
    assert result[hinge.angle].last == pytest.approx(-50, rel=1e-9)
    assert result[load.displacement.z].last == pytest.approx(5.0, abs=1e-3 if stiffness is None else 2e-3)
    assert result[rope.tension].last == pytest.approx(2 * G, rel=1e-2)
    assert result[hinge.drive].last == pytest.approx(-2 * G * 0.1, rel=1e-2)  # holds the load up


def test_the_moment_arm_of_a_tendon_is_the_derivative_of_its_length():
    """Around a ball and a cylinder at an elbow: tension times dL/dangle is the torque, to 1e-10 of it."""
    m = sl.Model(gravity=(0, 0, 0))
    upper = m.ground
    fore = m.body(mass=1, inertia=(0.1, 0.1, 0.1), at=(0, 0, 0), name="fore")
    hinge = m.revolute(upper, fore, at=(0, 0, 0), axis="y", angle="t")
    ball = m.wrap(fore, radius=0.05, at=(0.02, 0.01, -0.03))
    roll = m.wrap(upper, radius=0.04, axis=(0.1, -1, 0), at=(-0.02, 0.02, 0.06))
    tendon = m.rope([m.ground.frame(at=(0.09, 0.01, 0.4)), roll, ball, fore.frame(at=(0.08, 0, -0.25))], tension=100.0)
    result = m.simulate(1.0, scheme="runge_kutta_4", step=1e-3)
    t = result.time
    length = result[tendon.length]
    arm = np.gradient(length, t, edge_order=2)
    torque = 100.0 * np.asarray(result[tendon.rate])  # at unit speed: dL/dangle
    assert np.max(np.abs(torque[1:-1] / 100 - arm[1:-1])) < 1e-5
    drive = np.asarray(result[hinge.drive])
    assert np.max(np.abs(drive - torque)) < 1e-10 * np.max(np.abs(torque))


def test_a_tendon_lifts_off_and_lies_down_again():
    m = sl.Model(gravity=(0, 0, 0))
    slider = m.body(mass=1, inertia=(1, 1, 1), at=(1, 0, 0.3), name="slider")
    m.prismatic(m.ground, slider, axis="z", position="-0.6*sin(t)")
    ball = m.wrap(m.ground, radius=0.1, at=(0, 0, 0))
    rope = m.rope([m.ground.frame(at=(-1, 0, 0.05)), ball, slider], tension=1.0)
    result = m.simulate(3.0, scheme="runge_kutta_4", step=1e-2)
    z = 0.3 - 0.6 * np.sin(result.time)
    straight = np.hypot(2, z - 0.05)
    touches = np.abs((z + 0.05) / 2 / straight * 2) < 0.1
    assert result[rope.length][~touches] == pytest.approx(straight[~touches], rel=1e-12)
    assert np.all(result[rope.length][touches] >= straight[touches] - 1e-15) and touches.any() and (~touches).any()


def test_saved_renamed_far_and_turned_it_is_the_same(tmp_path):
    m, heavy, _, rope = atwood(stiffness=500.0, damping=2.0)
    truth = m.simulate(0.5, **EXACT)[rope.tension].last
    m.save(tmp_path / "atwood.json")
    again = sl.Model.load(tmp_path / "atwood.json")
    assert again.simulate(0.5, **EXACT)[again[rope.name].tension].last == truth
    far, turn = np.array((2e4, -1e4, 3e4)), sl.Rotation.from_rotvec((0.3, 0.2, 0.9)).as_matrix() if hasattr(sl.Rotation, "from_rotvec") else np.eye(3)
    n = sl.Model(gravity=tuple(turn @ (0, 0, -G)))
    a, b = weight(n, 3, far + turn @ (-0.2, 0, -1), "h2"), weight(n, 2, far + turn @ (0.2, 0, -1), "l2")
    other = n.rope([a, n.sheave(n.ground, radius=0.2, axis=turn @ (0, 1, 0), at=far), b], stiffness=500.0, damping=2.0, name="cable")
    assert n.simulate(0.5, **EXACT)[other.tension].last == pytest.approx(truth, rel=1e-6)


def test_statics_see_the_rope():
    n = sl.Model(gravity=(0, 0, -G))
    load = weight(n, 2, (0.2, 0, -1.001), "load")
    n.prismatic(n.ground, load, axis="z")
    n.rope([n.ground.frame(at=(-1, 0, 0.2)), n.sheave(n.ground, radius=0.2, axis="y"), load], stiffness=500.0, length=1 + 0.2 * math.pi / 2 + 1)
    rest = n.static()
    assert rest[load.position.z].last == pytest.approx(-1 - 2 * G / 500, abs=1e-9)


def test_mistakes_are_refused_with_a_remedy():
    m = sl.Model()
    body = weight(m, 1, (0, 0, -1), "load")
    wheel = m.sheave(m.ground, radius=0.2, axis="y", name="wheel")
    cases = [
        (lambda: m.rope([body]), "through", "two ends"),
        (lambda: m.rope([wheel, body]), "through", "stand at each end"),
        (lambda: m.rope([body, 3, m.ground]), "through", "m.sheave"),
        (lambda: m.rope([m.ground.frame(at=(0.1, 0, 0)), wheel, body]), "through", "inside a wrap"),
        (lambda: m.rope([m.ground, body], damping=3), "damping", "stiffness="),
        (lambda: m.rope([m.ground, body], tension=3, length=1), "length", "leave one"),
        (lambda: m.rope([m.ground, body], radius=1), "radius", "drum="),
        (lambda: m.sheave(m.ground, radius=0), "radius", "above 0"),
    ]
    for action, where, says in cases:
        with pytest.raises(sl.ModelError, match=says) as caught:
            action()
        assert caught.value.faults[0].path.endswith(where)
    m.add(sl.items.Rope(through=[{"body": "ground", "at": (0.1, 0, 0)}, "wheel", "load"], name="inside"))
    with pytest.raises(sl.ModelError, match="inside/through.*'wheel' has the rope's neighbouring point inside"):
        m.simulate(0.1)


def test_sheaves_inside_each_other_and_ropes_that_miss_theirs_are_named():
    m = sl.Model()
    body = weight(m, 1, (3, 0, -1), "load")
    m.sheave(m.ground, radius=0.3, axis="y", name="outer"), m.sheave(m.ground, radius=0.1, axis="y", at=(0.1, 0, 0), name="inner")
    m.add(sl.items.Rope(through=[{"body": "ground", "at": (-3, 0, -1)}, "outer", "inner", "load"], name="cable"))
    with pytest.raises(sl.ModelError, match="'outer' and its neighbour lie inside each other"):
        m.simulate(0.1)
    n = sl.Model()
    weight(n, 1, (3, 0, -1), "load")
    n.sheave(n.ground, radius=0.3, axis="-y", at=(0, 0, 2), name="above")
    n.add(sl.items.Rope(through=[{"body": "ground", "at": (-3, 0, -1)}, "above", "load"], name="cable"))
    with pytest.raises(sl.ModelError, match="'above' is not touched.*turn its axis round"):
        n.simulate(0.1)


def hanging_block(*, axle=(0.0, 0.0, 0.0), turn=(0.0, 0.0, 0.0), below=0.0, inertia=(0.4, 0.2, 0.3), stiffness=1e7):
    """A block of 5 kg on two falls of 1 m, over a sheave of 0.1 m with its axis along y; its centre of mass `below` the axle."""
    m = sl.Model(gravity=(0, 0, -G))
    R = sl.Rotation.of_vector(turn).matrix
    block = m.body(mass=5, inertia=inertia, at=tuple(axle + R @ (0, 0, -below)), rotation=turn, name="block")
    wheel = m.sheave(block, radius=0.1, axis=tuple(R @ (0, -1, 0)), at=axle)
    m.rope([m.ground.frame(at=(-0.1, 0, 1)), wheel, m.ground.frame(at=(0.1, 0, 1))], stiffness=stiffness, length=2 + 0.1 * math.pi - 5 * G / 2 / stiffness, name="falls")
    return m, block


def test_a_block_that_swings_out_of_its_plane_is_a_pendulum():
    """Its falls stay on the sheave: a simple pendulum of their length, about the line of their upper ends."""
    amplitude, period, n = 0.6, 2 * math.pi / math.sqrt(G), 4
    a, b = 1.0, math.cos(amplitude / 2)
    while abs(a - b) > 1e-15:
        a, b = (a + b) / 2, math.sqrt(a * b)
    until = n * period / a  # by the arithmetic-geometric mean
    m, block = hanging_block(axle=(0, math.sin(amplitude), 1 - math.cos(amplitude)))
    result = m.simulate(until, scheme="dormand_prince", tolerance=1e-9)
    assert result[block.position.y].last == pytest.approx(math.sin(amplitude), abs=1e-4)
    assert np.min(result[block.position.y]) == pytest.approx(-math.sin(amplitude), abs=1e-3)
    assert np.ptp(result["energy.total"]) < 1e-6
    assert np.max(np.abs(result[block.rotation.x])) < 1e-9  # no moment about its own centre


def test_a_block_with_its_weight_below_swings_as_a_double_pendulum():
    """Falls of length h to the axis of the sheave, the mass c below: small modes by the matrices of Lagrange's equations."""
    c, J, mass = 0.3, 0.4, 5.0
    M, K = mass * np.array([[1, c], [c, c * c + J / mass]]), mass * G * np.diag([1, c])  # angles of falls and block, h = 1
    squares, modes = (x.real for x in np.linalg.eig(np.linalg.solve(M, K)))
    small = 1e-4
    for square, mode in zip(squares, modes.T, strict=True):
        falls, tilt = small * mode / np.max(np.abs(mode))
        axle = (0.0, math.sin(falls), 1 - math.cos(falls))
        m, block = hanging_block(axle=axle, turn=(tilt, 0, 0), below=c)  # about x by +tilt what hangs below goes towards +y
        start = axle[1] + c * math.sin(tilt)
        result = m.simulate(2 * math.pi / math.sqrt(square), scheme="dormand_prince", tolerance=1e-10)
        assert result[block.position.y].last == pytest.approx(start, rel=1e-4)
        assert result[block.rotation.x].last == pytest.approx(tilt, rel=1e-4)


def test_a_block_twisted_about_the_vertical_is_turned_back():
    """Two falls at +-r of the tension T = m g / 2 and length h: the moment 2 T r^2 / h by the small angle."""
    m, block = hanging_block(turn=(0, 0, 1e-3), inertia=(0.4, 0.4, 0.05))
    rate = math.sqrt(5 * G * 0.1**2 / 1.0 / 0.05)
    result = m.simulate(3 * 2 * math.pi / rate, scheme="dormand_prince", tolerance=1e-10)
    assert result[block.rotation.z] == pytest.approx(1e-3 * np.cos(rate * result.time), abs=1e-8)


def crane(aside=0.0, push=300.0, rail=50.0, loss=1e4, **options):
    """A trolley on a rail, a rope of four falls, a hook block with two sheaves."""
    m = sl.Model(gravity=(0, 0, -G))
    trolley = m.body(mass=200, inertia=(10, 10, 10), name="trolley")
    hook = m.body(at=(-0.2, aside, -5.5), mass=500, inertia=(20, 25, 10), name="hook", **options)
    m.prismatic(m.ground, trolley, axis="x", damping=rail, stiffness=0)
    m.force(trolley, (push, 0, 0))
    under = [m.sheave(hook, at=(x, aside, -5), radius=0.1, axis="-y") for x in (-0.4, 0.0)]
    over = m.sheave(trolley, at=(-0.2, 0, 0), radius=0.1, axis="y")
    length = 0.999 * (20 + 0.3 * math.pi)
    m.rope([trolley.frame((-0.5, 0, 0)), under[0], over, under[1], trolley.frame((0.1, 0, 0))], length=length, stiffness=1e6 / length, damping=loss / length)
    return m, trolley, hook


def test_a_crane_in_its_plane_is_that_of_another_engine():
    """The values of exudyn's reeving system at 4 s, extrapolated in its step; a hook that tips off its sheaves never gets there."""
    m, trolley, hook = crane()
    result = m.simulate(4.0, scheme="dormand_prince", tolerance=1e-9)
    assert result[trolley.position.x].last == pytest.approx(3.32156644, abs=1e-6)
    assert result[hook.position.x].last == pytest.approx(2.79112128, abs=1e-6)
    assert result[hook.position.z].last == pytest.approx(-5.49122590, abs=1e-6)
    assert np.max(np.abs(result[hook.rotation.x])) < 1e-9


def test_a_hook_block_disturbed_aside_stays_there_and_keeps_its_energy():
    m, _, hook = crane(aside=1e-3, push=0.0, rail=0.0, loss=0.0)
    result = m.simulate(60.0, scheme="dormand_prince", tolerance=1e-9)
    assert np.max(np.abs(result[hook.position.y])) < 1.5e-3
    assert np.max(np.abs(result[hook.rotation.x])) < 5e-3
    energy = result["energy.total"]
    assert np.ptp(energy) < 1e-6 * 500 * G * 0.02  # of the fall from the slack length


def test_a_sheave_stands_beside_a_wrap():
    """The rope leaves out a ball that is not in its way; in the plane groove and cylinder agree."""
    m = sl.Model()
    load = weight(m, 1, (0.2, 0, -1), "load")
    wheel = m.sheave(m.ground, radius=0.2, axis="y", at=(0, 0, 0))
    ball = m.wrap(m.ground, radius=0.1, at=(-3, 0, 5))
    plain = m.rope([m.ground.frame(at=(-2, 0, 0.2)), wheel, load], tension=1.0)
    both = m.rope([m.ground.frame(at=(-2, 0, 0.2)), ball, wheel, load], tension=1.0)
    result = m.simulate(0.01)
    assert result[both.length][0] == pytest.approx(result[plain.length][0], abs=1e-12)


def rope_brake(friction, *, heavy=3.0, light=2.0, inertia=None, speed=0.0, turned=None, at=(0, 0, 0), **keywords):
    """Atwood's machine over a sheave with friction, fixed or with an inertia: the heavy load on the right, at the rope's first end."""
    R = np.eye(3) if turned is None else turned
    place = lambda x, y, z: tuple(np.asarray(at) + R @ (x, y, z))  # noqa: E731
    m = sl.Model(gravity=tuple(R @ (0, 0, -G)))
    loads = []
    for mass, x, up in ((heavy, 0.2, -1), (light, -0.2, 1)):
        load = m.point_mass(mass=mass, at=place(x, 0, -2), velocity=tuple(R @ (0, 0, up * speed)), name="heavy" if x > 0 else "light")
        loads.append(load)
    on = m.ground
    if inertia is not None:
        on = m.body(mass=1, inertia=(inertia,) * 3, at=place(0, 0, 0), name="wheel")
        m.revolute(m.ground, on, at=place(0, 0, 0), axis=tuple(R @ (0, 1, 0)), name="axle")
    wheel = m.sheave(on, radius=0.2, axis=tuple(R @ (0, -1, 0)), at=place(0, 0, 0), friction=friction)
    return m, *loads, m.rope([loads[0], wheel, loads[1]], name="rope", **keywords)


STEPS = [dict(scheme="moreau_jean", step=1e-3), dict(scheme="nonsmooth_generalized_alpha", step=1e-3), dict(scheme="event_driven"), dict()]


@pytest.mark.parametrize("options", STEPS, ids=str)
@pytest.mark.parametrize("place", [{}, dict(at=(1e4, -2e3, 300.0)), dict(turned=rotation_matrix(np.array([0.4, -0.7, 0.3])))], ids=["", "far", "turned"])
def test_a_rope_slips_over_a_fixed_sheave_with_the_ratio_of_euler_and_eytelwein(options, place):
    mu = 0.1
    m, heavy, light, rope = rope_brake(mu, **place)
    result = m.simulate(0.3, **options)
    ratio = math.exp(mu * math.pi)
    a = (3 - 2 * ratio) * G / (3 + 2 * ratio)  # 3 g - T1 = 3 a, T2 - 2 g = 2 a, T1 = T2 e^(mu pi)
    up = np.asarray(m.gravity) / -G
    assert result[heavy.displacement].last @ up == pytest.approx(-0.5 * a * 0.09, rel=2e-2 if options.get("scheme") == "nonsmooth_generalized_alpha" else 1e-6)
    assert result[rope.first_tension].last / result[rope.tension].last == pytest.approx(ratio, rel=1e-6)
    assert result[rope.slip].last - result[rope.slip][0] == pytest.approx(result[heavy.displacement].last @ up, abs=1e-6)
    assert result[rope.length] == pytest.approx(4 + 0.2 * math.pi, abs=1e-5)
    energy = np.asarray(result["energy.total"])
    assert np.all(np.diff(energy) < 1e-6)


@pytest.mark.parametrize("options", STEPS, ids=str)
def test_a_rope_sticks_on_a_sheave_within_its_cone(options):
    m, heavy, light, rope = rope_brake(0.2)  # e^(0.2 pi) = 1.87 above 3 / 2
    result = m.simulate(0.3, **options)
    creeps = 1e-3 * G * 0.3 if options.get("scheme") == "nonsmooth_generalized_alpha" else 0.0  # places of rows without a value follow its smooth part: g h t
    assert np.max(np.abs(result[heavy.displacement])) < 1e-8 + creeps
    assert result[rope.first_tension].last == pytest.approx(3 * G, rel=1e-6)
    assert result[rope.tension].last == pytest.approx(2 * G, rel=1e-6)


@pytest.mark.parametrize("options", STEPS, ids=str)
def test_a_wheel_goes_with_its_rope_until_the_rope_slips(options):
    """It sticks: a = (m1 - m2) g / (m1 + m2 + I / r^2). A heavier wheel is left behind: the rope slips with e^(mu pi)."""
    m, heavy, light, rope = rope_brake(0.3, inertia=0.04)
    result = m.simulate(0.4, **options)
    a = G / (5 + 1)
    assert result[heavy.displacement.z].last == pytest.approx(-0.5 * a * 0.16, rel=1e-2)
    creeps = 1e-3 if options.get("scheme") == "nonsmooth_generalized_alpha" else 0.0
    assert result["axle.angle"].last == pytest.approx(result[heavy.displacement.z].last / -0.2, rel=1e-5 + 10 * creeps)
    assert result[rope.slip].last == pytest.approx(result[rope.slip][0], abs=1e-6 + creeps)
    m, heavy, light, rope = rope_brake(0.05, inertia=4.0)
    result = m.simulate(0.4, **options)
    ratio = math.exp(0.05 * math.pi)
    a = (3 - 2 * ratio) * G / (3 + 2 * ratio)
    assert result[heavy.displacement.z].last == pytest.approx(-0.5 * a * 0.16, rel=1e-2)
    tension = 2 * (G + a)
    assert result["axle.angle"].last == pytest.approx(0.5 * (ratio - 1) * tension * 0.2 / 4.0 * 0.16, rel=1e-2)


def test_a_sheave_that_is_driven_pulls_the_rope_over_many_turns():
    """A capstan: it turns under a rope that a weight and a spring hold; the spring bears the weight times e^(mu wrap), with whole turns on the drum."""
    mu, turns = 0.1, 2
    m = sl.Model(gravity=(0, 0, -G))
    drum = m.body(mass=1, inertia=(0.1,) * 3, at=(0, 0, 0), name="drum")
    m.revolute(m.ground, drum, at=(0, 0, 0), axis="y", speed=-40.0, name="axle")
    load, held = m.point_mass(mass=2, at=(0.2, 0, -1), name="load"), m.point_mass(mass=0.1, at=(-0.2, 0, -1), name="held")
    m.spring(m.ground.frame(at=(-0.2, 0, -2)), held, stiffness=1e3, damping=60, rest_length=1.0)
    m.prismatic(m.ground, held, axis="z", at=(-0.2, 0, 0))
    m.prismatic(m.ground, load, axis="z", at=(0.2, 0, 0))
    rope = m.rope([held, m.sheave(drum, radius=0.2, axis="y", at=(0, 0, 0), turns=turns, friction=mu), load], name="rope")
    result = m.simulate(3.0, scheme="moreau_jean", step=1e-3)
    wrap = math.pi + 2 * math.pi * turns
    assert result["rope_wrap.wrap"].last == pytest.approx(wrap, rel=1e-6)
    assert result[rope.first_tension].last / result[rope.tension].last == pytest.approx(math.exp(-mu * wrap), rel=1e-6)
    assert result[rope.slip].last - result[rope.slip][0] == pytest.approx(0.2 * 40 * 3, rel=1e-2)  # nineteen turns


def test_a_rope_with_friction_over_skew_sheaves_only_loses_energy():
    m = sl.Model(gravity=(0, 0, -G))
    block = m.body(mass=3, inertia=(0.05, 0.06, 0.07), at=(0.2, 0, -2), center_of_mass=(0, 0, -0.3), velocity=(0.4, 0.7, 0), name="block")
    over = m.sheave(m.ground, radius=0.1, axis="y", at=(0, 0, 0))
    under = m.sheave(block, radius=0.1, axis="-y", at=(0.2, 0, -2), friction=0.15)
    rope = m.rope([m.ground.frame(at=(-1, 0, 0.1)), over, under, m.ground.frame(at=(0.3, 0, 0))])
    result = m.simulate(2.0, scheme="moreau_jean", step=1e-3)
    energy = np.asarray(result["energy.total"])
    assert np.max(np.diff(energy)) < 1e-8 and energy[-1] < energy[0] - 0.02
    first, last, wrap = (np.asarray(result[q]) for q in (rope.first_tension, rope.tension, f"{rope.name}_wrap.wrap"))
    taut = np.minimum(first, last) > 1e-9
    assert np.mean(taut) > 0.99 and np.all(np.abs(np.log(first[taut] / last[taut])) <= 0.15 * wrap[taut] + 1e-6)


def test_a_rope_with_friction_comes_back_from_its_file(tmp_path):
    m, heavy, light, rope = rope_brake(0.1)
    m.save(tmp_path / "brake.json")
    again = sl.Model.load(tmp_path / "brake.json")
    for scheme in ("moreau_jean",):
        a, b = (x.simulate(0.1, scheme=scheme, step=1e-3) for x in (m, again))
        assert a["heavy.position"].last.tobytes() == b["heavy.position"].last.tobytes()
        assert b[again["rope"].first_tension].last == a[rope.first_tension].last


@pytest.mark.parametrize(
    "keywords, message",
    [(dict(stiffness=1e4), "rope/stiffness.*sheave.*friction.*does not stretch"), (dict(tension=3.0), "rope/tension.*friction")],
)
def test_a_rope_with_friction_is_refused_where_it_has_no_law(keywords, message):
    with pytest.raises(sl.ModelError, match=message):
        rope_brake(0.1, **keywords)


def test_two_rough_sheaves_are_refused_and_a_negative_friction():
    m = sl.Model()
    one, two = (m.sheave(m.ground, radius=0.1, axis="y", at=(x, 0, 0), friction=0.1) for x in (0, 1))
    with pytest.raises(sl.ModelError, match="has 2 sheaves with friction.*one at most"):
        m.rope([m.ground.frame(at=(-0.1, 0, -1)), one, two, m.point_mass(mass=1, at=(1.1, 0, -1))])
    m, *_ = rope_brake(-0.1)
    with pytest.raises(sl.ModelError, match="rope_capstan/friction.*-0.1.*at least 0"):
        m.simulate(0.1)


def test_the_picture_of_a_rope_follows_its_tangent_points():
    """Of Atwood's machine on a wheel that turns: the spans hang from the sides of the wheel at every time, however far it has turned."""
    from saltus.view.container import unpacked
    from saltus.view.scene import Scene
    from saltus.view.shows import scene

    m, heavy, light, rope = rope_brake(0.3, inertia=0.04)
    result = m.simulate(1.0, scheme="moreau_jean", step=1e-3)
    assert abs(result["axle.angle"].last) > math.pi
    drawn = Scene(m._engine, result._recorded.system)
    head = drawn.head()
    pieces = [s for s in head["springs"] if head["items"][s["i"]]["n"] == "rope"]
    assert len(pieces) == 10  # two spans and eight pieces of the arc
    p, _ = drawn.poses(np.asarray(result._recorded.arrays["y"]))
    assert p.shape[1] == len(head["frames"])
    span = [p[:, s["a"][0]] for s in pieces[:2]]
    assert span[0] == pytest.approx(np.asarray(result[heavy.position]), abs=1e-12)
    assert span[1] == pytest.approx(np.tile([0.2, 0, 0], (len(p), 1)), abs=1e-9)
    assert unpacked(scene(result))[0]["springs"] == head["springs"]
