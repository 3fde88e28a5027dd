"""A point block sent up an incline of 30 degrees: it turns and slides back (mu 0.3), or stops and stays (mu 0.7)."""

import math

import numpy as np

import saltus as sl
from saltus.verification.models import options_of, with_step

ANGLE = math.radians(30)


def model(friction, speed=2.0):
    """x up the slope, z normal: gravity is turned instead of the plane."""
    m = sl.Model(gravity=(-9.81 * math.sin(ANGLE), 0, -9.81 * math.cos(ANGLE)))
    plane = m.plane()
    block = m.point_mass(mass=1, velocity=(speed, 0, 0), name="block")
    m.contact(plane, block, friction=friction, name="foot")
    return m


def verify(case):
    keywords = with_step("moreau_jean", 1e-4)
    case.how = options_of(keywords)
    result = model(0.3).simulate(1.0, **keywords)
    x, v = result["block.position.x"], result["block.velocity.x"]
    turn = int(np.argmax(x))
    yield case.check("mu0.3_turn_time", result.time[turn], 1e-4, note="within one step")
    yield case.check("mu0.3_turn_x", x[turn], 1e-5)
    yield case.check("mu0.3_v_at_1s", v.last, 2e-4, note="first order in the step where the friction turns")
    yield case.check("mu0.3_x_at_1s", x.last, 2e-4)
    result = model(0.7).simulate(1.0, **keywords)
    v = np.asarray(result["block.velocity.x"])
    stopped = int(np.argmax(np.abs(v) < 1e-12))
    yield case.check("mu0.7_stop_time", result.time[stopped], 1e-4, note="within one step")
    yield case.check("mu0.7_stop_x", result["block.position.x"].last, 1e-5)
    yield case.check("mu0.7_friction_force_per_kg_when_stuck", result["foot.force.x"].last, 1e-9)
    steps = 1_000_000 if case.heavy else 20_000
    result = model(0.7).simulate(steps * 1e-4, record=1.0, **keywords)
    late = result.time > 0.5
    yield case.compare(f"creep while stuck, {steps:g} steps", np.ptp(result["block.position.x"][late]), 0.0, 1e-12,
                       source="stick")  # fmt: skip
    for friction, verdict in ((0.57, 1.0), (0.58, 0.0)):
        slid = (
            model(friction, speed=0.0).simulate(1.0, **with_step("moreau_jean", 1e-3))["block.position.x"].last < -1e-9
        )
        yield case.compare(f"slides from rest with friction {friction}", float(slid), verdict, 0.0,
                           source="critical friction tan 30 degrees = 0.57735")  # fmt: skip
