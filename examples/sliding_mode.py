"""Sliding mode with and without chatter: a mass is brought to rest by a sampled switch, explicit and implicit."""

import matplotlib.pyplot as plt
import numpy as np

import saltus as sl
from saltus.items import CoordinateLoad, Mass1d, Node1d

figure, (speeds, forces) = plt.subplots(2, 1, figsize=(8, 5), sharex=True, layout="constrained")
left = {}
for method, color in (("explicit", "C3"), ("implicit", "C0")):
    m = sl.Model(gravity=(0, 0, 0))
    x = m.add(Node1d(velocity=-1.0), name="x")
    m.add(Mass1d(node="x", mass=1.0))
    m.parameter("u", 0.0)
    m.add(CoordinateLoad(on=m["x"], force="u + 0.5*sin(8*t)"), name="drive")
    m.sliding_mode(m["x"].rate, gain=2.0, period=0.02, method=method, outputs=["u"])
    result = m.simulate(1.5, scheme="dormand_prince", step=2e-3)
    t, v = np.asarray(result.time), np.asarray(result["x.rate"]).ravel()
    left[method] = float(np.abs(v[t > 0.9]).max())
    speeds.plot(t, v, color=color, label=f"{method}: {left[method]:.3f} m/s are left")
    forces.plot(t[:-1], np.diff(v) / np.diff(t) - 0.5 * np.sin(8 * t[:-1]), color=color, lw=1)
print(left)
assert left["explicit"] > 0.04 and left["implicit"] < 0.0105  # the period times the gain; times the disturbance
speeds.set(ylabel="speed [m/s]", ylim=(-0.3, 0.1), title="a push of 0.5 N sin 8t that the controller does not know")
speeds.legend()
forces.set(xlabel="t [s]", ylabel="force of the switch [N]")
figure.savefig("sliding_mode.png", dpi=100)
