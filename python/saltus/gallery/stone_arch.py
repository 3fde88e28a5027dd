"""A round arch of sixteen stones without mortar, as thin as it can be: from thickness / radius = 0.1075 on it stands."""

import saltus as sl


def model() -> sl.Model:
    m = sl.Model()
    floor = m.plane(name="floor")
    stones = sl.scenes.arch(m, voussoirs=16, radius=1.0, thickness=0.1085, depth=0.3, density=2000.0)
    feet = m.contact([floor], [stones[0], stones[-1]], friction=1.0, name="feet")
    m.contact(stones, friction=1.0, name="joints")
    m.outputs = {"key": stones[8].position, "force": feet.force}
    m.simulation = {"until": 2.0, "step": 5e-3}
    return m
