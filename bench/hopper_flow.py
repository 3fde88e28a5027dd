"""Flow of grains from a hopper over its opening, beside Beverloo's law: `python bench/hopper_flow.py [OPENINGS]`, in m.

The model is that of the gallery with 300 grains of 1 cm that fall into it while it is open. The rate is that from the 60th grain to the 180th. Beverloo, Leniger, van de Velde 1961:
0.58 n sqrt(g) (D - 1.4 d)^(5/2) for a round hole, times 4 / pi for a square one; n grains in m^3 of a loose packing, 0.6 of its volume.
"""

from __future__ import annotations

import importlib.util
import math
import sys
import time
import warnings

import numpy as np

from saltus import gallery


def beverloo(opening: float, grain: float = 0.01) -> float:
    return 0.58 * 0.6 / (math.pi / 6.0 * grain**3) * math.sqrt(9.81) * (opening - 1.4 * grain) ** 2.5 * 4.0 / math.pi


def main(openings: list[float]) -> None:
    spec = importlib.util.spec_from_file_location("hopper", gallery.FOLDER / "hopper.py")
    hopper = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hopper)
    warnings.simplefilter("ignore")
    rates = []
    for opening in openings:
        begin = time.process_time()
        model = hopper.model(opening, 300, shut=1e-3)
        result = model.simulate(until=0.6 + 250.0 / beverloo(opening), step=1e-3, stop=model["inside"].count < 115)
        t, left = np.asarray(result.time), np.asarray(result["inside.count"])
        first, second = np.flatnonzero(left <= 240)[0], np.flatnonzero(left <= 120)[0]
        rates.append((left[first] - left[second]) / (t[second] - t[first]))
        print(f"{opening:6.3f} m: {rates[-1]:7.0f} grains a second, Beverloo {beverloo(opening):7.0f}; {time.process_time() - begin:.1f} s of CPU time", flush=True)
    if len(openings) > 2:
        root = np.polyfit(openings, np.power(rates, 0.4), 1)
        print(f"rate^(2/5) is a line over the opening that begins at {-root[1] / root[0] / 0.01:.2f} grains, off by {np.abs(np.polyval(root, openings) / np.power(rates, 0.4) - 1.0).max():.1%} at most")


if __name__ == "__main__":
    main([float(word) for word in sys.argv[1:]] or [0.04, 0.05, 0.06])
