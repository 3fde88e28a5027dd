"""A tower of toy planks stands, and is hit by a ball."""

import saltus as sl


def model() -> sl.Model:
    m = sl.Model()
    floor = m.plane(name="floor")
    planks = sl.scenes.tower(m, levels=12)
    ball = m.sphere(radius=0.03, mass=0.1, at=(-0.22, 0.01, 0.06), velocity=(4.0, 0, 0.6), name="ball")
    feet = m.contact([floor], planks, friction=0.5, name="feet")
    m.contact(planks, friction=0.5, name="planks")
    m.contact([floor, *planks], [ball], friction=0.4, name="hits")
    m.outputs = {"top": planks[-1].position, "ball": ball.position, "force": feet.force}
    m.simulation = {"until": 0.25, "step": 1e-3}
    return m
