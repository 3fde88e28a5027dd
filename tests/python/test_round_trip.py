"""Models and results come back from their files as they were: items, shapes, names, bits, warnings, units, controllers, options."""

import warnings

import numpy as np
import pytest
from test_assignments import TABLE, built

import saltus as sl
from saltus.verbs.controllers import Block, Controller
from saltus.view.shows import shapes_of, shapes_of_model


def quiet(action):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return action()


def texts(faults):
    """What does not depend on where the model was written."""
    return [(f.path, f.message, f.remedy, f.severity) for f in faults if "residual" not in f.message]


def model_of(verb):
    """A model with an item of the verb, with the other values of its keywords where they go together."""
    first, others = TABLE[verb]
    either = {"density", "on", "normal", "rotation", "angle", "position", "torque", "force"} if verb in ("revolute", "prismatic", "rail", "plane", "box", "sphere") else {"force"} if verb in ("spring", "bushing") else {"density", "law"}
    given = {**first, **{key: value for key, value in others.items() if key not in either | {"at", "axis", "axes", "locked", "start", "end"}}}
    if verb in ("revolute", "prismatic"):
        given.pop("damping")
    if verb == "observer":
        given.pop("gain")
    if verb == "presence":
        given.pop("together")  # or an interval
    m, handle = built(verb, given)
    m.outputs = {"height": "b.position.z"}
    m.simulation = {"until": 0.01}
    return m, handle


def comes_back_as(twin, handle):
    """The same type; the formulas of a block are a controller."""
    return type(twin) is (Controller if isinstance(handle, Block) and getattr(handle, "outputs", ()) else type(handle))


@pytest.mark.parametrize("verb", TABLE)
def test_a_model_comes_back_from_its_file_as_it_was(verb, tmp_path):
    m, handle = model_of(verb)
    m.save(tmp_path / "m.json")
    again = sl.Model.load(tmp_path / "m.json")
    assert again._engine.text() == m._engine.text()
    assert set(again) == set(m) and (again.outputs, again.simulation, again.parameters) == (m.outputs, m.simulation, m.parameters)
    assert np.array_equal(again.gravity, m.gravity)
    twin = again[handle.name]
    assert comes_back_as(twin, handle)
    assert shapes_of_model(again) == shapes_of_model(m)
    for name in m:
        assert comes_back_as(again[name], m[name]) or type(m[name]) is sl.items.Item, name
        if isinstance(m[name], type(m["b"])):
            for a, b in zip(again[name].reference, m[name].reference, strict=True):
                assert np.allclose(a, b, atol=1e-15)
    if isinstance(m[handle.name], type(m["hinge"])):
        assert [p.name for p in twin._parts] == [p.name for p in handle._parts]
    assert texts(again.check()) == texts(m.check())


@pytest.mark.parametrize("verb", TABLE)
def test_a_model_that_comes_back_runs_to_the_same_bits(verb, tmp_path):
    m, handle = model_of(verb)
    if verb == "generic":  # another joint moves it
        m["hinge"].speed = 1.0
    m.save(tmp_path / "m.json")
    again = sl.Model.load(tmp_path / "m.json")
    runs = []
    for model in (m, again):
        try:
            runs.append(quiet(lambda model=model: model.simulate(0.01)))
        except sl.RunError as error:
            runs.append(error.result)
    a, b = runs
    for name, values in a._recorded.arrays.items():
        assert np.array_equal(values, b._recorded.arrays[name], equal_nan=True), name
    assert a.scheme == b.scheme and a.events == b.events and texts(a.warnings) == texts(b.warnings)
    twin = again[handle.name]
    for word in ("force", "torque", "current", "voltage", "drive", "position"):
        quantities = []
        for h in (handle, twin):
            try:
                q = getattr(h, word)
            except AttributeError:
                q = None
            quantities.append(q if isinstance(q, sl.quantity.Quantity) else None)
        assert (quantities[0] is None) == (quantities[1] is None), word
        if quantities[0] is not None:
            try:
                x = a[quantities[0]]
            except sl.ModelError:
                continue
            y = b[quantities[1]]
            assert np.array_equal(x, y, equal_nan=True) and x.unit == y.unit


@pytest.mark.parametrize("how", ["save", "record"])
@pytest.mark.parametrize("verb", TABLE)
def test_a_result_comes_back_from_its_file_as_it_was(verb, how, tmp_path):
    m, handle = model_of(verb)
    file = tmp_path / "r.saltus"
    try:
        result = quiet(lambda: m.simulate(0.01, step=1e-3, record=file if how == "record" else None))
    except sl.RunError as error:
        result = error.result
    if how == "save":
        result.save(file)
    again = sl.load_result(file)
    for name, values in result._recorded.arrays.items():
        assert np.array_equal(values, again._recorded.arrays[name], equal_nan=True)
    assert again.warnings == result.warnings and again.events == result.events
    assert {k: v for k, v in again.report.items() if k not in ("warnings", "scheme", "is_static")} == {k: v for k, v in result.report.items() if k != "warnings"}
    assert (again.scheme, again.is_static, again._recorded.options) == (result.scheme, result.is_static, result._recorded.options)
    assert shapes_of(again) == shapes_of(result)
    assert not len(result) or again.table == result.table
    assert set(again.model) == set(m)


def test_all_warnings_of_a_run_are_in_its_file_with_their_lines(tmp_path):
    m = sl.Model()
    ball = m.sphere(radius=0.01, mass=1, at=(1, 1, 1), velocity=(0, 0, -9))
    m.contact([m.plane()], [ball])
    with pytest.warns(sl.ModelWarning, match="is coarse for contact"):
        first = m.simulate(1, step=1e-3, scheme="schatzman_paoli", record=tmp_path / "a.saltus")
    assert len(first.warnings) == 1 and first.warnings[0].line > 0
    first.save(tmp_path / "b.saltus")
    for name in "ab":
        assert sl.load_result(tmp_path / f"{name}.saltus").warnings == first.warnings


def test_a_mesh_that_is_drawn_is_in_the_result(tmp_path):
    (tmp_path / "m.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n")
    m = sl.Model()
    body = m.box(size=(1, 1, 1), mass=1).looks_like(tmp_path / "m.obj")
    result = m.simulate(0.01, record=tmp_path / "r.saltus")
    assert shapes_of(sl.load_result(tmp_path / "r.saltus")) == shapes_of(result) != {}
    with pytest.warns(sl.ModelWarning, match="box_1: .*looks_like"):
        m.save(tmp_path / "m.json")
    assert sl.Model.load(tmp_path / "m.json")[body.name].shape == body.shape


def test_a_run_that_goes_on_is_that_of_the_model_that_was_saved(tmp_path):
    """The text of a model is read, written and read again without a change."""
    for verb in TABLE:
        m, _ = model_of(verb)
        text = m._engine.text()
        assert sl.Model.parse(text)._engine.text() == text
