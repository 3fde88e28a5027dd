"""`saltus diff A B`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, List, Optional

import typer

from saltus.commands._common import print_json

ORDER = 45


def diff(
    first: Annotated[Path, typer.Argument(help="result file, or model file")],
    second: Annotated[Path, typer.Argument(help="another one of the same kind")],
    quantity: Annotated[Optional[List[str]], typer.Option("--quantity", metavar="NAME.QUANTITY", help="only this, as crank.position; may be repeated")] = None,
    tolerance: Annotated[Optional[float], typer.Option(help="exit 1 where a relative difference is larger, or the ends of the runs are farther apart")] = None,
    json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Two results by quantity: largest differences, and when; of two model files the fields that differ. Exit 1 where models differ, or a quantity by more than --tolerance."""
    from saltus.model_files import is_result
    from saltus.errors import Fault, ModelError
    from saltus.exports.differences import differences, model_differences

    if tolerance is not None and not 0.0 <= tolerance < float("inf"):
        raise ModelError(Fault("--tolerance", f"is {tolerance:g}, must be at least 0 and finite", "write --tolerance 1e-6"))
    kinds = [is_result(path) for path in (first, second)]
    if kinds[0] != kinds[1]:
        raise ModelError(Fault("", "is a result, and the other file a model" if kinds[0] else "is a model, and the other file a result", "compare two results, or two models", str(first)))
    if not kinds[0]:
        from saltus.model import Model

        changed = model_differences(Model.load(first), Model.load(second))
        if json:
            print_json({"model": changed, "equal": not changed})
        else:
            typer.echo("\n".join(changed) or "the models are equal")
        raise typer.Exit(1 if changed else 0)
    from saltus.result_file import load_result

    found = differences(load_result(first), load_result(second), quantity or [])
    if json:
        print_json(found.as_dict())
    else:
        typer.echo(str(found))
    raise typer.Exit(0 if tolerance is None or found.within(tolerance) else 1)
