"""A model as a unit of a co-simulation for other programs: FMI 3.0.2 and 2.0.4 (modelica.org). The engine is inside, Python is not."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import sys
import uuid
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version as version_of
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as xml

import numpy as np

from saltus import geometry as g
from saltus.quantity import Quantity
from saltus.store.replacing import replacing
from saltus.unit_algebra import dimension, read

if TYPE_CHECKING:
    from saltus.model import Model
    from saltus.state import State

VERSIONS = ("2.0", "3.0")
RESIDUALS = {"equations": "of the equations of motion", "constraints": "of joints and drives", "laws": "of contact, friction and other set-valued laws"}
LICENCES = """The library in binaries/ is the engine of Saltus, under the Apache License 2.0 (https://www.apache.org/licenses/LICENSE-2.0).
It contains Eigen (Mozilla Public License 2.0, https://eigen.tuxfamily.org) and JSON for Modern C++ (MIT, https://github.com/nlohmann/json).
"""


@dataclass
class Variable:
    """What a master sees: its place in the list is its reference."""

    name: str
    unit: str
    causality: str  # independent, input, parameter, output, local
    variability: str  # continuous, tunable, fixed
    record: dict[str, Any]  # as the library reads it
    start: float | None = None
    description: str = ""


def outputs_of(model: Model, outputs: Any) -> dict[str, str]:
    """Names and paths of what the unit gives; before the model is compiled, for frames become items when they are named."""
    if not isinstance(outputs, Mapping):
        listed = [outputs] if isinstance(outputs, (str, Quantity)) else list(outputs or ())
        outputs = dict(model.outputs) if outputs is None else {model._output_path(quantity): quantity for quantity in listed}
    if not outputs:
        g.refuse("export/outputs", "is empty, and the model has no named outputs", "write outputs=[body.position, motor.drive], or m.outputs = {...}")
    return {label: model._output_path(quantity) for label, quantity in outputs.items()}


def write_unit(model: Model, path: str | os.PathLike[str], inputs: Sequence[str], outputs: Mapping[str, str], state: State, version: str) -> str:
    """Writes the unit of what `state` is of; returns the file's name."""
    path = Path(path)
    library, folder = _library(version)
    text = model._text()
    variables = [Variable("time", "s", "independent", "continuous", {"is": "time", "name": "time"}, description="time")]
    variables += _parameters(model, inputs, state)
    variables += _outputs(outputs, state)
    variables += [Variable(f"residual.{name}", "", "local", "continuous", {"is": "residual", "name": name}, description=f"worst relative residual {what} so far") for name, what in RESIDUALS.items()]
    _refuse_double(variables)
    unit = {"saltus_unit": 1, "program": version_of("saltus"), **state._settings, "variables": [v.record for v in variables]}
    token = _token(text, unit, version)
    unit["token"] = token
    name = re.sub(r"\W", "_", path.stem, flags=re.ASCII)
    name = name if name and not name[0].isdigit() else f"unit_{name}"
    describe = _description_2 if version == "2.0" else _description_3
    root = describe(model, name, token, variables, state)
    xml.indent(root)
    files = {
        "modelDescription.xml": xml.tostring(root, encoding="utf-8", xml_declaration=True),
        "resources/model.json": text.encode(),
        "resources/unit.json": json.dumps(unit, indent=1, allow_nan=False).encode(),
        "documentation/licenses/license.txt": LICENCES.encode(),
        f"binaries/{folder}/{name}{library.suffix}": library.read_bytes(),
    }
    with replacing(path) as draft, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for inside, content in files.items():
            entry = zipfile.ZipInfo(inside)  # of 1980: the same model gives the same bytes
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o755 << 16 if inside.startswith("binaries") else 0o644 << 16
            archive.writestr(entry, content)
    return str(path)


def _library(version: str) -> tuple[Path, str]:
    """The library of this machine and the folder of a unit in which it stands."""
    system = {"linux": "linux", "darwin": "darwin", "win32": "windows"}.get(sys.platform, sys.platform)
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    found = [path for path in Path(__file__).parent.parent.glob("saltus_fmi.*") if path.suffix in (".so", ".dylib", ".dll")]
    if not found:
        g.refuse("export", "needs the engine as a library for units, which this installation lacks", "install the package by pip, or `sh run.sh`")
    if version == "3.0":
        return found[0], f"{machine}-{system}"
    if machine != "x86_64":
        g.refuse("export/version", f"is 2.0, which knows no {machine} processors", 'take version="3.0"')
    return found[0], {"linux": "linux64", "darwin": "darwin64", "windows": "win64"}[system]


def _parameters(model: Model, inputs: Sequence[str], state: State) -> list[Variable]:
    """Inputs first, then the others that a run may change, then those that are fixed once it has begun."""
    inputs = [inputs] if isinstance(inputs, str) else list(inputs)
    given = dict(model.parameters)
    of_run = {name: float(value) for name, value in zip((name for name, value in given.items() if isinstance(value, Mapping)), state._engine.parameters(), strict=True)}
    for name in inputs:
        if not isinstance(name, str):
            g.refuse("export/inputs", f"holds {g.short(name)}, expected a parameter", 'write force = m.parameter("force", 0.0), use it in a formula or a load, and inputs=[force]')
        if name not in of_run:
            wrong = "is a parameter that no run may change" if name in given else "is not there"
            g.refuse(f"export/inputs/{name}", wrong, g.near(name, list(of_run)) or f'write m.parameter("{name}", value)')
        if given[name].get("schedule"):
            g.refuse(f"export/inputs/{name}", "has a schedule, which would change it beside the master", "leave the schedule out")
    out = [Variable(name, "", "input", "continuous", {"is": "run_parameter", "name": name, "start": of_run[name]}, of_run[name]) for name in inputs]
    out += [
        Variable(name, "", "parameter", "tunable", {"is": "run_parameter", "name": name, "start": value}, value)
        for name, value in of_run.items()
        if name not in inputs and not given[name].get("schedule")
    ]
    fixed = {name: float(value) for name, value in given.items() if isinstance(value, (int, float)) and not isinstance(value, bool)}
    return out + [Variable(name, "", "parameter", "fixed", {"is": "parameter", "name": name, "start": value}, value) for name, value in fixed.items()]


def _outputs(outputs: Mapping[str, str], state: State) -> list[Variable]:
    """One a component of each quantity."""
    arrays = [np.ascontiguousarray(np.atleast_2d(part)) for part in state._arrays()]
    out = []
    for label, path in outputs.items():
        _, unit, names = state._system.evaluate(path, arrays[0][0], *arrays[1:])
        for i in range(max(1, len(names))):
            record = {"is": "output", "name": path, "component": i}
            out.append(Variable(f"{label}.{names[i]}" if names else label, unit, "output", "continuous", record, description="" if label == path else path))
    return out


def _refuse_double(variables: Sequence[Variable]) -> None:
    seen: set[str] = set()
    for v in variables:
        if v.name in seen:
            g.refuse("export", f"has two variables with the name {v.name!r}", "rename the parameter, or give the output another name: outputs={...}")
        seen.add(v.name)


def _token(text: str, unit: Mapping[str, Any], version: str) -> str:
    """A name for this model, these settings and variables: the library compares it."""
    digest = hashlib.sha256(json.dumps([text, unit, version], sort_keys=True).encode()).digest()
    return "{" + str(uuid.UUID(bytes=digest[:16], version=5)) + "}"


def _units(root: xml.Element, variables: Sequence[Variable]) -> None:
    """Definitions of the units that occur, by powers of SI units where they have whole ones."""
    units = sorted({v.unit for v in variables if v.unit})
    if not units:
        return
    definitions = xml.SubElement(root, "UnitDefinitions")
    for unit in units:
        entry = xml.SubElement(definitions, "Unit", name=unit)
        powers = read(unit)
        exponents = dict(zip(("kg", "m", "s", "A", "K"), dimension(powers), strict=False)) | {"rad": powers.get("rad", 0)}
        if len(dimension(powers)) == 5 and all(p == int(p) for p in exponents.values()):
            xml.SubElement(entry, "BaseUnit", {symbol: str(int(p)) for symbol, p in exponents.items() if p})


def _frame(root: xml.Element, variables: Sequence[Variable], model: Model, state: State) -> xml.Element:
    """What both versions have between the kind of the unit and its structure; returns the element of the variables."""
    _units(root, variables)
    categories = xml.SubElement(root, "LogCategories")
    for name, what in (("logStatusWarning", "warnings of the run"), ("logStatusError", "why a call failed")):
        xml.SubElement(categories, "Category", name=name, description=what)
    settings = state._settings
    experiment = {"startTime": "0"}
    if "until" in model.simulation:
        experiment["stopTime"] = repr(float(model._engine.run_options()["until"]))
    if settings["step"] is None:
        experiment["tolerance"] = repr(settings["tolerance"])
    else:
        experiment["stepSize"] = repr(settings["step"])
    xml.SubElement(root, "DefaultExperiment", experiment)
    return xml.SubElement(root, "ModelVariables")


def _number(v: Variable) -> dict[str, str]:
    return ({"unit": v.unit} if v.unit else {}) | ({} if v.start is None else {"start": repr(v.start)})


def _described(v: Variable) -> dict[str, str]:
    return {"description": v.description} if v.description else {}


def _description_3(model: Model, name: str, token: str, variables: Sequence[Variable], state: State) -> xml.Element:
    root = xml.Element("fmiModelDescription", fmiVersion="3.0", modelName=name, instantiationToken=token, generationTool=f"Saltus {version_of('saltus')}", variableNamingConvention="flat")
    step = state._settings["step"]
    able = ("canHandleVariableCommunicationStepSize", "canGetAndSetFMUState", "canSerializeFMUState", "providesDirectionalDerivatives")
    xml.SubElement(root, "CoSimulation", {"modelIdentifier": name, **dict.fromkeys(able, "true"), **({} if step is None else {"fixedInternalStepSize": repr(step)})})
    every = _frame(root, variables, model, state)
    for i, v in enumerate(variables):
        xml.SubElement(every, "Float64", {"name": v.name, "valueReference": str(i), **_described(v), "causality": v.causality, "variability": v.variability, **_number(v)})
    structure = xml.SubElement(root, "ModelStructure")
    for element in ("Output", "InitialUnknown"):
        for i, v in enumerate(variables):
            if v.causality == "output":
                xml.SubElement(structure, element, valueReference=str(i))
    return root


def _description_2(model: Model, name: str, token: str, variables: Sequence[Variable], state: State) -> xml.Element:
    root = xml.Element("fmiModelDescription", fmiVersion="2.0", modelName=name, guid=token, generationTool=f"Saltus {version_of('saltus')}", variableNamingConvention="flat")
    able = ("canHandleVariableCommunicationStepSize", "canGetAndSetFMUstate", "canSerializeFMUstate", "providesDirectionalDerivative")
    xml.SubElement(root, "CoSimulation", {"modelIdentifier": name, **dict.fromkeys(able, "true")})
    every = _frame(root, variables, model, state)
    for i, v in enumerate(variables):
        entry = xml.SubElement(every, "ScalarVariable", {"name": v.name, "valueReference": str(i), **_described(v), "causality": v.causality, "variability": v.variability})
        xml.SubElement(entry, "Real", _number(v))
    structure = xml.SubElement(root, "ModelStructure")
    for element in ("Outputs", "InitialUnknowns"):
        unknowns = xml.SubElement(structure, element)
        for i, v in enumerate(variables):
            if v.causality == "output":
                xml.SubElement(unknowns, "Unknown", index=str(i + 1))
    return root
