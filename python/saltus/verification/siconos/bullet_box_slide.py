"""A unit cube slides on a plane and stops."""

import numpy as np

import saltus as sl
from saltus.verification.models import options_of, with_step


def model():
    m = sl.Model()
    floor = m.plane()
    box = m.box(size=(1, 1, 1), mass=1, on=floor, velocity=(2, 0, 0), name="box")
    m.contact(floor, box, friction=0.3)
    return m


def verify(case):
    for step in (1e-3, 1e-4):
        keywords = with_step("moreau_jean", step)
        case.how = options_of(keywords)
        result = model().simulate(1.0, **keywords)
        fine = step < 1e-3
        v = np.abs(np.asarray(result["box.velocity.x"]))
        yield case.check("x_stop", result["box.displacement.x"].last, 1e-7 if fine else 1e-5)
        yield case.check("stop_time", result.time[int(np.argmax(v < 1e-12))], step)
        yield case.check("z_T", result["box.position.z"].last, 1e-9)
