"""A study gives the same rows for any number of workers, goes on where it was cut, and keeps failures as rows."""

import json
import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import saltus as sl


def product(k, c):
    return np.sin(k) * c


def fragile(k):
    if k == 2:
        raise ValueError("two is too much")
    return float(k)


def test_rows_follow_the_grid_with_the_same_bits_for_any_number_of_workers():
    grid = dict(k=np.linspace(0, 1, 7), c=[1.0, 3.0, 7.0])
    expected = np.array([[product(k, c) for c in grid["c"]] for k in grid["k"]])
    for workers in (1, 2, 3):
        study = sl.study(product, workers=workers, **grid)
        assert study.values.tobytes() == expected.tobytes()
        assert [row["c"] for row in study.table[:3]] == [1.0, 3.0, 7.0]


def test_a_failure_is_a_row_and_not_a_value():
    study = sl.study(fragile, k=[1, 2, 3])
    assert [row["value"] for row in study.table] == [1.0, None, 3.0]
    assert study.failures[0]["error"] == "ValueError: two is too much"
    with pytest.raises(sl.ModelError, match="1 of 3 points failed; k = 2: ValueError"):
        np.sum(study.values)


def test_what_is_not_finite_is_a_failure():
    assert "not finite" in sl.study(lambda k: float("nan"), k=[1]).failures[0]["error"]


def test_arrays_come_back_on_the_grid():
    assert sl.study(lambda k: np.arange(4) * k, k=[1, 2]).values.shape == (2, 4)


def test_a_file_keeps_points_and_only_the_rest_is_run_again(tmp_path):
    path, log = tmp_path / "study.jsonl", tmp_path / "log"

    def counted(k):
        with open(log, "a") as file:
            file.write("x")
        return k / 3

    first = sl.study(counted, path=path, k=[1, 2, 3, 4])
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:3]) + lines[3][:5])  # two points, and a line that a kill cut
    again = sl.study(counted, path=path, k=[1, 2, 3, 4])
    assert again.values.tobytes() == first.values.tobytes()
    assert len(log.read_text()) == 6
    assert all(json.loads(line) for line in path.read_text().splitlines())
    with pytest.raises(sl.ModelError, match="another study"):
        sl.study(counted, path=path, k=[1, 2, 3, 5])


def test_a_worker_that_dies_is_an_error_that_says_so():
    with pytest.raises(sl.ModelError, match="worker process ended with status"):
        sl.study(lambda k: os._exit(7), k=[1, 2])


def test_a_script_needs_no_guard(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent("""
        import saltus as sl
        print("once")
        scale = 2.0
        def run(k):
            print("inside")
            return scale * k
        print(sl.study(run, k=[1, 2, 3], workers=2).values.tolist())
    """)
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.splitlines() == ["once", "[2.0, 4.0, 6.0]"]


def test_plot_draws_one_and_two_parameters(tmp_path):
    sl.study(fragile, k=[1, 2, 3]).plot(file=tmp_path / "one.png")
    sl.study(product, k=[1, 2], c=[1, 2, 3]).plot(file=tmp_path / "two.png")
    assert (tmp_path / "one.png").stat().st_size > 1000 and (tmp_path / "two.png").stat().st_size > 1000


@pytest.mark.parametrize(
    "arguments, message",
    [(dict(k=3), "expected a list of values"), (dict(k=[1], workers=0), "whole number"), ({}, "no parameter")],
)
def test_wrong_arguments_are_named(arguments, message):
    with pytest.raises(sl.ModelError, match=message):
        sl.study(fragile, **arguments)
