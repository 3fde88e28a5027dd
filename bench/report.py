"""Ratios, growth, tables and the plot of what `bench/run.py` measured."""

from __future__ import annotations

import math
from pathlib import Path

OURS = ("saltus", "python")
NAMES = {"python": "saltus from Python", "limit": "own kernel", "siconos": "Siconos (Debian build)", "pin": "pinocchio"}


def named(program: str) -> str:
    """How a program is called in tables."""
    return NAMES.get(program, program)


def comparable(row: dict, a: str, b: str) -> bool:
    """Both were measured, and both are as right as the row asks."""
    return all(p in row["ns"] and row["error"].get(p, math.inf) <= row["tolerance"] for p in (a, b))


def ratio(row: dict, program: str, ours: str = "saltus") -> float | None:
    """How many times the kernel's time ours is, or how many times faster than a peer; None where one of them misses the error.

    Where the truth is known, ours must also not be less right than the peer, up to a tenth."""
    if not comparable(row, ours, program):
        return None
    if row["truth"] and row["error"][ours] > max(1.1 * row["error"][program], 1e-3 * row["tolerance"]):
        return None
    a, b = row["ns"][ours], row["ns"][program]
    return a / b if program == "limit" else b / a


def growth(rows: list[dict], program: str) -> list[float]:
    """Exponents of the whole time between neighbouring sizes: 1 is linear."""
    points = [(r["size"], r["ns"][program]) for r in rows if program in r["ns"]]
    return [1.0 + math.log(b / a) / math.log(m / n) for (n, a), (m, b) in zip(points, points[1:], strict=False)]


def figure(ns: float) -> str:
    """Three digits with a unit."""
    for unit, size in (("ns", 1.0), ("us", 1e3), ("ms", 1e6)):
        if ns < 999.5 * size or unit == "ms":
            return f"{ns / size:.3g} {unit}"
    raise AssertionError


def line(row: dict) -> str:
    """A row for the terminal."""
    text = f"{row['workload']:22} {row['size']:>7}  saltus {figure(row['ns']['saltus']) if 'saltus' in row['ns'] else '-':>8}"
    for program in row["programs"]:
        if program not in row["ns"]:
            text += f" | {named(program)}: {row['missing'].get(program, 'too large')}"
            continue
        r = ratio(row, program)
        times = f"x{r:.3g}" if r is not None else "no ratio"
        text += f" | {named(program)} {figure(row['ns'][program])} {times} (error {row['error'].get(program, math.nan):.0e})"
    return text + f" | error {row['error'].get('saltus', math.nan):.1e}"


def table(rows: list[dict]) -> str:
    """Markdown: one line a size, growth at the end of each workload."""
    out = ["| workload | size | saltus, ns a unit and step | own kernel | times the kernel | peers: ns (times faster) | error saltus / peers |", "|---|---|---|---|---|---|---|"]
    for name in dict.fromkeys(r["workload"] for r in rows):
        own = [r for r in rows if r["workload"] == name]
        for r in own:
            peers, errors = [], [f"{r['error'].get('saltus', math.nan):.0e}"]
            for p in r["programs"]:
                if p == "limit":
                    continue
                if p not in r["ns"]:
                    peers.append(f"{named(p)}: {r['missing'].get(p, 'not run at this size')}")
                    continue
                x = ratio(r, p)
                loop = r.get("loop", {}).get("python")
                note = (f" (its steps alone {loop:.4g})" if loop else "") if p == "python" else f" ({x:.3g} x)" if x is not None else f" (no ratio: {'saltus is less right' if comparable(r, 'saltus', p) else 'misses the error'})"
                if p not in OURS and "python" in r["ns"] and (y := ratio(r, p, "python")) is not None:
                    note += f", {y:.3g} x from Python"
                    if loop:
                        note += f", {r['ns'][p] / loop:.3g} x its steps alone"
                peers.append(f"{named(p)} {r['ns'][p]:.4g}{note}")
                errors.append(f"{r['error'].get(p, math.nan):.0e}")
            limit = r["ns"].get("limit")
            x = ratio(r, "limit")
            out.append(f"| {name}, a {r['unit']} | {r['size']} | {r['ns'].get('saltus', math.nan):.4g} | {f'{limit:.3g}' if limit else ''} | {f'{x:.3g}' if x else ''} | {'; '.join(peers)} | {' / '.join(errors)} |")
        grown = [f"{named(p)} " + ", ".join(f"{g:.2f}" for g in e) for p in ("saltus", *own[0]["programs"]) if (e := growth(own, p))]
        if grown:
            out.append(f"| growth of {name} | | {'; '.join(grown)} | | | | |")
    return "\n".join(out)


def plot(rows: list[dict], path: Path) -> None:
    """One panel a workload with more than one size."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "saltus"  # the same picture of the same numbers
    import matplotlib.pyplot as plt

    names = [n for n in dict.fromkeys(r["workload"] for r in rows) if sum(r["workload"] == n for r in rows) > 1]
    if not names:
        return
    across = min(4, len(names))
    down = -(-len(names) // across)
    drawing, axes = plt.subplots(down, across, figsize=(3.4 * across, 2.9 * down), squeeze=False)
    for axis in axes.flat[len(names) :]:
        axis.set_visible(False)
    for axis, name in zip(axes.flat, names, strict=False):
        own = [r for r in rows if r["workload"] == name]
        for program in ("saltus", *own[0]["programs"]):
            points = [(r["size"], r["ns"][program]) for r in own if program in r["ns"]]
            if points:
                axis.loglog(*zip(*points, strict=True), "o-", markersize=3, label=named(program))
        axis.set_title(name, fontsize=9)
        axis.set_xlabel("size", fontsize=8)
        axis.set_ylabel(f"ns a {own[0]['unit']} and step", fontsize=8)
        axis.tick_params(labelsize=7)
        axis.legend(fontsize=6)
    drawing.tight_layout()
    drawing.savefig(path, dpi=120, metadata={"Date": None} if path.suffix == ".svg" else None)
