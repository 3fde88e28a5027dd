"""A coin that rolls without slip: the steady circle, and a general motion."""

import numpy as np

import saltus as sl
from saltus.verification.case import at
from saltus.verification.models import controlled, options_of

R = 0.05


def coin(theta: float, p: float, q: float, n: float):
    """Axis at theta from the vertical; rates p about the horizontal in the disc's plane, q about the way up in it, n about the axis."""
    m = sl.Model()
    level, axis = np.array([1.0, 0, 0]), np.array([0, -np.sin(theta), np.cos(theta)])
    up = np.cross(axis, level)
    body = m.body(
        mass=1, inertia=(R * R / 4, R * R / 4, R * R / 2), at=(0, 0, R * np.sin(theta)), rotation=np.column_stack([level, up, axis]),
        velocity=-n * R * level + p * R * axis, angular_velocity=p * level + q * up + n * axis, name="coin",
    )  # fmt: skip
    m.rolling(m.plane(), body, radius=R, name="rim")
    return m


def slip(result) -> float:
    """Largest velocity of the lowest point of the rim."""
    axis = np.asarray(result["coin.rotation_matrix"])[:, 2::3]
    down = axis[:, 2:] * axis - np.array([0, 0, 1.0])
    arm = R * down / np.linalg.norm(down, axis=1)[:, None]
    return float(np.abs(np.asarray(result["coin.velocity"]) + np.cross(result["coin.angular_velocity"], arm)).max())


def verify(case):
    keywords = controlled("dormand_prince", 1e-11)
    case.how = options_of(keywords)
    rate, spin = case.truth("steady_yaw_rate"), case.truth("steady_axial_rate_n")
    tilt = np.radians(case.truth("steady_theta_deg"))
    circle = coin(tilt, 0.0, rate * np.sin(tilt), spin).simulate(2 * np.pi / rate, **keywords)
    speed, place = np.asarray(circle["coin.velocity"]), np.asarray(circle["coin.position"])
    yield case.check("steady_centre_speed", np.linalg.norm(speed[-1]), 1e-9)
    yield case.check("steady_centre_circle_radius", np.ptp(place[:, 1]) / 2, 1e-5, note="between recorded states")
    yield case.compare("steady circle: where a turn ends", place[-1], place[0], 1e-8, source="closed form: steady precession")
    yield case.compare("steady circle: height", np.ptp(place[:, 2]), 0.0, 1e-9, source="closed form: steady precession")
    result = coin(np.radians(75), 0.3, 2.0, -25.0).simulate(3.0, record=0.5, **keywords)
    for t in (1, 3):
        yield case.check(f"t{t}_centre_xy", at(result, "coin.position", t)[:2], 1e-7)
        yield case.check(f"t{t}_tilt", np.arccos(at(result, "coin.rotation_matrix", t)[8]), 1e-7)
    yield case.compare("slip", slip(result), 0.0, 1e-9, source="constraint")
    energy = np.asarray(result["energy.total"])
    yield case.compare("relative drift of the energy", np.ptp(energy) / energy[0], 0.0, 1e-9, source="conservation")
    case.how = "generalized_alpha"

    def end(step):
        return coin(np.radians(75), 0.3, 2.0, -25.0).simulate(1.0, scheme="generalized_alpha", step=step)["coin.position"].last[:2]

    yield case.order("the centre", end, (2e-3, 1e-3, 5e-4), case.truth("t1_centre_xy"), 2)
