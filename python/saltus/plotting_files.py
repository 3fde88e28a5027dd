"""Pictures of runs as files, drawn without a display."""

from __future__ import annotations

from pathlib import Path

from saltus.display import pyplot
from saltus.running import Recorded


def plot_outputs(recorded: Recorded, outputs: dict[str, str], path: Path) -> Path:
    """Draws each named output over time, one panel an output; units on the axes."""
    plt = pyplot()
    plt.switch_backend("Agg")
    items = list(outputs.items()) or [("energy", "energy.total")]
    figure, axes = plt.subplots(len(items), 1, sharex=True, figsize=(7, 1.2 + 1.8 * len(items)), squeeze=False)
    for axis, (name, quantity) in zip(axes[:, 0], items):
        values, unit, components = recorded.evaluate(quantity)
        times = recorded.arrays["t"]
        if not recorded.is_static and len(times) > 1:
            times, values = recorded.curve(quantity).drawn()
        for i in range(values.shape[1]):
            axis.plot(times, values[:, i], label=components[i] if components else None, linewidth=1)
        axis.set_ylabel(f"{name} [{unit}]" if unit else name)
        if components:
            axis.legend(loc="upper right", fontsize=8)
        axis.grid(alpha=0.3)
    axes[-1, 0].set_xlabel("t [s]")
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    plt.close(figure)
    return path
