"""A hopper runs empty: its gate goes at 0.25 s, and grains that have fallen by 10 cm go for good. The flow follows Beverloo's law."""

import math

import saltus as sl


def model(opening: float = 0.05, count: int = 200, grain: float = 0.01, shut: float = 0.25) -> sl.Model:
    m = sl.Model()
    walls = sl.scenes.hopper(m, opening=opening, width=0.1, height=max(0.09, 4.5e-4 * count), slope=math.radians(30.0))
    gate = m.box(size=(opening, opening, 0.01), mass=1.0, at=(0, 0, -0.005), name="gate")
    m.fixed(m.ground, gate, at=(0, 0, -0.005), name="bolt")
    grains = sl.scenes.pile(m, count, size=grain, spread=0.1, width=0.09, at=(0, 0, 0.02), seed=1)
    m.contact([*walls, gate], grains, friction=0.3, name="on_walls")
    m.contact(grains, friction=0.3, name="among")
    m.presence(gate, end=shut, name="shut")
    flow = m.presence(grains, inside="z + 0.1", name="inside")
    m.outputs = {"inside": flow.count}
    m.simulation = {"until": 0.55, "step": 1e-3}
    return m
