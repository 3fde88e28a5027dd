"""A law with two states that switch at two levels of its row: thermostat, bang-bang drive, against closed forms."""

import math

import numpy as np
import pytest

import saltus as sl
from saltus.items import FirstOrderLinearRelation, FirstOrderSystem, GenericSystem, Hysteresis, LinearRelation, NodeOde2
from saltus.verification.models import coordinates, states

LOSS, POWER, LOWER, UPPER = 0.7, 3.0, 1.0, 2.0
LIMIT = POWER / LOSS
FIRST, COOL, HEAT = math.log(LIMIT / (LIMIT - UPPER)) / LOSS, math.log(UPPER / LOWER) / LOSS, math.log((LIMIT - LOWER) / (LIMIT - UPPER)) / LOSS


def thermostat(**fields):
    m = states((0.0,))
    m.add(FirstOrderSystem(name="room", node="x", matrix=[[-LOSS]]))
    m.add(FirstOrderLinearRelation(name="heater", on=coordinates("x", 1), C=[[1]], B=[[1]], law=Hysteresis(low=0, high=POWER, lower=LOWER, upper=UPPER, **fields)))
    return m


def temperature(t):
    """From 0 up to UPPER, then down and up between the levels."""
    if t < FIRST:
        return LIMIT * (1 - math.exp(-LOSS * t))
    t = (t - FIRST) % (COOL + HEAT)
    return UPPER * math.exp(-LOSS * t) if t < COOL else LIMIT - (LIMIT - LOWER) * math.exp(-LOSS * (t - COOL))


@pytest.mark.parametrize(("given", "error"), [
    ({"scheme": "event_driven"}, 1e-5),
    ({"scheme": "event_driven", "tolerance": 1e-10}, 1e-7),
    ({}, 1e-3),
    ({"tolerance": 1e-8}, 5e-5),
    ({"step": 1e-3, "scheme": "moreau_jean"}, 0.03),  # a switch is up to a step late
    ({"step": 1e-4, "scheme": "moreau_jean"}, 0.003),
    ({"step": 1e-3, "scheme": "nonsmooth_generalized_alpha"}, 0.03),
    ({"step": 1e-3, "scheme": "d1_minus"}, 0.03),
    ({"step": 1e-3, "scheme": "schatzman_paoli"}, 0.03),
])  # fmt: skip
def test_a_thermostat_follows_its_closed_form_through_ten_switches(given, error):
    r = thermostat().simulate(8.0, **given)
    x = np.asarray(r["x.state"]).ravel()
    assert np.abs(x - [temperature(t) for t in r.time]).max() < error
    assert {round(abs(f), 9) for f in np.asarray(r["heater.multiplier"]).ravel()} >= {0.0, POWER}


def test_a_drive_between_two_stops_of_its_way_keeps_its_switches():
    """x'' = 2 up to x = 1, then -2 down to -1: parabolas."""
    m = sl.Model(gravity=(0, 0, 0))
    m.add(NodeOde2(name="n", count=1))
    m.add(GenericSystem(name="body", node="n", mass_matrix=[[1.0]]))
    m.add(LinearRelation(name="drive", on=[{"node": "n", "coordinate": 0}], matrix=[[1]], offset=[0], law=Hysteresis(low=-2, high=2, lower=-1, upper=1)))
    s = 4.0 - 1.0 - (1.0 + math.sqrt(3.0))
    assert m.simulate(4.0)["n.coordinate"].last == pytest.approx(-1.0 - 2.0 * math.sqrt(3.0) * s + s**2, abs=1e-5)
    assert m.simulate(4.0, step=1e-3)["n.coordinate"].last == pytest.approx(-1.0 - 2.0 * math.sqrt(3.0) * s + s**2, abs=1e-2)


@pytest.mark.parametrize("start", ["high", "low"])
def test_between_the_levels_it_starts_as_it_is_told(start):
    m = states((1.5,))
    m.add(FirstOrderLinearRelation(name="r", on=coordinates("x", 1), C=[[1]], B=[[1]], law=Hysteresis(low=-1, high=1, lower=LOWER, upper=UPPER, start=start)))
    assert m.simulate(0.25, step=1e-2)["x.state"].last == pytest.approx(1.75 if start == "high" else 1.25, abs=1e-9)


def test_its_state_goes_on_from_a_checkpoint():
    m, given = thermostat(), {"scheme": "event_driven", "tolerance": 1e-9}
    t = FIRST + 0.5 * COOL  # it cools, where a new run would heat
    begun = m.simulate(t, **given)
    assert m.simulate(t + 0.2, start=begun, **given)["x.state"].last == pytest.approx(temperature(t + 0.2), abs=1e-7)


def test_one_loop_gives_the_area_between_its_branches():
    """The row is led to and fro: the work of lambda over a period is (high - low) (upper - lower)."""
    m = sl.Model(gravity=(0, 0, 0))
    m.add(NodeOde2(name="n", count=1))
    m.add(GenericSystem(name="body", node="n", mass_matrix=[[1.0]], stiffness_matrix=[[1e4]], damping_matrix=[[200.0]], force=["1e4*1.5*sin(t)"]))
    m.add(LinearRelation(name="row", on=[{"node": "n", "coordinate": 0}], matrix=[[1]], offset=[0], law=Hysteresis(low=-2, high=3, lower=-1, upper=1)))
    r = m.simulate(4 * math.pi, step=5e-4)
    x, f, t = np.asarray(r["n.coordinate"]).ravel(), np.asarray(r["row.multiplier"]).ravel(), np.asarray(r.time)
    loop = t >= 2 * math.pi
    assert (0.5 * (f[1:] + f[:-1]) * np.diff(x))[loop[1:]].sum() == pytest.approx((3 + 2) * (1 + 1), rel=1e-4)


@pytest.mark.parametrize(("fields", "message"), [({"lower": 2, "upper": 1}, "`lower` is not below `upper`"), ({"low": 2, "high": 1, "lower": 0, "upper": 1}, "`low` is not below `high`")])
def test_what_is_no_loop_is_refused(fields, message):
    m = states((0.0,))
    m.add(FirstOrderLinearRelation(name="r", on=coordinates("x", 1), C=[[1]], B=[[1]], law=Hysteresis(**fields)))
    with pytest.raises(sl.ModelError, match=message):
        m.simulate(1.0)


def test_schemes_that_do_not_look_for_switches_say_so():
    with pytest.raises(sl.ModelError, match="hysteresis.*whose state switches: nonsmooth_generalized_alpha does not look for when; give step="):
        thermostat().simulate(1.0, scheme="nonsmooth_generalized_alpha")
    with pytest.raises(sl.ModelError, match="hysteresis.*moreau_jean"):
        thermostat().simulate(1.0, step=1e-3, scheme="zero_order_hold")


def test_a_law_on_potentials_that_it_moves_itself_is_refused():
    m = sl.Model()
    a = m.terminal(name="a")
    m.current_source(m.ground, a, current=1.0)
    m.resistor(a, m.ground, R=2.0)
    m.add(sl.items.Diode(A=a, B="ground", law=Hysteresis(lower=-1, upper=1)), name="trigger")
    with pytest.raises(sl.ModelError, match="acts on what its own multiplier moves at once, such as potentials: none of its states could last"):
        m.simulate(0.1, step=1e-3)
