"""The arm of an excavator: boom, stick and bucket on hinges, each moved by a hydraulic cylinder with its valve."""

import saltus as sl
from saltus.handles import Body, Joint

Point = tuple[float, float, float]
BOOM: Point = (0.3, 0, 1.6)  # hinges, in the reference position
STICK: Point = (3.6, 0, 3.2)
BUCKET: Point = (5.1, 0, 1.2)
TOOTH: Point = (5.0, 0, 0.3)
OIL = dict(bulk_modulus=1.2e9, supply=25e6, conductance=8e-7, laminar=1e5)
# of each cylinder: areas of piston and rod side [m^2], volumes [m^3], first pressures [Pa], spool
RAMS = {
    "boom_ram": (0.020, 0.012, 0.030, 0.020, (3.56e6, 1.0e6), "0.8*sin(pi*t/4)"),
    "stick_ram": (0.010, 0.006, 0.015, 0.012, (1.0e6, 4.0e6), "-0.7*sin(pi*t/3)"),
    "bucket_ram": (0.008, 0.005, 0.010, 0.008, (1.0e6, 1.46e6), "0.35*sin(pi*t/2)"),
}
FRICTION = 2000.0  # of each hinge [N m s/rad]


def part(m: sl.Model, name: str, mass: float, start: Point, end: Point, width: float, height: float) -> Body:
    """A beam of the arm as a box between two hinges."""
    reach = tuple(b - a for a, b in zip(start, end, strict=True))
    middle = tuple((a + b) / 2 for a, b in zip(start, end, strict=True))
    length = sum(x * x for x in reach) ** 0.5
    return m.box(size=(length, width, height), mass=mass, at=middle, rotation=turn_to(reach), name=name)


def turn_to(reach: tuple[float, ...]) -> Point:
    """Rotation vector about y that turns x into a direction of the plane x-z."""
    from math import atan2

    return (0.0, -atan2(reach[2], reach[0]), 0.0)


def ram(m: sl.Model, name: str, A: sl.handles.Frame, B: sl.handles.Frame) -> None:
    piston, rod, v1, v2, pressures, spool = RAMS[name]
    m.hydraulic_cylinder((A, B), piston_area=piston, rod_area=rod, piston_volume=v1, rod_volume=v2, spool=spool, pressures=pressures, name=name, **OIL)


def model() -> sl.Model:
    m = sl.Model()
    m.plane(name="soil")
    m.fixed(m.ground, house := m.box(size=(2.2, 1.6, 1.0), mass=4000, at=(-0.9, 0, 1.3), name="house"), name="slewing_ring")
    for side, y in (("left", 0.75), ("right", -0.75)):
        m.fixed(house, m.box(size=(3.0, 0.45, 0.7), mass=900, at=(-0.6, y, 0.36), name=f"{side}_track"), name=f"{side}_bolts")
    m.fixed(house, m.box(size=(0.9, 0.7, 1.0), mass=200, at=(-0.5, 0.4, 2.3), name="cab"), name="cab_bolts")
    boom = part(m, "boom", 700, BOOM, STICK, 0.35, 0.4)
    stick = part(m, "stick", 350, STICK, BUCKET, 0.28, 0.3)
    bucket = m.box(size=(0.55, 0.9, 0.9), mass=400, at=(5.05, 0, 0.75), name="bucket")
    hinges: list[Joint] = [
        m.revolute(house, boom, at=BOOM, axis="-y", damping=FRICTION, name="boom_hinge"),
        m.revolute(boom, stick, at=STICK, axis="-y", damping=FRICTION, name="stick_hinge"),
        m.revolute(stick, bucket, at=BUCKET, axis="-y", damping=FRICTION, name="bucket_hinge"),
    ]
    ram(m, "boom_ram", house.frame((0.75, 0, 1.0)), boom.frame((1.9, 0, 2.2)))
    ram(m, "stick_ram", boom.frame((2.0, 0, 2.75)), stick.frame((3.35, 0, 3.75)))
    ram(m, "bucket_ram", stick.frame((3.95, 0, 3.25)), bucket.frame((5.35, 0, 1.35)))
    tooth = bucket.frame(TOOTH, name="tooth")
    m.outputs = {hinge.name: hinge.angle for hinge in hinges} | {"x": tooth.position.x, "z": tooth.position.z, "pressure": m["boom_ram"].piston_pressure}
    m.simulation = {"until": 8.0, "step": 2e-3, "scheme": "generalized_alpha"}
    return m
