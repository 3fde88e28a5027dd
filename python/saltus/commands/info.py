"""`saltus info MODEL` and `saltus info RESULT`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from saltus.commands._common import print_json

ORDER = 40


def info(
    model: Annotated[Path, typer.Argument(help="model file (JSON, YAML, URDF, MJCF or SDF), or a result")],
    json: Annotated[bool, typer.Option("--json", help="print one JSON object")] = False,
) -> None:
    """Sizes and sparsity of a model, and its items with the quantities that can be read of them; of a result its run first."""
    from saltus.errors import grouped
    from saltus.model_files import is_result, load_engine

    run: dict[str, Any] = {}
    if is_result(model):
        from saltus.result_file import load_result

        result = load_result(model)
        run = {"run": {"scheme": result.scheme, "states": len(result), **{word: result.report[word] for word in ("t", "status", "cause") if word in result.report}}}
        if not json:
            typer.echo("\n".join([str(result), *(f"warning   {fault.text}" for fault in grouped(result.warnings))]))
        engine = result.model._engine
    else:
        engine = load_engine(model)
    system = engine.compile()
    sizes = system.sizes()
    items = [{"section": s, "type": t, "name": n, "quantities": system.quantities(n)} for s, t, n in system.items()]
    unknowns = sizes["unknowns"]
    filled = sizes["nonzeros"] / unknowns**2 if unknowns else 0.0
    if json:
        print_json({**run, "sizes": sizes, "filled": filled, "items": items})
        return
    typer.echo("  ".join(f"{name} {sizes[name]}" for name in ("nq", "nv", "nx", "nz", "rows")))
    typer.echo(f"matrix {unknowns} x {unknowns}, {sizes['nonzeros']} entries ({100 * filled:.3g} % filled)")
    for item in items:
        typer.echo(f"{item['section']:>10} {item['name']:20} {item['type']:24} {', '.join(item['quantities'])}")
