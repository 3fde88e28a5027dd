"""Parameters from measured data: what was put in comes out, with its deviation; mistakes are named."""

import re

import numpy as np
import pytest

import saltus as sl

TIMES = np.linspace(0.0, 2.0, 101)


def cart(k=60.0, c=3.0):
    m = sl.Model(gravity=(0, 0, 0))
    m.parameters = {"k": k, "c": c}
    body = m.point_mass(mass=1, at=(1, 0, 0), displacement=(0.1, 0, 0), name="cart")
    m.spring(m.ground, body, stiffness="k", damping="c", rest_length=1)
    m.outputs["x"] = body.displacement.x
    return m


def exact():
    return np.asarray(cart(100.0, 1.5).simulate(until=2.0, tolerance=1e-10).at(TIMES)["cart.displacement.x"])


def test_without_noise_the_parameters_come_back():
    m = cart()
    fit = sl.identify(m, times=TIMES, measured={m["cart"].displacement.x: exact()}, parameters={"k": (20, 300), "c": (0, 10)})
    assert fit["k"] == pytest.approx(100.0, rel=1e-6) and fit["c"] == pytest.approx(1.5, rel=1e-5)
    assert fit.left["cart.displacement.x"] < 1e-8 and m.parameters == {"k": 60.0, "c": 3.0}
    lines = str(fit).splitlines()
    assert lines[0].startswith(f"k = {fit['k']:.9g} +- ") and lines[2].startswith("residual of cart.displacement.x: ") and " m (root" in lines[2] and lines[-1] == f"{fit.runs} runs"


def test_with_noise_the_deviations_cover_the_truth_and_samples_may_be_missing():
    m, samples = cart(), exact() + np.random.default_rng(3).normal(0.0, 1e-3, TIMES.size)
    samples[10:20] = np.nan
    known = sl.identify(m, times=TIMES, measured={"x": samples}, parameters={"k": (20, 300), "c": (0, 10)}, noise=1e-3)
    for name, truth in (("k", 100.0), ("c", 1.5)):
        assert abs(known[name] - truth) < 4 * known.deviation[name] < 0.1 * truth
    assert known.left["x"] == pytest.approx(1e-3, rel=0.3)
    guessed = sl.identify(m, times=TIMES, measured={"x": samples}, parameters={"k": (20, 300), "c": (0, 10)})
    assert guessed.deviation["k"] == pytest.approx(known.deviation["k"], rel=0.3)
    assert guessed["k"] == pytest.approx(known["k"], rel=1e-5)


def test_the_rebound_of_a_ball_is_found_through_its_impacts():
    def ball(rebound):
        m = sl.Model()
        m.parameters = {"rebound": rebound}
        b = m.sphere(radius=0.1, mass=1, at=(0, 0, 1.1), name="ball")
        m.contact(m.plane(), b, restitution="rebound")
        return m

    seen = np.asarray(ball(0.83).simulate(until=1.0, scheme="event_driven").at(TIMES[:51])["ball.position.z"])
    fit = sl.identify(ball(0.6), times=TIMES[:51], measured={"ball.position.z": seen}, parameters={"rebound": (0.4, 0.95)}, simulate={"scheme": "event_driven"})
    assert fit["rebound"] == pytest.approx(0.83, abs=1e-6)


def test_what_the_samples_do_not_tell_apart_is_said():
    m = sl.Model()
    m.parameters = {"a": 1.0, "b": 1.0}
    m.force(m.point_mass(mass=1, name="p"), ("a + b", 0, 0))
    with pytest.warns(sl.ModelWarning, match="do not tell the parameters apart"):
        fit = sl.identify(m, times=TIMES, measured={"p.position.x": 1.5 * TIMES**2}, parameters={"a": (0, 5), "b": (0, 5)})
    assert fit["a"] + fit["b"] == pytest.approx(3.0, rel=1e-6) and np.isinf(fit.deviation["a"])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"parameters": {"kk": (1, 2)}}, 'identify/parameters/kk: is not a parameter of the model; did you mean "k"?'),
        ({"parameters": {"k": 50}}, "identify/parameters/k: is 50, expected the range (low, high)"),
        ({"parameters": {"k": (3, 1)}}, "identify/parameters/k: is (3, 1): its low end is not below its high end; write (1, 3)"),
        ({"measured": {"x": [1, 2]}}, "identify/measured/x: has 2 samples, and there are 101 times"),
        ({"measured": {"cart.position": np.zeros(101)}}, "identify/measured/cart.position: has samples of shape (), the quantity of (3,)"),
        ({"times": TIMES[::-1]}, "expected finite times that grow"),
        ({"noise": 0}, "identify/noise/x: is 0, must be above 0"),
    ],
)
def test_mistakes_are_named(changed, message):
    given = {"times": TIMES, "measured": {"x": np.zeros(101)}, "parameters": {"k": (1, 100)}, **changed}
    with pytest.raises(sl.ModelError, match=re.escape(message)):
        sl.identify(cart(), **given)


def test_a_sample_for_a_parameter_tells_no_deviation_and_what_is_not_finite_is_left_out():
    m = sl.Model(gravity=(0, 0, 0))
    m.parameters = {"k": 40.0}
    cart = m.sphere(radius=0.1, mass=2.0, at=(1, 0, 0), displacement=(0.1, 0, 0), name="cart")
    m.prismatic(m.ground, cart, axis="x")
    m.spring(m.ground, cart, stiffness="k", rest_length=1)
    times = np.linspace(0.1, 0.5, 5)
    samples = np.asarray(m.simulate(0.5, tolerance=1e-9).at(times)["cart.displacement.x"])
    samples[2] = np.inf
    fit = sl.identify(m, times=times, measured={cart.displacement.x: samples}, parameters={"k": (20, 80)})
    assert fit["k"] == pytest.approx(40.0, rel=1e-4) and np.isfinite(fit.deviation["k"])
    with pytest.warns(sl.ModelWarning, match="deviations are infinite"):
        assert np.isinf(sl.identify(m, times=times[:1], measured={cart.displacement.x: samples[:1]}, parameters={"k": (20, 80)}).deviation["k"])
    for given, says in (({"measured": {cart.displacement.x: np.full(5, np.nan)}}, "has no finite sample"), ({"measured": {3: samples}}, "expected quantities or names of outputs"),
                        ({"parameters": ["k"]}, "expected names with ranges"), ({"simulate": "moreau_jean"}, "expected arguments of m.simulate")):  # fmt: skip
        with pytest.raises(sl.ModelError, match=says):
            sl.identify(m, **{"times": times, "measured": {cart.displacement.x: samples}, "parameters": {"k": (20, 80)}, **given})
