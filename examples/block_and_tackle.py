"""Two falls of rope: half the force holds the load."""

import saltus as sl

m = sl.Model()
load = m.box(size=(0.6, 0.6, 0.5), mass=100, at=(0, 0, 0), name="load")
m.prismatic(m.ground, load, at=(0, 0, 0), axis="z", name="guide")
block = m.sheave(load, radius=0.1, axis="-y", at=(0, 0, 0.35))
over = m.sheave(m.ground, radius=0.1, axis="y", at=(0.2, 0, 3))
weight = m.box(size=(0.3, 0.3, 0.6), mass=50, at=(0.3, 0, 1.2), name="weight")
m.prismatic(m.ground, weight, at=(0.3, 0, 1.2), axis="z", name="shaft")
rope = m.rope([m.ground.frame(at=(-0.1, 0, 3)), block, over, weight.frame(at=(0.3, 0, 1.5))], stiffness=1e6, damping=1e4, name="rope")

result = m.simulate(until=1.0)
print(f"pull of the rope {result[rope.tension].last:.2f} N, half of the load's weight {0.5 * 100 * 9.81:.2f} N")
assert abs(result[rope.tension].last - 490.5) < 5
result.to_png("block_and_tackle.png")
