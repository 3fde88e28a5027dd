"""Force elements beside springs, loads of mass, friction of joints: closed forms and invariants."""

import math

import numpy as np
import pytest

import saltus as sl


def rel(x, **others):
    return pytest.approx(x, **others)


# Gravity.


def test_two_masses_go_round_each_other_as_kepler_says():
    m = sl.Model(gravity=(0, 0, 0))
    G, M, s, d = 2.0, 3.0, 1.0, 1.5
    v = math.sqrt(G * (M + s) / d)
    sun = m.sphere(radius=0.1, mass=M, at=(0, 0, 0), velocity=(0, -v * s / (M + s), 0))
    moon = m.sphere(radius=0.1, mass=s, at=(d, 0, 0), velocity=(0, v * M / (M + s), 0))
    pull = m.attraction(sun, moon, constant=G)
    period = 2.0 * math.pi * math.sqrt(d**3 / (G * (M + s)))
    r = m.simulate(10 * period, scheme="dormand_prince", tolerance=1e-11)
    assert r[moon.position][-1] - r[sun.position][-1] == rel(np.array([d, 0, 0]), abs=1e-7)
    assert r["energy.total"] == rel(np.full(len(r.time), r["energy.total"][0]), rel=1e-9)
    assert r[pull.force][0] == rel(np.array([-G * M * s / d**2, 0, 0]), rel=1e-12)


def test_an_attraction_follows_the_masses_and_refuses_what_has_none():
    m = sl.Model(gravity=(0, 0, 0))
    a, b = m.sphere(radius=0.1, mass=2.0), m.sphere(radius=0.1, mass=3.0, at=(1, 0, 0))
    m.attraction(a, b, constant=1.0, name="pull")
    a.mass = 5.0
    assert m["pull"].fields["mass_A"] == 5.0
    with pytest.raises(sl.ModelError, match="has no mass"):
        m.attraction(m.ground, b)
    with pytest.raises(sl.ModelError, match="constant.*must be above 0"):
        m.attraction(a, b, constant=-1.0)
        m.simulate(0.1)


def test_a_body_may_feel_less_gravity_or_one_of_its_own():
    m = sl.Model()
    free, floats, own = (m.box(size=(1, 1, 1), mass=2.0, at=(3.0 * i, 0, 0)) for i in range(3))
    floats.set(gravity_share=0.0)
    own.set(gravity_share=0.0)
    m.mass_load(own, (0, "6*t", 1.0))
    r = m.simulate(1.0)
    assert r[free.velocity.z][-1] == rel(-9.81)
    assert np.max(np.abs(r[floats.velocity])) < 1e-14
    assert r[own.velocity][-1] == rel(np.array([0, 3.0, 1.0]), abs=1e-9)


def test_a_load_of_mass_acts_at_the_centre_of_mass():
    m = sl.Model(gravity=(0, 0, 0))
    b = m.body(mass=2.0, inertia=(1, 2, 2), center_of_mass=(0.5, 0.2, 0), name="b")
    m.mass_load(b, (0, 0, -3.0))
    r = m.simulate(1.0)
    assert np.max(np.abs(r[b.angular_velocity])) < 1e-12
    assert r[b.velocity.z][-1] == rel(-3.0)


def test_seen_from_a_rotor_a_free_mass_is_driven_by_centrifugal_and_coriolis_forces():
    w = 1.3
    m = sl.Model(gravity=(0, 0, 0))
    p = m.point_mass(mass=0.7, at=(0.2, 0.1, 0), velocity=(0.3, -0.2 - 0.2 * w, 0.1))
    m.mass_load(p, (f"{w}^2*x + 2*{w}*vy", f"{w}^2*y - 2*{w}*vx", 0))
    r = m.simulate(5.0, tolerance=1e-9)
    t = r.time
    v = np.array([0.3 - w * 0.1, -0.2 - 0.2 * w + w * 0.2])  # in the world, where axes agree at t = 0
    x, y = 0.2 + v[0] * t, 0.1 + v[1] * t
    assert r[p.position.x] == rel(np.cos(w * t) * x + np.sin(w * t) * y, abs=1e-6)
    assert r[p.position.y] == rel(-np.sin(w * t) * x + np.cos(w * t) * y, abs=1e-6)


def test_a_load_of_mass_turns_with_its_frame():
    m = sl.Model(gravity=(0, 0, 0))
    table = m.box(size=(1, 1, 0.1), mass=5.0)
    m.revolute(m.ground, table, axis="z", speed=2.0)
    p = m.point_mass(mass=1.0, at=(5, 0, 0))
    m.mass_load(p, (1.0, 0, 0), axes=table)
    r = m.simulate(3.0, tolerance=1e-9)
    assert r[p.velocity.x][-1] == rel(math.sin(6.0) / 2.0, abs=1e-6)
    assert r[p.velocity.y][-1] == rel((1.0 - math.cos(6.0)) / 2.0, abs=1e-6)
    assert np.max(np.abs(r[table.velocity])) < 1e-10


# Springs.


@pytest.mark.parametrize("only, sign", [("tension", 1.0), ("compression", -1.0)])
def test_a_one_way_spring_lets_go(only, sign):
    """A mass leaves a spring that only pulls, or pushes, with the speed that it came with."""
    m = sl.Model(gravity=(0, 0, 0))
    p = m.point_mass(mass=1.0, at=(1, 0, 0), velocity=(sign * 0.6, 0, 0))
    s = m.spring(m.ground, p, stiffness=25.0, rest_length=1.0, only=only)
    r = m.simulate(1.0, tolerance=1e-9)
    turn = math.pi / 5.0  # half a swing
    swings = r.time < turn - 1e-6
    assert r[p.position.x][swings] == rel(1.0 + sign * 0.12 * np.sin(5.0 * r.time[swings]), abs=1e-6)
    assert r[p.velocity.x][-1] == rel(-sign * 0.6, rel=1e-6)
    assert r[s.force][-1] == rel(np.zeros(3), abs=1e-12)


def test_a_spring_may_be_a_table():
    m = sl.Model(gravity=(0, 0, 0))
    p = m.point_mass(mass=1.0, at=(1.2, 0, 0))
    curve = m.table("curve", [-1, 0, 1], [-8, 0, 8], outside="linear")
    m.spring(m.ground, p, force=f"{curve.of('L - 1')} + 0.2*dL")
    r = m.simulate(2.0, tolerance=1e-9)
    decay, w = 0.1, math.sqrt(8 - 0.01)
    x = 1.0 + 0.2 * np.exp(-decay * r.time) * (np.cos(w * r.time) + decay / w * np.sin(w * r.time))
    assert r[p.position.x] == rel(x, abs=1e-6)
    with pytest.raises(sl.ModelError, match="given with stiffness"):
        m.spring(m.ground, p, force="L", stiffness=3.0)
    with pytest.raises(sl.ModelError, match='did you mean "tension"'):
        m.spring(m.ground, p, only="tensio")


# Bushings.


def test_offset_and_preload_of_a_bushing_say_where_it_rests():
    m = sl.Model(gravity=(0, 0, 0))
    b = m.box(size=(1, 1, 1), mass=2.0)
    m.bushing(m.ground, b, stiffness=(100, 200, 300, 10, 20, 30), offset=(0.1, 0, 0, 0, 0, 0.3), preload=(0, 0, 6.0, 0, 0, 0))
    r = m.static()
    assert r[b.position].last == rel(np.array([0.1, 0, -0.02]), abs=1e-9)
    assert r[b.rotation].last == rel(np.array([0, 0, 0.3]), abs=1e-9)


def test_a_bushing_of_a_function_is_the_one_of_its_matrices():
    def run(**keywords):
        m = sl.Model(gravity=(0, 0, 0))
        b = m.box(size=(1, 2, 3), mass=2.0, velocity=(0.1, 0, 0.2), angular_velocity=(0, 0, 3.0))
        m.bushing(m.ground, b, **keywords)
        return m.simulate(4.0, tolerance=1e-9)[b.position][-1], m.simulate(4.0, tolerance=1e-9)[b.quaternion][-1]

    a = run(stiffness=(10, 20, 30, 4, 5, 6), damping=(1, 0, 2, 0, 0, 0.3))
    b = run(force=("10*x + vx", "20*y", "30*z + 2*vz", "4*a", "5*b", "6*c + 0.3*vc"))
    assert a[0] == rel(b[0], abs=1e-7) and a[1] == rel(b[1], abs=1e-7)  # it turns about z alone


def test_sequential_angles_keep_the_energy_of_a_potential_and_count_turns():
    """V = 3 (1 - cos a cos b) + 0.4 c^2 / 2: large turns about all axes, several about the last."""
    m = sl.Model(gravity=(0, 0, 0))
    b = m.box(size=(1, 2, 3), mass=2.0, angular_velocity=(0.5, 0.8, 9.0))
    m.spherical(m.ground, b)
    m.bushing(m.ground, b, force=(0, 0, 0, "3*sin(a)*cos(b)", "3*cos(a)*sin(b)", "0.4*c"))
    r = m.simulate(4.0, scheme="dormand_prince", tolerance=1e-10)
    inside = 0.5 * np.einsum("ni,i,ni->n", np.asarray(r[b.angular_velocity_body]), np.array([13, 10, 5]) / 6.0, np.asarray(r[b.angular_velocity_body]))
    R = np.array([sl.Rotation.of_quaternion(q).matrix for q in np.asarray(r[b.quaternion])])
    a, bb, c = np.arctan2(-R[:, 1, 2], R[:, 2, 2]), np.arcsin(R[:, 0, 2]), np.unwrap(np.arctan2(-R[:, 0, 1], R[:, 0, 0]))
    V = 3.0 * (1.0 - np.cos(a) * np.cos(bb)) + 0.2 * c**2
    assert np.max(np.abs(c)) > 2.0 * math.pi
    assert inside + V == rel(np.full(len(V), inside[0]), rel=1e-7)


def test_bushings_are_refused_by_name():
    m = sl.Model()
    b = m.box(size=(1, 1, 1), mass=1.0)
    m.bushing(m.ground, b, stiffness=(1, 2, 3), name="mount")
    assert "connectors/mount" in str(m.check()[0])
    with pytest.raises(sl.ModelError, match="given with stiffness"):
        m.bushing(m.ground, b, stiffness=(1,) * 6, force=(0,) * 6)


# Friction of joints.


def slide(m, friction, **keywords):
    b = m.box(size=(0.1, 0.1, 0.1), mass=2.0)
    return b, m.prismatic(m.ground, b, axis="x", friction=friction, **keywords)


@pytest.mark.parametrize("speed", [0.002, 0.05, -0.7])
def test_stribeck_friction_is_its_curve(speed):
    m = sl.Model(gravity=(0, 0, 0))
    b, joint = slide(m, sl.Stribeck(coulomb=3.0, breakaway=5.0, stribeck_speed=0.1, viscosity=2.0), speed=speed)
    r = m.simulate(0.1)
    level = 3.0 + 2.0 * math.exp(-((speed / 0.1) ** 2))
    expected = level * math.tanh(speed / 1e-3) + 2.0 * speed
    assert -r[m[joint.name + "_friction"].quantity("force")][-1][0] == rel(expected, rel=1e-6)


def test_dahls_hysteresis_is_that_of_the_paper():
    """Drawn from rest: F (1 - exp(-sigma x / F)); turned: from there F (-1 + (1 + F0/F) exp(...)) (Dahl 1968)."""
    m = sl.Model(gravity=(0, 0, 0))
    F, sigma = 4.0, 800.0
    b, joint = slide(m, sl.Dahl(stiffness=sigma, coulomb=F), position="if(t < 1, 0.01*t, 0.02 - 0.01*t)")
    r = m.simulate(2.0, tolerance=1e-8)
    f = -np.asarray(r[m[joint.name + "_friction"].quantity("force")])[:, 0]
    x, out = np.asarray(r[b.position.x]), r.time <= 1.0
    assert f[out] == rel(F * (1.0 - np.exp(-sigma * x[out] / F)), abs=1e-4)
    top = F * (1.0 - math.exp(-sigma * 0.01 / F))
    assert f[~out] == rel(F * (-1.0 + (1.0 + top / F) * np.exp(-sigma * (0.01 - x[~out]) / F)), abs=1e-3)


def test_with_an_elastic_part_nothing_creeps_below_it():
    """A load that swings about half of the friction: Dahl's bristles creep, elastoplastic ones do not (Dupont et al. 2002, figure 3)."""
    def drift(**keywords):
        m = sl.Model(gravity=(0, 0, 0))
        b, _ = slide(m, sl.Dahl(stiffness=1e4, coulomb=4.0, damping=100.0, **keywords), force="1.5 + 0.4*sin(20*t)")
        r = m.simulate(20.0, tolerance=1e-7)
        early, late = (np.mean(r.at(t + np.arange(2000) * math.pi / 10 / 2000)["%s.position" % b.name][:, 0]) for t in (2.0, 2.0 + 56 * math.pi / 10))
        return late - early

    assert abs(drift(elastic=0.7)) < 1e-7
    assert drift() > 1e-4


@pytest.mark.parametrize("friction", [sl.LuGre(stiffness=2e5, damping=500.0, coulomb=4.0, breakaway=6.0, stribeck_speed=0.01), 6.0], ids=["bristles", "exact"])
def test_a_hinge_sticks_up_to_its_break_away(friction):
    """A pendulum held out of the vertical sticks up to m g l sin(angle) = break-away, to the degree."""
    def moves(angle):
        m = sl.Model(gravity=(0, 0, 0))
        rod = m.rod((0, 0, 0), (math.sin(angle), 0, -math.cos(angle)), mass=2.0)
        m.mass_load(rod, (0, 0, "-9.81*min(1, t)"))  # without the blow of a load at once
        hinge = m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", friction=friction)
        r = m.simulate(4.0)
        return abs(np.asarray(r[hinge.angle])[-1]) > math.radians(1.0)

    limit = math.degrees(math.asin(6.0 / (2.0 * 9.81 * 0.5)))
    assert not moves(math.radians(limit - 1.0))
    assert moves(math.radians(limit + 1.0))


def test_frictions_are_checked_and_saved(tmp_path):
    m = sl.Model()
    b, joint = slide(m, sl.LuGre(stiffness=1e4, coulomb=4.0, breakaway=3.0, stribeck_speed=0.01))
    assert "`breakaway` is less than `coulomb`" in str(m.check()[0])
    joint.friction = sl.Stribeck(coulomb=-1.0)
    assert "coulomb" in str(m.check()[0]) and "at least 0" in str(m.check()[0])
    joint.friction = sl.Stribeck(coulomb=1.0, breakaway=2.0)
    assert "`stribeck_speed` is 0" in str(m.check()[0])
    joint.friction = sl.Dahl(stiffness=10.0, coulomb=1.0)
    assert not [f for f in m.check() if f.severity == "error"]
    m.save(tmp_path / "m.json")
    again = sl.Model.load(tmp_path / "m.json")
    assert again._engine.text() == m._engine.text()
    assert np.array_equal(again.simulate(0.1)[again[b.name].position], m.simulate(0.1)[b.position])


def loaded(until=1.0, mu=0.2, radius=0.05, **keywords):
    m = sl.Model()
    wheel = m.cylinder(radius=0.2, length=0.1, mass=2.0, axis="y")
    hinge = m.revolute(m.ground, wheel, axis="y", friction=sl.Coulomb(mu, radius=radius))
    m.torque(wheel, (0, 3.0, 0))
    return m, wheel, hinge


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "keywords", [{}, dict(scheme="generalized_alpha"), dict(scheme="event_driven"), dict(scheme="moreau_jean", step=1e-3), dict(scheme="runge_kutta_4", step=1e-4), dict(scheme="nonsmooth_generalized_alpha", step=1e-3)],
    ids=lambda k: k.get("scheme", "default"),
)
def test_a_bearing_brakes_by_its_load_with_every_scheme(keywords):
    m, wheel, hinge = loaded()
    r = m.simulate(1.0, **keywords)
    rate = (3.0 - 0.2 * 0.05 * 2.0 * 9.81) / (0.5 * 2.0 * 0.04)
    assert r[wheel.angular_velocity.y].last == rel(rate, rel=1e-4)
    assert r[hinge.torque].last == rel(np.array([0, -0.2 * 0.05 * 2.0 * 9.81, 0]), rel=1e-6, abs=1e-7)


def test_the_load_of_a_bearing_is_that_of_the_same_instant():
    """A pendulum with a rough pin: torque mu r |f| with f = m a - m g of its own motion, at each instant, over swings."""
    m = sl.Model()
    bob = m.sphere(radius=0.1, mass=2.0, at=(1.0, 0, 0))
    hinge = m.revolute(m.ground, bob, at=(0, 0, 0), axis="y", friction=sl.Coulomb(0.3, radius=0.1, slip_speed=1e-4))
    r = m.simulate(3.0, tolerance=1e-9)
    f = 2.0 * (np.asarray(r[bob.acceleration]) + np.array([0, 0, 9.81]))
    w = np.asarray(r[hinge.angular_rate])
    expected = -0.3 * 0.1 * np.linalg.norm(f, axis=1) * w / np.sqrt(w * w + 1e-8)
    assert np.asarray(r[hinge.torque])[:, 1] == rel(expected, abs=1e-6)
    balance = np.asarray(r["energy.total"])[-1] + np.trapezoid(-np.asarray(r[hinge.torque])[:, 1] * w, r.time)
    assert balance == rel(0.0, abs=2e-3)


@pytest.mark.parametrize("degrees, moves", [(15.0, False), (16.2, False), (20.0, True), (25.0, True)])
def test_a_guide_holds_up_to_the_angle_of_friction(degrees, moves):
    """tan(16.7 degrees) = 0.3; below it only the creep within the slip speed."""
    a = math.radians(degrees)
    m = sl.Model(gravity=(9.81 * math.sin(a), 0, -9.81 * math.cos(a)))
    b = m.box(size=(0.1, 0.1, 0.1), mass=1.0)
    m.prismatic(m.ground, b, axis="x", friction=sl.Coulomb(0.3))
    v = m.simulate(1.0)[b.velocity.x].last
    if moves:
        assert v == rel(9.81 * (math.sin(a) - 0.3 * math.cos(a)), rel=0.01)
    else:
        share = math.tan(a) / 0.3
        assert v == rel(1e-3 * share / math.sqrt(1.0 - share**2), rel=1e-2)


def test_a_long_guide_carries_moments_with_little_friction():
    """A drawer that is pulled beside its guide: N = 2 F e / l at the ends, it jams where mu 2 e / l > 1."""
    for length, jams in ((0.5, False), (0.1, True)):
        m = sl.Model(gravity=(0, 0, 0))
        b = m.box(size=(0.1, 0.1, 0.1), mass=1.0)
        m.prismatic(m.ground, b, axis="x", friction=sl.Coulomb(0.4, length=length))
        m.force(b.frame((0, 0.2, 0), name="handle"), (1.0, 0, 0))
        v = m.simulate(2.0)[b.velocity.x].last
        assert v < 1e-2 if jams else v == rel(2.0 * (1.0 - 0.4 * 2.0 * 0.2 / length), rel=1e-2)


def test_friction_of_a_reaction_is_refused_where_it_makes_no_sense(tmp_path):
    m = sl.Model()
    b = m.box(size=(0.1, 0.1, 0.1), mass=1.0)
    with pytest.raises(sl.ModelError, match="has no `radius`"):
        m.revolute(m.ground, b, friction=sl.Coulomb(0.1))
    with pytest.raises(sl.ModelError, match="`radius`, which is not of a prismatic joint"):
        m.prismatic(m.ground, b, friction=sl.Coulomb(0.1, radius=0.1))
    joint = m.prismatic(m.ground, b, axis="x", friction=sl.Coulomb(-0.1))
    assert "friction" in str(m.check()[0]) and "at least 0" in str(m.check()[0])
    joint.friction = sl.Coulomb(0.1, length=0.2)
    m.save(tmp_path / "m.json")
    again = sl.Model.load(tmp_path / "m.json")
    assert again._engine.text() == m._engine.text() and again[joint.name].fields["length"] == 0.2
    m.contact(m.plane(at=(0, 0, -1)), m.sphere(radius=0.1, mass=1.0, at=(2, 0, 0)))
    with pytest.raises(sl.ModelError, match="beside laws with jumps"):
        m.simulate(0.1, scheme="event_driven")
    m.simulate(0.1)


@pytest.mark.parametrize("keywords", [{}, dict(step=1e-3)], ids=["default", "step"])
def test_a_rough_hinge_beside_contacts_converges_and_passes_impacts(keywords):
    def run(friction, keywords, until, floor=None):
        m = sl.Model()
        rod = m.rod((0, 0, 0), (1, 0, 0), mass=2.0, radius=0.05)
        hinge = m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", friction=friction)
        ball = m.sphere(radius=0.1, mass=1.0, at=(1.0, 0, 0))
        m.fixed(rod, ball)
        m.contact(m.plane(at=(0, 0, floor)), ball, restitution=0.6) if floor else m.contact(m.plane(), m.sphere(radius=0.1, mass=1.0, at=(3, 0, 1)))
        r = m.simulate(until, **keywords)
        return np.asarray(r[hinge.angle])[-1], np.asarray(r[hinge.angular_rate])[-1]

    smooth, rough = (run(friction, keywords, 0.8, floor=-0.5) for friction in (None, sl.Coulomb(0.0, radius=0.1)))  # two impacts
    assert rough == rel(smooth, rel=1e-2)  # its forces go through the impact within a step: of first order
    coarse, fine, finer = (run(sl.Coulomb(0.1, radius=0.05), dict(step=h), 1.0)[0] for h in (2e-3, 1e-3, 5e-4))
    assert abs(fine - finer) < 0.7 * abs(coarse - fine) + 1e-6  # first order


# Penalty contacts.


def head_on(speed=0.5, masses=(1.0, 3.0), **keywords):
    m = sl.Model(gravity=(0, 0, 0))
    a = m.sphere(radius=0.1, mass=masses[0], at=(-0.1001, 0, 0), velocity=(speed, 0, 0))
    b = m.sphere(radius=0.1, mass=masses[1], at=(0.1, 0, 0))
    c = m.penalty(a, b, **keywords)
    return m, a, b, c


def after(speed=0.5, until=0.02, tolerance=1e-9, **keywords):
    m, a, b, c = head_on(speed, **keywords)
    r = m.simulate(until, scheme="dormand_prince", tolerance=tolerance)
    assert np.asarray(r[c.quantity("depth")])[-1] < 0.0
    v = np.asarray(r[a.velocity.x]), np.asarray(r[b.velocity.x])
    assert v[0] + 3.0 * v[1] == rel(np.full(len(r.time), speed), rel=1e-9)
    return (v[1][-1] - v[0][-1]) / speed, np.max(np.asarray(r[c.quantity("depth")])), r, c


def test_hertz_has_the_depth_and_time_of_his_theory():
    K, v, mass = 1e7, 0.5, 0.75
    e, depth, r, c = after(stiffness=K)
    deepest = (1.25 * mass * v * v / K) ** 0.4
    assert e == rel(1.0, abs=1e-6) and depth == rel(deepest, rel=1e-3)
    touching = r.time[np.asarray(r[c.quantity("depth")]) > 0.0]
    assert touching[-1] - touching[0] == rel(2.9432 * deepest / v, rel=0.02)
    assert r["energy.total"][-1] == rel(r["energy.total"][0], rel=1e-6)


LOSS = {"hunt_crossley": lambda e: 1.5 * (1 - e), "lankarani_nikravesh": lambda e: 0.75 * (1 - e * e), "flores": lambda e: 1.6 * (1 - e) / e}


@pytest.mark.parametrize("model", LOSS)
@pytest.mark.parametrize("restitution", [0.3, 0.6, 0.9])
@pytest.mark.parametrize("exponent", [1.5, 1.0])
def test_restitution_is_that_of_the_papers_force(model, restitution, exponent):
    """m v dv/dd = -K d^n (1 + x v / v0) gives v0 - ln(1 + x v0)/x at the touch and at the parting, whatever K and n are."""
    e, *_ = after(stiffness=1e6, model=model, restitution=restitution, exponent=exponent)
    x = LOSS[model](restitution)
    level = 1.0 - math.log(1.0 + x) / x
    assert -e - math.log(1.0 - x * e) / x == rel(level, abs=2e-4)
    if model == "flores":  # the one of the three that holds for soft contacts as well
        assert e == rel(restitution, abs=0.09)
    elif restitution == 0.9:  # theirs are of first order in 1 - e
        assert e == rel(restitution, abs=0.02)


def test_yielding_spheres_part_with_the_root_of_their_stiffnesses():
    e, depth, *_ = after(stiffness=1e6, model="walton_braun", unloading=4e6)
    assert e == rel(0.5, rel=1e-3) and depth == rel(0.5 * math.sqrt(0.75 / 1e6), rel=1e-3)
    assert after(stiffness=1e6, model="walton_braun", unloading=4e6, cohesion=3e5)[0] < 0.45
    # Each impact yields anew.
    m = sl.Model()
    floor = m.plane()
    ball = m.sphere(radius=0.1, mass=1.0, at=(0, 0, 0.3))
    m.penalty(floor, ball, stiffness=1e6, model="walton_braun", unloading=4e6)
    r = m.simulate(1.0, tolerance=1e-8)
    first = np.max(np.asarray(r.at(np.linspace(0.25, 0.40, 301))[ball.position.z]))
    assert first - 0.1 == rel(0.25 * 0.2, rel=0.03)  # the weight works over the depth


def test_adhesive_spheres_hold_on_to_each_other():
    """Pulled apart slowly: least force 2 pi w R of Derjaguin, Muller, Toporov, 3/2 pi w R of Johnson, Kendall, Roberts."""
    w, R = 2.0, 0.05
    for model, factor in (("dmt", 2.0), ("jkr", 1.5)):
        m = sl.Model(gravity=(0, 0, 0))
        a, b = m.sphere(radius=0.1, mass=1.0), m.sphere(radius=0.1, mass=1.0, at=(0.1999, 0, 0))
        m.fixed(m.ground, a)
        m.prismatic(m.ground, b, axis="x", position="0.0008*t")
        c = m.penalty(a, b, stiffness=1e6, model=model, adhesion=w)
        r = m.simulate(1.0, step=5e-4)
        f, depth = np.asarray(r[c.force])[:, 0], np.asarray(r[c.quantity("depth")])
        assert np.min(f) == rel(-factor * math.pi * w * R, rel=2e-3)
        held = depth[f != 0.0]
        E = 0.75 * 1e6 / math.sqrt(R)
        neck = (math.pi * w * R * R / (8 * E)) ** (1 / 3)
        assert held[-1] == rel(-3 * neck**2 / R if model == "jkr" else 0.0, abs=2e-6)


def test_a_ball_that_slides_on_a_penalty_plane_comes_to_roll():
    m = sl.Model()
    floor = m.plane()
    ball = m.sphere(radius=0.1, mass=1.0, at=(0, 0, 0.1), velocity=(1.0, 0, 0))
    m.penalty(floor, ball, stiffness=1e6, damping=1e3, friction=0.3)
    r = m.simulate(1.0)
    assert r[ball.velocity.x][-1] == rel(5.0 / 7.0, abs=2e-3)
    assert r[ball.angular_velocity.y][-1] == rel(50.0 / 7.0, abs=2e-2)


def test_a_ball_that_bounces_about_a_torus_keeps_its_energy_and_spin():
    m = sl.Model()
    ball = m.sphere(radius=0.35, mass=1.0, at=(0.1, -0.15, 0.4), velocity=(0.1, 0.2, 0))
    c = m.add(sl.items.PenaltySphereTorus(A=m.ground, B=ball, ring_radius=0.4, tube_radius=0.1, radius=0.35, stiffness=1e5))
    r = m.simulate(1.0, scheme="dormand_prince", tolerance=1e-9)
    p, v = np.asarray(r[ball.position]), np.asarray(r[ball.velocity])
    depth = np.asarray(r[c.quantity("depth")])
    assert depth == rel(0.45 - np.hypot(np.hypot(p[:, 0], p[:, 1]) - 0.4, p[:, 2]), abs=1e-12)
    assert np.max(depth) > 1e-3 and np.sum(np.diff(np.sign(depth)) > 0) >= 2  # it touches twice or more
    energy = np.asarray(r["energy.total"])
    assert energy == rel(np.full_like(energy, energy[0]), rel=5e-6)  # the force has a kink at each touch
    spin = p[:, 0] * v[:, 1] - p[:, 1] * v[:, 0]
    assert spin == rel(np.full_like(spin, spin[0]), rel=1e-6)


CIRCLE = "0.05*cos(angle) + sqrt(0.2^2 - (0.05*sin(angle))^2)"  # of radius 0.2 about (0.05, 0)


@pytest.mark.parametrize("table", [False, True])
def test_a_roller_follows_an_eccentric_cam(table):
    m = sl.Model(gravity=(0, -9.81, 0))
    cam = m.cylinder(radius=0.2, length=0.02, mass=1.0, axis="z")
    m.revolute(m.ground, cam, axis="z", speed=2.0)
    roller = m.sphere(radius=0.03, mass=1.0, at=(0, math.sqrt(0.23**2 - 0.05**2), 0))
    m.prismatic(m.ground, roller, axis="y")
    profile = CIRCLE
    if table:
        phi = np.linspace(0, 2 * math.pi, 361)
        m.table("shape", phi, 0.05 * np.cos(phi) + np.sqrt(0.04 - (0.05 * np.sin(phi)) ** 2), kind="spline", outside="periodic")
        profile = "shape(angle)"
    m.add(sl.items.PenaltyCam(A=cam, B=roller, radius=0.03, profile=profile, stiffness=1e6, exponent=1.0, damping=600.0))
    r = m.simulate(4.0)
    late = r.time > 0.3  # it begins at rest on a cam that turns
    t = r.time[late]
    height = 0.05 * np.sin(2.0 * t) + np.sqrt(0.23**2 - (0.05 * np.cos(2.0 * t)) ** 2)
    assert np.asarray(r[roller.position.y])[late] == rel(height, abs=3e-5)  # m g / K = 1e-5


@pytest.mark.parametrize("tilt", [0.0, 0.2, -0.7])
def test_the_lowest_point_of_an_ellipsoid_is_found(tilt):
    """Its centre over the plane: sqrt(a^2 sin^2 + b^2 cos^2) of the tilt of its axis; beyond the ends of a short one the edge carries."""
    a, b = 0.5, 0.2
    height = math.sqrt((a * math.sin(tilt)) ** 2 + (b * math.cos(tilt)) ** 2)
    for length, lowest in ((0.98, height), (0.01, 0.005 * abs(math.sin(tilt)) + b * math.sqrt(1 - 1e-4) * math.cos(tilt) if abs(tilt) > 0.1 else height)):
        m = sl.Model()
        roll = m.body(mass=1.0, inertia=(1, 1, 1), at=(0, 0, 0.19), rotation=(tilt, 0, 0))
        c = m.add(sl.items.PenaltyRoll(A=m.ground, B=roll, length=length, profile=f"{b}*sqrt(1 - (s/{a})^2)", stiffness=1e5))
        r = m.simulate(1e-6)
        assert np.asarray(r[c.quantity("depth")])[0] == rel(lowest - 0.19, abs=1e-12)


def test_a_roll_rolls():
    """A barrel that slides on a penalty plane with friction ends by rolling: v = w r."""
    m = sl.Model()
    roll = m.body(mass=1.0, inertia=(0.01, 0.005, 0.01), at=(0, 0, 0.1), velocity=(1.0, 0, 0))
    m.add(sl.items.PenaltyRoll(A=m.ground, B=roll, length=0.3, profile="0.1 - 0.2*s^2", stiffness=1e6, exponent=1.0, damping=1e3, friction=0.3))
    r = m.simulate(1.5)
    v, w = r[roll.velocity.x].last, r[roll.angular_velocity.y].last
    assert v == rel(0.1 * w, rel=5e-3) and v == rel(1.0 / (1.0 + 0.005 / 0.01), rel=5e-3)


@pytest.mark.parametrize(
    "keywords, words",
    [
        (dict(stiffness=-1.0), ("stiffness", "must be above 0")),
        (dict(stiffness=1.0, exponent=0.5), ("exponent", "at least 1", "infinite stiffness")),
        (dict(stiffness=1.0, model="hertzz"), ("model", "did you mean", "hertz")),
        (dict(stiffness=1.0, restitution=0.5), ("`restitution` is of the models",)),
        (dict(stiffness=2.0, model="walton_braun", unloading=1.0), ("`unloading` is less than `stiffness`",)),
        (dict(stiffness=2.0, adhesion=1.0), ("`adhesion` is of the models dmt and jkr",)),
    ],
)
def test_penalty_contacts_refuse_what_makes_no_sense(keywords, words):
    m, *_ = head_on(**keywords)
    listed = "\n".join(str(f) for f in m.check())
    assert all(word in listed for word in words), listed


def test_penalty_takes_shapes_it_knows():
    m = sl.Model()
    box, ball, floor = m.box(size=(1, 1, 1), mass=1.0), m.sphere(radius=0.1, mass=1.0, at=(3, 0, 0)), m.plane()
    with pytest.raises(sl.ModelError, match="two spheres, or a plane and a sphere"):
        m.penalty(box, ball, stiffness=1.0)
    with pytest.raises(sl.ModelError, match="plane first"):
        m.penalty(ball, floor, stiffness=1.0)


# Tyres.


def rolling(angle=0.0, speed=10.0, slip=0.0, relaxation=(0.2, 0.3), **keywords):
    m = sl.Model(gravity=(0, 0, 0))
    axis = (-math.sin(angle), math.cos(angle), 0.0)
    hub = m.box(size=(0.1, 0.1, 0.1), mass=10.0, at=(0, 0, 0.28), rotation=(0, 0, angle))
    m.prismatic(m.ground, hub, axis="x", speed=speed)
    wheel = m.body(mass=5.0, inertia=(0.2, 0.4, 0.2), at=(0, 0, 0.28), rotation=(0, 0, angle))
    forward = speed * math.cos(angle)
    m.revolute(hub, wheel, axis=axis, speed=forward * (1.0 + slip) / 0.28)
    forces = dict(longitudinal="6e4*slip", lateral="4e4*slip", radius=0.3, stiffness=2e5)
    tyre = m.tyre(m.ground, wheel, relaxation=relaxation, **{**forces, **keywords})
    return m, wheel, tyre


@pytest.mark.parametrize("angle", [0.0, 0.03, -0.05])
def test_a_tyre_carries_and_steers_after_its_relaxation_length(angle):
    m, wheel, tyre = rolling(angle)
    r = m.simulate(0.3, tolerance=1e-8)
    f = np.asarray(r[tyre.force])
    assert f[:, 2] == rel(np.full(len(f), 2e5 * 0.02), rel=1e-9)
    along, across = np.array([math.cos(angle), math.sin(angle), 0]), np.array([-math.sin(angle), math.cos(angle), 0])
    forward = 10.0 * math.cos(angle)
    expected = 4e4 * math.tan(angle) * (1.0 - np.exp(-forward * r.time / 0.3))
    assert f @ across == rel(expected, abs=1e-2)
    assert f @ along == rel(np.zeros(len(f)), abs=1e-2)


def test_a_driven_wheel_rolls_with_its_loaded_radius():
    """A torque T at the axle: T / r = (m + J / r^2) a but for the slip, which is small."""
    m = sl.Model()
    hub = m.box(size=(0.1, 0.1, 0.1), mass=300.0, at=(0, 0, 0.3))
    m.generic(m.ground, hub, locked=("y", "rx", "ry", "rz"))
    wheel = m.body(mass=15.0, inertia=(0.4, 0.8, 0.4), at=(0, 0, 0.3))
    m.revolute(hub, wheel, axis="y", torque=100.0)
    m.tyre(m.ground, wheel, radius=0.31, stiffness=2e5, damping=2000.0, longitudinal=sl.magic_formula(10.0, 1.9, 1.0, 0.97), lateral="1e5*slip")
    r = m.simulate(10.0)
    loaded = 0.31 - 315.0 * 9.81 / 2e5
    assert r[hub.position.z].last == rel(loaded, abs=1e-6)
    assert r[hub.velocity.x].last == rel(10.0 * 100.0 / loaded / (315.0 + 0.8 / loaded**2), rel=2e-3)


def test_the_slip_of_a_driven_wheel_pulls_it_forward():
    m, wheel, tyre = rolling(slip=0.02)
    r = m.simulate(0.5, tolerance=1e-8)
    f = np.asarray(r[tyre.force])
    assert f[-1] == rel(np.array([6e4 * 0.02, 0, 4e3]), rel=1e-6, abs=1e-6)
    assert f[:, 0] == rel(6e4 * 0.02 * (1.0 - np.exp(-10.0 * r.time / 0.2)), abs=1e-2)


@pytest.mark.parametrize("angle", [0.01, 0.04, 0.1, 0.3])
def test_a_table_of_the_brush_model_gives_its_curve(angle):
    """F = mu F_z (1 - (1 - |theta s|)^3), theta = C / (3 mu F_z) (Pacejka 2012, 3.2)."""
    mu, load, C = 0.9, 4e3, 4e4
    s = np.linspace(-0.5, 0.5, 401)
    theta = C / (3.0 * mu * load)
    brush = mu * load * np.sign(s) * (1.0 - np.clip(1.0 - theta * np.abs(s), 0.0, None) ** 3)
    m, wheel, tyre = rolling(angle)
    curve = m.table("brush", s, brush, kind="monotone")
    tyre.lateral = curve.of("slip")
    r = m.simulate(0.6, tolerance=1e-8)
    exact = mu * load * (1.0 - max(1.0 - theta * math.tan(angle), 0.0) ** 3)
    assert float(np.asarray(r[tyre.force])[-1] @ [-math.sin(angle), math.cos(angle), 0]) == rel(exact, rel=1e-4)


def test_the_magic_formula_and_the_friction_circle():
    text = sl.magic_formula(10.0, 1.9, 1.0, 0.97)
    m, wheel, tyre = rolling(0.08, slip=0.1, longitudinal=text, lateral=text, friction=0.8)
    r = m.simulate(0.6)
    magic = lambda s: 4e3 * math.sin(1.9 * math.atan(10 * s - 0.97 * (10 * s - math.atan(10 * s))))  # noqa: E731
    F = np.array([magic(0.1), magic(math.tan(0.08))])
    F *= min(1.0, 0.8 * 4e3 / np.linalg.norm(F))
    f = np.asarray(r[tyre.force])[-1]
    assert np.array([f @ [math.cos(0.08), math.sin(0.08), 0], f @ [-math.sin(0.08), math.cos(0.08), 0]]) == rel(F, rel=1e-4)
    with pytest.raises(sl.ModelError, match="must be at most 1"):
        sl.magic_formula(10.0, 1.9, 1.0, 1.5)


def test_tyres_refuse_a_stiffness_below_zero_and_lift_off_without_pull():
    m, wheel, tyre = rolling()
    tyre.stiffness = -1.0
    assert "must be above 0" in str(m.check()[0]) and "pressed in" in str(m.check()[0])
    m, wheel, tyre = rolling(radius=0.2)
    r = m.simulate(0.1)
    assert np.max(np.abs(np.asarray(r[tyre.force]))) == 0.0
