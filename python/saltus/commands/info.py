"""`saltus info MODEL`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from saltus.commands._common import print_json

ORDER = 40


def info(
    model: Annotated[Path, typer.Argument(help="model file (JSON or YAML)")],
    json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Sizes and sparsity of a model, and its items with the quantities that can be read of them."""
    from saltus.model_files import load_engine

    system = load_engine(model).compile()
    sizes = system.sizes()
    items = [{"section": s, "type": t, "name": n, "quantities": system.quantities(n)} for s, t, n in system.items()]
    unknowns = sizes["unknowns"]
    filled = sizes["nonzeros"] / unknowns**2 if unknowns else 0.0
    if json:
        print_json({"sizes": sizes, "filled": filled, "items": items})
        return
    typer.echo("  ".join(f"{name} {sizes[name]}" for name in ("nq", "nv", "nx", "nz", "rows")))
    typer.echo(f"matrix {unknowns} x {unknowns}, {sizes['nonzeros']} entries ({100 * filled:.3g} % filled)")
    for item in items:
        typer.echo(f"{item['section']:>10} {item['name']:20} {item['type']:24} {', '.join(item['quantities'])}")
