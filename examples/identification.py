"""Friction of a joint and mass of a payload from measured data: least squares over simulations."""

import numpy as np
from scipy.optimize import least_squares

import saltus as sl

TIMES = np.linspace(0.0, 3.0, 151)


def swing(friction: float, payload: float) -> sl.Result:
    m = sl.Model()
    arm = m.rod((0, 0, 0), (0.8, 0, 0), mass=2.0, name="arm")
    m.fixed(arm, m.sphere(radius=0.05, mass=payload, at=(0.8, 0, 0), name="payload"))
    m.revolute(m.ground, arm, at=arm.start, axis="y", torque="18*sin(2*t)", friction=friction, name="shoulder")
    return m.simulate(until=3.0, scheme="event_driven")


def angles(friction: float, payload: float) -> np.ndarray:
    return np.asarray(swing(friction, payload).at(TIMES)["shoulder.angle"])


# What an encoder measured: here a run with 0.35 N m and 1.2 kg, and noise of 2 mrad.
measured = angles(0.35, 1.2) + np.random.default_rng(1).normal(0.0, 2e-3, TIMES.size)

fit = least_squares(lambda p: (angles(*p) - measured) / 2e-3, x0=(0.1, 0.5), bounds=((0.0, 0.05), (5.0, 10.0)), x_scale=(0.1, 1.0), diff_step=1e-4)
deviation = np.sqrt(np.diag(np.linalg.inv(fit.jac.T @ fit.jac)))
for name, value, sigma in zip(("friction [N m]", "payload [kg]"), fit.x, deviation):
    print(f"{name}: {value:.4f} +- {2 * sigma:.4f}")
left = 2 * fit.cost / (TIMES.size - 2)  # of squares, in units of the noise: 1 where nothing but noise is left
assert np.all(np.abs(fit.x - (0.35, 1.2)) < 4 * deviation) and abs(left - 1) < 4 * np.sqrt(2 / TIMES.size)
swing(*fit.x).to_png("identification.png", time=1.0)
