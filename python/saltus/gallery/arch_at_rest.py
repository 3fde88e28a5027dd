"""The round arch of sixteen stones as statics: one problem with friction, no time. At thickness / radius = 0.1065 it says which stones begin to turn."""

import saltus as sl


def model(thickness: float = 0.1085) -> sl.Model:
    m = sl.Model()
    floor = m.plane(name="floor")
    stones = sl.scenes.arch(m, voussoirs=16, radius=1.0, thickness=thickness, depth=0.3, density=2000.0)
    feet = m.contact([floor], [stones[0], stones[-1]], friction=1.0, name="feet")
    m.contact(stones, friction=1.0, name="joints")
    m.outputs = {"key": stones[8].position, "force": feet.force}
    m.simulation = {"scheme": "static"}
    return m
