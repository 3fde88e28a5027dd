"""Model files: JSON, YAML with comments, robots in URDF, MJCF and SDF, and models inside models by `include`."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from saltus import _core
from saltus.errors import Fault, ModelError, includes_itself, missing_extra
from saltus.geometry import near, rotation_matrix, short
from saltus.submodels import Placement, merged, placed

YAML = (".yaml", ".yml")
ROBOTS = {".urdf": "URDF", ".mjcf": "MJCF", ".xml": "MJCF", ".sdf": "SDF", ".world": "SDF"}  # by their endings
SQLITE = b"SQLite format 3"  # with which files of results begin
KEYS = ("file", "position", "rotation", "parameters")


def load_engine(path: str | os.PathLike[str]) -> _core.Model:
    """The model of a file; ModelError with all its mistakes, at their lines."""
    file = Path(path)
    if not file.exists():
        _text(file)
    _refuse_others(file)
    if file.suffix.lower() in ROBOTS:
        from saltus.robot_files import load_robot

        return load_robot(file)
    if file.suffix.lower() not in YAML and '"include"' not in _text(file):
        return _core.Model.load(os.fspath(path))  # which knows the line of each mistake
    source = read(file)
    tree = _included(source, (file.resolve(),)) if "include" in source else _plain(source)
    return _core.Model.parse(aligned(tree, source), os.fspath(path))


def _refuse_others(file: Path) -> None:
    """Refuses what is no model file: a result, a program, a file of another kind."""
    if is_result(file):
        raise ModelError(Fault("", "is a result, not a model", f"saltus info {file.name} says what it holds, saltus view {file.name} shows it", os.fspath(file)))
    ending = file.suffix.lower()
    if ending in (".py", ".ipynb"):
        raise ModelError(Fault("", "is a program, not a model file", f'run it with Python; m.save("{file.stem}.yaml") in it writes the model as a file', os.fspath(file)))
    if ending not in (".json", *YAML, *ROBOTS) and not _text(file).lstrip("\ufeff \t\r\n").startswith("{"):
        raise ModelError(Fault("", "is no model file", "a model file is JSON or YAML and ends in .json or .yaml; robots are read from URDF, MJCF and SDF", os.fspath(file)))


def is_result(file: Path) -> bool:
    """Whether a file is one of results."""
    try:
        with file.open("rb") as opened:
            head = opened.read(15)
    except OSError as error:
        raise ModelError(Fault("", f"cannot be opened: {error.strerror}", "give a result or a model file", os.fspath(file))) from None
    if file.suffix.lower() == ".saltus" and head != SQLITE and not head.lstrip().startswith(b"{"):
        raise ModelError(Fault("", "is no result of Saltus" if head else "is empty, and no result", "run the model again", os.fspath(file)))
    return head == SQLITE


def aligned(tree: Any, source: Any) -> str:
    """JSON of a tree whose entries stand at the lines and, where there is room, columns that they have in the source: the engine then names those of mistakes."""
    out: list[str] = []
    line = column = 0

    def put(text: str) -> None:
        nonlocal column
        out.append(text)
        column += len(text)

    def go(at: Any) -> None:
        nonlocal line, column
        if at is None:
            return
        if at[0] > line:
            out.append("\n" * (at[0] - line))
            line, column = at[0], 0
        if at[0] == line and at[1] > column:
            put(" " * (at[1] - column))

    def write(value: Any, marked: Any) -> None:
        places = getattr(getattr(marked, "lc", None), "data", None) or {}
        if isinstance(value, dict):
            put("{")
            for i, (key, entry) in enumerate(value.items()):
                put("," if i else "")
                go(places.get(key, (0, 0))[:2])
                put(json.dumps(key) + ":")
                inside = marked.get(key) if isinstance(marked, dict) else None
                if not isinstance(entry, (dict, list)):
                    go(places[key][2:] if key in places else None)
                write(entry, inside)
            put("}")
        elif isinstance(value, list):
            put("[")
            for i, entry in enumerate(value):
                put("," if i else "")
                go(places[i][:2] if i in places else None)
                write(entry, marked[i] if isinstance(marked, list) and i < len(marked) else None)
            put("]")
        else:
            put(json.dumps(value))

    write(tree, source)
    return "".join(out)


def _beside(file: Path) -> str:
    """What to open instead of a file that cannot be opened."""
    models = sorted(path.name for ending in (".json", *YAML, *ROBOTS) for path in file.parent.glob(f"*{ending}")) if file.parent.is_dir() else []
    return near(file.name, [name for name in models if name != file.name]) or "give a model file"


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise ModelError(Fault("", f"cannot be opened: {error.strerror}", _beside(file), os.fspath(file))) from None
    except UnicodeDecodeError:
        return ""  # the engine reports it


def yaml(pure: bool = False) -> Any:
    """ruamel's reader and writer that keeps comments, order and places."""
    try:
        from ruamel.yaml import YAML as Ruamel
    except ImportError:
        raise missing_extra("a model in YAML", "yaml") from None
    made = Ruamel(typ="rt", pure=pure)
    made.preserve_quotes = True
    made.width = 160
    made.indent(mapping=2, sequence=4, offset=2)
    return made


def read(file: Path) -> dict[str, Any]:
    """The tree of a file as it is written, includes unresolved."""
    text = _text(file)
    if file.suffix.lower() in YAML:
        from ruamel.yaml.error import MarkedYAMLError, YAMLError  # yaml() says where it is missing

        try:
            tree = yaml().load(text)
        except MarkedYAMLError as error:
            mark = error.problem_mark
            raise ModelError(Fault("", f"is no YAML: {error.problem}", "", os.fspath(file), *((mark.line + 1, mark.column + 1) if mark else (0, 0)))) from None
        except YAMLError as error:
            raise ModelError(Fault("", f"is no YAML: {error}", "", os.fspath(file))) from None
    else:
        tree = _marked_json(text, file)
    if not isinstance(tree, dict):
        raise ModelError(Fault("", f"{'is empty' if tree is None else f'holds {short(tree)}'}, expected a model", "a model begins with `saltus: 1`", os.fspath(file)))
    return tree


def _marked_json(text: str, file: Path) -> Any:
    """The tree of a JSON file, with the places of its entries where ruamel.yaml, which reads JSON too, is there."""
    try:
        tree = json.loads(text)
    except ValueError:
        _core.Model.parse(text, os.fspath(file))  # reports it with line and column
        raise
    try:
        marked = yaml().load(text)
    except Exception:  # not there, or JSON that is no YAML: places are not known then
        return tree
    return marked if _plain(marked) == tree else tree


def plain_yaml(text: str) -> str:
    """The text of a YAML model as JSON."""
    return json.dumps(_plain(yaml().load(text)))


def _plain(value: Any) -> Any:
    """ruamel's values as those of JSON; a number that is neither finite stays text, which the engine refuses."""
    if isinstance(value, dict):
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, float):
        return float(value) if np.isfinite(value) else str(value)
    return int(value) if isinstance(value, int) else str(value)


# Includes.


def _included(tree: dict[str, Any], chain: tuple[Path, ...]) -> dict[str, Any]:
    """The tree with the models that it includes, each under its prefix."""
    file = os.fspath(chain[-1])
    entries = tree["include"]
    if not isinstance(entries, dict):
        raise ModelError(Fault("include", f"is {short(entries)}, expected names with files", 'write {"left": {"file": "arm.json", "position": [0, 1, 0]}}', file))
    return merged(_plain(tree), _parts(entries, chain))


def _parts(entries: dict[str, Any], chain: tuple[Path, ...]) -> Iterator[dict[str, Any]]:
    for name, entry in entries.items():
        path, file = f"include/{name}", os.fspath(chain[-1])
        entry = {"file": entry} if isinstance(entry, str) else entry
        if not isinstance(entry, dict) or not isinstance(entry.get("file"), str):
            raise ModelError(Fault(path, f"is {short(entry)}, expected a file with its place", 'write {"file": "arm.json", "position": [0, 1, 0]}', file))
        for key in entry:
            if key not in KEYS:
                raise ModelError(Fault(f"{path}/{key}", "is not known", near(key, KEYS) or f"it takes {', '.join(KEYS)}", file))
        target = (chain[-1].parent / entry["file"]).resolve()
        if target in chain:
            raise includes_itself(path, chain, target, file)
        yield placed(tree_of(target, chain, f"{path}/file", file), placement(name, entry.get("position"), entry.get("rotation"), entry.get("parameters"), path, file))


def tree_of(target: Path, chain: tuple[Path, ...] = (), path: str = "", file: str = "") -> dict[str, Any]:
    """The whole tree of a model file, its own includes resolved."""
    if not target.exists():
        raise ModelError(Fault(path or "include", f"names {target.name}, which is not there", "a file is looked for from the folder of the model that includes it", file or os.fspath(target)))
    if target.suffix.lower() in ROBOTS:
        return json.loads(load_engine(target).text())
    tree = read(target)
    tree = _included(tree, (*chain, target)) if "include" in tree else _plain(tree)
    _core.Model.parse(json.dumps(tree), os.fspath(target))  # reports its mistakes as its own
    return tree


def placement(name: str, position: Any, rotation: Any, parameters: Any, path: str, file: str = "") -> Placement:
    """Where a model is put; position (3) [m], rotation: vector (3) [rad]."""

    def vector(value: Any, word: str, unit: str) -> np.ndarray:
        try:
            numbers = np.array([0.0, 0.0, 0.0] if value is None else [float(x) for x in value])
        except (TypeError, ValueError):
            numbers = np.array([np.nan])
        if numbers.shape != (3,) or not np.all(np.isfinite(numbers)):
            raise ModelError(Fault(f"{path}/{word}", f"is {short(value)}, expected 3 numbers [{unit}]", "", file))
        return numbers

    if not isinstance(name, str) or not name.isidentifier():
        raise ModelError(Fault(path, f"has the name {name!r}, which becomes part of names in formulas", "use letters, digits and _, a letter first", file))
    if parameters is not None and not isinstance(parameters, dict):
        raise ModelError(Fault(f"{path}/parameters", f"is {short(parameters)}, expected names and values", 'write {"L": 2.0}', file))
    turn = vector(rotation, "rotation", "rad")
    return Placement(f"{name}_", vector(position, "position", "m"), rotation_matrix(turn), _plain(parameters or {}))


# Form.


def formatted(file: Path) -> tuple[str, str]:
    """(text of a file, the same in its usual form): sections and keys in the order of the format in JSON; YAML keeps its order and comments."""
    if file.suffix.lower() in ROBOTS:
        raise ModelError(Fault("", f"is a robot in {ROBOTS[file.suffix.lower()]}, whose form is its own", f"saltus new model {file.stem}.yaml --from {file.name} makes a model file of it", os.fspath(file)))
    if file.exists():
        _refuse_others(file)
    text = _text(file)
    if file.suffix.lower() in YAML:
        import io

        tree = read(file)
        load_engine(file)
        out = io.StringIO()
        yaml().dump(tree, out)
        return text, out.getvalue()
    tree = read(file)
    if "include" not in tree:
        return text, _core.Model.load(os.fspath(file)).text()
    load_engine(file)
    own = json.loads(_core.Model.parse(json.dumps({key: value for key, value in tree.items() if key != "include"}), os.fspath(file)).text())
    head = {key: own.pop(key) for key in ("saltus", "title", "units", "parameters", "tables", "gravity") if key in own}
    return text, json_text({**head, "include": tree["include"], **own})


def json_text(tree: dict[str, Any]) -> str:
    """JSON as the engine writes it: two spaces, lists of numbers and words on one line."""
    return _json(tree, "") + "\n"


def _json(value: Any, indent: str) -> str:
    inner = indent + "  "
    if isinstance(value, dict) and value:
        return "{\n" + ",\n".join(f"{inner}{json.dumps(key, ensure_ascii=False)}: {_json(entry, inner)}" for key, entry in value.items()) + f"\n{indent}}}"
    if isinstance(value, list) and any(isinstance(entry, (dict, list)) for entry in value):
        return "[\n" + ",\n".join(inner + _json(entry, inner) for entry in value) + f"\n{indent}]"
    return json.dumps(value, ensure_ascii=False)


def schema() -> str:
    """The JSON schema of model files, with `include`."""
    tree = json.loads(_core.schema())
    number = {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3}
    entry = {
        "type": "object", "required": ["file"], "additionalProperties": False,
        "properties": {"file": {"type": "string", "description": "model file, from the folder of this one"}, "position": {**number, "description": "where its origin stands [m]"},
                       "rotation": {**number, "description": "rotation vector of its axes [rad]"}, "parameters": {"type": "object", "description": "values instead of its own"}},
    }  # fmt: skip
    tree.get("properties", {})["include"] = {"type": "object", "description": "models inside this one, by the prefix of their names", "additionalProperties": {"anyOf": [{"type": "string"}, entry]}}
    return json.dumps(tree, indent=2)


def save_yaml(engine: _core.Model, path: Path) -> None:
    """Writes a model as YAML."""
    import io

    from saltus.store.replacing import replacing

    out = io.StringIO()
    made = yaml()
    made.default_flow_style = None  # lists of numbers on one line
    made.dump(json.loads(engine.text()), out)
    with replacing(path) as draft:
        draft.write_text(out.getvalue(), encoding="utf-8")
