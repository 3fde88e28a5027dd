"""A rod of 1 m on a joint at the origin, released horizontally: what the cases of ball joint and pivot share."""

import numpy as np

import saltus as sl
from saltus.verification.models import controlled, options_of, with_step


def model(joint, axial):
    m = sl.Model()
    rod = m.body(mass=1, inertia=(axial, 1 / 12, 1 / 12), at=(0.5, 0, 0), name="rod")
    getattr(m, joint)(m.ground, rod, at=(0, 0, 0), **({"axis": "y"} if joint == "revolute" else {}), name="joint")
    return m


def values(result):
    return {
        "x_T": result["rod.position.x"].last,
        "z_T": result["rod.position.z"].last,
        "omega_y_T": result["rod.angular_velocity.y"].last,
    }


def rows(case, joint, axial):
    for keywords in (controlled("dormand_prince", 1e-9), with_step("moreau_jean", 1e-3)):
        case.how = options_of(keywords)
        exact = "tolerance" in keywords
        result = model(joint, axial).simulate(2.0, **keywords)
        for key, value in values(result).items():
            yield case.check(key, value, 1e-6 if exact else None)
        end = np.asarray(result["joint.residual"])[:, :3]
        yield case.compare("largest drift of the joint", np.abs(end).max(), 0.0, 1e-9, source="projection",
                           peer=case.peer_value("drift_max_proj") if joint == "spherical" else None)  # fmt: skip
    case.how = "moreau_jean"
    truth = [case.truth(key) for key in ("x_T", "z_T")]

    def run(h):
        found = values(model(joint, axial).simulate(2.0, **with_step("moreau_jean", h)))
        return [found["x_T"], found["z_T"]]

    yield case.order("position", run, (1e-3, 5e-4, 2.5e-4), truth, 1)
