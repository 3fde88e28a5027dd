"""Control blocks: sampled exactly, delayed, limited, in steps; the implicit ones do not chatter; all are formulas of the model file."""

import numpy as np
import pytest
from saltus.verbs.blocks import exponential, held

import saltus as sl

SCHEMES = ("dormand_prince", "generalized_alpha", "moreau_jean", "event_driven")


def mass(position, speed, damping=0.0, push=None):
    """x'' = u - damping x' + push."""
    m = sl.Model(gravity=(0, 0, 0))
    node = m.add(sl.items.Node1d(displacement=position, velocity=speed), name="x")
    m.add(sl.items.Mass1d(node=node, mass=1.0))
    m.add(sl.items.CoordinateLoad(on=node, force=0.0), name="u")
    if damping:
        m.add(sl.items.CoordinateSpringDamper(A="ground", B=node, damping=damping))
    if push is not None:
        m.add(sl.items.CoordinateLoad(on=node, force=push), name="push")
    return m, m["x"]


def recursion(x, v, control, period, until, late=0.0, push=0.0):
    """Positions and speeds of a mass at the samples; u acts `late` after its sample, below one period or a multiple of it."""
    whole, rest = divmod(late / period + 1e-12, 1.0)
    rest = rest * period if rest > 1e-9 else 0.0
    waiting, u, out = [], 0.0, [(x, v)]
    for _ in range(round(until / period)):
        waiting.append(control(x, v))
        for share, which in ((rest, int(whole) + 1), (period - rest, int(whole))):
            if len(waiting) > which:
                u = waiting[-1 - which]
            x, v = x + share * v + 0.5 * share**2 * (u + push), v + share * (u + push)
        out.append((x, v))
    return np.array(out)


def at_samples(result, period, until, *paths):
    rows = [int(np.argmin(np.abs(result.time - k * period))) for k in range(round(until / period) + 1)]
    return np.column_stack([np.asarray(result[path])[rows] for path in paths])


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("step", [None, 0.013])
def test_a_pid_is_its_difference_equation(scheme, step):
    kp, ki, kd, lag, T = 3.0, 1.5, 0.4, 0.02, 0.05
    kept = {"sum": 0.0, "e": None, "d": 0.0}

    def control(x, v):
        e = 0.7 - x
        kept["sum"] += ki * T * e
        kept["d"] = 0.0 if kept["e"] is None else (lag * kept["d"] + kd * (e - kept["e"])) / (lag + T)
        kept["e"] = e
        return kp * e + kept["sum"] + kept["d"]

    m, x = mass(1.0, 0.0)
    m.pid(x.coordinate, kp=kp, ki=ki, kd=kd, filter=lag, target=0.7, period=T, outputs=["u"])
    result = m.simulate(1.0, scheme=scheme, step=step)
    want = recursion(1.0, 0.0, control, T, 1.0)
    assert at_samples(result, T, 1.0, "x.coordinate", "x.rate") == pytest.approx(want, abs=1e-9 if step else 1e-5)


@pytest.mark.parametrize("late", [0.1, 0.03, 0.13, 0.25, 0.2])
def test_a_delayed_output_acts_exactly_then_multiples_of_the_period_or_not(late):
    m, x = mass(1.0, 0.2)
    block = m.state_feedback([x.coordinate, x.rate], [[2.0, 1.0]], period=0.1, delay=late, outputs=["u"])
    result = m.simulate(2.0, scheme="dormand_prince", tolerance=1e-10)
    want = recursion(1.0, 0.2, lambda x, v: -2 * x - v, 0.1, 2.0, late)
    assert at_samples(result, 0.1, 2.0, "x.coordinate", "x.rate") == pytest.approx(want, abs=1e-8)
    value = np.asarray(result[block.value])
    assert np.all(value[result.time < late - 1e-9] == 0.0)
    assert value[int(np.argmin(np.abs(result.time - late)))] == pytest.approx(-2.2)


def test_a_delayed_function_of_the_program_waits_too():
    def model(late):
        m, x = mass(1.0, 0.2)
        if late is None:
            m.controller(["-2*x - v"], period=0.1, inputs={"x": x.coordinate, "v": x.rate}, outputs=["u"], delay=0.13)
        else:
            m.controller(lambda t, x, v: -2 * x - v, period=0.1, inputs=[x.coordinate, x.rate], outputs=["u"], delay=late)
        return np.asarray(m.simulate(1.0, step=0.01)["x.coordinate"])

    assert np.array_equal(model(None), model(0.13)) and not np.array_equal(model(None), model(0.0))


def test_a_delayed_run_goes_on_bit_for_bit():
    def model():
        m, x = mass(1.0, 0.2)
        m.state_feedback([x.coordinate, x.rate], [2.0, 1.0], period=0.1, delay=0.23, outputs=["u"])
        return m

    whole, first = model().simulate(1.0, step=2.0**-6), model().simulate(0.5, step=2.0**-6)
    second = model().simulate(1.0, step=2.0**-6, start=first)
    for word in ("y", "data"):
        assert np.array_equal(whole._recorded.arrays[word][-1], second._recorded.arrays[word][-1])


@pytest.mark.parametrize("anti_windup, most", [("none", 3.0), ("clamping", 1.25), ("tracking", 1.25)])
def test_anti_windup_keeps_the_overshoot_small(anti_windup, most):
    """A slow plant, a weak actuator: the integral of a pid that winds up must first be unwound by an overshoot."""
    m, x = mass(0.0, 0.0, damping=2.0)
    m.pid(x.coordinate, kp=1.0, ki=0.6, target=1.0, limits=(-0.12, 0.12), anti_windup=anti_windup, period=0.05, outputs=["u"])
    result = m.simulate(60.0, step=0.05)
    top = float(np.asarray(result[x.coordinate]).max())
    assert top < most and (anti_windup != "none" or top > 1.4)
    assert np.abs(np.asarray(result["pid_1.value"])).max() <= 0.12


def test_quantization_gives_multiples_of_its_step_and_limits_hold():
    m, x = mass(1.0, 0.0)
    block = m.state_feedback([x.coordinate, x.rate], [4.0, 2.0], period=0.1, quantization=0.25, limits=(-1.5, 3), outputs=["u"])
    value = np.asarray(m.simulate(3.0, step=0.05)[block.value])
    assert np.abs(value / 0.25 - np.round(value / 0.25)).max() < 1e-12 and value.min() == -1.5


@pytest.mark.parametrize("step", [None, 1e-3, 7e-4])
def test_an_implicit_sliding_mode_is_zero_to_rounding_and_an_explicit_one_chatters(step):
    top = {}
    for method in ("implicit", "explicit"):
        m, x = mass(1.0, -1.0)
        m.sliding_mode(x.rate, gain=2.0, period=0.01, method=method, outputs=["u"])
        result = m.simulate(1.0, scheme="dormand_prince", step=step)
        top[method] = np.abs(np.asarray(result[x.rate])[result.time > 0.6]).max()
    assert top["implicit"] < 1e-14 and top["explicit"] == pytest.approx(0.02, rel=1e-9)
    assert float(result[x.coordinate].last) == pytest.approx(0.75, abs=0.01)


def test_a_sliding_surface_of_two_numbers_is_left_by_a_disturbance_of_the_period_squared():
    """sigma = c x + v: the drift c v is known, a push is not; implicit: |sigma| <= h |push| at the samples (Acary, Brogliato, Orlov 2012)."""
    worst = []
    for T in (0.02, 0.01):
        m, x = mass(1.0, 0.0, push="0.5*sin(3*t)")
        sigma = 2.0 * x.coordinate + x.rate
        m.sliding_mode(sigma, gain=3.0, drift=2.0 * x.rate, period=T, outputs=["u"])
        result = m.simulate(4.0, scheme="dormand_prince", tolerance=1e-10)
        s = 2 * np.asarray(result[x.coordinate]) + np.asarray(result[x.rate])
        worst.append(np.abs(s[result.time > 2.0]).max())
    assert worst[0] < 0.02 * 0.5 * 1.2 and worst[1] == pytest.approx(worst[0] / 2, rel=0.1)


def test_a_corrected_sliding_mode_finds_out_what_disturbs_it():
    """What the last period added is expected again: a constant push leaves nothing, one that varies period^2 times its rate; the explicit one chatters on."""
    last = {}
    for push in ("0.5", "0.5*sin(3*t)"):
        for method in ("implicit", "explicit"):
            for T in (0.02, 0.01):
                m, x = mass(1.0, 0.7, push=push)
                m.sliding_mode(x.rate, gain=3.0, period=T, method=method, corrected=True, outputs=["u"])
                result = m.simulate(4.0, scheme="dormand_prince", tolerance=1e-11)
                rows = [int(np.argmin(np.abs(result.time - k * T))) for k in range(round(2 / T), round(4 / T))]
                last[push, method, T] = np.abs(np.asarray(result[x.rate])[rows]).max()
    assert last["0.5", "implicit", 0.01] < 1e-12
    assert last["0.5*sin(3*t)", "implicit", 0.01] < 1.05 * 0.01**2 * 1.5
    assert last["0.5*sin(3*t)", "implicit", 0.02] == pytest.approx(4 * last["0.5*sin(3*t)", "implicit", 0.01], rel=0.1)
    assert last["0.5", "explicit", 0.01] > 1e-3


def test_several_sliding_variables_with_a_full_matrix():
    m = sl.Model(gravity=(0, 0, 0))
    for word, speed in (("a", 1.0), ("b", -0.5)):
        m.add(sl.items.Node1d(velocity=speed), name=word), m.add(sl.items.Mass1d(node=word, mass=1.0))
    G = np.array([[2.0, 1.0], [0.5, 3.0]])
    for i, word in enumerate("ab"):
        for j in range(2):
            m.add(sl.items.CoordinateLoad(on=m[word], force=0.0), name=f"{word}{j}")
    m.parameter("u0", 0.0), m.parameter("u1", 0.0)
    for i, word in enumerate("ab"):
        m[f"{word}0"].force, m[f"{word}1"].force = f"{G[i, 0]}*u0", f"{G[i, 1]}*u1"
    m.sliding_mode([m["a"].rate, m["b"].rate], gain=1.0, input_gain=G, period=0.03, outputs=["u0", "u1"])
    result = m.simulate(2.0, step=0.01)
    for word, ends in (("a", 1.0), ("b", 0.5)):
        v = np.abs(np.asarray(result[f"{word}.rate"]))
        assert v[result.time > ends + 0.04].max() < 1e-14 and v[result.time < ends - 0.04].min() > 0.01


def test_twisting_brings_sigma_and_its_rate_to_rounding_and_chatters_if_explicit():
    small = {}
    for method in ("implicit", "explicit"):
        m, x = mass(1.0, 0.5)
        m.twisting(x.coordinate, x.rate, gains=(6.0, 3.0), period=0.01, method=method, outputs=["u"])
        result = m.simulate(6.0, scheme="dormand_prince", step=0.01)
        late = result.time > 5.0
        small[method] = [np.abs(np.asarray(result[q])[late]).max() for q in (x.coordinate, x.rate)]
    assert max(small["implicit"]) < 1e-15 and small["explicit"][1] > 0.01


def test_twisting_solves_its_variational_inequality():
    """w in -k1 Sgn(s + T v + T^2 w) - k2 Sgn(v + T w), for states far from and near to the origin."""
    rng, T, k1, k2 = np.random.default_rng(3), 0.1, 6.0, 4.0
    m, x = mass(1.0, 0.5)
    block = m.twisting(x.coordinate, x.rate, gains=(k1, k2), period=T, outputs=["u"])
    for _ in range(60):
        s, v = rng.normal(size=2) * 10.0 ** rng.uniform(-4, 1)
        m["x"].displacement, m["x"].velocity = s, v
        w = float(np.asarray(m.simulate(T / 2, step=T / 2)[block.value])[0])
        after = (s + T * v + T * T * w, v + T * w)
        low = sum(-k * (1.0 if y > 1e-12 else -1.0 if y < -1e-12 else 1.0) for k, y in zip((k1, k2), after, strict=True))
        high = sum(-k * (1.0 if y > 1e-12 else -1.0 if y < -1e-12 else -1.0) for k, y in zip((k1, k2), after, strict=True))
        assert low - 1e-9 <= w <= high + 1e-9


def super_twisted(method, push):
    m, x = mass(0.0, 1.0, push=push)
    block = m.super_twisting(x.rate, gains=(2.0, 1.5), period=0.01, method=method, outputs=["u"])
    result = m.simulate(8.0, scheme="dormand_prince", step=0.01)
    late = result.time > 7.0
    return np.asarray(result[x.rate])[late], np.asarray(result[block.value])[late]


def test_super_twisting_is_at_rest_to_rounding_and_chatters_if_explicit():
    s, u = super_twisted("implicit", None)
    assert np.abs(s).max() < 1e-15 and np.abs(u).max() < 1e-13
    s, _ = super_twisted("explicit", None)
    assert np.abs(s).max() > 1e-6


def test_super_twisting_finds_out_a_disturbance_with_a_control_that_does_not_jump():
    """The nominal sigma of the next sample is 0, so sigma is what the push of one period adds; u is the push itself (Brogliato, Polyakov, Efimov 2020)."""
    s, u = super_twisted("implicit", 0.5)
    assert u == pytest.approx(np.full(len(u), -0.5), abs=1e-12) and s == pytest.approx(np.full(len(s), 0.01 * 0.5), abs=1e-12)


OSCILLATOR = (np.array([[0.0, 1.0], [-4.0, -0.2]]), np.array([[0.0], [1.0]]), np.array([[1.0, 0.0]]))


def observed(**options):
    m, x = mass(1.0, 0.0, damping=0.2)
    m.add(sl.items.CoordinateSpringDamper(A="ground", B=x, stiffness=4.0))
    estimate = m.observer(OSCILLATOR, measured=[x.coordinate], inputs=["brain.value"], period=0.05, name="seen", **options)
    m.state_feedback([estimate.value[0], estimate.value[1]], [1.0, 1.2], period=0.05, target=[0.3, 0.0], outputs=["u"], name="brain")
    return m, x, estimate


def test_an_observer_has_the_poles_asked_for():
    m, x, estimate = observed(poles=(-3.0, -5.0))
    result = m.simulate(2.0, scheme="dormand_prince", tolerance=1e-11)
    apart = at_samples(result, 0.05, 2.0, "x.coordinate", "x.rate") - at_samples(result, 0.05, 2.0, "seen.value.0", "seen.value.1")
    a, b = np.exp(-3.0 * 0.05), np.exp(-5.0 * 0.05)
    left = apart[2:] - (a + b) * apart[1:-1] + a * b * apart[:-2]  # Cayley and Hamilton: the error obeys its characteristic equation
    assert np.abs(apart[0]).max() > 1e-3 and np.abs(left[1:]).max() < 1e-8
    assert np.abs(apart[-1]).max() < 2e-2


def test_an_observer_that_starts_right_stays_right():
    m, x, estimate = observed(gain=[[6.0], [8.0]], start=(1.0, 0.0))
    result = m.simulate(3.0, scheme="dormand_prince", tolerance=1e-11)
    apart = at_samples(result, 0.05, 3.0, "x.coordinate", "x.rate") - at_samples(result, 0.05, 3.0, "seen.value.0", "seen.value.1")
    assert np.abs(apart).max() < 1e-9


def test_a_sliding_observer_reaches_what_is_measured_and_stays_there():
    m, x, estimate = observed(switching=(2.0, 4.0))
    result = m.simulate(4.0, scheme="dormand_prince", tolerance=1e-11)
    apart = at_samples(result, 0.05, 4.0, "x.coordinate", "x.rate") - at_samples(result, 0.05, 4.0, "seen.value.0", "seen.value.1")
    assert np.abs(apart[20:, 0]).max() < 1e-13  # on the sliding surface: no chatter
    assert np.abs(apart[-1, 1]).max() < 1e-3  # where the rest decays, as exp(-4/2 t)


def test_an_observer_takes_a_linearization_of_the_model():
    m, x = mass(1.0, 0.0, damping=0.2)
    m.add(sl.items.CoordinateSpringDamper(A="ground", B=x, stiffness=4.0))
    m.observer(m.linearize(inputs=["u"], outputs=[x.coordinate]), measured=[x.coordinate], inputs=["u.force"], period=0.05, gain=[6.0, 8.0])
    result = m.simulate(3.0, step=0.01)
    assert float(result["observer_1.value.0"].last) == pytest.approx(float(result[x.coordinate].last), abs=1e-4)


def test_a_cascade_is_sampled_from_the_outside_in():
    """The outer block has no outputs: the inner one reads at the same sample what it has just found."""
    m, x = mass(1.0, 0.0)
    inner_first = m.pid(x.rate, kp=2.0, target=0.0, period=0.1, outputs=["u"], name="inner")
    outer = m.pid(x.coordinate, kp=1.5, period=0.1, name="outer")
    inner_first.target = outer.value
    result = m.simulate(2.0, step=0.05)
    want = recursion(1.0, 0.0, lambda x, v: 2.0 * (-1.5 * x - v), 0.1, 2.0)
    assert at_samples(result, 0.1, 2.0, "x.coordinate", "x.rate") == pytest.approx(want, abs=1e-9)


def blocks():
    m, x, _ = observed(gain=[6.0, 8.0])
    for i, make in enumerate((
        lambda out: m.pid(x.coordinate, kp=1.0, ki=0.2, limits=(-1, 1), period=0.07, delay=0.03, outputs=out),
        lambda out: m.sliding_mode(x.rate, gain=1.0, period=0.1, outputs=out),
        lambda out: m.twisting(x.coordinate, x.rate, gains=(2, 1), period=0.1, quantization=0.01, outputs=out),
        lambda out: m.super_twisting(x.rate, gains=(2, 1), period=0.1, outputs=out),
    )):  # fmt: skip
        m.add(sl.items.CoordinateLoad(on=x, force=0.0), name=f"load{i}")
        make([f"load{i}"])
    return m


def test_blocks_come_back_from_a_file_and_run_there_without_the_program(tmp_path):
    m = blocks()
    m.save(tmp_path / "blocks.json")
    again = sl.Model.load(tmp_path / "blocks.json")
    a, b = (model.simulate(1.0, step=0.01) for model in (m, again))
    for word in ("y", "data"):  # items of a file stand by section: sums of forces in another order
        assert a._recorded.arrays[word] == pytest.approx(b._recorded.arrays[word], abs=1e-13)
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == (tmp_path / "blocks.json").read_text()
    assert again["seen"].value is not None and np.asarray(b["seen.value"]).shape[1] == 2
    with pytest.raises(sl.ModelError, match="anew"):
        again["seen"].poles = (1, 2)


def test_an_exact_hold_is_the_closed_form():
    T = 0.37
    Phi, Gamma = held(np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([[0.0], [1.0]]), T)
    assert Phi == pytest.approx(np.array([[1, T], [0, 1]]), abs=1e-15) and Gamma[:, 0] == pytest.approx([T * T / 2, T], abs=1e-15)
    for size in (1e-8, 1.0, 300.0):
        turned = exponential(np.array([[0.0, -size], [size, 0.0]]))
        assert turned == pytest.approx(np.array([[np.cos(size), -np.sin(size)], [np.sin(size), np.cos(size)]]), abs=1e-12 * max(1.0, size / 10))


MISTAKES = [
    ("pid", dict(measured=3.0), "controllers/brain/measured: is 3.0, expected a quantity"),
    ("pid", dict(limits=(2, 1)), "low must be below high"),
    ("pid", dict(limits=5), "limits: is 5, expected"),
    ("pid", dict(kp=float("nan")), "kp: is nan"),
    ("pid", dict(anti_windup="clampin"), 'did you mean "clamping"'),
    ("pid", dict(delay=-1.0), "delay: is -1 s, must be at least 0"),
    ("pid", dict(outputs=[], delay=0.1), "delay what it reads"),
    ("pid", dict(quantization=-1.0), "quantization: is -1, must be at least 0"),
    ("pid", dict(period=0.0), "period: is 0 s, must be above 0"),
    ("pid", dict(outputs="u"), "give a list"),
    ("pid", dict(outputs=["u", "w"]), "take 2 numbers, the block gives 1"),
    ("pid", dict(delay=1000.0), "more than 2000 periods"),
    ("state_feedback", dict(gain=[[1, 2]]), "has the size"),
    ("state_feedback", dict(target=[1, 2]), "expected 1 numbers"),
    ("sliding_mode", dict(gain=0.0), "gain: is 0, must be above 0"),
    ("sliding_mode", dict(input_gain=0.0), "does not move sigma"),
    ("sliding_mode", dict(method="implict"), 'did you mean "implicit"'),
    ("twisting", dict(gains=(1, 2)), "the first must be above the second"),
    ("super_twisting", dict(gains=(1, -2)), "must be above 0"),
    ("observer", dict(poles=None), "gain: is missing"),
    ("observer", dict(poles=(-1, -2, -3)), "expected 2 numbers"),
    ("observer", dict(measured=[]), "measured: are 0, the plant has 1 outputs"),
    ("observer", dict(plant=(np.eye(2), [], [[1.0, 0.0]])), "does not show"),
    ("observer", dict(plant=3), "expected \\(A, B, C\\)"),
    ("observer", dict(poles=(-1 + 1j, -2)), "conjugate"),
    ("observer", dict(poles=None, switching=(-1, 0)), "does not move the measured number"),
]


@pytest.mark.parametrize("kind, change, words", MISTAKES, ids=[f"{kind}-{words}" for kind, _, words in MISTAKES])
def test_mistakes_name_the_block_and_a_remedy(kind, change, words):
    m, x = mass(1, 0)
    m.add(sl.items.CoordinateLoad(on=x, force=0.0), name="w")
    plant = (np.array([[0.0, 1.0], [0.0, 0.0]]), [], [[1.0, 0.0]])
    good = {
        "pid": dict(measured=x.coordinate, kp=1.0),
        "state_feedback": dict(states=[x.coordinate], gain=[2.0]),
        "sliding_mode": dict(sigma=x.rate, gain=1.0),
        "twisting": dict(sigma=x.coordinate, rate=x.rate, gains=(2, 1)),
        "super_twisting": dict(sigma=x.rate, gains=(2, 1)),
        "observer": dict(plant=plant, measured=[x.coordinate], poles=(-1, -2)),
    }[kind]
    common = {} if kind == "observer" else {"outputs": ["u"]}
    with pytest.raises(sl.ModelError, match=words):
        getattr(m, kind)(**{"period": 0.1, "name": "brain", **common, **good, **change})
        m.simulate(0.1, step=0.1)


def test_gains_may_be_parameters():
    values = []
    for gain in (2.0, "2*half"):
        m, x = mass(1, 0)
        m.parameters["half"] = 1.0
        m.pid(x.coordinate, kp=gain, kd="0.3", period=0.1, outputs=["u"])
        values.append(float(m.simulate(1.0, step=0.05)[x.coordinate].last))
    assert values[0] == values[1]


def test_far_away_a_joint_is_held_the_same():
    """A hinge turned by more than a turn under a pid, at the origin and 2 km away."""
    ends = []
    for at, axis in (((0, 0, 0), (0, 1, 0)), ((1e3, -2e3, 500), (0, 1, 0))):
        at = np.array(at, float)
        m = sl.Model(gravity=(0, 0, 0))
        rod = m.rod(at, at + (1, 0, 0), mass=1)
        hinge = m.revolute(m.ground, rod, at=at, axis=axis, torque=0.0)
        m.pid(hinge.angle, kp=4.0, kd=1.0, target=7.0, period=0.02, limits=(-3, 3), outputs=[hinge])
        ends.append(float(m.simulate(4.0, scheme="generalized_alpha", tolerance=1e-8)[hinge.angle].last))
    assert ends[0] == pytest.approx(ends[1], abs=1e-6) and ends[0] > 2 * np.pi

