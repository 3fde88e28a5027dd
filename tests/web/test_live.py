"""A live run: the engine owns time, pages only watch or pull, and what they change is in the result."""

import struct
import time

import numpy as np
import pytest

import saltus as sl
from saltus import _core, running
from saltus.view.live import LiveRun
from saltus.view.protocol import Message

MODEL = """{"saltus": 1, "gravity": [0, 0, 0], "parameters": {"k": 40.0, "far": "2*k"},
 "nodes": {"n": {"type": "node_point", "position": [1, 0, 0], "displacement": [0.2, 0, 0]}},
 "bodies": {"cart": {"type": "point_mass", "node": "n", "mass": 2.0}},
 "connectors": {"spring": {"type": "cartesian_spring_damper", "A": {"body": "ground", "at": [1, 0, 0]}, "B": "cart", "stiffness": ["k", "k", "k"], "damping": [8, 8, 8]}},
 "outputs": {"x": "cart.position.x"}, "simulation": {"until": 30, "step": 0.01, "scheme": "generalized_alpha"}}"""


class Watcher:
    """A page that keeps what it is sent; it may refuse to take any of it."""

    def __init__(self):
        self.messages = []

    def send(self, data):
        self.messages.append(data)


@pytest.fixture
def run(tmp_path):
    run = LiveRun(_core.Model.parse(MODEL, ""), output=tmp_path / "live.saltus", waits=True).start()
    yield run
    run.close()


def until(condition, seconds=20.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "took too long"
        time.sleep(0.01)


def test_watching_and_leaving_changes_no_bit():
    alone = running.run(_core.Model.parse(MODEL, ""), running.Options(until=2))
    run = LiveRun(_core.Model.parse(MODEL, ""), running.Options(until=2), paced=False, waits=True).start()
    pages = [Watcher() for _ in range(3)]
    for page in pages:
        run.greet(page)
        run.left(page)
    assert run.wait(60)
    run.close()
    assert all(np.array_equal(alone.arrays[name], run.arrays[name]) for name in alone.arrays)


def test_it_keeps_pace_with_the_clock_pauses_steps_and_begins_again(run):
    page = Watcher()
    run.greet(page)
    began = time.monotonic()
    until(lambda: run._kept.time > 0.4)
    assert time.monotonic() - began > 0.3  # not ahead of the clock
    run.take(page, Message("pause"))
    until(lambda: run.status == "paused")
    stood = run._kept.time
    time.sleep(0.1)
    assert run._kept.time == stood
    run.take(page, Message("step"))
    until(lambda: run._kept.time > stood)
    assert run._kept.time - stood == pytest.approx(0.01)
    run.take(page, Message("reset"))
    until(lambda: any(m[0] == 6 for m in page.messages))
    assert run._kept.time < stood


def test_a_pull_is_a_spring_force_on_the_body_and_part_of_the_result(run, tmp_path):
    page = Watcher()
    run.greet(page)
    target = (2.0, 0.0, 0.0)
    run.take(page, Message("drag", (0.0, 0.0, 0.0, *target), 0))
    until(lambda: run._kept.time > 4.0)
    rows = run.pulls
    x = rows[-1, 2]
    # At rest k (x - 1) = k_pull (2 - x), with k_pull = m (3 pi)^2.
    k = 2.0 * (3 * np.pi) ** 2
    assert x == pytest.approx((40.0 + 2 * k) / (40.0 + k), abs=2e-3)
    assert rows[-1, 8] == pytest.approx(40.0 * (x - 1.0), abs=0.2)
    run.take(page, Message("release"))
    run.close()
    result = sl.load_result(tmp_path / "live.saltus")
    assert [kind for _, kind, *_ in result.events] == ["pull", "let go"]
    assert result["cart.position.x"].max() == pytest.approx(x, rel=0.2)
    with sl.ResultReader(tmp_path / "live.saltus") as reader:
        assert np.array_equal(reader["pull/force"], run.pulls[:, 8:]) and reader.channels["pull/force"].unit == "N"


def test_a_parameter_changes_the_run_that_goes_on(run):
    page = Watcher()
    run.greet(page)
    assert list(run.parameters) == ["k"]  # what follows from others is no slider
    run.take(page, Message("parameter", (4000.0,), 0))
    until(lambda: run._kept.time > 0.5)
    run.take(page, Message("pause"))
    until(lambda: run.status == "paused")
    fast = run.arrays["y"][:, 0]
    # k 100 times as high: the cart, critically damped before, now swings through.
    assert fast.min() < 1.0 - 0.05 * 0.2 and run._kept.events[0][1] == "parameter"


def test_a_model_with_python_functions_cannot_be_pulled_and_says_so():
    model = sl.Model(gravity=(0, 0, 0))
    cart = model.point_mass(mass=1)
    model.force(cart, lambda t: (1.0, 0.0, 0.0))
    run = LiveRun(model._engine, running.Options(until=5, step=0.01), waits=True).start()
    page = Watcher()
    run.greet(page)
    run.take(page, Message("drag", (0.0,) * 6, 0))
    until(lambda: any(b"cannot be pulled" in m for m in page.messages if m[0] == 3))
    run.close()
    assert run.error is None and len(run.pulls) == 0


def test_a_live_run_of_the_command_leaves_the_result_of_the_model_alone(tmp_path, monkeypatch):
    from typer.testing import CliRunner

    from saltus.cli import application
    from saltus.commands import view

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(view, "_serve", lambda *_: None)
    (tmp_path / "cart.json").write_text(MODEL)
    (tmp_path / "cart.saltus").write_bytes(b"the run of yesterday")
    first, second = (CliRunner().invoke(application(), ["view", "cart.json", "--until", "0.1"]) for _ in range(2))
    assert (tmp_path / "cart.saltus").read_bytes() == b"the run of yesterday" and (tmp_path / "cart.live.saltus").exists()
    assert "result    cart.live.saltus\n" in first.output and "cart.live.saltus, in place of the one that is there" in second.output


def test_a_failing_model_is_reported_to_the_page():
    text = MODEL.replace('"generalized_alpha"', '"static"')
    run = LiveRun(_core.Model.parse(text, ""), waits=True).start()
    page = Watcher()
    run.greet(page)
    until(lambda: run.status == "failed")
    assert "has no time" in str(run.error)
    run.close()


def frames_of(messages):
    """(times, positions of the first frame) of the states messages: see view/protocol.py."""
    times, places = [], []
    for data in messages:
        if data[0] == 2:
            n, frames = struct.unpack_from("<II", data, 4)
            times.append(np.frombuffer(data, "<f8", n, 16))
            places.append(np.frombuffer(data, "<f4", 7 * n * frames, 16 + 8 * n).reshape(n, frames, 7)[:, 0, :3])
    return np.concatenate(times), np.concatenate(places)


def test_pages_see_the_motion_between_the_steps_of_a_live_run():
    m = sl.Model()
    m.point_mass(mass=1, velocity=(3, 0, 6.8254))
    run = LiveRun(m._engine, running.Options(until=1.2), paced=False, waits=True).start()
    early, late = Watcher(), Watcher()
    run.greet(early)
    assert run.wait(60)
    run.greet(late)
    run.close()
    assert len(run.arrays["t"]) < 10
    for page in (early, late):
        t, p = frames_of(page.messages)
        assert p[:, 2] == pytest.approx(6.8254 * t - 9.81 / 2 * t**2, abs=1e-5) and np.all(np.diff(t) >= 0)
    assert len(t) > 100 and p[:, 2].max() == pytest.approx(6.8254**2 / (2 * 9.81), rel=1e-5)  # a page that comes late gets the whole


def test_pages_are_sent_which_bodies_are_away():
    m = sl.Model()
    balls = [m.sphere(radius=0.1, mass=1, at=(x, 0, 1), name=name) for x, name in ((0, "first"), (1, "second"))]
    m.presence(balls, begin=0.2, interval=0.3, end=0.8)
    run = LiveRun(m._engine, running.Options(until=1.0, step=0.01, scheme="moreau_jean"), paced=False, waits=True).start()
    early, late = Watcher(), Watcher()
    run.greet(early)
    assert run.wait(60)
    run.greet(late)
    run.close()
    for page in (early, late):
        for data in page.messages:
            if data[0] == 2:
                n, frames = struct.unpack_from("<II", data, 4)
                t, away = np.frombuffer(data, "<f8", n, 16), np.frombuffer(data, "u1", 2 * n, 16 + 12 * n + 28 * n * frames).reshape(n, 2)
                for begin, gone in ((0.2, away[:, 0]), (0.5, away[:, 1])):
                    clear = np.all(np.abs(t[:, None] - (begin, 0.8)) > 1e-9, axis=1)
                    assert np.array_equal(gone[clear] > 0, (t[clear] < begin) | (t[clear] > 0.8))
    assert n > 20
