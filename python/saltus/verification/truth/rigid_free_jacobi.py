"""A rigid body free of torques (Euler, Poinsot): rates from Jacobi's elliptic functions."""

import numpy as np

from saltus.verification.models import controlled, free_body, quaternion_sign, options_of, with_step


def model():
    return free_body((3, 2, 1), (1, 0, 1.5))


def verify(case):
    for keywords, orders in ((controlled("dormand_prince", 1e-10), (4, "runge_kutta_4", (0.1, 0.05, 0.025))),
                             (with_step("generalized_alpha", 1e-3), (2, "generalized_alpha", (0.02, 0.01, 0.005))),
                             (with_step("moreau_jean", 1e-3), (2, "moreau_jean", (0.02, 0.01, 0.005)))):  # fmt: skip
        tolerance = 1e-6 if keywords["scheme"].name == "dormand_prince" else 2e-5
        case.how = options_of(keywords)
        result = model().simulate(10.0, **keywords)
        yield case.check("omega_body_10", np.array(result["body.angular_velocity_body"].last), tolerance)
        q = np.array(result["body.quaternion"].last)
        truth = case.truth("quaternion_10")
        yield case.check("quaternion_10", q * quaternion_sign(q, truth), tolerance)
        energy = np.asarray(result["energy.total"])
        yield case.compare(
            "relative drift of the energy",
            np.ptp(energy) / energy[0],
            0.0,
            1e-9 if tolerance == 1e-6 else 1e-5,
            source="conservation",
        )
        momentum = spatial_momentum(result)
        drift = np.abs(momentum - momentum[0]).max() / np.linalg.norm(momentum[0])
        yield case.compare(
            "relative drift of the angular momentum",
            drift,
            0.0,
            1e-9 if tolerance == 1e-6 else 1e-5,
            source="conservation",
        )
        expected, scheme, steps = orders
        case.how = scheme
        yield case.order(
            f"the rates, {scheme}",
            lambda h, s=scheme: np.array(model().simulate(10.0, **with_step(s, h))["body.angular_velocity_body"].last),
            steps,
            case.truth("omega_body_10"),
            expected,
        )


def spatial_momentum(result, inertia=(3.0, 2.0, 1.0)):
    """R J w at each recorded time, world axes [N m s]."""
    R = np.asarray(result["body.rotation_matrix"]).reshape(-1, 3, 3)
    return np.einsum("nij,nj->ni", R, np.asarray(result["body.angular_velocity_body"]) * np.array(inertia))
