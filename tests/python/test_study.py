"""A study gives the same rows for any number of workers, goes on where it was cut, and keeps failures as rows."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
import warnings

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


def test_a_point_that_ends_its_process_is_a_row_and_the_others_have_their_values():
    study = sl.study(lambda k: os._exit(7) if k == 2 else 10 * k, workers=2, k=[1, 2, 3, 4, 5, 6])
    assert [row["value"] for row in study.table] == [10, None, 30, 40, 50, 60]
    assert "the process ended with status 7, twice" in study.failures[0]["error"]


def test_a_killed_worker_s_points_are_run_again_with_the_same_bits(tmp_path):
    def once(k):
        marker = tmp_path / "killed"
        if k == 5 and not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return np.sin(k) / 3

    study = sl.study(once, workers=2, k=range(40))
    assert (tmp_path / "killed").exists() and not study.failures
    assert study.values.tobytes() == np.array([np.sin(k) / 3 for k in range(40)]).tobytes()


def test_workers_that_cannot_begin_are_reported_as_such(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(sl.ModelError, match="status 1 before its first point"):
        sl.study(fragile, k=[1, 3])


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


def always_wrong(k):
    return k / 0


def test_plot_draws_one_and_two_parameters(tmp_path):
    sl.study(fragile, k=[1, 2, 3]).plot(file=tmp_path / "one.png")
    sl.study(product, k=[1, 2], c=[1, 2, 3]).plot(file=tmp_path / "two.png")
    assert (tmp_path / "one.png").stat().st_size > 1000 and (tmp_path / "two.png").stat().st_size > 1000


@pytest.mark.parametrize(
    "arguments, message",
    [(dict(k=3), r"expected a list of values; write k=\[3\]"), (dict(k=[1], workers=0), "whole number"), ({}, "no parameter"), (dict(k=[1], processes=4), 'did you mean "workers"'),
     (dict(k=[1], file="s.jsonl"), 'did you mean "path"')],
)
def test_wrong_arguments_are_named(arguments, message):
    with pytest.raises(sl.ModelError, match=message):
        sl.study(fragile, **arguments)


def test_a_study_that_fails_everywhere_warns_with_the_first_reason():
    with pytest.warns(sl.ModelWarning, match="failed at all 2 points, the first with ZeroDivisionError: .*; see `failures`"):
        assert len(sl.study(always_wrong, k=[1, 2]).failures) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sl.study(fragile, k=[1, 2, 3])


# Samples.


def test_samples_are_points_one_after_the_other():
    by_list = sl.study(product, [{"k": 1.0, "c": 2.0}, {"k": 3.0, "c": 4.0}])
    by_columns = sl.study(product, {"k": [1.0, 3.0], "c": [2.0, 4.0]})
    assert by_list.values.tolist() == by_columns.values.tolist() == [product(1.0, 2.0), product(3.0, 4.0)]
    assert by_list.table[1] == {"k": 3.0, "c": 4.0, "value": product(3.0, 4.0), "error": None}
    pandas = pytest.importorskip("pandas")
    assert sl.study(product, pandas.DataFrame({"k": [1.0, 3.0], "c": [2.0, 4.0]})).values.tolist() == by_list.values.tolist()


def test_a_latin_hypercube_has_one_point_in_each_part_of_each_range():
    pytest.importorskip("scipy")
    samples = sl.sampling.latin_hypercube(50, seed=3, k=(50, 150), c=(-1, 1))
    assert len(samples) == 50 and samples.names == ("k", "c") and samples[0].keys() == {"k", "c"}
    for column, low, high in zip(samples.values.T, (50, -1), (150, 1)):
        assert sorted(np.floor(50 * (column - low) / (high - low)).astype(int)) == list(range(50))
    again = sl.sampling.latin_hypercube(50, seed=3, k=(50, 150), c=(-1, 1))
    assert np.array_equal(samples.values, again.values) and not np.array_equal(samples.values, sl.sampling.latin_hypercube(50, seed=4, k=(50, 150), c=(-1, 1)).values)


def test_a_sobol_sequence_integrates_better_than_random_points():
    """The mean of x y over the unit square is 1/4; 1024 points: the error of random ones is about sigma / 32 = 7e-3."""
    stats = pytest.importorskip("scipy.stats")
    errors = []
    for kind in (sl.sampling.sobol, sl.sampling.monte_carlo):
        x = kind(1024, seed=1, x=(0, 1), y=(0, 1)).values
        errors.append(abs(np.mean(x[:, 0] * x[:, 1]) - 0.25))
    assert errors[0] < 2e-3 and errors[0] < errors[1] < 0.03
    normal = sl.sampling.sobol(1024, mass=stats.norm(100, 5)).values[:, 0]
    assert normal.mean() == pytest.approx(100, abs=0.05) and normal.std() == pytest.approx(5, rel=0.02)
    assert sl.sampling.grid(a=[1, 2], b=[3, 4, 5]).values.tolist() == [[1, 3], [1, 4], [1, 5], [2, 3], [2, 4], [2, 5]]


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: sl.sampling.sobol(0, k=(0, 1)), "must be a whole number of at least 1"),
        (lambda: sl.sampling.monte_carlo(4), "has no parameter; give ranges"),
        (lambda: sl.sampling.monte_carlo(4, k=(2, 1)), "low must be below high"),
        (lambda: sl.sampling.monte_carlo(4, k="wide"), r"expected \(low, high\) or a distribution"),
        (lambda: sl.sampling.grid(k=[]), "without a value"),
        (lambda: sl.study(product, [{"k": 1, "c": 2}], k=[1]), "samples and a grid of k"),
        (lambda: sl.study(product, {"k": [1, 2], "c": [1]}), r"columns of 2 \(k\), 1 \(c\) values"),
        (lambda: sl.study(product, [{"k": 1, "c": 2}, {"k": 1}]), "has point 1 with k, and the first with k, c"),
        (lambda: sl.study(product, 7), "expected points; write sl.sampling.sobol"),
        (lambda: sl.study(product, k=[]), "has no value"),
        (lambda: sl.study(fragile, k=[1], outputs=["x"]), "of a study of a model, and this one is of a function"),
        (lambda: sl.study("model.json", k=[1]), "expected a model, or a function"),
        (lambda: sl.study(fragile, k=[1], cluster=3), "expected an address or a client"),
    ],
)
def test_mistakes_in_samples_and_studies_are_reported(make, message):
    if "cluster" in message or "address" in message:
        pytest.importorskip("distributed")
    with pytest.raises(sl.ModelError, match=message):
        make()


# Models.


def swing():
    """An oscillator: x = x0 cos(sqrt(k / m) t), outputs its place."""
    m = sl.Model(gravity=(0, 0, 0))
    m.parameters = {"k": 100.0, "load": 1.0}
    cart = m.point_mass(mass="load", at=(1, 0, 0), displacement=(0.1, 0, 0), name="cart")
    m.spring(m.ground, cart, stiffness="k", rest_length=1)
    m.outputs = {"place": cart.displacement.x}
    return m, cart


def test_a_study_of_a_model_sets_its_parameters_by_name(tmp_path):
    m, cart = swing()
    study = sl.study(m, k=[50.0, 100.0], load=[1.0, 2.0, 4.0], simulate={"until": 2.0, "tolerance": 1e-10}, workers=2,
                     outputs={"place": "place", "fastest": (cart.velocity.x, "max"), "first": (cart.velocity.x, "time_of_max")})  # fmt: skip
    for row in study.table:
        omega = np.sqrt(row["k"] / row["load"])
        assert row["value"]["place"] == pytest.approx(0.1 * np.cos(2 * omega), abs=1e-8)
        assert row["value"]["fastest"] == pytest.approx(0.1 * omega, rel=1e-7)
    assert study.points[5] == {"k": 100.0, "load": 4.0} and len(study) == 6
    pandas = pytest.importorskip("pandas")
    frame = study.to_dataframe()
    assert list(frame.columns) == ["k", "load", "place", "fastest", "first", "error"] and len(frame) == 6
    study.export(tmp_path / "study.parquet"), study.export(tmp_path / "study.csv")
    assert pandas.read_parquet(tmp_path / "study.parquet")["place"].tolist() == frame["place"].tolist()
    assert pandas.read_csv(tmp_path / "study.csv")["place"].tolist() == frame["place"].tolist()
    # The same bits as a program that sets the parameters itself.
    m.parameters["k"] = 50.0
    assert m.simulate(2.0, tolerance=1e-10)["place"].last == study.table[0]["value"]["place"]


def test_without_outputs_the_named_ones_are_taken_and_means_are_over_time():
    m, cart = swing()
    m.simulation = {"until": 2 * np.pi / 10}  # one period at k = 100
    study = sl.study(m, k=[100.0])
    assert study.table[0]["value"].keys() == {"place"}
    values = sl.study(m, k=[100.0], outputs={"mean": (cart.displacement.x, "mean"), "rms": (cart.displacement.x, "rms"), "end": cart.position}).table[0]["value"]
    assert values["mean"] == pytest.approx(0.0, abs=1e-6) and values["rms"] == pytest.approx(0.1 / np.sqrt(2), rel=1e-4)
    assert values["end"] == pytest.approx([1.1, 0, 0], abs=1e-5)


def test_trajectories_are_kept_as_parquet_and_a_cut_study_goes_on(tmp_path):
    pytest.importorskip("pyarrow")
    m, cart = swing()
    options = dict(simulate={"until": 1.0}, trajectories=[cart.displacement.x, cart.velocity], every=0.1, path=tmp_path / "s.jsonl", k=[50.0, 100.0, 150.0])
    study = sl.study(m, **options)
    track = study.trajectory(1)
    assert list(track)[:2] == ["time [s]", "cart.displacement.x [m]"] and track["time [s]"] == pytest.approx(0.1 * np.arange(11))
    assert track["cart.displacement.x [m]"] == pytest.approx(0.1 * np.cos(10 * track["time [s]"]), abs=1e-5)
    assert study.trajectories.count_rows() == 33
    lines = (tmp_path / "s.jsonl").read_text().splitlines(keepends=True)
    (tmp_path / "s.jsonl").write_text("".join(lines[:2]))
    again = sl.study(m, **options)
    assert again.values.tolist() == study.values.tolist()
    for run in range(3):
        for name, values in study.trajectory(run).items():
            assert np.array_equal(again.trajectory(run)[name], values)
    with pytest.raises(sl.ModelError, match="run 7, there are 3"):
        again.trajectory(7)
    with pytest.raises(sl.ModelError, match="were not kept"):
        sl.study(m, k=[1.0], simulate={"until": 0.1}).trajectory(0)


def test_mistakes_in_a_study_of_a_model_are_reported():
    m, cart = swing()
    for arguments, message in (
        (dict(kk=[1.0], simulate={"until": 1}), 'kk: is not a parameter of the model; did you mean "k"'),
        (dict(k=[1.0]), "has no end of the run"),
        (dict(k=[1.0], simulate={"until": 1}, outputs={"a": (cart.position, "median")}), "is asked for its 'median'"),
        (dict(k=[1.0], simulate={"until": 1}, trajectories=[cart.position]), "kept beside `path`"),
    ):
        with pytest.raises(sl.ModelError, match=message):
            sl.study(m, **arguments)
    failed = sl.study(m, k=[-1.0, 100.0], simulate={"until": 0.1, "tolerance": 1e-5})
    assert "stiffness" in failed.failures[0]["error"] and len(failed.failures) == 1
    m.controller(lambda t, x: 0.0, inputs=[cart.position.x], outputs=[m.force(cart, (0, 0, 0))], period=0.1)
    with pytest.raises(sl.ModelError, match="function of the program"):
        sl.study(m, k=[1.0], simulate={"until": 1})


def test_a_study_that_is_killed_goes_on_where_it_stood(tmp_path):
    """kill -9 of the program itself, in the middle: what is in the file is not run again."""
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent("""
        import sys, time
        import saltus as sl
        def run(k):
            with open(sys.argv[2], "a") as file:
                file.write(f"{k}\\n")
            time.sleep(0.05)
            return k / 3
        print(len(sl.study(run, k=range(60), workers=2, path=sys.argv[1]).values))
    """).replace("sys.argv[2]", repr(str(tmp_path / "log"))).replace("sys.argv[1]", repr(str(tmp_path / "study.jsonl")))
    )
    first = subprocess.Popen([sys.executable, script])
    log = tmp_path / "log"
    for _ in range(600):
        time.sleep(0.1)
        if (tmp_path / "study.jsonl").exists() and len((tmp_path / "study.jsonl").read_text().splitlines()) > 12:
            break
    first.send_signal(signal.SIGKILL)
    first.wait()
    kept = len((tmp_path / "study.jsonl").read_text().splitlines()) - 1
    time.sleep(0.5)  # its workers end with the batch that they had
    before = len(log.read_text().splitlines())
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.strip() == "60" and kept >= 12
    assert len(log.read_text().splitlines()) - before == 60 - kept


# Clusters.


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed", reason="dask is not installed: pip install 'saltus[cluster]'")
    import dask

    with dask.config.set({"distributed.admin.system-monitor.gil.enabled": False}):
        with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50) as local:
            with distributed.Client(local, set_as_default=False) as client:
                yield client


def test_a_cluster_gives_the_same_bits_as_one_process(cluster, tmp_path):
    m, _ = swing()
    options = dict(k=np.linspace(50, 150, 13), load=[1.0, 2.0], simulate={"until": 1.0})
    here = sl.study(m, **options)
    there = sl.study(m, cluster=cluster, path=tmp_path / "s.jsonl", **options)
    assert [row["value"] for row in there.table] == [row["value"] for row in here.table]
    by_address = sl.study(product, cluster=cluster.scheduler.address, k=[1.0, 2.0], c=[3.0])
    assert by_address.values.tobytes() == sl.study(product, k=[1.0, 2.0], c=[3.0]).values.tobytes()


def test_a_lost_worker_s_runs_are_done_again(cluster, tmp_path):
    marker = str(tmp_path / "killed")

    def once(k):
        if k == 30 and not os.path.exists(marker):
            open(marker, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.01)
        return np.sin(k) / 3

    study = sl.study(once, cluster=cluster, k=range(60))
    assert os.path.exists(marker) and not study.failures
    assert study.values.tobytes() == np.array([np.sin(k) / 3 for k in range(60)]).tobytes()


def test_failures_on_a_cluster_are_rows(cluster):
    study = sl.study(fragile, cluster=cluster, k=[1, 2, 3])
    assert [row["value"] for row in study.table] == [1.0, None, 3.0] and study.failures[0]["error"] == "ValueError: two is too much"


def test_a_scheduler_that_does_not_answer_is_reported(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("saltus.study_cluster.CONNECT", 1.0)
    with pytest.raises(sl.ModelError, match="no scheduler answers.*dask scheduler"):
        sl.study(fragile, k=[1], cluster="tcp://127.0.0.1:1")
