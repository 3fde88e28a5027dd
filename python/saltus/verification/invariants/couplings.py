"""Gears, screws, differentials, cams, ropes, cylinders and bristles over long runs: energy stays or falls, and couplings hold."""

from collections.abc import Callable

import numpy as np

import saltus as sl
from saltus.verification.models import options_of, with_step

STIFF = 40.0  # of torsional springs [N m/rad]


def wheel(m: sl.Model, x: float, *, inertia: float = 0.05, **keywords):
    body = m.body(mass=1, inertia=(inertia,) * 3, at=(x, 0, 0), name=f"wheel{len(m)}")
    return m.revolute(m.ground, body, at=(x, 0, 0), axis="y", **keywords)


def geared() -> sl.Model:
    m = sl.Model(gravity=(0, 0, 0))
    first, second = wheel(m, 0, stiffness=STIFF), wheel(m, 1, torque="0.5")
    m.gear(first.angle, second.angle, ratio=-2.0)
    return m


def screwed() -> sl.Model:
    """The nut turns as it falls, and a spring brings it back."""
    m = sl.Model()
    nut = m.body(mass=1, inertia=(0.01, 0.01, 0.02), at=(0, 0, 1), name="nut")
    m.screw(m.cylindrical(m.ground, nut, axis="z"), lead=0.1)
    m.spring(m.ground.frame(at=(0, 0, 2)), nut, stiffness=100.0, rest_length=1.0)
    return m


def split() -> sl.Model:
    m = sl.Model(gravity=(0, 0, 0))
    case, left, right = wheel(m, 0, torque="0.4"), wheel(m, 1, stiffness=STIFF), wheel(m, 2, stiffness=3 * STIFF)
    m.differential(case.angle, left.angle, right.angle)
    return m


def lifted() -> sl.Model:
    """A cam that turns freely under a follower on a spring."""
    m = sl.Model(gravity=(0, 0, 0))
    body = m.body(mass=1, inertia=(0.05,) * 3, angular_velocity=(0, 6.0, 0), name="cam_body")
    shaft = m.revolute(m.ground, body, at=(0, 0, 0), axis="y")
    follower = m.body(mass=0.5, inertia=(1, 1, 1), at=(0, 0, 0.3), name="follower")
    slide = m.prismatic(m.ground, follower, axis="z", stiffness=50.0)
    m.cam(shaft.angle, slide.translation.z, profile="0.05*(1 - cos(q0))")
    return m


def roped() -> sl.Model:
    """A load that swings on an elastic rope over a wheel, taut all the time: 2 + 1.5 + 0.3 pi / 2 long."""
    m = sl.Model()
    load = m.point_mass(mass=2.0, at=(0.3, 0, -1.5), velocity=(1.2, 0.3, 0), name="load")
    m.rope([m.ground.frame(at=(-2, 0, 0.3)), m.sheave(m.ground, radius=0.3, axis="y", at=(0, 0, 0)), load], stiffness=2e3, length=3.958)
    return m


def closed_cylinder() -> sl.Model:
    """A mass between two columns of oil."""
    m = sl.Model(gravity=(0, 0, 0))
    body = m.body(mass=100.0, inertia=(1, 1, 1), velocity=(0, 0, 0.05), name="mass")
    slide = m.prismatic(m.ground, body, axis="z")
    m.hydraulic_cylinder(slide.translation.z, piston_area=1e-3, rod_area=1e-3, piston_volume=1e-3, rod_volume=1e-3, bulk_modulus=1e8, pressures=(5e6, 5e6), name="cylinder")
    return m


def oil_energy(result) -> np.ndarray:
    """m v^2 / 2 + B sum(V ln(V / V_0) - V + V_0) [J]: p = p_0 - B ln(V / V_0) (bulk modulus), both areas alike."""
    x, v = np.asarray(result["mass.displacement.z"]), np.asarray(result["mass.velocity.z"])
    stored = sum(V * np.log(V / 1e-3) - V + 1e-3 for V in (1e-3 + 1e-3 * x, 1e-3 - 1e-3 * x))
    return 50.0 * v**2 + 1e8 * stored


def drift(result) -> float:
    energy, kinetic = np.asarray(result["energy.total"]), np.asarray(result["energy.kinetic"])
    return float(np.abs(energy - energy[0]).max() / kinetic.max())


def oil_drift(result) -> float:
    energy = oil_energy(result)
    return float(np.abs(energy - energy[0]).max() / energy[0])


def work(torque: float, angle: str) -> Callable:
    """Drift of the energy less the work of a constant torque."""

    def measure(result) -> float:
        energy = np.asarray(result["energy.total"]) - torque * np.asarray(result[angle])
        return float(np.abs(energy - energy[0]).max() / np.asarray(result["energy.kinetic"]).max())

    return measure


MODELS: dict[str, tuple[Callable, Callable]] = {
    "gear": (geared, work(0.5, "revolute_2.angle")), "screw": (screwed, drift), "differential": (split, work(0.4, "revolute_1.angle")), "cam": (lifted, drift),
    "rope": (roped, drift), "hydraulic cylinder": (closed_cylinder, oil_drift),
}  # fmt: skip


def swinging() -> sl.Model:
    m = sl.Model()
    rod = m.rod((0, 0, 0), (0.5, 0, -0.2), mass=1, name="rod")
    m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", friction=sl.LuGre(stiffness=400.0, damping=2.0, viscosity=0.01, coulomb=0.2, breakaway=0.3, stribeck_speed=0.2), name="hinge")
    return m


def verify(case):
    steps = 2_000 if case.quick else 100_000
    for name, (make, measure) in MODELS.items():
        keywords = with_step("runge_kutta_4", 5e-4)
        case.how = options_of(keywords)
        result = make().simulate(steps * 5e-4, record=steps * 5e-4 / 200, **keywords)
        yield case.compare(f"energy drift, {name}, {steps} steps", measure(result), 0.0, 1e-6, source="conservation", note="Kutta's scheme takes (w h)^6 / 72 of it a step")
        case.how = "default settings"
        until = 2.0 if case.quick else 20.0
        yield case.compare(f"energy drift, {name}, {until:g} s", measure(make().simulate(until)), 0.0, 2e-3, source="conservation")
    case.how = "default settings"
    result = swinging().simulate(4.0 if case.quick else 40.0)
    energy = np.asarray(result["energy.total"])
    yield case.compare("largest gain of energy, bristles", max(0.0, float(np.diff(energy).max())) / np.ptp(energy), 0.0, 1e-3, source="friction only takes")
    if not case.quick:
        yield case.compare("speed at the end, bristles", float(result["hinge.angular_rate"].last), 0.0, 1e-4, source="it comes to rest where friction holds it")
