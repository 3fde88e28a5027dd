"""`saltus fmt MODEL...`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, List

import typer

ORDER = 35


def fmt(
    models: Annotated[List[Path], typer.Argument(help="model files (JSON or YAML)")],
    check: Annotated[bool, typer.Option("--check", help="write nothing; exit 1 where a file is not in its usual form")] = False,
) -> None:
    """Write model files in their usual form: the order of the format, two spaces; comments of YAML stay. A file that cannot be read is left alone."""
    from saltus.store.replacing import replacing
    from saltus.model_files import formatted

    other = False
    for model in models:
        before, after = formatted(model)
        if before == after:
            continue
        other = True
        typer.echo(f"{model}: {'is not in its usual form' if check else 'written anew'}")
        if not check:
            with replacing(model) as draft:
                draft.write_text(after, encoding="utf-8")
    raise typer.Exit(1 if check and other else 0)
