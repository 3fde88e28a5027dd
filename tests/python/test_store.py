"""The result file keeps what was committed through kills, and never gives a wrong number."""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

import numpy as np
import pytest

from saltus.errors import ModelError
from saltus.store import Channel, ResultFileError, ResultReader, ResultWriter
from saltus.store.export import write_csv, write_hdf5
from saltus.store.format import checksum

CHANNELS = [
    Channel("ball.position", "m", "world", (3,)),
    Channel("motor.drive", "N m"),
    Channel("contact.impulse", "N s", "contact", (2,), missing=True),
    Channel("gap", "m", series="contacts"),
]


def rows(begin, end):
    t = np.arange(begin, end) * 1e-3
    impulse = np.stack([t, np.full_like(t, np.nan)], axis=1)
    return t, {"ball.position": np.stack([t, 2 * t, -t], axis=1), "motor.drive": np.sin(t), "contact.impulse": impulse}


@pytest.fixture
def written(tmp_path):
    path = tmp_path / "a result.saltus"
    with ResultWriter(path, CHANNELS, model='{"nodes": {}}') as writer:
        for begin in range(0, 1000, 50):
            writer.append(*rows(begin, begin + 50))
            writer.flush()
        writer.append([0.1, 0.1, 0.2], {"gap": [1.0, 2.0, 3.0]}, series="contacts")
        writer.event(0.25, "impact", "ball/floor", impulse=1.5)
        writer.report(0.5, "energy", kinetic=2.0)
        writer.checkpoint(0.7, b"old state")
        writer.checkpoint(0.9, b"state")
    return path


def everything(path):
    """All that a reader gives, as one comparable value."""
    with ResultReader(path) as result:
        result.verify()
        arrays = {name: result[name].tobytes() for name in (*result.channels, "time", "contacts/time")}
        return (arrays, result.channels, result.series, result.model, list(result.events()), list(result.reports()),
                result.checkpoint(), result.finished, result.status, result.end_time)


def test_what_was_written_is_read_bit_for_bit(written):
    t, blocks = rows(0, 1000)
    with ResultReader(written) as result:
        assert result.finished and result.status == "done" and result.model == '{"nodes": {}}'
        np.testing.assert_array_equal(result.time(), t)
        for name, block in blocks.items():
            np.testing.assert_array_equal(result[name], block)
        np.testing.assert_array_equal(result["contacts/gap"], [1, 2, 3])
        np.testing.assert_array_equal(result.time("contacts"), [0.1, 0.1, 0.2])
        assert result.channel("ball.position").unit == "m" and result.channel("ball.position").frame == "world"
        assert [e.data for e in result.events("impact")] == [{"impulse": 1.5}] and not list(result.events("stick"))
        assert result.checkpoint() == (0.9, b"state")
        assert result.end_time == t[-1]


def test_a_finished_result_is_one_file(written):
    assert [p.name for p in written.parent.iterdir()] == [written.name]


def test_blocks_bound_the_memory_and_a_read_beyond_the_limit_is_refused(tmp_path):
    path = tmp_path / "wide"
    with ResultWriter(path, [Channel("field", shape=(1 << 18,))]) as writer:
        for k in range(20):
            writer.append(k, {"field": np.full((1, 1 << 18), k)})
    with ResultReader(path) as result:
        assert max(block.nbytes for block in result.blocks("field")) <= 16 << 20
        assert sum(len(block) for block in result.blocks("field")) == 20
        with pytest.raises(ResultFileError, match="field: takes 41943040 bytes"):
            result.read("field", memory=1 << 20)


def test_a_running_result_can_be_read_and_does_not_stop_its_writer(tmp_path):
    path = tmp_path / "live"
    with ResultWriter(path, CHANNELS) as writer:
        writer.append(*rows(0, 10))
        writer.flush()
        with ResultReader(path) as result:
            blocks = result.blocks("motor.drive")
            writer.append(*rows(10, 20))
            writer.flush()
            assert not result.finished and result.status == "running"
            assert sum(len(block) for block in blocks) == 10


def test_rows_reach_the_disk_while_no_append_comes(tmp_path):
    path = tmp_path / "slow step"
    with ResultWriter(path, CHANNELS, commit_interval=0.05) as writer:
        writer.append(*rows(0, 10))
        end = time.monotonic() + 20
        while time.monotonic() < end:
            with ResultReader(path) as result:
                if result.series["main"] == 10:
                    break
            time.sleep(0.02)
        assert result.series["main"] == 10


@pytest.mark.parametrize("error, status", [(KeyboardInterrupt, "interrupted"), (RuntimeError, "failed")])
def test_a_run_that_stops_keeps_its_results_and_says_how_it_ended(tmp_path, error, status):
    with pytest.raises(error), ResultWriter(tmp_path / "r", CHANNELS) as writer:
        writer.append(*rows(0, 10))
        raise error
    with ResultReader(tmp_path / "r") as result:
        assert result.status == status and len(result.time()) == 10


@pytest.mark.parametrize("change, message", [
    ({"motor.drive": [0.0]}, r"motor.drive: has shape \(1,\), must be \(2,\)"),
    ({"motor.drive": [0.0, np.nan]}, "motor.drive: is not finite"),
    ({"motor.drve": [0.0, 0.0]}, "motor.drve: each append brings every channel"),
])
def test_wrong_blocks_are_refused_by_name(tmp_path, change, message):
    with ResultWriter(tmp_path / "r", CHANNELS) as writer:
        t, blocks = rows(0, 2)
        with pytest.raises(ModelError, match=message):
            writer.append(t, blocks | change)
        writer.append(t, blocks)
        with pytest.raises(ModelError, match="time: goes back"):
            writer.append(t, blocks)


def test_a_full_disk_stops_the_run_and_keeps_what_was_committed(tmp_path):
    writer = ResultWriter(tmp_path / "r", CHANNELS)
    writer.append(*rows(0, 10))
    writer.flush()
    pages = writer._connection.execute("PRAGMA page_count").fetchone()[0]
    writer._connection.execute(f"PRAGMA max_page_count = {pages}")
    writer.append(*rows(10, 100_000))
    with pytest.raises(ResultFileError, match="database or disk is full"):
        writer.flush()
    with pytest.raises(ResultFileError, match="disk is full"):
        writer.close()
    with ResultReader(tmp_path / "r") as result:
        assert len(result.time()) == 10 and not result.finished


def test_no_other_file_is_overwritten(tmp_path):
    other = tmp_path / "thesis.tex"
    other.write_text("years of work, more than sixteen bytes")
    with pytest.raises(ResultFileError, match="is not overwritten"):
        ResultWriter(other, CHANNELS)
    assert other.read_text().startswith("years")


def test_a_cut_file_is_refused(written):
    size = written.stat().st_size
    for share in (0.0, 0.001, 0.3, 0.9, 0.9999):
        cut = written.with_name("cut")
        cut.write_bytes(written.read_bytes()[:int(share * size)])
        with pytest.raises(ResultFileError, match="cut"):
            everything(cut)


def test_no_flipped_bit_gives_a_wrong_number(written):
    clean, truth = written.read_bytes(), everything(written)
    choice, found = random.Random(7), 0
    for _ in range(400):
        damaged = bytearray(clean)
        damaged[choice.randrange(len(damaged))] ^= 1 << choice.randrange(8)
        path = written.with_name("flipped")
        path.write_bytes(damaged)
        try:
            assert everything(path) == truth
        except ResultFileError as error:
            assert "flipped" in str(error)
            found += 1
    assert found > 40  # 3 of 4 bytes of so small a file belong to no row


def forge(path, table, where, **columns):
    """Changes a row and makes its checksum right again: what a stranger's file may hold."""
    with sqlite3.connect(path) as connection:
        connection.row_factory = sqlite3.Row
        row = dict(connection.execute(f"SELECT * FROM {table} WHERE {where}").fetchone())
        row.update(columns)
        row["crc"] = checksum(table, tuple(row.values())[:-1])
        marks = ", ".join(f"{name} = ?" for name in row)
        connection.execute(f"UPDATE {table} SET {marks} WHERE {where}", tuple(row.values()))


@pytest.mark.parametrize("table, where, columns, message", [
    ("channels", "name = 'motor.drive'", {"shape": "[1000000000000]"}, "motor.drive: claims 1000 rows of shape"),
    ("series", "name = 'main'", {"rows": 10**12}, "claims 1000000000000 rows"),
    ("channels", "name = 'motor.drive'", {"shape": "[2]"}, "motor.drive: chunk 0 holds 400 bytes"),
    ("channels", "name = 'motor.drive'", {"dtype": "|O8"}, "motor.drive: has the type"),
    ("chunks", "channel = 3 AND number = 4", {"first_row": 7}, "motor.drive: chunk 4 starts at row 7"),
    ("chunks", "channel = 3 AND number = 4", {"rows": 49}, "motor.drive: chunk 4 holds 400 bytes"),
    ("state", "key = 'version'", {"value": 99}, "has version 99"),
    ("state", "key = 'chunks.count'", {"key": "x"}, "is not complete"),
])
def test_a_forged_file_is_refused_before_memory_is_taken(written, table, where, columns, message):
    forge(written, table, where, **columns)
    with pytest.raises(ResultFileError, match=message):
        everything(written)


def test_a_removed_chunk_is_named(written):
    with sqlite3.connect(written) as connection:
        connection.execute("DELETE FROM chunks WHERE channel = 2 AND number = 19")
    with ResultReader(written) as result, pytest.raises(ResultFileError, match="ball.position"):
        result["ball.position"]


def test_other_files_are_no_results(tmp_path):
    with pytest.raises(ResultFileError, match="cannot be opened: No such file"):
        ResultReader(tmp_path / "none")
    sqlite3.connect(tmp_path / "other.db").executescript("CREATE TABLE t (x); INSERT INTO t VALUES (1);")
    with pytest.raises(ResultFileError):
        ResultReader(tmp_path / "other.db")
    (tmp_path / "text").write_text("a,b\n1,2\n")
    with pytest.raises(ResultFileError, match="is no result file"):
        ResultReader(tmp_path / "text")


def test_exports_hold_the_same_numbers(written, tmp_path):
    import h5py

    t, blocks = rows(0, 1000)
    with ResultReader(written) as result:
        write_hdf5(result, tmp_path / "out.h5")
        write_csv(result, tmp_path / "out.csv")
    with h5py.File(tmp_path / "out.h5") as file:
        np.testing.assert_array_equal(file["main/ball.position"][:], blocks["ball.position"])
        assert file["main/ball.position"].attrs["unit"] == "m" and len(file["events"]) == 1
    head = (tmp_path / "out.csv").read_text().splitlines()[0]
    assert head.startswith("time [s],ball.position[0] [m],ball.position[1] [m]")
    table = np.loadtxt(tmp_path / "out.csv", delimiter=",", skiprows=1)
    np.testing.assert_array_equal(table[:, 0], t)
    np.testing.assert_array_equal(table[:, 4], blocks["motor.drive"])
    assert (tmp_path / "out.contacts.csv").exists()


VICTIM = """
import sys, time
import numpy as np
from saltus.store import Channel, ResultWriter
writer = ResultWriter(sys.argv[1], [Channel("x", "m", shape=(64,)), Channel("n", dtype="<i8")])
k = 0
while True:
    t = np.arange(k, k + 16)
    writer.append(t * 1e-3, {"x": np.sin(t)[:, None] * np.arange(64), "n": t})
    if k % 160 == 0:
        writer.event(k * 1e-3, "tick", k=k)
        writer.checkpoint(k * 1e-3, k.to_bytes(8, "little") * 1000)
    k += 16
    sys.stdout.buffer.write(b"%d %.6f\\n" % (k, time.monotonic()))
    sys.stdout.buffer.flush()
    time.sleep(0.002)
"""


def test_fifty_kills_lose_at_most_the_last_second(tmp_path):
    choice = random.Random(time.time_ns())
    lost = []
    for batch in range(10):
        running = []
        for number in range(5):
            path = tmp_path / f"kill-{batch}-{number}"
            log = open(f"{path}.log", "wb")
            running.append((path, log, subprocess.Popen([sys.executable, "-c", VICTIM, str(path)], stdout=log)))
        for path, log, process in running:
            end = time.monotonic() + 60
            while not os.path.getsize(f"{path}.log"):
                assert time.monotonic() < end and process.poll() is None
                time.sleep(0.01)
        begin = time.monotonic()
        for delay, (path, log, process) in zip(sorted(choice.uniform(0.0, 2.0) for _ in running), running):
            time.sleep(max(0.0, begin + delay - time.monotonic()))
            process.send_signal(signal.SIGKILL)
            killed = time.monotonic()
            process.wait()
            log.close()
            lost.append(seconds_lost(path, killed))
    assert max(lost) <= 1.0, sorted(lost)[-5:]
    assert len(lost) == 50


def seconds_lost(path, killed):
    """Age at the kill of the oldest row that is not in the file; every row that is there is checked."""
    appended = [line.split() for line in open(f"{path}.log") if line.endswith("\n")]
    with ResultReader(path) as result:
        result.verify()
        assert not result.finished and result.status == "running"
        n = result["n"]
        np.testing.assert_array_equal(n, np.arange(len(n)))
        np.testing.assert_array_equal(result["x"], np.sin(n)[:, None] * np.arange(64))
        ticks = [event.data["k"] for event in result.events("tick")]
        assert ticks == [160 * k for k in range(len(ticks))]
        state = result.checkpoint()
        assert state is None or state[1] == round(state[0] * 1e3).to_bytes(8, "little") * 1000
    missing = [float(at) for count, at in appended if int(count) > len(n)]
    return killed - missing[0] if missing else 0.0


def test_a_kill_in_the_middle_of_a_commit_is_rolled_back(written):
    """The state of the disk at the worst moment: new pages half written, the journal still there."""
    copy = written.with_name("hot")
    connection = sqlite3.connect(written, isolation_level=None)
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("PRAGMA cache_spill = 1")
    connection.execute("BEGIN IMMEDIATE")
    for k in range(200):
        connection.execute("INSERT INTO checkpoints VALUES (?, 1.0, ?, 0)", (100 + k, os.urandom(20000)))
    connection.execute("UPDATE series SET rows = 5")
    connection.execute("UPDATE state SET value = 'broken' WHERE key = 'status'")
    shutil.copy(written, copy)
    shutil.copy(f"{written}-journal", f"{copy}-journal")
    connection.execute("ROLLBACK")
    connection.close()
    assert copy.stat().st_size > written.stat().st_size or copy.read_bytes() != written.read_bytes()
    assert everything(copy) == everything(written)


def test_the_command_exports_and_reports_a_wrong_ending(written, tmp_path):
    saltus = [sys.executable, "-m", "saltus", "export", str(written)]
    run = subprocess.run([*saltus, str(tmp_path / "o.csv")], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    run = subprocess.run([*saltus, str(tmp_path / "o.xls")], capture_output=True, text=True)
    assert run.returncode == 2 and "end it with .csv, .json, .parquet" in run.stderr
    assert json.dumps(run.stdout) == '""'
