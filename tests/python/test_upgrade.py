"""What earlier versions wrote is read by this one: models, results, checkpoints, and the names that programs use (docs/compatibility.md)."""

import gzip
import json
import shutil
import sqlite3

import numpy as np
import pytest
from stored_files import CASES, FOLDER, catalogue, numbers, ran

import saltus as sl
from saltus.errors import ModelError
from saltus.result_file import load_result, resume
from saltus.store import ResultFileError, ResultReader
from saltus.store.format import checksum

VERSIONS = sorted(path for path in FOLDER.iterdir() if path.is_dir())
STORED = [pytest.param(folder, name, id=f"{folder.name}-{name}") for folder in VERSIONS for name in CASES if (folder / f"{name}.json").exists()]
ROUNDING = 1e-10  # relative to the largest value of a column: another compiler, another order of sums
# Currents of elements without states were straight lines between the states of a run; they are taken from the equations since. The wrong numbers stay in the files.
MENDED = {"0.1.0": {"bridge": ("mains.current", "C.current", "d2.current", "d3.current")}}
RERUN = 1e-3  # a later version may choose another step or scheme: the motion agrees to the accuracy of the default tolerance


def kept(folder, name):
    return json.loads((folder / f"{name}.numbers.json").read_text())


def unpacked(folder, name, place):
    path = place / f"{name}.saltus"
    path.write_bytes(gzip.decompress((folder / f"{name}.saltus.gz").read_bytes()))
    return path


def changed(path, **state):
    """The file with entries of its `state` table replaced, or left out where None, under right checksums."""
    with sqlite3.connect(path) as connection:
        for key, value in state.items():
            connection.execute("DELETE FROM state WHERE key = ?", (key,))
            if value is not None:
                connection.execute("INSERT INTO state VALUES (?, ?, ?)", (key, value, checksum("state", (key, value))))
    return path


def quantity(column):
    name = column.partition(" [")[0]
    return name[:-2] if name.endswith((".x", ".y", ".z")) else name


def differs(found, expected, share):
    """Columns that are not the same to a share of the largest value of their quantity (x, y and z of a force are one), or that are not there."""
    out, sizes = [], {}
    for column, values in expected.items():
        of = quantity(column)
        sizes[of] = np.nanmax(np.abs(np.array(values, dtype=float)), initial=sizes.get(of, 0.0))
    for column, values in expected.items():
        want = np.array(values, dtype=float)
        have = np.array(found.get(column, [np.nan] * len(want)), dtype=float)
        if not np.allclose(have, want, rtol=0, atol=share * max(sizes[quantity(column)], 1e-6), equal_nan=True):
            out.append(f"{column}: {have} instead of {want}")
    return out


@pytest.mark.parametrize("folder, name", STORED)
def test_a_result_of_an_earlier_version_has_the_same_numbers(folder, name, tmp_path):
    result = load_result(unpacked(folder, name, tmp_path))
    expected, mended = kept(folder, name), MENDED.get(folder.name, {}).get(name, ())
    assert differs(numbers(result, tmp_path), {column: values for column, values in expected["numbers"].items() if quantity(column) not in mended}, ROUNDING) == []
    assert [list(event) for event in result.events] == expected["events"]
    assert result._recorded.status == "done" and result.model is not None and len(result.model) > 0


@pytest.mark.parametrize("folder, name", STORED)
def test_a_model_of_an_earlier_version_moves_as_it_did(folder, name, tmp_path):
    m = sl.Model.load(folder / f"{name}.json")
    assert [fault.text for fault in m.check() if fault.severity == "error"] == []
    result = ran(folder / f"{name}.json", tmp_path / "again.saltus")
    places = {column: values for column, values in kept(folder, name)["numbers"].items() if column.endswith(("[m]", "[rad]", "[V]")) or column == "x"}
    assert len(places) > 0
    assert differs(numbers(result, tmp_path), places, RERUN) == []


@pytest.mark.parametrize("folder", VERSIONS, ids=lambda folder: folder.name)
def test_a_yaml_file_of_an_earlier_version_is_the_same_model(folder):
    pytest.importorskip("ruamel.yaml")
    one, two = sl.Model.load(folder / "drop.yaml"), sl.Model.load(folder / "drop.json")
    assert one._engine.text() == two._engine.text()


@pytest.mark.parametrize("folder", VERSIONS, ids=lambda folder: folder.name)
def test_items_fields_values_and_names_of_an_earlier_version_are_there(folder):
    """A field that is there keeps its unit and its value where none is given; what is new is not required; arguments of verbs keep their names."""
    before, now = json.loads((folder / "catalogue.json").read_text()), json.loads(json.dumps(catalogue()))
    missing = []
    for key, item in before["items"].items():
        if key not in now["items"]:
            missing.append(key)
            continue
        today = now["items"][key]
        missing += [f"{key}/{name}: {field} became {today['fields'].get(name)}" for name, field in item["fields"].items() if today["fields"].get(name) != field]
        missing += [f"{key}/{name}: is new and required" for name, field in today["fields"].items() if name not in item["fields"] and field["required"]]
        missing += [f"{key}: {name}" for name in [*item["ports"], *item["quantities"]] if name not in [*today["ports"], *today["quantities"]]]
    for verb, arguments in before["verbs"].items():
        missing += [f"{verb}: {a}" for a in arguments if a not in now["verbs"].get(verb, ())]
    missing += [f"{kind} {name}" for kind in ("names", "schemes") for name in before[kind] if name not in now[kind]]
    assert missing == [], "docs/compatibility.md promises that these stay"


@pytest.fixture
def stored(tmp_path):
    return unpacked(VERSIONS[-1], "tree", tmp_path)


def test_a_run_of_this_version_goes_on_from_its_file_and_says_who_wrote_it(stored, tmp_path):
    first = load_result(stored)
    ran(VERSIONS[-1] / "tree.json", tmp_path / "new.saltus")
    with ResultReader(tmp_path / "new.saltus") as reader:
        assert reader.program == sl.__version__
    if not first._recorded.program or first._recorded.program == sl.__version__:
        assert resume(stored, until=0.6).time[-1] == pytest.approx(0.6)


def test_a_checkpoint_of_another_version_is_refused_and_its_result_is_read(stored):
    changed(stored, program="0.0.9")
    assert len(load_result(stored)) > 1
    with pytest.raises(ModelError, match=f"checkpoint: is of Saltus 0.0.9, and this is {sl.__version__}; go on with Saltus 0.0.9, or run the model again"):
        resume(stored, until=1.0)


def test_a_file_that_does_not_say_who_wrote_it_is_read(stored):
    changed(stored, program=None)
    assert len(load_result(stored)) > 1 and ResultReader(stored).program == ""


def test_a_later_format_is_named_with_the_version_that_wrote_it(stored):
    changed(stored, version=2, program="3.1.0")
    with pytest.raises(ResultFileError, match="has version 2, written by Saltus 3.1.0, this program reads 1; read it with the Saltus that wrote it"):
        load_result(stored)


def test_states_of_another_length_are_refused_and_not_misread(stored, tmp_path):
    """As if an item had got one coordinate more since the file was written."""
    text = (VERSIONS[-1] / "tree.json").read_text()
    longer = json.loads(text)
    longer["nodes"] = {**longer.get("nodes", {}), "one_more": {"type": "node_1d"}}
    longer["bodies"]["more"] = {"type": "mass_1d", "node": "one_more", "mass": 1}
    model = sl.Model.parse(json.dumps(longer))._engine.text()
    other = shutil.copy(stored, tmp_path / "other.saltus")
    with sqlite3.connect(other) as connection:
        connection.execute("DELETE FROM model")
        connection.execute("INSERT INTO model VALUES (1, ?, ?)", (model, checksum("model", (1, model))))
        connection.execute("UPDATE state SET value = 1, crc = ? WHERE key = 'model.count'", (checksum("state", ("model.count", 1)),))
    with pytest.raises(ModelError, match=r"y: has \d+ numbers a state, and the model's items have \d+ in this version.*ResultReader"):
        load_result(other)
