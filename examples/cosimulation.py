"""A crane in another program: a unit of a co-simulation (FMI), steered by a controller outside of it."""

import fmpy
import matplotlib.pyplot as plt
import numpy as np

import saltus as sl

m = sl.Model()
push = m.parameter("push", 0.0)
trolley = m.box(size=(0.6, 0.4, 0.2), mass=200, at=(0, 0, 0), name="trolley")
load = m.sphere(radius=0.2, mass=120, at=(0, 0, -3), name="load")
m.prismatic(m.ground, trolley, axis="x", at=(0, 0, 0), name="track", friction=0.02)
m.distance(trolley, load, name="rope")
m.force(trolley, (push, 0, 0), name="drive")
names = ["trolley.position.x", "trolley.velocity.x", "load.position.x", "load.velocity.x"]
file = m.export("crane.fmu", inputs=[push], outputs=names)

# From here on no line knows of Saltus.
description = fmpy.read_model_description(file)
at = {v.name: v.valueReference for v in description.modelVariables}
unit = fmpy.instantiate_fmu(fmpy.extract(file), description)
unit.enterInitializationMode()
unit.exitInitializationMode()
h, seen = 0.02, []
for t in np.arange(600) * h:
    x, v, load_x, load_v = unit.getFloat64([at[name] for name in names])
    seen.append((t, x, load_x))
    unit.setFloat64([at["push"]], [300 * (4 - x) - 700 * v + 500 * (load_x - x) + 300 * (load_v - v)])
    unit.doStep(currentCommunicationPoint=t, communicationStepSize=h)
unit.terminate()
unit.freeInstance()

t, x, load_x = np.transpose(seen)
print(f"at {x[-1]:.3f} m after {t[-1]:.0f} s, the load swings {np.ptp(load_x[-100:]) * 1000:.1f} mm")
assert abs(x[-1] - 4) < 0.05 and np.ptp(load_x[-100:]) < 0.01
plt.plot(t, x, label="trolley"), plt.plot(t, load_x, label="load"), plt.legend()
plt.xlabel("t [s]"), plt.ylabel("x [m]"), plt.savefig("cosimulation.png", dpi=100)
