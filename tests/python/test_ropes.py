"""Ropes over sheaves, tendons around bodies, winches: against closed forms, by every way to write them."""

import math

import numpy as np
import pytest

import saltus as sl

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
    k = sl.Model()
    body = weight(k, 1, (3, 0, -1), "load")
    k.rope([k.ground.frame(at=(-3, 0, -1)), k.sheave(k.ground, radius=0.3, axis="y"), k.wrap(k.ground, radius=0.1, at=(1.5, 0, 0), name="post"), body])
    with pytest.raises(sl.ModelError, match="next to a wrap or sheave of the other kind.*let a point stand between"):
        k.simulate(0.1)
