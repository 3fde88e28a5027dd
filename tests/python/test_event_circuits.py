"""Circuits and first-order states under the event-driven scheme: closed forms, equations by hand, what is of higher index."""

import math

import numpy as np
import pytest
from test_circuit_topologies import bridge, last

import saltus as sl
from saltus.items import Complementarity, FirstOrderLinearRelation, FirstOrderSystem, NormalCone, Relay
from saltus.verification import matrix
from saltus.verification.models import coordinates, states

EVENTS = dict(scheme="event_driven", tolerance=1e-9)


@pytest.mark.parametrize("law", ("complementarity", "relay", "normal_cone", "equality"))
def test_a_rectifier_ends_where_its_equation_does(law):
    entry = next(e for e in matrix.laws() if e["name"] == law)
    exact = matrix._circuit_by_hand(entry, matrix.UNTIL)[0]
    assert matrix._simulate("circuit", entry, matrix.UNTIL, **EVENTS).states[0] == pytest.approx(exact, abs=1e-8)


def test_at_defaults_it_is_as_right_as_its_tolerance():
    entry = next(e for e in matrix.laws() if e["name"] == "complementarity")
    exact = matrix._circuit_by_hand(entry, matrix.UNTIL)[0]
    assert matrix._simulate("circuit", entry, matrix.UNTIL, scheme="event_driven").states[0] == pytest.approx(exact, abs=1e-5)


def test_a_floating_bridge_without_any_state_gives_the_magnitude():
    m = sl.Model()
    a, b, p, n = (m.terminal() for _ in range(4))
    m.voltage_source(a, m.ground, voltage="10*sin(20*t)")
    m.resistor(a, b, R=1.0)
    bridge(m, b, p, n)
    m.resistor(p, n, R=4.0)
    r = m.simulate(1.0, step=1e-3, scheme="event_driven")  # no state moves: nothing else tells how long a step may be
    across = np.asarray(r[p.voltage]) - np.asarray(r[n.voltage])
    assert across == pytest.approx(8 * np.abs(np.sin(20 * r.time)), abs=1e-6)


def driven(law, f, D=0.0, x0=1.0):
    """x' = -x/2 + f + lambda, y = x + D lambda."""
    m = states((x0,))
    m.add(FirstOrderSystem(name="system", node="x", matrix=[[-0.5]], vector=[f]))
    m.add(FirstOrderLinearRelation(name="row", on=coordinates("x", 1), C=((1.0,),), B=((1.0,),), D=((D,),), law=law))
    return m


@pytest.mark.parametrize("law", (Relay(low=-1, high=1, on="value"), NormalCone(facets=((2.0,), (-1.0,)), bounds=(2.0, 1.0), on="value")), ids=lambda law: law.type)
def test_a_relay_slides_from_the_time_of_its_closed_form(law):
    meets = 2 * math.log(2.4 / 1.4)  # x' = -x/2 - 0.7
    r = driven(law, 0.3).simulate(2.0, **EVENTS)
    assert [t for t, kind, *_ in r.events if kind == "stick"] == pytest.approx([meets], abs=1e-8)
    assert abs(r["x.state"].last) < 1e-12


def test_a_diode_with_its_own_resistance_goes_over_to_its_line():
    # x falls to zero at 2 ln((1 + 1.6) / 1.6), then x' = -x/2 - 0.8 - x/D.
    D = 0.2
    meets = 2 * math.log(2.6 / 1.6)
    slope = 0.5 + 1 / D
    exact = -0.8 / slope * (1 - math.exp(-slope * (2 - meets)))
    r = driven(Complementarity(), -0.8, D).simulate(2.0, **EVENTS)
    assert r["x.state"].last == pytest.approx(exact, abs=1e-8)


def test_relays_that_are_coupled_by_their_own_multipliers_follow_time_stepping():
    def model():
        m = states((1.0, -0.6))
        m.add(FirstOrderSystem(name="system", node="x", matrix=[[-0.2, 1.0], [-1.0, -0.1]], vector=[0.1, 0.2]))
        m.add(FirstOrderLinearRelation(name="row", on=coordinates("x", 2), C=((1, 0), (0, 1)), B=((1, 0), (0, 1)), D=((0.5, 0.2), (-0.1, 0.4)), law=Relay(low=-0.3, high=0.5, on="value")))
        return m

    fine = np.asarray(model().simulate(6.0, scheme="moreau_jean", step=1e-4, record=1.0)["x.state"])
    assert np.asarray(model().simulate(6.0, record=1.0, **EVENTS)["x.state"]) == pytest.approx(fine, abs=1e-4)


def test_a_capacitor_straight_on_a_source_is_stepped_over_and_reported():
    m = sl.Model()
    a, k = m.terminal(), m.terminal()
    m.voltage_source(a, m.ground, voltage="6*sin(100*t)")
    m.diode(a, k)
    m.capacitor(k, m.ground, C=1e-3)
    with pytest.warns(sl.ModelWarning, match="moreau_jean takes a step"):
        r = m.simulate(0.03, scheme="event_driven")
    assert last(r, k.voltage) == pytest.approx(6.0, abs=1e-3)


def test_what_it_cannot_follow_is_refused_with_what_can():
    m = states((1.0, 0.5))
    m.add(FirstOrderLinearRelation(name="row", on=coordinates("x", 2), C=((1, 0), (0, 1)), B=((1, 0), (0, 1)), law=NormalCone(facets=((1, 1), (-1, 0), (0, -1)), bounds=(1, 1, 1), on="value")))
    with pytest.raises(sl.ModelError, match=r"relations/row.*facets that couple rows.*moreau_jean"):
        m.simulate(0.1, **EVENTS)


def test_a_run_goes_on_bit_for_bit(tmp_path):
    entry = next(e for e in matrix.laws() if e["name"] == "complementarity")
    whole, _ = matrix.SYSTEMS["circuit"](entry)
    begun, _ = matrix.SYSTEMS["circuit"](entry)
    end = whole.simulate(0.4, scheme="event_driven", step=1e-3)["C_charge.state"].last
    half = begun.simulate(0.2, scheme="event_driven", step=1e-3)
    assert np.array_equal(begun.simulate(0.4, scheme="event_driven", step=1e-3, start=half)["C_charge.state"].last, end)


def test_steps_follow_a_source_whose_circuit_has_no_states():
    """Half waves of a source of 50 Hz through an ideal diode: no error of states limits the steps, between which currents are lines."""
    m = sl.Model()
    a, b = m.terminal(), m.terminal()
    m.voltage_source(a, m.ground, voltage="10*sin(100*pi*t)")
    m.diode(a, b)
    load = m.resistor(b, m.ground, R=5)
    result = m.simulate(0.1, scheme="event_driven")
    t = np.linspace(0, 0.1, 4001)
    np.testing.assert_allclose(np.ravel(result.at(t)[load.current]), np.maximum(0.0, 2 * np.sin(100 * np.pi * t)), atol=0.03)


@pytest.mark.parametrize("angle", [0.05, 0.25, 0.75])
def test_a_current_that_a_gate_lets_flow_is_shown_on_both_sides_of_its_jump(angle):
    f = 50.0
    at = 0.5 * angle / f
    m = sl.Model()
    s, k = m.terminal(), m.terminal()
    m.voltage_source(s, m.ground, voltage=f"sin(2 * pi * {f} * t)")
    T = m.thyristor(s, k, fired=f"2e-4 - mod(t - {at}, {1 / f})")
    m.resistor(k, m.ground, R=1.0)
    r = m.simulate(0.04, scheme="event_driven")
    t, i = np.asarray(r.time), np.asarray(r[T.current]).ravel()
    fired = i[np.abs(t - at) < 1e-9]
    assert len(fired) > 1 and fired[0] == 0.0 and fired[-1] == pytest.approx(math.sin(math.pi * angle), rel=1e-6)
    assert np.trapezoid(i, t) / 0.04 == pytest.approx((1 + math.cos(math.pi * angle)) / (2 * math.pi), rel=0.01)
