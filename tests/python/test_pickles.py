"""Results, moments, series, states and quantities cross to other processes and read the same there."""

import multiprocessing
import pickle

import numpy as np
import pytest

import saltus as sl


def pendulum(length=1.0):
    m = sl.Model()
    bob = m.sphere(radius=0.1, mass=1, at=(length, 0, 0), name="bob")
    m.revolute(m.ground, bob, at=(0, 0, 0), axis="y", name="hinge")
    return m


def run(length):
    return pendulum(length).simulate(until=0.5)


def again(value):
    return pickle.loads(pickle.dumps(value))


def test_a_result_reads_the_same_after_a_pickle():
    m = pendulum()
    m.outputs["height"] = m["bob"].position.z * 2
    result = m.simulate(until=1.0)
    copy, tip = again((result, m["bob"].frame((1.1, 0, 0))))
    for path in ("bob.position", "hinge.force", "energy.total", "= 2 * bob.position.z"):
        assert np.array_equal(copy[path].values, result[path].values) and copy[path].unit == result[path].unit
    assert copy["bob.position.z"].min() == result["bob.position.z"].min()
    assert np.array_equal(copy.at(0.3)["bob.velocity"], result.at(0.3)["bob.velocity"])
    assert copy.report["steps"] == result.report["steps"] and copy.events == result.events and copy.table["height"] == result.table["height"]
    assert np.array_equal(copy[tip.position].values, result[m["bob"].frame((1.1, 0, 0)).position].values)  # the model comes along once
    further, same = copy.model.simulate(until=1.5, start=copy), m.simulate(until=1.5, start=result)
    assert np.array_equal(further["bob.position"].values, same["bob.position"].values)


def test_moments_series_states_handles_and_quantities_pickle():
    m = pendulum()
    result = m.simulate(until=1.0)
    moment = again(result.at([0.1, 0.2]))
    assert np.array_equal(moment["bob.position"].values, result.at([0.1, 0.2])["bob.position"].values)
    series = again(result["bob.position"])
    assert series.unit == "m" and np.array_equal(series.time, result.time)
    state = m.state(step=0.01)
    state.step()
    assert np.array_equal(again(state).q, state.q)
    for quantity in (m["bob"].position.x, m["bob"].frame((1, 0, 0.1)).velocity, m.relative(m.ground, m["bob"]).distance, m.group(m["bob"]).momentum, 2 * m["hinge"].angle + 1):
        assert again(quantity).paths == quantity.paths
    bob = again(m["bob"])
    assert bob.name == "bob" and bob.mass == 1


def test_a_pool_of_processes_gives_results_back():
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        results = pool.map(run, [0.5, 1.0])
    for length, result in zip((0.5, 1.0), results, strict=True):
        assert result["bob.position.x"].last == run(length)["bob.position.x"].last


def test_a_failed_run_pickles_with_its_result_and_functions_of_the_program_are_refused():
    m = pendulum()
    error = sl.RunError(m.simulate(until=0.1), "")
    assert again(error).result["bob.position"].shape == error.result["bob.position"].shape
    m["hinge"].torque = lambda t: np.sin(t)
    result = m.simulate(until=0.1)
    with pytest.raises(sl.ModelError, match="functions? of the program"):
        pickle.dumps(result)


def test_handles_of_the_program_read_what_was_pickled_or_saved(tmp_path):
    m = pendulum()
    result = m.simulate(until=0.2)
    result.save(tmp_path / "run.saltus")
    for copy in (again(result), sl.load_result(tmp_path / "run.saltus")):
        assert np.array_equal(copy[m["bob"].position].values, result["bob.position"].values)
        assert np.array_equal(copy[m["hinge"].angle].values, result["hinge.angle"].values)
        other = sl.Model()
        with pytest.raises(sl.ModelError, match="bob: is an item of another model than the result's"):
            copy[other.prismatic(other.ground, other.sphere(radius=0.1, mass=1), axis="x", name="bob").force]
        with pytest.raises(sl.ModelError, match="moon: is an item of another model"):
            copy[other.sphere(radius=0.1, mass=1, name="moon").position]
