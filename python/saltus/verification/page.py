"""The page of the verification: what was compared, with numbers, and what waits."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from saltus.verification.case import Row
from saltus.verification.registry import GROUPS, about, title

HEADINGS = {
    "truth": ("Closed forms, published benchmarks, independent computations", ""),
    "independent": ("Where engines go wrong, beside closed forms and scipy", "Truth is computed in each case's module, not stored."),
    "exudyn": ("Smooth multibody systems, with the numbers of exudyn 1.13.6", "exudyn's error is that of its run at the step it was given."),
    "siconos": ("Nonsmooth systems, with the numbers of Siconos 4.4.0", "Siconos' error is that of its run at the step it was given."),
    "ngspice": ("Smooth circuits, with the numbers of ngspice 39.3", ""),
    "invariants": ("Laws that long runs keep", ""),
}  # fmt: skip


def page(rows: list[Row], waiting: dict[str, str]) -> str:
    """The page as Markdown."""
    wrong = [row for row in rows if not row.ok]
    lines = [
        "# Verification",
        "",
        "Written by `saltus verify --write docs/verification.md`; `saltus verify --case NAME` runs one case. Each case is a module",
        "of `python/saltus/verification`, its numbers with their sources stand in the JSON files there. SI units throughout.",
        "",
        f"{len(rows)} quantities of {len({row.case for row in rows})} cases; {len(wrong)} out of tolerance; {len(waiting)} cases wait.",
        "",
        "Error: largest of the components. A tolerance is the case's own where its run is converged; where a first-order scheme or a",
        "coarse step is compared it is that scheme's, and the note says so. Order: measured slope of the error in the step.",
        "",
    ]
    if wrong:
        lines += [
            "## Out of tolerance",
            "",
            *(f"* `{row.case}`: {row.quantity}, error {row.error:.1e}. {row.note}" for row in wrong),
            "",
        ]
    for group in GROUPS:
        of_group = [row for row in rows if row.case.startswith(group + "/")]
        if not of_group:
            continue
        heading, text = HEADINGS[group]
        lines += [f"## {heading}", "", *([text, ""] if text else [])]
        for name in dict.fromkeys(row.case for row in of_group):
            lines += _case(name, [row for row in of_group if row.case == name])
    if waiting:
        lines += ["## Cases that wait", "", "| case | what | lacks |", "|---|---|---|"]
        lines += [f"| {name} | {title(name)} | {lack} |" for name, lack in waiting.items()] + [""]
    return "\n".join(lines)


def _case(name: str, rows: list[Row]) -> Iterable[str]:
    yield f"### {name}"
    yield ""
    yield about(name)
    yield ""
    peers = any(row.peer_error is not None for row in rows)
    orders = any(row.order is not None for row in rows)
    yield (
        "| quantity | truth | ours | error | tolerance |"
        + (" peer's error |" if peers else "")
        + (" order |" if orders else "")
        + " how |"
    )
    yield "|---|---|---|---|---|" + ("---|" if peers else "") + ("---|" if orders else "") + "---|"
    for row in rows:
        if row.order is None:
            cells = [_value(row, row.truth), _value(row, row.ours), f"{row.error:.1e}", f"{row.tolerance:.0e}"]
        else:
            cells = [f"{row.truth:g}", f"{row.ours:.2f}", "", f"-{row.tolerance:g}"]
        if peers:
            cells.append("" if row.peer_error is None else f"{row.peer_error:.1e}")
        if orders:
            cells.append("" if row.order is None else f"{row.order:.2f}")
        yield (
            "| "
            + " | ".join([row.quantity.replace("|", "\\|") + ("" if row.ok else " **OUT**"), *cells, row.how])
            + " |"
        )
    yield ""
    sources = list(dict.fromkeys(row.source for row in rows if row.source))
    yield "Truth: " + "; ".join(sources) + "." if sources else ""
    notes = list(
        dict.fromkeys(f"{row.quantity}: {row.note}" if row.order is not None else row.note for row in rows if row.note)
    )
    yield ""
    yield from (f"* {note}" for note in notes)
    yield ""


def _value(row: Row, value) -> str:
    """A number; of a vector the component whose error is the largest."""
    if isinstance(value, list):
        difference = np.abs(np.asarray(row.ours, dtype=float) - np.asarray(row.truth, dtype=float)).ravel()
        flat = np.asarray(value, dtype=float).ravel()
        k = int(np.argmax(np.where(np.isnan(difference), np.inf, difference))) if len(flat) else -1
        return "" if k < 0 else f"{_digits(flat[k])} ({k + 1} of {len(flat)})"
    return _digits(float(value))


def _digits(x: float) -> str:
    return "nan" if math.isnan(x) else f"{x:.10g}"
