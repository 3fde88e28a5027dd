"""A cantilever rolled up by an end moment, to one and two circles: an arc is a screw, which an element of any length holds exactly."""

import math

import numpy as np

from saltus.verification.truth._cantilever import cantilever


def verify(case):
    case.how = "static, 10 elements"
    for word, moment in (("0.5pi", 0.5), ("1pi", 1.0), ("2pi", 2.0), ("4pi", 4.0)):
        m, beam = cantilever(10)
        m.torque(beam.end, (0, 0, moment * math.pi))
        result = m.static()
        truth = case.truth(f"ML_over_EI_{word}")
        x, y, _ = result[beam.end.position].last
        turns = [result[node.rotation.z].last for node in beam.nodes]
        angle = np.unwrap(turns)[-1]
        yield case.compare(f"tip at M L / EI = {word}", [x, y, angle], [truth["x_over_L"], truth["y_over_L"], truth["tip_angle"]], 1e-6)
