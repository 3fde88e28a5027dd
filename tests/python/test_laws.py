"""Laws of contacts: closed forms, in a relation and in a group."""

import math
import warnings

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import saltus as sl
from saltus.items import (
    AdhesiveCoulombImpact,
    AdhesiveImpact,
    Characteristic,
    ContensouImpact,
    CoulombImpact,
    FirstOrderLinearRelation,
    Mixed,
    NormalCone,
    NormBound,
    OrthotropicImpact,
    PlaneContact,
    PlaneRollingContact,
    PlaneRollingContact2d,
    PoissonCoulombImpact,
    PoissonImpact,
    Relay,
    RollingImpact2d,
    StribeckImpact,
)
from saltus.verification.models import coordinates, states

G = 9.81
homes = pytest.mark.parametrize("home", ("relation", "group"))


def ball_on_floor(home, law=None, tilt=0.0, gravity=None, **keywords):
    """A ball of 2 kg, radius 0.1 m, on the plane z = 0; tilt: slope of the plane, down along x."""
    contact = {key: keywords.pop(key) for key in ("friction", "rolling", "spinning", "restitution") if key in keywords}
    m = sl.Model(gravity=gravity or (G * math.sin(tilt), 0, -G * math.cos(tilt)))
    ball = m.sphere(radius=0.1, mass=2, name="ball", **{"at": (0, 0, 0.1), **keywords})
    m.contact(m.plane(), [ball] if home == "group" else ball, law=law, **contact)
    return m


@homes
def test_a_rolling_sphere_slows_down_by_five_sevenths_mu_r_g_over_R(home):
    v0, rolling = 1.0, 0.004
    slope = 5 / 7 * rolling * G / 0.1
    r = ball_on_floor(home, friction=0.5, rolling=rolling, velocity=(v0, 0, 0), angular_velocity=(0, v0 / 0.1, 0)).simulate(4.5, step=5e-3)
    t, v, w = r.time, np.asarray(r["ball.velocity.x"]), np.asarray(r["ball.angular_velocity.y"])
    assert np.abs(v - np.maximum(v0 - slope * t, 0)).max() < slope * 5e-3  # the step in which it stops
    assert np.abs(v - 0.1 * w).max() < 1e-9
    assert abs(r["ball.position.x"].last - v0**2 / (2 * slope)) < 5e-3


@homes
def test_a_spinning_sphere_slows_down_by_mu_s_m_g_over_J(home):
    w0, spinning = 20.0, 0.001
    slope = spinning * G / (0.4 * 0.1**2)
    r = ball_on_floor(home, friction=0.5, spinning=spinning, angular_velocity=(0, 0, w0)).simulate(1.0, step=1e-3)
    w = np.asarray(r["ball.angular_velocity.z"])
    assert np.abs(w - np.maximum(w0 - slope * r.time, 0)).max() < slope * 1e-3
    assert abs(r["ball.position.x"].last) < 1e-9


@homes
def test_a_sphere_on_a_slope_holds_while_its_tangent_is_below_mu_r_over_R(home):
    rolling = 0.01  # tan 0.1
    assert abs(ball_on_floor(home, friction=0.5, rolling=rolling, tilt=math.atan(0.099)).simulate(0.5, step=5e-3)["ball.position.x"].last) < 1e-9
    steep = math.atan(0.11)
    r = ball_on_floor(home, friction=0.5, rolling=rolling, tilt=steep).simulate(0.5, step=5e-3)
    a = 5 / 7 * G * (math.sin(steep) - rolling / 0.1 * math.cos(steep))
    assert abs(r["ball.velocity.x"].last - 0.5 * a) < 1e-6


def test_a_disc_in_the_plane_rolls_to_rest_as_well():
    m = sl.Model()
    J = 0.5 * 0.1**2
    disc = m.body(mass=1, inertia=(J, J, J), at=(0, 0, 0.1), velocity=(1, 0, 0), angular_velocity=(0, 10, 0), name="disc")
    m.add(PlaneRollingContact2d(A=m.plane(), B=disc, radius=0.1, law=RollingImpact2d(friction=0.5, rolling=0.004)))
    v = m.simulate(1.0, step=5e-3)["disc.velocity.x"].last
    assert abs(v - (1 - 2 / 3 * 0.004 * G / 0.1)) < 1e-9


@homes
def test_two_spheres_resist_rolling_on_each_other(home):
    # Both spin about y against each other, pressed together along x without a floor: moments decay by mu_r N, equal and opposite.
    m = sl.Model(gravity=(0, 0, 0))
    a = m.sphere(radius=0.1, mass=2, at=(0, 0, 0), angular_velocity=(0, -3, 0), name="a")
    b = m.sphere(radius=0.1, mass=2, at=(0.2, 0, 0), angular_velocity=(0, 3, 0), name="b")
    m.force(a, (50, 0, 0)), m.force(b, (-50, 0, 0))
    m.contact([a] if home == "group" else a, [b] if home == "group" else b, friction=0.0, rolling=0.001)
    r = m.simulate(0.1, step=1e-3)
    assert abs(r["b.angular_velocity.y"].last - (3 - 0.1 * 0.001 * 50 / 0.008)) < 1e-6
    assert abs(r["a.angular_velocity.y"].last + r["b.angular_velocity.y"].last) < 1e-9


@homes
@pytest.mark.parametrize("step", (1e-2, 1e-3))
@pytest.mark.parametrize("law", (AdhesiveImpact(adhesion=30.0), AdhesiveCoulombImpact(adhesion=30.0, friction=0.5)))
def test_adhesion_holds_what_pulls_less_and_lets_go_of_what_pulls_more(home, step, law):
    hangs = ball_on_floor(home, law, gravity=(0, 0, 14)).simulate(0.2, step=step)  # 28 N
    assert abs(hangs["ball.position.z"].last - 0.1) < 1e-12
    assert np.asarray(hangs["contact_1.force"])[-1] == pytest.approx([0, 0, -28], abs=1e-9)
    leaves = ball_on_floor(home, law, gravity=(0, 0, 20)).simulate(0.2, step=step)  # 40 N: once with 30 N against it
    assert abs(leaves["ball.velocity.z"].last - (20 * 0.2 - 15 * step)) < 1e-9


@homes
@pytest.mark.parametrize("step", (None, 1e-3))
def test_adhesion_carries_friction_of_its_own(home, step):
    # Pulled sideways and up: 0.5 (30 - 20) N = 5 N hold against 4 N, not against 6 N.
    law = AdhesiveCoulombImpact(adhesion=30.0, friction=0.5)
    holds = ball_on_floor(home, law, gravity=(2, 0, 10)).simulate(0.2, step=step)
    assert abs(holds["ball.velocity.x"].last - 0.2 * 2 * 5 / 7) < 1e-6  # it rolls: friction 4 * 2 / 7
    slips = ball_on_floor(home, law, gravity=(12, 0, 10)).simulate(0.2, step=step)  # 24 N; rolling would take 48 / 7 N
    assert abs(slips["ball.velocity.x"].last - 0.2 * (24 - 5) / 2) < 1e-5


@homes
def test_poisson_and_newton_agree_on_a_single_impact(home):
    ends = []
    for law in (None, PoissonImpact(restitution=0.7)):
        r = ball_on_floor(home, law, **({} if law else {"restitution": 0.7}), at=(0, 0, 0.6), gravity=(0, 0, -G)).simulate(0.5, step=1e-4)
        ends.append((r["ball.position.z"].last, r["ball.velocity.z"].last))
    assert ends[0] == pytest.approx(ends[1], abs=5e-3)  # the impact's step, of first order
    exact = math.sqrt(2 * G * 0.5)
    assert ends[1][1] == pytest.approx(0.7 * exact - G * (0.5 - exact / G), abs=5e-3)


def test_a_ball_under_poissons_law_comes_to_rest():
    r = ball_on_floor("relation", PoissonImpact(restitution=0.8), at=(0, 0, 0.2)).simulate(3.0, step=1e-3)
    assert abs(r["ball.velocity.z"].last) < 1e-9
    assert abs(r["ball.position.z"].last - 0.1) < 1e-5


def struck_rod(law, angle, velocity):
    """Kinetic energy after over before of a thin rod whose end strikes a plane with friction; no gravity."""
    m = sl.Model(gravity=(0, 0, 0))
    half = np.array((0.5 * math.cos(angle), 0, 0.5 * math.sin(angle)))
    rod = m.body(mass=1, inertia=(1 / 12, 1 / 12, 1 / 12), at=tuple(half), velocity=velocity, name="rod")
    m.add(PlaneContact(A=m.plane(), B={"body": "rod", "local": tuple(-half)}, law=law))
    energy = np.asarray(m.simulate(1e-6, step=1e-6, scheme="moreau_jean")["energy.kinetic"])
    return energy[-1] / energy[0]


def test_newtons_law_with_friction_may_give_energy_and_poissons_does_not():
    # Kane, Levinson 1985: friction that turns the slip round in the impact gives energy to what leaves with e times its speed.
    states = [(a, (u, 0, -1.0)) for a in np.linspace(0.2, 1.5, 8) for u in np.linspace(-3, 3, 13)]
    newton = max(struck_rod(CoulombImpact(friction=0.8, restitution=0.9), *state) for state in states)
    poisson = max(struck_rod(PoissonCoulombImpact(friction=0.8, restitution=0.9), *state) for state in states)
    assert newton > 1.001
    assert poisson < 1 + 1e-9


@homes
def test_poisson_with_friction_follows_its_two_phases(home):
    # Slides through both phases: the tangential impulse is mu times the normal one, of compression and expansion together.
    mu, e = 0.1, 0.5
    r = ball_on_floor(home, PoissonCoulombImpact(friction=mu, restitution=e), gravity=(0, 0, 0), velocity=(3, 0, -1)).simulate(1e-3, step=1e-3)
    assert r["ball.velocity.z"].last == pytest.approx(e, abs=1e-9)
    assert r["ball.velocity.x"].last == pytest.approx(3 - mu * (1 + e), abs=1e-9)
    # Stops sliding in compression: 2/7 of the sliding speed is lost, and no more in expansion.
    r = ball_on_floor(home, PoissonCoulombImpact(friction=0.8, restitution=e), gravity=(0, 0, 0), velocity=(1, 0, -1)).simulate(1e-3, step=1e-3)
    assert r["ball.velocity.x"].last == pytest.approx(1 - 2 / 7, abs=1e-9)


def test_mistakes_are_reported():
    m = sl.Model()
    ball, floor = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1)), m.plane()
    with pytest.raises(sl.ModelError, match=r"relations/contact_1/friction: is 0\.3 beside a law"):
        m.contact(floor, ball, friction=0.3, law=PoissonImpact(restitution=0.5))
    with pytest.raises(sl.ModelError, match="is 'poisson_impac', which is no law; did you mean .poisson_impact"):
        m.contact(floor, ball, law={"type": "poisson_impac"})
    m.contact(floor, ball, rolling=-0.1)
    with pytest.raises(sl.ModelError, match=r"rolling: is -0\.1 m, must be at least 0; it is a length"):
        m.simulate(0.1)


def test_a_group_names_the_laws_that_it_takes():
    m = sl.Model()
    m.contact(m.plane(), [m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1))], law={"type": "relay", "on": "rate"})
    with pytest.raises(sl.ModelError, match="'relay' is no law of a contact in space.*rolling_impact"):
        m.simulate(0.1)


@homes
def test_orthotropic_friction_stops_by_its_own_coefficient_along_each_direction(home):
    def slid(velocity, **law):
        m = sl.Model()
        block = m.point_mass(mass=1, velocity=velocity, name="block")
        m.contact(m.plane(), [block] if home == "group" else block, law=OrthotropicImpact(**law))
        return m.simulate(0.2, step=1e-3)["block.velocity"].last

    assert slid((3, 0, 0), friction_1=0.2, friction_2=0.6) == pytest.approx([3 - 0.2 * G * 0.2, 0, 0], abs=1e-9)
    assert slid((0, 3, 0), friction_1=0.2, friction_2=0.6) == pytest.approx([0, 3 - 0.6 * G * 0.2, 0], abs=1e-9)
    # Obliquely: friction turns the path towards the direction of less friction; with equal ones it does not.
    straight, turned = slid((2, 2, 0), friction_1=0.4, friction_2=0.4), slid((2, 2, 0), friction_1=0.2, friction_2=0.6)
    assert straight[1] == pytest.approx(straight[0], abs=1e-9)
    assert straight[0] == pytest.approx(2 - 0.4 * G * 0.2 / math.sqrt(2), abs=1e-9)
    assert turned[1] < turned[0] - 0.5


def spiral(law):
    """Two states that two relays drive together: they turn round the origin and reach it."""
    m = states((1.0, 0.5))
    m.add(FirstOrderLinearRelation(name="r", on=coordinates("x", 2), C=((1, 0), (0, 1)), B=((1, -0.5), (0.5, 1)), law=law))
    return m.simulate(3.0, step=1e-3, scheme="moreau_jean")["x.state"]


def test_a_normal_cone_of_a_box_is_two_relays():
    box = NormalCone(facets=((1, 0), (0, 1), (-1, 0), (0, -1)), bounds=(1, 1, 1, 1), on="value")
    relays = np.asarray(spiral(Relay(low=-1, high=1, on="value")))
    assert np.abs(np.asarray(spiral(box)) - relays).max() < 1e-8
    assert np.abs(relays[-1]).max() < 1e-9


def test_a_normal_cone_that_no_multiplier_fulfils_is_refused():
    with pytest.raises(sl.ModelError, match="no multiplier lies within all facets"):
        spiral(NormalCone(facets=((1, 0), (-1, 0)), bounds=(-1, -1), on="value"))
    with pytest.raises(sl.ModelError, match="is a law of 3 rows, r has 2"):
        spiral(NormalCone(facets=((1, 0, 0),), bounds=(1,), on="value"))


def test_a_law_of_the_plane_is_refused_in_space():
    m = sl.Model()
    ball, floor = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1)), m.plane()
    m.add(PlaneContact(name="c", A=floor, B=ball, radius=0.1, law=RollingImpact2d(friction=0.3)))
    with pytest.raises(sl.ModelError, match="'rolling_impact_2d' is a law of 1 sliding rows, c has 2"):
        m.simulate(0.1)


def test_friction_of_an_impact_keeps_angular_momentum_in_a_relation():
    m = sl.Model(gravity=(0, 0, 0))
    a = m.sphere(radius=0.1, mass=1, at=(0, 0, 0), velocity=(3, 0, 0), name="a")
    b = m.sphere(radius=0.1, mass=2, at=(0.16, 0.1206, 0.01), velocity=(0, -1, 0), name="b")
    m.contact(a, b, friction=0.5, restitution=0.5)
    r = m.simulate(1e-2, step=2e-3)
    parts = [(name, mass, 0.4 * mass * 0.01) for name, mass in (("a", 1), ("b", 2))]

    def momentum(k):
        at = {(name, q): np.asarray(r[f"{name}.{q}"])[k] for name, _, _ in parts for q in ("position", "velocity", "angular_velocity")}
        return sum(mass * np.cross(at[n, "position"], at[n, "velocity"]) + J * at[n, "angular_velocity"] for n, mass, J in parts)

    assert np.abs(np.asarray(r["b.angular_velocity"])[-1]).max() > 0.1  # they met
    assert np.abs(momentum(-1) - momentum(0)).max() < 1e-13


@homes
def test_error_control_follows_rolling_to_rest_and_poissons_bounces(home):
    r = ball_on_floor(home, friction=0.5, rolling=0.004, velocity=(1, 0, 0), angular_velocity=(0, 10, 0)).simulate(4.5, tolerance=1e-6)
    assert abs(r["ball.position.x"].last - 1 / (2 * 5 / 7 * 0.004 * G / 0.1)) < 5e-6
    assert abs(r["ball.velocity.x"].last) < 1e-12
    r = ball_on_floor(home, PoissonImpact(restitution=0.8), at=(0, 0, 0.6)).simulate(0.8, tolerance=1e-6)
    fall = math.sqrt(2 * 0.5 / G)
    speed, left = 0.8 * G * fall, 0.8 - fall
    assert abs(r["ball.position.z"].last - (0.1 + speed * left - 0.5 * G * left**2)) < 5e-6


def test_a_ball_held_by_rolling_resistance_is_linear_and_one_that_rolls_is_not():
    held = ball_on_floor("relation", friction=0.5, rolling=0.01, spinning=0.001, gravity=(0.5, 0, -G))
    eigenvalues = held.modes(at=held.simulate(0.1, step=1e-2)).eigenvalues
    assert np.abs(eigenvalues).max(initial=0.0) < 1e-6
    rolls = ball_on_floor("relation", friction=0.5, rolling=0.01, velocity=(1, 0, 0), angular_velocity=(0, 10, 0))
    with pytest.raises(sl.ModelError, match="slides or rolls, or is about to"):
        rolls.modes(at=rolls.simulate(0.1, step=1e-2))


STRIBECK = {"friction_at_rest": 0.6, "friction_sliding": 0.3, "speed": 0.2, "exponent": 1.0}


def sliding_block(home, law, **keywords):
    m = sl.Model(**({"gravity": keywords.pop("gravity")} if "gravity" in keywords else {}))
    block = m.point_mass(mass=2, name="block", **keywords)
    m.contact(m.plane(), [block] if home == "group" else block, law=law)
    return m


@homes
@pytest.mark.parametrize(("exponent", "growth"), [(1.0, 0.0), (2.0, 0.05)])
def test_friction_that_falls_with_speed_slows_a_block_as_its_equation_says(home, exponent, growth):
    law = {**STRIBECK, "exponent": exponent, "growth": growth}

    def mu(speed):
        return 0.3 + 0.3 * np.exp(-((speed / 0.2) ** exponent)) + growth * speed

    r = sliding_block(home, StribeckImpact(**law), velocity=(0.8, 0.6, 0)).simulate(0.2, step=1e-4)
    truth = solve_ivp(lambda _, v: -G * mu(v), (0, 0.2), [1.0], rtol=1e-11, atol=1e-12).y[0, -1]
    speed = np.linalg.norm(r["block.velocity"].last)
    assert speed == pytest.approx(truth, abs=5e-5)  # first order in the step
    np.testing.assert_allclose(np.asarray(r["block.velocity"].last)[:2], np.array([0.8, 0.6]) * speed, atol=1e-9)
    coarse = sliding_block(home, StribeckImpact(**law), velocity=(0.8, 0.6, 0)).simulate(0.2, step=8e-4)
    assert np.linalg.norm(coarse["block.velocity"].last) == pytest.approx(truth, abs=4e-4)


@homes
def test_a_block_holds_by_its_friction_at_rest_and_breaks_away_above_it(home):
    def moved(slope):
        tilted = (G * math.sin(slope), 0, -G * math.cos(slope))
        return (
            sliding_block(home, StribeckImpact(**STRIBECK), gravity=tilted)
            .simulate(0.5, step=1e-3)["block.position.x"]
            .last
        )

    assert abs(moved(math.atan(0.599))) < 1e-9
    assert moved(math.atan(0.61)) > 0.01


def test_a_block_on_a_belt_sticks_and_slips_in_turn():
    # m x'' = -k x + mu(|v_b - x'|) m g while it slips; it sticks until k x = mu_s m g (Leine, van Campen 1998).
    belt, mass, stiffness = 0.1, 1.0, 40.0
    m = sl.Model()
    block = m.point_mass(mass=mass, name="block", at=(0.05, 0, 0), velocity=(belt, 0, 0))
    plate = m.body(mass=1, inertia=(1, 1, 1), name="plate")
    m.driven(plate, position=(f"{belt}*t", "0", "0"), rotation=("0", "0", "0"))
    m.add(PlaneContact(A=plate, B=block, law=StribeckImpact(**STRIBECK)))
    m.add(sl.items.CartesianSpringDamper(name="spring", A="ground", B="block", stiffness=[stiffness, 0, 0]))
    r = m.simulate(6.0, step=2e-4)
    t, x, v = r.time, np.asarray(r["block.position.x"]), np.asarray(r["block.velocity.x"])
    held = np.abs(v - belt) < 1e-9
    ends = t[1:][held[:-1] & ~held[1:]]
    assert len(ends) >= 3
    np.testing.assert_allclose(x[1:][held[:-1] & ~held[1:]], 0.6 * mass * G / stiffness, atol=2e-4)

    def slip(_, y):
        return [y[1], -stiffness / mass * y[0] + (0.3 + 0.3 * math.exp(-abs(belt - y[1]) / 0.2)) * G]

    def sticks(_, y):
        return y[1] - belt

    sticks.terminal, sticks.direction = True, 1
    start = 0.6 * mass * G / stiffness
    back = solve_ivp(slip, (0, 5), [start, belt - 1e-9], rtol=1e-10, atol=1e-12, events=sticks)
    period = back.t[-1] + (start - back.y[0, -1]) / belt
    np.testing.assert_allclose(np.diff(ends), period, rtol=5e-3)


def test_sliding_and_spin_that_share_one_bound_end_together():
    # m v' = -m g mu^2 v / s, J w' = -m g mu_s^2 w / s, s = |(mu v, mu_s w)|: w / w0 = (v / v0)^k, k = m mu_s^2 / (J mu^2).
    mass, mu, mu_s, J = 2.0, 0.3, 0.05, 0.02

    def run(**start):
        m = sl.Model()
        m.body(mass=mass, inertia=(J, J, J), name="disc", **start)
        m.add(PlaneRollingContact(A=m.plane(), B="disc", law=ContensouImpact(friction=mu, spinning=mu_s)))
        return m.simulate(1.2, step=2e-4)

    r = run(velocity=(1.0, 0, 0), angular_velocity=(0, 0, 6.0))
    v, w = np.asarray(r["disc.velocity.x"]), np.asarray(r["disc.angular_velocity.z"])
    moving = v > 0.02
    k = mass * mu_s**2 / (J * mu**2)
    np.testing.assert_allclose(w[moving] / 6.0, v[moving] ** k, atol=3e-4)  # first order in the step
    ends = r.time[np.argmax(np.abs(v) < 1e-9)], r.time[np.argmax(np.abs(w) < 1e-9)]
    assert 0 < ends[0] < 1.2
    assert ends[0] == pytest.approx(ends[1], abs=2e-4)
    # Sliding alone is Coulomb's, and ends before sliding that spins.
    alone = run(velocity=(1.0, 0, 0))
    np.testing.assert_allclose(
        alone["disc.velocity.x"], np.maximum(1 - mu * G * alone.time, 0), atol=1e-9 + mu * G * 2e-4
    )
    assert ends[0] > 1.0 / (mu * G)


def test_a_contact_that_spins_without_radius_is_refused():
    with pytest.raises(sl.ModelError, match="coulomb_impact"):
        m = sl.Model()
        m.contact(
            m.plane(), [m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1))], law=ContensouImpact(friction=0.3, spinning=0.0)
        )
        m.simulate(0.1)


def test_a_bound_on_the_size_stops_a_mass_straight_on():
    # Dry friction of 3 N whatever the direction: 2 kg at (0.8, 0.6) m/s stop after 2/3 s on a straight line.
    m = sl.Model(gravity=(0, 0, 0))
    m.add(sl.items.NodeOde2(name="n", count=2, velocities=[0.8, 0.6]))
    m.add(sl.items.GenericSystem(name="mass", node="n", mass_matrix=[[2, 0], [0, 2]]))
    m.add(
        sl.items.LinearRelation(
            name="rub",
            on=coordinates("n", 2),
            matrix=[[1, 0], [0, 1]],
            offset=[0, 0],
            law=NormBound(bound=3, on="rate"),
        )
    )
    r = m.simulate(1.0, step=1e-3)
    v = np.asarray(r["n.rate"])
    np.testing.assert_allclose(np.linalg.norm(v, axis=1), np.maximum(1 - 1.5 * r.time, 0), atol=1.6e-3)
    np.testing.assert_allclose(v[:, 0] * 0.6, v[:, 1] * 0.8, atol=1e-9)
    assert r["n.coordinate"].last == pytest.approx([0.8 / 3, 0.6 / 3], abs=1e-3)


def test_a_mixed_law_keeps_its_equality_and_its_one_sided_row():
    # x0 + x1 = 1 by its multiplier, x2 >= 0 by its own: x' = (-1, 0, -1) + B lambda.
    m = states((1.0, 0.0, 0.5))
    m.add(sl.items.FirstOrderSystem(name="pull", node="x", vector=[-1, 0, -1]))
    m.add(
        FirstOrderLinearRelation(
            name="r",
            on=coordinates("x", 3),
            C=((1, 1, 0), (0, 0, 1)),
            B=((1, 0), (1, 0), (0, 1)),
            offset=(-1, 0),
            law=Mixed(equalities=1, on="value"),
        )
    )
    x = np.asarray(m.simulate(1.0, step=1e-3, scheme="moreau_jean")["x.state"])
    np.testing.assert_allclose(x[:, 0] + x[:, 1], 1.0, atol=1e-9)
    assert x[-1] == pytest.approx([0.5, 0.5, 0.0], abs=1e-9)
    assert x[250, 2] == pytest.approx(0.25, abs=1e-9)


def test_a_characteristic_with_an_upright_part_is_a_relay():
    relays = np.asarray(spiral(Relay(low=-1, high=1, on="value")))
    line = Characteristic(corners=[[-1, 1], [0, 1], [0, -1], [1, -1]], on="value")
    np.testing.assert_allclose(spiral(line), relays, atol=1e-8)


def row_on_mass(law, velocity=0.0, coordinate=0.0, mass=1.0):
    m = sl.Model(gravity=(0, 0, 0))
    m.add(sl.items.NodeOde2(name="n", count=1, coordinates=[coordinate], velocities=[velocity]))
    m.add(sl.items.GenericSystem(name="mass", node="n", mass_matrix=[[mass]]))
    m.add(sl.items.LinearRelation(name="line", on=coordinates("n", 1), matrix=[[1]], offset=[0], law=law))
    return m


def test_a_spring_with_play_lets_a_mass_fly_through_it():
    # No force within 0.1 m of the middle, 100 N/m behind: half a period of the spring at each end, and the play twice.
    play = Characteristic(corners=[[-1.1, 100], [-0.1, 0], [0.1, 0], [1.1, -100]], on="value")
    r = row_on_mass(play, velocity=1.0).simulate(4.0, step=1e-4)
    q, v, t = np.asarray(r["n.coordinate"]), np.asarray(r["n.rate"]), r.time
    period = 2 * math.pi / 10 + 4 * 0.1
    crossings = t[1:][(q[:-1] < 0) & (q[1:] >= 0)]
    np.testing.assert_allclose(np.diff(crossings), period, rtol=3e-3)
    assert np.abs(v).max() < 1.0 + 1e-9  # it gives no energy back that it has not stored


def test_friction_with_a_slope_and_a_breakaway_slows_a_mass_exactly():
    # 2 N at rest either way, growing by 0.5 N s/m: v(t) = (v0 + 4) exp(-t/2) - 4 until it rests.
    drag = Characteristic(corners=[[-1, 2.5], [0, 2], [0, -2], [1, -2.5]], on="rate")
    r = row_on_mass(drag, velocity=3.0).simulate(2.0, step=1e-3)
    v = np.asarray(r["n.rate"])
    np.testing.assert_allclose(v, np.maximum((3 + 4) * np.exp(-r.time / 2) - 4, 0), atol=2e-3)
    assert v[-1] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("corners", "words"),
    [
        ([[0, 1]], "at least 2"),
        ([[0, 0], [1, 1]], "multiplier rises"),
        ([[1, 0], [0, 0]], "row falls"),
        ([[0, 1, 2], [1, 2, 3]], "3 columns"),
        ([[0, 1], [0, 1]], "two corners are one"),
    ],
)
def test_a_characteristic_that_is_none_is_refused(corners, words):
    with pytest.raises(sl.ModelError, match=words):
        row_on_mass(Characteristic(corners=corners, on="rate")).simulate(0.1)


def cemented(home, push, pull, cohesion=6.0, angle=0.5, tension=5.0):
    """A ball of 2 kg on the floor, held by cohesion, pushed sideways at the floor and pulled up: [N]."""
    m = sl.Model(gravity=(0, 0, 0))
    law = {"type": "mohr_coulomb", "cohesion": cohesion, "angle": angle, "tension": tension}
    ball = m.sphere(radius=0.1, mass=2, at=(0, 0, 0.1), name="ball")
    m.contact(m.plane(), [ball] if home == "group" else ball, law=law)
    m.force(ball, (push, 0, pull))
    if push:
        m.torque(ball, (0, -0.1 * min(push, cohesion - pull * math.tan(angle)), 0))  # friction acts at the bottom: no rolling
    return m


@homes
@pytest.mark.parametrize("scheme", ["moreau_jean", "event_driven", "nonsmooth_generalized_alpha", "schatzman_paoli", "d1_minus", "static"])
@pytest.mark.parametrize("pressure", [3.0, 0.0, -2.0, -4.9])
def test_cohesion_holds_up_to_mohr_and_coulombs_line(home, scheme, pressure):
    """|T| = c + N tan(phi), tension too; and pulls alone up to the cut-off."""
    most = 6.0 + pressure * math.tan(0.5)

    def moves(push, pull):
        if scheme == "static":
            try:
                cemented(home, push, pull).static()
                return False
            except sl.RunError as error:
                assert "the motion that begins" in str(error)
                return True
        r = cemented(home, push, pull).simulate(0.1, step=1e-3, scheme=scheme)
        return bool(np.abs(r["ball.displacement"].last).max() > 1e-9)

    assert not moves(most - 1e-4, -pressure)
    assert moves(most + 5e-2, -pressure)
    assert not moves(0.0, 5.0 - 1e-4)
    assert moves(0.0, 5.0 + 5e-2)


@homes
def test_what_slides_under_cohesion_feels_all_of_it_and_does_not_rise(home):
    r = cemented(home, 10.0, -3.0).simulate(0.2, step=1e-3)
    a = (10 - 6 - 3 * math.tan(0.5)) / 2
    assert r["ball.velocity.x"].last == pytest.approx(0.2 * a, rel=1e-9)
    assert np.abs(np.asarray(r["ball.displacement.z"])).max() < 1e-12


@homes
@pytest.mark.parametrize(("gravity", "tension"), [(9.81, 1.0), (0.0, 1.0), (0.0, 0.0)])
def test_cohesion_brings_a_sliding_ball_to_roll_when_it_should(home, gravity, tension):
    """c + tan(phi) m g slows it and turns it: it rolls from 2 v / (7 F / m) on, with 5/7 of its speed. Without weight the base alone acts."""
    law = {"type": "mohr_coulomb", "cohesion": 3.0, "angle": 0.5, "tension": tension}
    r = ball_on_floor(home, law=law, gravity=(0, 0, -gravity), velocity=(1, 0, 0), at=(0, 0, 0.1)).simulate(0.6, scheme="event_driven")
    a = (3.0 + math.tan(0.5) * 2.0 * gravity) / 2.0
    rolls = 2 / (7 * a)
    (time, kind, *_), *others = r.events
    assert kind == "stick" and not others
    assert time == pytest.approx(rolls, rel=1e-10)
    assert r["ball.position.x"].last == pytest.approx(rolls - a * rolls**2 / 2 + 5 / 7 * (0.6 - rolls), rel=1e-12)


@homes
def test_a_pull_that_grows_parts_at_the_tension(home):
    r = cemented(home, 0.0, "2*t", tension=1.0).simulate(1.0, scheme="event_driven")
    (time, kind, *_), *others = r.events
    assert kind == "detach" and not others
    assert time == pytest.approx(0.5, rel=1e-9)
    assert r["ball.displacement.z"].last == pytest.approx((1 - 0.5**3) / 6 - 0.5**2 * 0.5 / 2, rel=1e-9)  # m z'' = 2 t after that


def test_cohesion_that_is_more_than_its_tip_is_the_whole_cone():
    """tension above c / tan(phi): the contact bears the tip, and there no shear."""
    tip = 6.0 / math.tan(0.5)
    held = cemented("relation", 0.0, tip - 1e-3, tension=100.0).simulate(0.05, step=1e-3)
    assert np.abs(held["ball.displacement"].last).max() < 1e-9
    assert cemented("relation", 0.0, tip + 1e-2, tension=100.0).simulate(0.05, step=1e-3)["ball.displacement.z"].last > 1e-7


@homes
@pytest.mark.parametrize(("mu", "sticks"), [(0.1, False), (2.0, True)])
def test_fremonds_friction_acts_on_the_mean_of_the_velocities(home, mu, sticks):
    """A ball that strikes with spin: sliding friction takes mu (1 + e) v_N; what sticks turns its sliding speed round, 2/7 of the mass behind it."""
    e, vx, vz = 0.5, 1.0, -1.0
    m = ball_on_floor(home, law={"type": "fremond_impact", "friction": mu, "restitution": e}, gravity=(0, 0, 0), velocity=(vx, 0, vz))
    r = m.simulate(2e-3, step=1e-3)
    impulse = 2 * (2 / 7) * vx if sticks else mu * (1 + e) * -vz
    assert r["ball.velocity.x"].last == pytest.approx(vx - impulse, rel=1e-9)
    assert r["ball.velocity.z"].last == pytest.approx(-e * vz, rel=1e-9)
    slip = r["ball.velocity.x"].last - 0.1 * r["ball.angular_velocity.y"].last
    assert slip == pytest.approx(-vx if sticks else vx - 3.5 * impulse, rel=1e-9)


def test_fremonds_law_gives_no_energy_to_kane_and_levinsons_rod():
    """A rod that strikes a rough floor with its lower end, Newton's law against Fremond's."""
    gained = {}
    for kind in ("coulomb_impact", "fremond_impact"):
        worst = -1.0
        for seed in range(40):
            rng = np.random.default_rng(seed)
            m = sl.Model(gravity=(0, 0, 0))
            lean = rng.uniform(-1.2, 1.2)
            rod = m.body(mass=1, inertia=(1 / 3, 1 / 3, 1e-3), at=(math.sin(lean), 0, math.cos(lean)), rotation=(0, lean, 0), velocity=(rng.normal(), 0, -1), angular_velocity=(0, rng.normal(), 0))
            m.add(PlaneContact(name="c", A={"body": "ground"}, B={"body": rod.name, "at": [0, 0, 0]}, law={"type": kind, "friction": 1.5, "restitution": 0.9}))
            energy = np.asarray(m.simulate(1e-6, step=1e-6)["energy.kinetic"])
            worst = max(worst, energy[-1] / energy[0] - 1)
        gained[kind] = worst
    assert gained["fremond_impact"] < 1e-9 < 1e-3 < gained["coulomb_impact"]


def test_painleves_region_of_the_gallery_is_that_of_the_case():
    from saltus.gallery import painleve_rod

    assert painleve_rod.region(1.33) is None
    for mu, truth in ((1.4, (0.9701554159882791, 1.220890396789439)), (2.0, (0.6523581397843682, 1.3820857960113346))):
        assert painleve_rod.region(mu) == pytest.approx(truth, abs=1e-12)
        assert painleve_rod.acceleration(0.5 * sum(truth), mu) < 0 < painleve_rod.acceleration(truth[0] - 1e-3, mu)


def turning_slide(home, step, gamma):
    """A ball that slides and is pulled aside: its friction turns with it."""
    m = sl.Model(gravity=(0, 0, -G))
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1), velocity=(2, 0, 0), name="p")
    m.contact(m.plane(), [ball] if home == "group" else ball, friction=0.3)
    m.force(ball, (0, 6, 0))
    return np.asarray(m.simulate(0.2, step=step, scheme=sl.MoreauJean(gamma=gamma), record=0.02)["p.position"].last)


@homes
@pytest.mark.parametrize(("gamma", "order"), [(1.0, 1), (0.75, 1), (0.5, 2)])
def test_friction_in_the_middle_of_the_step_is_of_second_order(home, gamma, order):
    truth = turning_slide(home, 5e-5, 0.5)
    errors = [np.abs(turning_slide(home, h, gamma) - truth).max() for h in (4e-3, 2e-3)]
    assert math.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.1)


def test_what_sticks_below_gamma_1_calms_down_by_its_share():
    """A relay that comes to rest: u of a step is (1 - gamma) / gamma of the one before, turned round."""
    m = sl.Model(gravity=(0, 0, 0))
    body = m.body(mass=1, inertia=(1, 1, 1), velocity=(1.0, 0, 0), name="b")
    m.prismatic(m.ground, body, axis="x", friction=3.0)
    v = np.asarray(m.simulate(0.5, step=7e-3, scheme=sl.MoreauJean(gamma=0.75))["b.velocity.x"])
    rests = int(np.argmax(np.abs(v) < 1.5 * 3.0 * 7e-3)) + 2
    ratios = v[rests + 1 : rests + 6] / v[rests : rests + 5]
    np.testing.assert_allclose(ratios, -1 / 3, rtol=1e-6)
    assert np.abs(v[-1]) < 1e-10


def test_gamma_without_a_fixed_step_is_refused():
    with pytest.raises(sl.ModelError, match="gamma: is 0.5 without a fixed step.*give step=, or leave gamma out"):
        ball_on_floor("relation", friction=0.3, velocity=(1, 0, 0)).simulate(0.1, scheme=sl.MoreauJean(gamma=0.5))
    with pytest.raises(sl.ModelError, match="gamma: is 0.4, must be between 0.5 and 1"):
        ball_on_floor("relation").simulate(0.1, step=1e-3, scheme=sl.MoreauJean(gamma=0.4))


@pytest.mark.parametrize(
    ("law", "message"),
    [
        ({"type": "mohr_coulomb", "angle": 0.0}, "angle: is 0 rad, must be between 0.001 and 1.57; the friction coefficient is its tangent"),
        ({"type": "mohr_coulomb", "cohesion": -1.0}, "cohesion: is -1 N, must be at least 0"),
        ({"type": "mohr_coulomb", "tension": float("inf")}, "tension: is inf"),
        ({"type": "fremond_impact", "restitution": 1.5}, "restitution: is 1.5, must be between 0 and 1; 0 is without rebound, 1 without loss"),
    ],
)
def test_fields_of_the_laws_are_checked(law, message):
    with pytest.raises(sl.ModelError, match=message):
        ball_on_floor("relation", law=law).simulate(0.1)


@pytest.mark.parametrize("by", ("handle", "name"))
@homes
def test_a_law_of_the_model_may_be_shared_by_contacts(home, by, tmp_path):
    m = sl.Model()
    law = m.add(sl.items.NewtonImpact(name="bouncy", restitution=0.5))
    balls = [m.sphere(radius=0.1, mass=1, at=(x, 0, 1.1)) for x in (0.0, 1.0)]
    for ball in balls:
        m.contact(m.plane(), ball if home == "relation" else [ball], law=law if by == "handle" else "bouncy")
    law.restitution = 0.8  # of both
    t = math.sqrt(2 / G)
    m.save(tmp_path / "balls.json")
    for model in (m, sl.Model.load(tmp_path / "balls.json")):
        r = model.simulate(t * 1.4)
        for ball in balls:
            assert r[f"{ball.name}.velocity.z"].last == pytest.approx(0.8 * G * t - 0.4 * G * t, rel=1e-5)


def on_a_slope(tangent, **law):
    a = math.atan(tangent)
    m = sl.Model(gravity=(G * math.sin(a), 0, -G * math.cos(a)))
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1))
    m.contact(m.plane(), ball, friction=1.0, **law)
    return m, ball


def test_a_resistance_to_rolling_beyond_the_radius_is_told_to_be_a_length():
    """A ball begins to roll where the tangent of the slope is above rolling / radius; on 0.6 with a coefficient of 0.5 it rolls."""
    with pytest.warns(sl.ModelWarning, match=r"relations/contact_1/rolling: is 0.5 m, beyond the radius of sphere_1, 0.1 m: it rolls on slopes above 79 degrees only; .* write 0.05"):
        m, ball = on_a_slope(0.6, rolling=0.5)
    result = m.simulate(0.5)
    assert abs(result[ball.position.x].last) < 1e-9 and len(m.check()) == len(result.warnings) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m, ball = on_a_slope(0.6, rolling=0.05)
    a = G * (math.sin(math.atan(0.6)) - 0.5 * math.cos(math.atan(0.6))) / 1.4  # J = 2/5 m r^2
    assert m.simulate(0.5)[ball.position.x].last == pytest.approx(0.125 * a, rel=1e-4)
    for law in (dict(rolling=0.2), dict(law=sl.items.RollingImpact(friction=0.5, rolling=0.2))):
        m = sl.Model()
        with pytest.warns(sl.ModelWarning, match="wheel_1/rolling: is 0.2 m, beyond the radius of cylinder_1"):
            m.wheel(m.plane(), m.cylinder(radius=0.1, length=0.05, mass=1, at=(0, 0, 0.1), axis="y"), **law)
