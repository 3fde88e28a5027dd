"""Parameters that a run may change: set between steps, by a schedule, by a controller, from the hooks of a run; with the same bits."""

import numpy as np
import pytest

import saltus as sl

JUMPS = [(0.2, 160.0), (0.5, 30.0)]


def oscillator(schedule=None):
    m = sl.Model(gravity=(0, 0, 0))
    k = m.parameter("k", 90.0, schedule=schedule)
    mass = m.point_mass(mass=1.0, at=(0.3, 0, 0), name="mass")
    m.user_force(on=[mass], potential="0.5*k*A_x^2", name="spring")
    m.force(mass, ["0", "0.01*k*sin(t)", "0"])
    return m, mass, k


def values(t):
    return next((value for time, value in reversed(JUMPS) if t >= time - 1e-9), 90.0)


def stepped(scheme, step=0.01, until=1.0):
    m, _, k = oscillator()
    state = m.state(scheme=scheme, step=step)
    while state.time < until - 0.5 * step:
        state[k] = values(state.time)
        state.step()
    return np.concatenate([state.q, state.v])


def end(result):
    return result._recorded.arrays["y"][-1][:6]


def by_schedule(scheme):
    m, _, _ = oscillator(JUMPS)
    return end(m.simulate(until=1.0, step=0.01, scheme=scheme))


def by_controller(scheme):
    m, _, k = oscillator()
    m.controller("if(t > 0.5 - 1e-6, 30, if(t > 0.2 - 1e-6, 160, 90))", period=0.1, outputs=[k])
    return end(m.simulate(until=1.0, step=0.01, scheme=scheme))


def by_hook(scheme):
    m, _, k = oscillator()

    def set_it(state):
        state[k] = values(state.time)

    return end(m.simulate(until=1.0, step=0.01, scheme=scheme, before_step=set_it))


@pytest.mark.parametrize("scheme", ["generalized_alpha", "moreau_jean", "dormand_prince", "runge_kutta_4", "event_driven", "nonsmooth_generalized_alpha"])
def test_all_ways_to_set_one_give_the_same_bits(scheme):
    first = by_schedule(scheme)
    assert np.array_equal(by_hook(scheme), first)
    assert np.array_equal(stepped(scheme), first)
    m, _, k = oscillator()
    if scheme in ("dormand_prince", "runge_kutta_4"):  # without memory of the step before a sample that changes nothing leaves the bits
        assert np.array_equal(by_controller(scheme), first)
    assert np.allclose(by_controller(scheme), first, atol=1e-3)


def test_the_motion_is_that_of_each_stiffness():
    """In each piece of time the oscillator of that stiffness, in closed form."""
    m, mass, k = oscillator(JUMPS)
    result = m.simulate(until=1.0, tolerance=1e-10)
    x, v, t = 0.3, 0.0, 0.0
    for after, stiffness in [(0.2, 90.0), (0.5, 160.0), (1.0, 30.0)]:
        w, h = np.sqrt(stiffness), after - t
        x, v, t = x * np.cos(w * h) + v / w * np.sin(w * h), v * np.cos(w * h) - w * x * np.sin(w * h), after
        assert result.at(after)[mass.position][0] == pytest.approx(x, abs=1e-8)
    assert sorted(set(np.asarray(result[k]))) == [30.0, 90.0, 160.0]
    assert result.at(0.3)[k] == result.at(0.3)["parameters.k"] == 160.0


def test_a_formula_of_time_is_sampled():
    n = sl.Model(gravity=(0, 0, 0))
    p = n.parameter("p", 1.0, schedule="1 + t", period=0.25)
    mass = n.point_mass(mass=1.0)
    n.force(mass, ["p", 0, 0])
    result = n.simulate(until=1.0, step=0.05, scheme="runge_kutta_4")
    assert np.asarray(result[mass.velocity])[-1][0] == pytest.approx(0.25 * (1 + 1.25 + 1.5 + 1.75), abs=1e-12)
    assert np.asarray(result[p])[7] == 1.25


def test_they_come_back_from_files_and_go_on(tmp_path):
    m, mass, k = oscillator(JUMPS)
    m.save(tmp_path / "m.json")
    again = sl.Model.load(tmp_path / "m.json")
    assert again.parameters == m.parameters
    whole = m.simulate(until=1.0, step=0.01, scheme="moreau_jean", record=str(tmp_path / "whole.saltus"))
    assert np.array_equal(end(again.simulate(until=1.0, step=0.01, scheme="moreau_jean")), end(whole))
    half = m.simulate(until=0.3, step=0.01, scheme="moreau_jean")
    assert np.array_equal(end(m.simulate(until=1.0, step=0.01, scheme="moreau_jean", start=half)), end(whole))
    assert np.asarray(sl.load_result(tmp_path / "whole.saltus")["parameters.k"])[-1] == 30.0


def test_copies_and_checkpoints_keep_them():
    m, mass, k = oscillator()
    state = m.state(step=0.01, scheme="generalized_alpha")
    state.step()
    state[k] = 200.0
    state.step()
    other = state.copy()
    assert other[k] == 200.0
    state.step(), other.step()
    assert np.array_equal(state.q, other.q)


def test_every_field_that_takes_a_function_may_use_one():
    m = sl.Model(gravity=(0, 0, 0))
    m.parameter("p", 2.0)
    a, b = m.point_mass(mass=1.0, at=(1, 0, 0), name="a"), m.point_mass(mass=1.0, at=(2, 0, 0), name="b")
    m.add(sl.items.UserSpring(A="a", B="b", tension="p*(L - 1)"))
    m.force(a, ["p", 0, "p*t"])
    rod = m.rod((0, 0, 1), (1, 0, 1), mass=1.0)
    hinge = m.revolute(m.ground, rod, at=(0, 0, 1), axis="y", speed="0.1*p")
    other = m.rod((0, 0, 3), (1, 0, 3), mass=1.0)
    driven = m.revolute(m.ground, other, at=(0, 0, 3), axis="y", torque="p - speed")
    m.coordinates([["p"]], potential="0.5*p*q0^2", start=[1.0], name="free")
    m.voltage_source(m.terminal(name="u"), m.ground, voltage="p") if hasattr(m, "voltage_source") else None
    state = m.state(step=0.001, scheme="generalized_alpha")
    before = state["free.coordinate_acceleration"]
    assert before == pytest.approx(-1.0)
    assert state["a.acceleration.x"] == pytest.approx(2.0)
    assert state[hinge.angle] == 0.0 and state[driven.angle] == 0.0
    state["p"] = 4.0
    assert state["a.acceleration.x"] == pytest.approx(4.0)


def test_a_break_at_a_time_that_is_a_parameter_is_met():
    m = sl.Model(gravity=(0, 0, 0))
    m.parameter("on", 0.313)
    mass = m.point_mass(mass=1.0)
    m.force(mass, ["if(t > on and t < on + 1e-4, 1e4, 0)", 0, 0])
    assert np.asarray(m.simulate(until=1.0)[mass.velocity])[-1][0] == pytest.approx(1.0, rel=1e-6)


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda m: m.spring("ground", "mass", stiffness="k"), "which a run may change"),
        (lambda m: m.parameters.update(twice="2*k"), "which a run may change"),
        (lambda m: m.parameter("two", 1.0, schedule=[(0.5, 1.0), (0.2, 3.0)]), "not behind the one before"),
        (lambda m: m.parameter("two", 1.0, schedule=[0.5]), "expected times and values"),
        (lambda m: m.parameter("two", 1.0, schedule="2*t"), "period"),
        (lambda m: m.parameter("a b", 1.0), "which formulas cannot hold"),
        (lambda m: m.parameter("two", float("nan")), "finite"),
        (lambda m: m.controller("1", period=0.1, outputs=["kk"]), "kk"),
        (lambda m: (m.parameters.update(fixed=2.0), m.controller("1", period=0.1, outputs=["fixed"])), "read once"),
        (lambda m: (m.parameter("s", 1.0, schedule=[(0.1, 2.0)]), m.controller("1", period=0.1, outputs=["s"])), "has a schedule"),
        (lambda m: m.state().__setitem__("kk", 1.0), "did you mean"),
        (lambda m: m.state().__setitem__("k", float("inf")), "finite"),
        (lambda m: m.linearize(at="start", inputs=["k"], outputs=["mass.position.x"]), "may change"),
        (lambda m: m.simulate(until=0.1, before_step=3), "which is no function"),
    ],
)
def test_mistakes_are_reported(act, words):
    m, _, _ = oscillator()
    with pytest.raises(sl.ModelError, match=words):
        act(m)
        m.simulate(until=0.1)


# Hooks and the clock.


def test_hooks_see_each_step_in_turn():
    m, mass, k = oscillator()
    seen = []
    result = m.simulate(until=0.1, step=0.01, scheme="moreau_jean", before_step=lambda s: seen.append(("before", s.time)), after_step=lambda s: seen.append(("after", s.time, s[mass.position][0])))
    assert [word for word, *_ in seen] == ["before", "after"] * 10
    assert [at[0] for word, *at in seen if word == "before"] == list(np.asarray(result.time)[:-1])
    assert [at[1] for word, *at in seen if word == "after"] == list(np.asarray(result[mass.position])[1:, 0])


def test_hooks_that_look_change_no_bits():
    m, mass, k = oscillator(JUMPS)
    plain = m.simulate(until=1.0)
    looked = m.simulate(until=1.0, before_step=lambda s: s[mass.velocity], after_step=lambda s: s.kinetic_energy)
    assert np.array_equal(plain._recorded.arrays["y"], looked._recorded.arrays["y"])


def test_a_hook_that_raises_ends_the_run_and_says_where():
    m, mass, k = oscillator()

    def stop(state):
        if state.time > 0.045:
            raise ValueError("enough")

    for word in ("before_step", "after_step"):
        with pytest.raises(sl.RunError, match=f"at t = 0.05 s: {word} raised ValueError: enough") as error:
            m.simulate(until=0.1, step=0.01, scheme="moreau_jean", **{word: stop})
        assert error.value.result.time[-1] == pytest.approx(0.05 if word == "before_step" else 0.05, abs=0.011)


def test_the_run_owns_its_state():
    m, mass, k = oscillator()
    for act, words in [(lambda s: setattr(s, "q", s.q), "owns this state"), (lambda s: s.step(0.1), "owns this state"), (lambda s: s.__setitem__(k, 2.0), "before_step")]:
        with pytest.raises(sl.RunError, match=words):
            m.simulate(until=0.1, step=0.01, after_step=act)


def test_a_run_keeps_pace_with_the_clock():
    m, mass, k = oscillator()
    result = m.simulate(until=0.2, step=0.02, scheme="moreau_jean", realtime=2.0)
    assert result._recorded.wall_s >= 0.1
    report = result.report["realtime"]
    assert report["factor"] == 2.0 and 0.0 <= report["behind"] < 1.0


def test_a_run_that_a_function_steers_is_not_called_coarse():
    """The check of a fixed step runs again without the function: it compared a driven motion with one at rest."""
    m = sl.Model(gravity=(0, 0, 0))
    push = m.parameter("push", 0.0)
    mass = m.point_mass(mass=1.0)
    m.force(mass, ("push", 0, 0))
    result = m.simulate(until=1.0, step=0.01, scheme="runge_kutta_4", before_step=lambda state: state.__setitem__(push, 2.0))
    assert not result.warnings and result[mass.position.x].last == pytest.approx(1.0)
