"""An environment for reinforcement learning with the interface of Gymnasium, around m.state(): a cart is to keep its pole upright."""

import gymnasium
import numpy as np

import saltus as sl


class Balance(gymnasium.Env):
    """Action: force on the cart over 10 N. Observation: place, speed, angle, angular rate. Reward: 1 for each 20 ms in which the pole stands."""
    action_space = gymnasium.spaces.Box(-1.0, 1.0, (1,), np.float64)
    observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (4,), np.float64)

    def __init__(self):
        self.model = m = sl.Model()
        self.force = m.parameter("force", 0.0)
        cart, pole = m.box(size=(0.4, 0.2, 0.1), mass=1), m.rod((0, 0, 0), (0, 0, 1), mass=0.2)
        _, pin = m.prismatic(m.ground, cart, axis="x", force="force"), m.revolute(cart, pole, at=(0, 0, 0), axis="y")
        self.seen = (cart.position.x, cart.velocity.x, pin.angle, pin.angular_rate)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.state = self.model.state(step=0.02)
        self.state.v = self.np_random.uniform(-0.1, 0.1, len(self.state.v))  # the joints take away what they do not allow
        return np.array([self.state[q] for q in self.seen]), {}

    def step(self, action):
        self.state[self.force] = 10.0 * float(np.clip(action, -1, 1)[0])
        self.state.step()
        return (seen := np.array([self.state[q] for q in self.seen])), 1.0, bool(abs(seen[2]) > 0.5), self.state.time > 9.99, {}


env, total, fell, over = Balance(), 0.0, False, False
seen, _ = env.reset(seed=1)
while not (fell or over):  # in the place of a policy that was learnt
    seen, reward, fell, over, _ = env.step(seen @ [[0.1], [0.25], [4.0], [0.8]])
    total += reward
assert total == 500, f"stood for {total:.0f} of 500 steps"
print("stood for 500 steps of 20 ms")
env.model.simulate(until=0.1).to_png("gymnasium_environment.png")
