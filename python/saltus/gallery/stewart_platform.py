"""A platform on six legs, each a tube and a rod with a drive between them: the lengths of a given motion, and the platform that follows it."""

import math

import saltus as sl
from saltus.items import Cylinder

Point = tuple[float, float, float]
BASE, TOP, HEIGHT = 1.0, 0.6, 0.9  # radii of the hexagons, height of the platform [m]
FEET = [sign * 0.2 + third * 2 * math.pi / 3 for third in range(3) for sign in (-1, 1)]
HEADS = [math.pi / 3 * side + sign * 0.2 for side, sign in ((-1, 1), (1, -1), (1, 1), (3, -1), (3, 1), (5, -1))]
PLACE, YAW = ("0.1*sin(2*t)", "0.08*sin(3*t)", f"{HEIGHT} + 0.1*sin(t)"), "0.25*sin(2*t)"  # of the platform


def on_line(a: Point, b: Point, share: float) -> Point:
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2])


def model() -> sl.Model:
    m = sl.Model()
    m.add(Cylinder(body="ground", radius=BASE + 0.1, length=0.04, position=(0, 0, -0.02)), name="base")
    platform = m.cylinder(radius=TOP + 0.05, length=0.05, mass=40, at=(0, 0, HEIGHT), name="platform")
    for i, (foot_at, head_at) in enumerate(zip(FEET, HEADS, strict=True)):
        a = BASE * math.cos(foot_at), BASE * math.sin(foot_at), 0.0
        x, y = TOP * math.cos(head_at), TOP * math.sin(head_at)
        b = x, y, HEIGHT
        between, length = (b[0] - a[0], b[1] - a[1], b[2] - a[2]), math.dist(a, b)
        side = between[1], -between[0], 0.0
        across = (between[1] * side[2] - between[2] * side[1], between[2] * side[0] - between[0] * side[2], between[0] * side[1] - between[1] * side[0])
        tube = m.rod(a, on_line(a, b, 0.6), mass=4, radius=0.035, name=f"tube{i + 1}")
        rod = m.rod(on_line(a, b, 0.4), b, mass=2, radius=0.02, name=f"rod{i + 1}")
        now = (f"cos({YAW})*{x!r} - sin({YAW})*{y!r} + {PLACE[0]} - {a[0]!r}", f"sin({YAW})*{x!r} + cos({YAW})*{y!r} + {PLACE[1]} - {a[1]!r}", PLACE[2])
        m.universal(m.ground, tube, at=a, axes=(side, across), name=f"foot{i + 1}")
        m.prismatic(tube, rod, at=on_line(a, b, 0.5), axis=between, position=f"sqrt({' + '.join(f'({x})^2' for x in now)}) - {length!r}", name=f"leg{i + 1}")
        m.spherical(rod, platform, at=b, name=f"head{i + 1}")
    m.outputs = {"x": platform.position.x, "y": platform.position.y, "z": platform.position.z, "yaw": platform.angles("ZYX")[0], "force": m["leg1"].drive, "power": m["leg1"].drive * m["leg1"].relative_velocity.z}
    m.simulation = {"until": 2.0, "step": 2e-3, "scheme": "generalized_alpha"}
    return m
