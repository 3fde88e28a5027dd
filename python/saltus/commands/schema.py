"""`saltus schema`."""

from __future__ import annotations

import typer

ORDER = 60


def schema() -> None:
    """The JSON schema of model files: editors check and complete with it."""
    from saltus.model_files import schema as of_files

    typer.echo(of_files())
