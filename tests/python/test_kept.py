"""What a run keeps: the promise of a second on a slow disk and a loaded machine, and files of runs that wrote nothing."""

import sqlite3

import numpy as np
import pytest

import saltus as sl
from saltus.errors import ModelError
from saltus.result_file import load_result
from saltus.store import Channel, ResultFileError, ResultReader, ResultWriter
from saltus.store.writer import COMMIT_INTERVAL, DELIVERY, PROMISE, CommitSchedule


class Clock:
    """A clock that stands until it is set on."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def oldest_lost(took, interval=COMMIT_INTERVAL, every=0.01, until=60.0):
    """Greatest age of a row that is not on the disk yet, where commits take took(now) seconds and rows arrive at a steady rate."""
    schedule, now, worst = CommitSchedule(interval), 0.0, 0.0
    arrival = 0.0
    while now < until:
        schedule.arrived(arrival)
        first = schedule.oldest
        now = max(now, schedule.due())
        schedule.began()
        duration = took(now)
        worst = max(worst, now + duration - first)
        schedule.ended(duration)
        arrival = np.floor(now / every + 1.0) * every  # what comes during the commit waits for the next one
        now += duration
    return worst


@pytest.mark.parametrize("took", [0.0, 0.05, 0.2, 0.3, 0.39])
def test_rows_are_on_the_disk_within_the_promise_however_long_a_commit_takes(took):
    # Up to half of what the promise leaves: what comes during a commit waits for its end and for the next one.
    assert oldest_lost(lambda now: took) <= PROMISE - DELIVERY


def test_on_a_disk_slower_than_the_promise_commits_follow_each_other_without_a_pause():
    assert oldest_lost(lambda now: 2.0) <= 4.0


def test_a_commit_that_is_slow_for_once_is_within_the_promise():
    assert oldest_lost(lambda now: 0.3 if 10.0 < now < 10.6 else 0.01) <= PROMISE


def test_who_adds_rows_commits_where_the_thread_is_held_up(tmp_path):
    clock = Clock()
    path = tmp_path / "r.saltus"
    writer = ResultWriter(path, [Channel("x")], clock=clock)
    notify = writer._wake.notify
    writer._wake.notify = lambda: None  # the thread that commits does not come
    with writer._lock:
        writer._schedule.due = lambda: np.inf
    writer.append([0.0], {"x": [1.0]})
    clock.now += 0.5 * (PROMISE - DELIVERY)
    writer.append([1.0], {"x": [2.0]})
    with ResultReader(path) as result:
        assert result.series["main"] == 0
    clock.now += 0.6 * (PROMISE - DELIVERY)
    writer.append([2.0], {"x": [3.0]})
    with ResultReader(path) as result:  # while the writer goes on
        assert list(result["x"]) == [1.0, 2.0, 3.0]
    writer._wake.notify = notify
    writer.close()


def test_the_head_of_a_file_is_there_as_a_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "r.saltus"

    class Killed(BaseException):
        pass

    def killed(*_):
        raise Killed

    monkeypatch.setattr(ResultWriter, "_write_state", killed)
    with pytest.raises(Killed):
        ResultWriter(path, [Channel("x")])
    with pytest.raises(ResultFileError, match="stopped before it wrote anything; run the model again"):
        ResultReader(path)


def test_a_file_without_its_first_commit_says_so(tmp_path):
    path = tmp_path / "r.saltus"
    path.write_bytes(b"")
    with pytest.raises(ResultFileError, match="is empty: the run that was to write it was stopped"):
        ResultReader(path)
    # Tables without a row, as a kill between them and the head left them.
    path.unlink()
    from saltus.store.format import SCHEMA

    sqlite3.connect(path).executescript(SCHEMA).connection.close()
    with pytest.raises(ResultFileError, match="is empty: the run that was to write it was stopped"):
        ResultReader(path)
    # Of something else it is still said that it is something else.
    other = tmp_path / "other.db"
    sqlite3.connect(other).executescript("CREATE TABLE t (x)").connection.close()
    with pytest.raises(ResultFileError, match="no result of Saltus"):
        ResultReader(other)


def test_a_file_with_a_head_and_no_state_is_named(tmp_path):
    from saltus.running import channels_of

    m = sl.Model()
    m.point_mass(mass=1)
    path = tmp_path / "r.saltus"
    sizes = m._engine.compile().sizes()
    writer = ResultWriter(path, channels_of(sizes), model=m._engine.text())
    with pytest.raises(ModelError, match="holds no state: its run was stopped before the first commit"):
        load_result(path)
    writer.close()
