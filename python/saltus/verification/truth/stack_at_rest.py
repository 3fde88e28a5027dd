"""Ten cubes exactly on one another, and a cube of 1000 kg on one of 1 kg: nothing may move, resultants are known."""

import numpy as np

from saltus.verification.models import options_of, with_step
from saltus.verification.siconos.bullet_box_stack import stack


def resultants(result, count):
    """Normal force under each cube from the floor up [N], and the centre of pressure's largest distance from the middle [m]."""
    forces = np.array([[result[f"foot{i}_{k}.force.z"].last for k in range(4)] for i in range(count)])
    corners = np.array([(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)])
    return forces.sum(axis=1), np.abs(forces @ corners / forces.sum(axis=1)[:, None]).max()


def verify(case):
    keywords = with_step("moreau_jean", 1e-3)
    case.how = options_of(keywords)
    for label, mass in (("ten cubes", [2.0] * 10), ("1000 kg on 1 kg", [1.0, 1000.0])):
        result = stack(len(mass), mass, 0.5).simulate(0.2 if case.quick else 10.0, **keywords)
        names = [f"box{i}" for i in range(len(mass))]
        found, off = resultants(result, len(mass))
        if len(mass) == 10:
            yield case.check("normal_force_below_box_k_from_top", found[::-1], 1e-6 * 196.2)
        else:
            yield case.check("heavy_on_light_floor_force", found[0], 1e-6 * 9819.81)
            yield case.check("heavy_on_light_interface_force", found[1], 1e-6 * 9810)
        yield case.compare(f"{label}: centre of pressure", off, 0.0, 1e-6, source="statics")
        moved = max(np.abs(np.asarray(result[f"{name}.displacement"])).max() for name in names)
        speed = max(np.abs(np.asarray(result[f"{name}.velocity"])).max() for name in names)
        tilt = max(np.abs(np.asarray(result[f"{name}.rotation"])).max() for name in names)
        yield case.compare(f"{label}: drift", moved, 0.0, 1e-8, source="statics")
        yield case.compare(f"{label}: speed", speed, 0.0, 1e-10, source="statics")
        yield case.compare(f"{label}: tilt", tilt, 0.0, 1e-8, source="statics")
