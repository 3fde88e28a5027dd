"""A force that grows sets in motion what a law holds, at its time, by default: the law's multiplier leaves its set within a step."""

import math

import pytest

import saltus as sl

I = sl.items
BOUND, RATE, UNTIL = 5.886, 0.5, 12.5  # N, N/s, s
START = BOUND / RATE
WAY = RATE * (UNTIL - START) ** 3 / 6  # of 1 kg behind the start, against the bound
LET_GO = RATE * ((UNTIL**3 - START**3) / 6 - START**2 * (UNTIL - START) / 2)  # where the bound is gone
NEAR = 3e-6


def end(m, quantity):
    result = m.simulate(UNTIL)
    assert len(result) < 3000
    return result[quantity].last


@pytest.mark.parametrize(
    "law",
    [
        I.Relay(low=-BOUND, high=BOUND, on="rate"),
        I.NormBound(bound=BOUND, on="rate"),
        I.NormalCone(facets=((1,), (-1,)), bounds=(BOUND, BOUND), on="rate"),
        I.Characteristic(corners=[[-1, BOUND], [0, BOUND], [0, -BOUND], [1, -BOUND]], on="rate"),
        I.HardeningRelay(low=-BOUND, high=BOUND),
    ],
    ids=lambda law: law.type,
)
def test_a_mass_that_a_law_holds_by_its_rate(law):
    m = sl.Model(gravity=(0, 0, 0))
    m.add(I.Node1d(name="x"))
    m.add(I.Mass1d(node="x", mass=1))
    m.add(I.LinearRelation(on=[{"node": "x", "coordinate": 0}], matrix=[[1]], offset=[0], law=law))
    m.add(I.CoordinateLoad(on={"node": "x", "coordinate": 0}, force=f"{RATE}*t"))
    assert end(m, "x.coordinate") == pytest.approx(WAY, abs=NEAR)


@pytest.mark.parametrize("friction", [BOUND, sl.Plastic(BOUND)], ids=["dry", "plastic"])
def test_a_hinge_that_friction_holds(friction):
    m = sl.Model(gravity=(0, 0, 0))
    body = m.body(mass=1, inertia=(1, 1, 1))
    hinge = m.revolute(m.ground, body, axis="z", friction=friction)
    m.torque(body, (0, 0, f"{RATE}*t"))
    assert end(m, hinge.angle) == pytest.approx(WAY, abs=NEAR)


@pytest.mark.parametrize("group", [False, True], ids=["pair", "group"])
@pytest.mark.parametrize(
    "law",
    [
        {"type": "coulomb_impact", "friction": 0.6},
        {"type": "orthotropic_impact", "friction_1": 0.6, "friction_2": 0.2},
        {"type": "stribeck_impact", "friction_at_rest": 0.6, "friction_sliding": 0.6, "speed": 1},
        {"type": "contensou_impact", "friction": 0.6, "spinning": 0.01},
        {"type": "rolling_impact", "friction": 0.6, "spinning": 0.01},
        {"type": "mohr_coulomb", "cohesion": 0, "angle": 0.5404195002705842, "tension": 0},  # atan 0.6
    ],
    ids=lambda law: law["type"],
)
def test_a_mass_that_friction_holds(law, group):
    m = sl.Model()
    mass = m.point_mass(mass=1)
    m.contact(m.plane(), [mass] if group else mass, law=law)
    m.force(mass, (f"{RATE}*t", 0, 0))
    assert end(m, mass.position.x) == pytest.approx(WAY, abs=NEAR)


@pytest.mark.parametrize("group", [False, True], ids=["pair", "group"])
@pytest.mark.parametrize("law", [{"type": "adhesive_impact", "adhesion": BOUND}, {"type": "mohr_coulomb", "cohesion": 50, "angle": 0.5, "tension": BOUND}], ids=lambda law: law["type"])
def test_a_mass_that_a_pull_holds(law, group):
    m = sl.Model(gravity=(0, 0, 0))
    mass = m.point_mass(mass=1)
    m.contact(m.plane(), [mass] if group else mass, law=law)
    m.force(mass, (0, 0, f"{RATE}*t"))
    assert end(m, mass.position.z) == pytest.approx(LET_GO, rel=1e-5)


@pytest.mark.parametrize("group", [False, True], ids=["pair", "group"])
@pytest.mark.parametrize("law", ["contensou_impact", "rolling_impact"])
def test_a_ball_that_friction_against_spinning_holds(law, group):
    torque, inertia = 0.01, 0.004
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1))
    m.contact(m.plane(), [ball] if group else ball, law={"type": law, "friction": 0.5, "spinning": 0.01})
    m.torque(ball, (0, 0, f"{torque}*t"))
    start = 0.01 * 9.81 / torque
    assert end(m, ball.angular_velocity.z) == pytest.approx(torque * (UNTIL - start) ** 2 / 2 / inertia, abs=1e-5)


@pytest.mark.parametrize("group", [False, True], ids=["pair", "group"])
def test_a_ball_that_friction_against_rolling_holds(group):
    torque, radius, inertia = 0.01, 0.1, 0.004
    m = sl.Model()
    ball = m.sphere(radius=radius, mass=1, at=(0, 0, radius))
    m.contact(m.plane(), [ball] if group else ball, friction=0.9, rolling=0.01)
    m.torque(ball, (0, f"{torque}*t", 0))
    start = 0.01 * 9.81 / torque
    assert end(m, ball.position.x) == pytest.approx(radius * torque * (UNTIL - start) ** 3 / 6 / (inertia + radius**2), abs=3e-6)


def test_a_force_that_grows_and_falls_below_the_bound_again_within_what_would_be_one_step():
    """5.7 + 0.4 sin(pi t / 12.5) N: above the bound for a part of the run."""
    m = sl.Model(gravity=(0, 0, 0))
    m.add(I.Node1d(name="x"))
    m.add(I.Mass1d(node="x", mass=1))
    m.add(I.LinearRelation(on=[{"node": "x", "coordinate": 0}], matrix=[[1]], offset=[0], law=I.NormBound(bound=BOUND, on="rate")))
    m.add(I.CoordinateLoad(on={"node": "x", "coordinate": 0}, force=f"5.7+0.4*sin({math.pi}*t/12.5)"))
    w = math.pi / 12.5
    a = math.asin((BOUND - 5.7) / 0.4) / w
    speed = lambda t: (5.7 - BOUND) * (t - a) + 0.4 / w * (math.cos(w * a) - math.cos(w * t))  # noqa: E731
    result = m.simulate(9.0)
    assert result["x.rate"].last == pytest.approx(speed(9.0), abs=1e-5)


@pytest.mark.parametrize("settings", [{}, {"step": 1e-3}], ids=["default", "fixed"])
def test_a_pulse_whose_force_is_far_below_the_least_number_with_all_digits_before_it(settings):
    m = sl.Model(gravity=(0, 0, 0))
    m.add(I.Node1d(name="x"))
    m.add(I.Mass1d(node="x", mass=1))
    m.add(I.LinearRelation(on=[{"node": "x", "coordinate": 0}], matrix=[[1]], offset=[0], law=I.NormBound(bound=BOUND, on="rate")))
    m.add(I.CoordinateLoad(on={"node": "x", "coordinate": 0}, force="10*exp(-((t-6)/0.03)^2)"))
    half = 0.03 * math.sqrt(math.log(10 / BOUND))  # above the bound
    speed = 10 * 0.03 * math.sqrt(math.pi) * math.erf(half / 0.03) - 2 * half * BOUND
    result = m.simulate(6 + half, **settings)
    assert result["x.rate"].last == pytest.approx(speed, abs=3e-3 if settings else 1e-5)
