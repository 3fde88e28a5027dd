"""Saltus' side: `model(name)` gives the model, the quantities that are compared, their scales and the end of the run."""

from __future__ import annotations

import math

import machines as d

import saltus as sl


def gear_train():
    m = sl.Model(gravity=(0, 0, 0))
    hinges = []
    for i, J in enumerate(d.GEAR_INERTIA):
        shaft = m.body(at=(0.2 * i, 0, 0), mass=1, inertia=(J, J, J))
        load = {"torque": d.TORQUE} if i == 0 else {"stiffness": d.WINDING, "damping": d.GEAR_LOSS} if i == d.SHAFTS - 1 else {}
        hinges.append(m.revolute("ground", shaft, at=(0.2 * i, 0, 0), axis="z", **load))
    for a, b in zip(hinges, hinges[1:]):
        m.coupling([a.angle, b.angle], (1, d.RATIO))
    return m, [hinges[0].angle, hinges[-1].angle], d.GEAR_END


def excavator():
    m = sl.Model(gravity=(0, 0, -d.GRAVITY))
    places = d.arm_places()
    bodies, before = {"ground": m.ground}, m.ground
    for name, length, mass, turn in d.ARM:
        J = mass * length**2 / 12
        bodies[name] = m.body(at=places[name][0], mass=mass, inertia=(0.05 * J, J, J), rotation=(0, turn, 0), name=name)
        m.revolute(before, bodies[name], at=places[name][1], axis="y")
        before = bodies[name]
    turns = {name: turn for name, _, _, turn in d.ARM}

    def in_world(name, p):
        if name == "ground":
            return p
        c, s, (x, y, z) = math.cos(turns[name]), math.sin(turns[name]), places[name][0]
        return (x + c * p[0] + s * p[2], y + p[1], z - s * p[0] + c * p[2])

    def flow(opening, p):  # as exudyn has it
        across = f"({d.SUPPLY} - {p})" if opening > 0 else f"({p} - {d.TANK})"
        return f"{opening * d.CONDUCTANCE}*sign{across}*sqrt(abs{across})"

    pressures = []
    for a, at_a, b, at_b, valves in d.CYLINDERS:
        A, B = bodies[a].frame(in_world(a, at_a)), bodies[b].frame(in_world(b, at_b))
        distance = math.dist(in_world(a, at_a), in_world(b, at_b))
        piston, rod = d.VOLUME + d.PISTON * (distance - d.SHORTEST), d.VOLUME + d.ROD * (d.SHORTEST + d.STROKE - distance)
        cylinder = m.hydraulic_cylinder(
            (A, B), piston_area=d.PISTON, rod_area=d.ROD, piston_volume=piston, rod_volume=rod, bulk_modulus=d.BULK,
            piston_flow=flow(valves[0], "p1"), rod_flow=flow(valves[1], "p2"), pressures=d.PRESSURES,
        )  # fmt: skip
        m.spring(A, B, stiffness=0, damping=d.OIL_LOSS)
        pressures += [cylinder.piston_pressure, cylinder.rod_pressure]
    return m, [bodies["bucket"].position.x, bodies["bucket"].position.z, *pressures], d.EXCAVATOR_END


def crane():
    m = sl.Model(gravity=(0, 0, -d.GRAVITY))
    trolley = m.body(mass=d.TROLLEY, inertia=(10, 10, 10), name="trolley")
    hook = m.body(at=d.HOOK_AT, mass=d.HOOK, inertia=d.HOOK_INERTIA, name="hook")
    m.prismatic("ground", trolley, axis="x", damping=d.TROLLEY_LOSS, stiffness=0)
    m.force(trolley, (d.PUSH, 0, 0))
    through = []
    for name, place, radius, sense in d.ROPE:
        body, origin = m[name], d.HOOK_AT if name == "hook" else (0, 0, 0)
        at = tuple(a + b for a, b in zip(origin, place))
        through.append(m.sheave(body, at=at, radius=radius, axis=(0, sense, 0)) if radius else body.frame(at))
    length = d.SLACK * (4 * 5.0 + 3 * math.pi * 0.1)
    m.rope(through, length=length, stiffness=d.EA / length, damping=d.ROPE_LOSS / length)
    return m, [trolley.position.x, hook.position.x, hook.position.z], d.CRANE_END


def car():
    m = sl.Model(gravity=(0, 0, -d.GRAVITY))
    floor = m.plane(name="floor")
    chassis = m.body(at=(0, 0, 0.5), mass=d.CHASSIS[0], inertia=d.CHASSIS[1], name="chassis")
    for x, y, steer in d.WHEELS:
        place, turned = (x, y, d.RADIUS), (0, 0, steer)
        carrier = m.body(at=place, mass=d.CARRIER[0], inertia=d.CARRIER[1], rotation=turned)
        wheel = m.body(at=place, mass=d.WHEEL[0], inertia=d.WHEEL[1], rotation=turned)
        along = (-math.sin(steer), math.cos(steer), 0)
        m.prismatic(chassis, carrier, at=place, axis="z", stiffness=d.STRUT, damping=d.STRUT_LOSS)
        m.cylindrical(carrier, wheel, at=place, axis=along)
        m.add(sl.items.SlidingSpringDamper(A=carrier, B=wheel, at=list(place), axis=list(along), stiffness=d.AXLE, damping=d.AXLE_LOSS))
        m.rolling(floor, wheel, radius=d.RADIUS, axis=along)
        if steer == 0.0:
            m.torque(wheel, (0, d.DRIVE, 0), axes="body")
    return m, [chassis.position.x, chassis.position.y, chassis.position.z], d.CAR_END
