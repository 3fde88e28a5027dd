"""Laws of contacts under the event-driven scheme and nonsmooth generalized-alpha: closed forms, in a relation and in a group."""

import math

import numpy as np
import pytest
from test_laws import G, ball_on_floor, homes

import saltus as sl
from saltus.items import AdhesiveCoulombImpact, AdhesiveImpact, OrthotropicImpact, PlaneContact, PoissonCoulombImpact, PoissonImpact

EVENTS = dict(scheme="event_driven", tolerance=1e-9)
ALPHA = dict(scheme="nonsmooth_generalized_alpha", step=2e-4)
both = pytest.mark.parametrize(("run", "within"), ((EVENTS, 1e-9), (ALPHA, 2e-3)), ids=("events", "alpha"))


@homes
@both
def test_a_rolling_sphere_slows_down_and_stops_for_good(home, run, within):
    v0, rolling = 1.0, 0.004
    slope = 5 / 7 * rolling * G / 0.1
    r = ball_on_floor(home, friction=0.5, rolling=rolling, velocity=(v0, 0, 0), angular_velocity=(0, v0 / 0.1, 0)).simulate(4.5, record=0.05, **run)
    t, v, w = r.time, np.asarray(r["ball.velocity.x"]), np.asarray(r["ball.angular_velocity.y"])
    assert np.abs(v - np.maximum(v0 - slope * t, 0)).max() < within
    assert np.abs(v - 0.1 * w).max() < within
    assert abs(r["ball.position.x"].last - v0**2 / (2 * slope)) < within


@homes
def test_a_thrown_sphere_slides_rolls_and_rests_at_the_times_of_the_closed_form(home):
    v0, mu, rolling = 2.0, 0.3, 0.004
    # Sliding: v' = -mu g, J w' = (mu R - mu_r) m g with J = 0.4 m R^2; then both by five sevenths of mu_r g / R.
    spin_up = (mu - rolling / 0.1) * G / 0.4
    meets = v0 / (mu * G + spin_up)
    v = v0 - mu * G * meets
    rests = meets + v / (5 / 7 * rolling * G / 0.1)
    r = ball_on_floor(home, friction=mu, rolling=rolling, velocity=(v0, 0, 0)).simulate(rests + 1.0, **EVENTS)
    changes = [(kind, t) for t, kind, *_ in r.events if kind in ("roll", "stick")]
    assert [kind for kind, _ in changes] == ["roll", "stick"]
    assert [t for _, t in changes] == pytest.approx([meets, rests], abs=1e-9)


@homes
@both
def test_a_spinning_sphere_slows_down_by_mu_s_m_g_over_J(home, run, within):
    w0, spinning = 20.0, 0.001
    slope = spinning * G / (0.4 * 0.1**2)
    r = ball_on_floor(home, friction=0.5, spinning=spinning, angular_velocity=(0, 0, w0)).simulate(1.0, record=0.05, **run)
    w = np.asarray(r["ball.angular_velocity.z"])
    assert np.abs(w - np.maximum(w0 - slope * r.time, 0)).max() < 5 * within
    assert abs(r["ball.position.x"].last) < 1e-9


@homes
@both
def test_adhesion_lets_go_when_the_pull_has_grown_to_it(home, run, within):
    # 2 kg under gravity, pulled up by 100 t: open from t* with 100 t* = 20 + 2 G on.
    m = ball_on_floor(home, AdhesiveCoulombImpact(adhesion=20.0, friction=0.5))
    m.force("ball", (0, 0, "100*t"))
    r = m.simulate(0.6, record=0.01, **run)
    opens = (20 + 2 * G) / 100
    after = np.maximum(r.time - opens, 0)
    z = 0.1 + 20 / 2 * after**2 / 2 + 100 / 2 * after**3 / 6
    assert np.abs(np.asarray(r["ball.position.z"]) - z).max() < within
    if run is EVENTS:
        assert [t for t, kind, *_ in r.events if kind == "detach"] == pytest.approx([opens], abs=1e-9)


def let_go(home, until, **run):
    """How far a ball of 2 kg behind an adhesion of 30 N is from the closed form, pulled up by 60 t: it opens with 15 m/s^2 at once."""
    m = ball_on_floor(home, AdhesiveImpact(adhesion=30.0))
    m.force("ball", (0, 0, "60*t"))
    after = until - (30 + 2 * G) / 60
    return m.simulate(until, **run)["ball.position.z"].last - (0.1 + 30 / 2 * after**2 / 2 + 60 / 2 * after**3 / 6), after


@homes
@pytest.mark.parametrize("scheme", ("nonsmooth_generalized_alpha", "schatzman_paoli", "d1_minus", "moreau_jean"))
def test_adhesion_lets_go_in_the_step_in_which_it_is_overcome(home, scheme):
    step = 2e-5
    error, after = let_go(home, 0.9, scheme=scheme, step=step)
    assert abs(error) < 2 * step * (15 * after + 30 * after**2 / 2)  # of what lets go two steps late


FOUR = [{}, {"scheme": "event_driven"}] + [{"scheme": scheme, "step": 1e-3} for scheme in ("nonsmooth_generalized_alpha", "schatzman_paoli", "d1_minus")]


@pytest.mark.parametrize("home", ["pair", "group"])
@pytest.mark.parametrize("at, share, run", [(at, share, run) for at, share in ((0.0, 1 / 2), (0.03, 1 / 2 + 0.3)) for run in FOUR] + [(0.0, 1 / 2, {"scheme": "nonsmooth_generalized_alpha"})])
def test_four_corners_hold_together_what_pulls_a_box(home, at, share, run):
    """Whatever forces a solver finds for redundant corners: two of them, 5 N each, carry this share of the pull and half of the weight less."""
    m = sl.Model()
    box = m.box(size=(0.1, 0.1, 0.05), mass=0.5, at=(0, 0, 0.025))
    law = AdhesiveImpact(adhesion=5.0)
    m.contact([m.plane()], [box], law=law) if home == "group" else m.contact(m.plane(), box, law=law)
    m.force(box.frame((at, 0, 0)), (0, 0, "10*t"))
    opens = (2 * 5 + 0.5 * G / 2) / (10 * share)
    r = m.simulate(opens + 0.2, record=0.005, **run)
    moved = r.time[np.asarray(r[box.position.z]) > 0.025 + 1e-5]
    assert opens < moved[0] < opens + 0.02


@homes
def test_adhesion_lets_go_in_time_under_error_control(home):
    error, _ = let_go(home, 0.9, scheme="nonsmooth_generalized_alpha")
    assert abs(error) < 1e-4


@homes
@both
@pytest.mark.parametrize("law", (AdhesiveImpact(adhesion=30.0), AdhesiveCoulombImpact(adhesion=30.0, friction=0.5)))
def test_adhesion_holds_what_pulls_less_for_a_long_time(home, run, within, law):
    r = ball_on_floor(home, law, gravity=(0, 0, 14)).simulate(20.0, scheme=run["scheme"], **({"tolerance": 1e-6} if run is EVENTS else {"step": 2e-3}))
    assert abs(r["ball.position.z"].last - 0.1) < 1e-12
    assert np.asarray(r["contact_1.force"])[-1] == pytest.approx([0, 0, -28], abs=1e-9)


@homes
@both
def test_adhesion_carries_friction_of_its_own(home, run, within):
    law = AdhesiveCoulombImpact(adhesion=30.0, friction=0.5)
    holds = ball_on_floor(home, law, gravity=(2, 0, 10)).simulate(0.2, **run)
    assert abs(holds["ball.velocity.x"].last - 0.2 * 2 * 5 / 7) < within
    slips = ball_on_floor(home, law, gravity=(12, 0, 10)).simulate(0.2, **run)
    assert abs(slips["ball.velocity.x"].last - 0.2 * (24 - 5) / 2) < within


@homes
@both
def test_orthotropic_friction_turns_the_path_as_its_equations_say(home, run, within):
    mu = np.array((0.2, 0.6))
    m = sl.Model()
    block = m.point_mass(mass=1, velocity=(2, 2, 0), name="block")
    m.contact(m.plane(), [block] if home == "group" else block, law=OrthotropicImpact(friction_1=mu[0], friction_2=mu[1]))
    r = m.simulate(0.3, record=0.1, **run)
    from scipy.integrate import solve_ivp

    exact = solve_ivp(lambda t, v: -G * mu**2 * v / np.hypot(*(mu * v)), (0, 0.3), (2, 2), rtol=1e-11, atol=1e-12, method="DOP853").y[:, -1]
    assert r["block.velocity"].last[:2] == pytest.approx(exact, abs=10 * within)


@homes
@both
def test_poissons_law_bounces_as_newtons_and_follows_its_two_phases(home, run, within):
    r = ball_on_floor(home, PoissonImpact(restitution=0.7), at=(0, 0, 0.6)).simulate(0.5, **run)
    fall = math.sqrt(2 * 0.5 / G)
    assert r["ball.velocity.z"].last == pytest.approx(0.7 * G * fall - G * (0.5 - fall), abs=2 * within)
    mu, e = 0.1, 0.5
    slides = ball_on_floor(home, PoissonCoulombImpact(friction=mu, restitution=e), gravity=(0, 0, 0), velocity=(3, 0, -1)).simulate(1e-2, **run)
    assert slides["ball.velocity.z"].last == pytest.approx(e, abs=1e-9)
    assert slides["ball.velocity.x"].last == pytest.approx(3 - mu * (1 + e), abs=1e-9)
    stops = ball_on_floor(home, PoissonCoulombImpact(friction=0.8, restitution=e), gravity=(0, 0, 0), velocity=(1, 0, -1)).simulate(1e-2, **run)
    assert stops["ball.velocity.x"].last == pytest.approx(1 - 2 / 7, abs=1e-9)


@both
def test_poissons_law_comes_to_rest(run, within):
    r = ball_on_floor("relation", PoissonImpact(restitution=0.8), at=(0, 0, 0.2)).simulate(3.0, **run)
    assert abs(r["ball.velocity.z"].last) < 1e-9
    assert abs(r["ball.position.z"].last - 0.1) < 1e-5


@both
def test_poissons_law_in_a_cradle_is_that_of_time_stepping(run, within):
    def cradle(**how):
        m = sl.Model(gravity=(0, 0, 0))
        balls = [m.sphere(radius=0.1, mass=1 + i, at=(0.2 * i + (0.3 if i else 0), 0, 0), velocity=(0 if i else 1, 0, 0), name=f"b{i}") for i in range(4)]
        for a, b in zip(balls, balls[1:]):
            m.contact(a, b, law=PoissonImpact(restitution=0.6))
        r = m.simulate(0.6, **how)
        return [r[f"b{i}.velocity.x"].last for i in range(4)]

    assert cradle(**run) == pytest.approx(cradle(scheme="moreau_jean", step=1e-3), abs=1e-8)


def struck_rod(law, angle, velocity, **how):
    m = sl.Model(gravity=(0, 0, 0))
    half = np.array((0.5 * math.cos(angle), 0, 0.5 * math.sin(angle)))
    m.body(mass=1, inertia=(1 / 12, 1 / 12, 1 / 12), at=tuple(half), velocity=velocity, name="rod")
    m.add(PlaneContact(A=m.plane(), B={"body": "rod", "local": tuple(-half)}, law=law))
    energy = np.asarray(m.simulate(1e-5, **how)["energy.kinetic"])
    return energy[-1] / energy[0]


@pytest.mark.parametrize("how", (dict(scheme="event_driven", step=1e-6), dict(scheme="nonsmooth_generalized_alpha", step=1e-6)))
def test_poissons_law_gives_no_energy_to_a_rod_on_a_rough_floor(how):
    law = PoissonCoulombImpact(friction=0.8, restitution=0.9)
    for angle in np.linspace(0.2, 1.5, 4):
        for u in np.linspace(-3, 3, 5):
            of_time_stepping = struck_rod(law, angle, (u, 0, -1.0), scheme="moreau_jean", step=1e-6)
            assert struck_rod(law, angle, (u, 0, -1.0), **how) == pytest.approx(of_time_stepping, abs=1e-4) and of_time_stepping < 1 + 1e-9


@homes
@pytest.mark.parametrize("scheme", ("moreau_jean", "event_driven", "d1_minus", "nonsmooth_generalized_alpha", "schatzman_paoli"))
def test_a_ball_that_touches_at_the_start_and_comes_on_bounces(home, scheme):
    h, v0, e = 1e-3, 3.0, 0.5
    r = ball_on_floor(home, restitution=e, friction=0.0, velocity=(0, 0, -v0)).simulate(0.1, step=h, scheme=scheme)
    assert r["ball.velocity.z"].last == pytest.approx(e * v0 - G * 0.1, abs=2 * h * G)
    assert r["ball.position.z"].last == pytest.approx(0.1 + e * v0 * 0.1 - G * 0.1**2 / 2, abs=2 * h * v0)


def fast_balls():
    m = sl.Model(gravity=(0, 0, 0))
    a = m.sphere(radius=0.1, mass=1.0, at=(0, 0, 0), velocity=(100.0, 0, 0), name="a")
    b = m.sphere(radius=0.1, mass=1.0, at=(1.23, 0, 0), name="b")
    m.contact([a], [b], restitution=1.0, friction=0.0)
    return m


@pytest.mark.filterwarnings("ignore:.*step")
@pytest.mark.parametrize("scheme", ("moreau_jean", "event_driven", "d1_minus", "nonsmooth_generalized_alpha"))
def test_bodies_faster_than_their_size_in_a_step_do_not_pass_each_other(scheme):
    r = fast_balls().simulate(0.05, step=1e-2, scheme=scheme)
    assert r["a.velocity.x"].last == pytest.approx(0.0, abs=1e-6)
    assert r["b.velocity.x"].last == pytest.approx(100.0, abs=1e-6)


def test_a_scheme_of_equal_steps_says_which_step_sees_fast_bodies():
    with pytest.raises(sl.RunError, match=r"pass through each other.*take step=0\.00\d+.* or less, or the scheme moreau_jean"):
        fast_balls().simulate(0.05, step=1e-2, scheme="schatzman_paoli")
    r = fast_balls().simulate(0.05, step=1e-3, scheme="schatzman_paoli")
    assert r["b.velocity.x"].last == pytest.approx(100.0, abs=1e-6)


@homes
@pytest.mark.parametrize("restitution", (0.0, 0.5, 0.8))
@pytest.mark.parametrize("height", (1.0, 1.002, 1.02))
def test_an_impact_that_schatzman_paoli_spreads_over_two_steps_has_the_impulse_of_both(home, restitution, height):
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=2, at=(0, 0, 0.1 + height), name="ball")
    m.contact(m.plane(), [ball] if home == "group" else ball, restitution=restitution)
    step = 1e-3
    r = m.simulate(0.48, scheme="schatzman_paoli", step=step)
    impulses = [impulse for _, kind, _, impulse, *_ in r.events if kind == "impact"]
    speed = math.sqrt(2 * G * height)
    assert impulses == pytest.approx([2 * (1 + restitution) * speed], abs=3 * 2 * G * step)  # and what gravity gives in two steps
    t, _, _, impulse, *_ = next(event for event in r.events if event[1] == "impact")
    assert t == pytest.approx(speed / G, abs=2 * step)
