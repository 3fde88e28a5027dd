"""Free rocking of a slender block on two corners that stick (Housner): eight impacts."""

import math

import numpy as np

import saltus as sl
from saltus.items import CoulombImpact2d, NodeRigid2d, PlaneContact2d, RigidBody
from saltus.verification.models import options_of, with_step

B, H = 0.1, 0.5
ANGLE = 0.09869777992494037


def model():
    """The block stands on its right corner, turned by the angle to the right."""
    m = sl.Model(gravity=(0, -9.81, 0))
    c, s = math.cos(-ANGLE), math.sin(-ANGLE)
    place = [-(B * c + H * s), -(B * s - H * c), 0]  # the corner (B, -H) is at the origin
    m.add(NodeRigid2d(name="n", position=place, angle=-ANGLE))
    J = (4 * B * B + 4 * H * H) / 12
    m.add(RigidBody(name="block", node="n", mass=1, inertia=[J, J, J]))
    floor = {"body": "ground", "at": [0, 0, 0], "rotation": [-math.pi / 2, 0, 0]}  # z of the frame is up, along y
    law = CoulombImpact2d(friction=10.0)
    for name, x in (("left", -B), ("right", B)):
        m.add(PlaneContact2d(name=name, A=floor, B={"body": "block", "local": [x, -H, 0]}, law=law))
    return m


def measured(keywords, until, count):
    """Impact times, rates before and after them, peak angles between them."""
    result = model().simulate(until, **keywords)
    angle, rate, t = np.asarray(result["n.coordinate"])[:, 2], np.asarray(result["n.rate"])[:, 2], result.time
    i = np.flatnonzero(angle[1:] * angle[:-1] < 0)[:count]
    times = t[i] - angle[i] * (t[i + 1] - t[i]) / (angle[i + 1] - angle[i])
    ends = [0, *i]
    peaks = [np.abs(angle[a:b]).max() for a, b in zip(ends[:-1], ends[1:], strict=True)]
    return times, np.abs(rate[i - 2]), np.abs(rate[i + 3]), peaks


def verify(case):
    # The projection of the drift moves a sticking corner sideways: without it the error is a hundredth.
    count, step = (3, 1e-4) if case.quick else (8, 1e-5)
    keywords = with_step("moreau_jean", step, drift="none")
    case.how = options_of(keywords)
    times, before, after, peaks = measured(keywords, 1.7 if case.quick else 3.7, count)
    note = "first order: each impact may be a step late, and the error is carried on"
    yield case.compare(f"times of impacts 1 to {count}", times, case.truth("impact_times")[:count], 1e-3, note=note)
    yield case.compare(f"rates before impacts 1 to {count}", before, case.truth("rate_before_impact")[:count], 1e-3)
    yield case.compare(f"peak angles 0 to {count - 1}", peaks, case.truth("peak_angles")[:count], 1e-4)
    yield case.compare(
        "ratios of the rates at impacts", after / before, [case.truth("rate_ratio_at_impact")] * count, 1e-3
    )

    def run(h):
        return measured(with_step("moreau_jean", h), 1.7, 3)[0]

    if not case.quick:
        case.how = "moreau_jean, drift projection"
        yield case.order("times of impacts 1 to 3", run, (4e-4, 1e-4, 2.5e-5), case.truth("impact_times")[:3], 1)
