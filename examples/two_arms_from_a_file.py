"""A model file in YAML, included twice: two pendulums that a spring couples exchange their motion."""

from pathlib import Path

import saltus as sl

Path("pendulum.yaml").write_text("""\
saltus: 1
parameters: {L: 1.0}   # m
bodies:
  bob:
    type: rigid_body
    mass: 1.0
    inertia: [0.004, 0.004, 0.004]
    node: {type: node_rigid, position: [0, 0, -L]}
joints:
  pin: {type: revolute, A: ground, B: bob, at: [0, 0, 0], axis: x}
""")
m = sl.Model()
left = m.include("pendulum.yaml", name="left")
right = m.include("pendulum.yaml", name="right", position=(0, 0.5, 0))
m.spring(left.bob, right.bob, stiffness=1.0, rest_length=0.5, name="coupling")
left.bob.set(node={"type": "node_rigid", "position": [0, 0, "-left_L"], "velocity": [0, 0.3, 0], "angular_velocity": [0.3, 0, 0]})

result = m.simulate(until=12.0)
energies = [result[bob.kinetic_energy] for bob in (left.bob, right.bob)]
print(f"the right one moves at most with {energies[1].max():.4f} J of {energies[0][0]:.4f} J, after {energies[1].time_of_max():.2f} s")
assert energies[1].max() > 0.9 * energies[0][0]
result.to_png("two_arms_from_a_file.png", time=10)
