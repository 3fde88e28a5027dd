"""The classes of saltus.items come from the engine's table, and the committed stub is of this engine."""

import inspect
from pathlib import Path

import pytest

import saltus as sl
from saltus import _core, items, items_stub


def test_every_item_of_the_engine_has_a_class_with_its_fields():
    assert len(items.table()) == len(_core.items())
    for name, entry in items.table().items():
        known = set(inspect.signature(getattr(items, name)).parameters)
        assert {f["name"] for f in [*entry["fields"], *entry["ports"]]} | {"name"} == known
        for field in entry["fields"]:
            assert field["name"] in getattr(items, name).__doc__


def test_the_stub_is_current():
    folder = Path(items.__file__).parent
    for name, text in (("items.pyi", items_stub.text()), ("schemes.pyi", items_stub.schemes_text())):
        assert (folder / name).read_text() == text, "run `python -m saltus.items_stub`"


def test_the_stub_is_python():
    compile(items_stub.text(), "items.pyi", "exec")
    compile(items_stub.schemes_text(), "schemes.pyi", "exec")


def test_a_wrong_field_names_the_nearest():
    with pytest.raises(sl.ModelError, match='stifness: is 1, and not a field of SpringDamper; did you mean "stiffness"'):
        items.SpringDamper(A="a", B="b", stifness=1)


def test_a_missing_field_is_named():
    with pytest.raises(sl.ModelError, match="node: is missing"):
        items.RigidBody(mass=1, inertia=[1, 1, 1])


def test_an_unknown_item_is_an_attribute_error():
    with pytest.raises(AttributeError, match="Sprnig"):
        _ = items.Sprnig
