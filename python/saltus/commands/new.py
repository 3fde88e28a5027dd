"""`saltus new KIND NAME`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ORDER = 5

PROGRAM = '''"""A pendulum with a stop: change it into your own. `python {name}.py`"""

import saltus as sl

m = sl.Model()
rod = m.rod((0, 0, 0), (1, 0, 0), mass=1.0, name="rod")
hinge = m.revolute(m.ground, rod, at=rod.start, axis="y", limits=(-1.2, 1.2), restitution=0.5, name="hinge")
m.outputs = {{"angle": hinge.angle, "tip": rod.end.position}}
m.simulation = {{"until": 5.0}}

if __name__ == "__main__":
    result = m.simulate(until=5.0)
    print(result, result.table)
    result.plot(hinge.angle, file="{name}.png")
    result.export("{name}.csv")
    m.save("{name}.json")
'''

YAML = """\
# A pendulum with a stop: change it into your own.
#   saltus check {name}.yaml      all mistakes, with their lines
#   saltus run {name}.yaml --plot
#   saltus items revolute         what an item takes
saltus: 1
title: {name}
parameters:
  L: 1.0      # m
  mass: 1.0   # kg
gravity: [0, 0, -9.81]
bodies:
  rod:
    type: rigid_body
    mass: mass
    inertia: [1.0e-4, mass*L^2/12, mass*L^2/12]   # about its centre
    node: {{type: node_rigid, position: [L/2, 0, 0]}}
joints:
  hinge: {{type: revolute, A: ground, B: rod, at: [0, 0, 0], axis: y}}
relations:
  stop:
    type: joint_angle
    A: ground
    B: rod
    at: [0, 0, 0]
    axis: y
    limit: 1.2
    sign: -1.0
    law: {{type: newton_impact, restitution: 0.5}}
outputs:
  angle: hinge.angle
  height: rod.position.z
simulation:
  until: 5.0
"""


def new(
    kind: Annotated[str, typer.Argument(metavar="model|program", help="model: a model file; program: a Python program")],
    name: Annotated[Path, typer.Argument(metavar="NAME", help="its name: NAME.yaml, NAME.json, NAME.py; without an ending .yaml or .py")],
    source: Annotated[Path | None, typer.Option("--from", help="a robot in URDF, MJCF or SDF that becomes the model")] = None,
) -> None:
    """Begin a model: writes a small one that runs, to change into your own."""
    from saltus.errors import Fault, ModelError, unwritten
    from saltus.geometry import near

    endings = {"model": (".yaml", ".yml", ".json"), "program": (".py",)}
    if kind not in endings:
        raise ModelError(Fault(kind, "is nothing that can be begun", near(kind, list(endings)) or "write model or program"))
    target = name if name.suffix else name.with_suffix(endings[kind][0])
    if target.suffix not in endings[kind]:
        raise ModelError(Fault("", f"is no name of a {kind}", f"end it with {' or '.join(endings[kind])}", str(target)))
    if target.exists():
        raise ModelError(Fault("", "is there already, and is not replaced", "choose another name", str(target)))
    if source is not None and kind != "model":
        raise ModelError(Fault("--from", f"is {source}, of which a model is made, not a {kind}", "write saltus new model"))
    try:
        if source is not None:
            _made_of(source, target)
        else:
            target.write_text(_text(kind, target), encoding="utf-8")
    except OSError as error:
        raise ModelError(unwritten(target, error)) from None
    typer.echo(f"{target}: {'python' if kind == 'program' else 'saltus run'} {target}")


def _made_of(source: Path, target: Path) -> None:
    from saltus.model_files import load_engine, save_yaml

    engine = load_engine(source)
    if target.suffix == ".json":
        engine.save(str(target))
    else:
        save_yaml(engine, target)


def _text(kind: str, target: Path) -> str:
    if kind == "program":
        return PROGRAM.format(name=target.stem)
    if target.suffix != ".json":
        return YAML.format(name=target.stem)
    from saltus import _core
    from saltus.model_files import plain_yaml

    return _core.Model.parse(plain_yaml(YAML.format(name=target.stem)), str(target)).text()
