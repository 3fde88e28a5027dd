"""Friction of a hinge as a test stand measures it: torque over speed beside Stribeck's curve, and the loop before it slides."""

import matplotlib.pyplot as plt
import numpy as np

import saltus as sl

bristles = sl.LuGre(stiffness=400.0, damping=2.0, viscosity=0.1, coulomb=1.0, breakaway=1.5, stribeck_speed=0.2)


def stand(angle: str, until: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Angle, speed and torque of the friction of a hinge that is driven; the wheel's own inertia is taken off."""
    m = sl.Model(gravity=(0, 0, 0))
    wheel = m.cylinder(radius=0.2, length=0.05, mass=1.0, axis="y", name="wheel")
    hinge = m.revolute(m.ground, wheel, axis="y", angle=angle, friction=bristles, name="hinge")
    result = m.simulate(until=until, tolerance=1e-6)
    t = np.linspace(0.0, until, 2001)
    run = result.at(t)
    torque = np.asarray(run[hinge.drive]) - 0.02 * np.asarray(run["wheel.angular_acceleration.y"])
    return np.asarray(run[hinge.angle]), np.asarray(run["wheel.angular_velocity.y"]), torque


_, speed, torque = stand("4 - 4*cos(0.125*pi*t)", 16.0)  # to and fro, up to 1.6 rad/s
slow, small, loop = stand("0.002*sin(pi*t) + 0.001*sin(3*pi*t)", 4.0)  # bends bristles, hardly slides

v = np.linspace(0.01, 1.6, 200)
curve = 1.0 + 0.5 * np.exp(-((v / 0.2) ** 2)) + 0.1 * v  # Canudas de Wit, Olsson, Astrom, Lischinsky (1995), in steady sliding
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
left.plot(speed, torque, label="driven to and fro")
left.plot(np.r_[-v[::-1], v], np.r_[-curve[::-1], curve], "k--", lw=1, label="Stribeck's curve")
left.set(xlabel="speed [rad/s]", ylabel="torque [N m]")
left.legend()
right.plot(1e3 * slow, loop)
right.set(xlabel="angle [mrad]", ylabel="torque [N m]", title="before it slides", xlim=(-3, 3))
figure.savefig("joint_friction.png", dpi=110)
sliding = np.interp(v[20:], speed[500:1000][::-1], torque[500:1000][::-1])  # slowing down
print(f"largest distance from Stribeck's curve above 0.2 rad/s: {100 * np.max(np.abs(sliding / curve[20:] - 1)):.2f} %")
assert np.max(np.abs(sliding / curve[20:] - 1)) < 0.02 and np.max(np.abs(loop)) < 1.5
