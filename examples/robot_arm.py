"""A kinematic tree of three links: the torques that a motion takes, then the motion that they make."""

import numpy as np

import saltus as sl

m = sl.Model()
carrier, links = m.tree(name="arm"), []
for i, (axis, at) in enumerate((("z", (0, 0, 0)), ("y", (0, 0, 0.4)), ("y", (0, 0, 0.9)))):
    carrier = carrier.revolute(at=at, axis=axis, mass=4 - i, inertia=(4 - i) * np.diag([0.02, 0.02, 5e-4]), center_of_mass=(0, 0, 0.25), name=f"link_{i + 1}")
    links.append(carrier)
q = {link.coordinate: f"{a} * (1 - cos(2*t)) / 2" for link, a in zip(links, (0.9, -0.6, 1.1))}

times = np.linspace(0.0, 1.5, 151)
torques = m.inverse_dynamics(q, times)
for link in links:
    print(f"{link.name}: {np.abs(torques[link.coordinate]).max():.2f} N m")
    m.table(f"torque_{link.name}", times, torques[link.coordinate], kind="spline")
    m.add(sl.items.CoordinateLoad(on=link, force=f"torque_{link.name}(t)"))
result = m.simulate(until=1.5)
assert abs(result[links[0].coordinate].last - 0.9 * (1 - np.cos(3.0)) / 2) < 1e-3
result.to_png("robot_arm.png", time=1.0)
