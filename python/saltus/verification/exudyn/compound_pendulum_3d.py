"""A cuboid rod on a revolute joint, released from the horizontal; reaction forces."""

import saltus as sl
from saltus.verification.models import controlled, options_of, with_step


def model():
    m = sl.Model(gravity=(0, -9.81, 0))
    rod = m.box(size=(1.2, 0.1, 0.1), density=1000, at=(0.6, 0, 0), name="rod")
    m.revolute(m.ground, rod, at=(0, 0, 0), axis="z", name="hinge")
    return m


def values(result):
    return {
        "x": result["rod.position.x"].last, "y": result["rod.position.y"].last,
        "wz": result["rod.angular_velocity.z"].last, "Fx": result["hinge.force.x"].last, "Fy": result["hinge.force.y"].last,
    }  # fmt: skip


def verify(case):
    for keywords in (controlled("dormand_prince", 1e-9), with_step("generalized_alpha", 1e-3, spectral_radius=0.8)):
        case.how = options_of(keywords)
        found = values(model().simulate(1.0, **keywords))
        fixed = "step" in keywords
        for key in found:
            # exudyn's own step of 1 ms is compared at ten times the tolerance of the converged value
            loose = (1e-5 if key != "wz" else 1e-4) if fixed and key in ("x", "y", "wz") else None
            yield case.check(key, found[key], loose)
    case.how = "generalized_alpha, spectral radius 0.8"

    def run(h):
        found = values(model().simulate(1.0, **with_step("generalized_alpha", h, spectral_radius=0.8)))
        return [found["Fx"], found["Fy"]]

    yield case.order("the reaction", run, (4e-3, 2e-3, 1e-3), [case.truth("Fx"), case.truth("Fy")], 2)
