"""Rollouts: a motor too weak to lift a pendulum swings it up; each time it takes the best of 12 random trials (model predictive control)."""

import math

import numpy as np

import saltus as sl

m = sl.Model()
torque = m.parameter("torque", 0.0)
rod = m.rod((0, 0, 0), (0, 0, -1), mass=1, name="rod")
pin = m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", torque="torque", damping=0.05, name="pin")
random, scheme = np.random.default_rng(3), {"step": 0.05, "scheme": "runge_kutta_4"}


def rollout(start: sl.State, controls: np.ndarray) -> float:
    """Cost of the motion from a state under torques, each for two steps; the state itself stays as it is."""
    state, cost = start.copy(), 0.0
    for u in controls:
        state[torque] = u
        state.advance(state.time + 0.1)
        cost += 1 + math.cos(state[pin.angle]) + 0.05 * state[pin.angular_rate] ** 2
    return cost


state, plan, taken = m.state(**scheme), np.zeros(15), []
while state.time < 8.0 - 1e-9:
    trials = [plan, *np.clip(plan + random.normal(0, 1.5, (11, 15)), -3, 3)]  # 3 N m; the weight takes 4.9 N m
    plan = min(trials, key=lambda controls: rollout(state, controls))
    taken.append(plan[0])
    state[torque] = plan[0]
    state.advance(0.1 * len(taken))
    plan = np.append(plan[1:], 0.0)

result = m.simulate(8.0, **scheme, before_step=lambda now: now.__setitem__(torque, taken[int(10 * now.time + 1e-6)]))
height = result[rod.end.position.z]
print(f"height {height[:20].max():.2f} m at most in the first second, {height[-20:].min():.3f} m at least in the last")
assert height[-20:].min() > 0.95 and abs(height.last - state[rod.end.position.z]) < 1e-9
result.to_png("rollouts.png", time=4.5)
