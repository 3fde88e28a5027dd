"""Items with memory and states of their own, on coordinates of nodes and joints: springs that yield, bristle friction, hydraulic cylinders."""

import math

import numpy as np
import pytest

import saltus as sl

I = sl.items


def hinged(m, inertia=0.5, **keywords):
    body = m.body(mass=1, inertia=(inertia, inertia, inertia))
    return m.revolute(m.ground, body, axis="y", **keywords)


def sliding(m, mass=2.0, **keywords):
    body = m.body(mass=mass, inertia=(1, 1, 1))
    return body, m.prismatic(m.ground, body, axis="x", **keywords)


@pytest.mark.parametrize("where", ["hinge", "slide"])
@pytest.mark.parametrize("options", [dict(scheme="generalized_alpha", step=1e-3), dict(scheme="dormand_prince", tolerance=1e-9), dict()], ids=str)
def test_a_closed_loop_of_a_spring_that_yields_has_its_area(where, options):
    """Perfectly plastic, drawn to and fro by a: area 4 F (a - F / k) a cycle (Simo, Hughes 1998)."""
    m = sl.Model(gravity=(0, 0, 0))
    if where == "hinge":
        motion = hinged(m, angle="7*sin(t)").angle  # more than a turn to each side
    else:
        motion = sliding(m, position="7*sin(t)")[1].translation.z
    spring = m.add(I.ElastoplasticSpring(A=m.ground, B=motion, stiffness=3.0, yield_force=6.0))
    result = m.simulate(4 * math.pi, **options)
    t = np.linspace(2 * math.pi, 4 * math.pi, 20001)
    moved = 7 * np.sin(t)
    read = result.at(t)[m[spring.name].quantity("torque" if where == "hinge" else "force")]
    pull = -read[:, 1] if where == "hinge" else -read[:, 0]
    assert np.max(np.abs(pull)) == pytest.approx(6.0, rel=1e-9)
    area = float(np.sum(0.5 * (pull[1:] + pull[:-1]) * np.diff(moved)))
    assert area == pytest.approx(4 * 6.0 * (7 - 2.0), rel=2e-3)


def test_hardening_is_the_tangent_of_the_yielding_spring():
    m = sl.Model(gravity=(0, 0, 0))
    _, slide = sliding(m, position="t")
    spring = m.add(I.ElastoplasticSpring(A=m.ground, B=slide.translation.z, stiffness=10.0, hardening=0.2, yield_force=4.0))
    result = m.simulate(2.0, scheme="generalized_alpha", step=1e-2)
    pull = -result[spring.force][:, 0]
    assert pull == pytest.approx(np.where(result.time < 0.4, 10 * result.time, 4 + 2 * (result.time - 0.4)), abs=1e-9)


def test_energy_of_a_swing_falls_by_what_yielding_takes():
    """Free swing: elastic energy after it has come to rest in its elastic range, and dissipation F |dp| = the rest."""
    m = sl.Model(gravity=(0, 0, 0))
    x = m.add(I.Node1d(velocity=4.0), name="x")
    m.add(I.Mass1d(node=x, mass=1.0))
    m.add(I.ElastoplasticSpring(A=m.ground, B=x, stiffness=9.0, yield_force=3.0))
    result = m.simulate(10.0, scheme="dormand_prince", tolerance=1e-10)
    # Out: elastic to 1/3 with 8 - 0.5 left of kinetic energy 7.5, then 7.5 / 3 plastic; back and forth elastically ever after.
    last = result.at(np.linspace(3, 10, 5000))["x.coordinate"]
    assert np.max(last) == pytest.approx(1 / 3 + 2.5, abs=1e-5)
    assert np.min(last) == pytest.approx(2.5 - 1 / 3, abs=1e-5)
    assert result["energy.total"].last == pytest.approx(0.5, abs=1e-5)


def lugre(m, motion, **others):
    z = m.add(I.NodeOde1(count=1), name="z")
    return m.add(I.LugreFriction(on=motion, bristles=z, **{**dict(stiffness=1e4, damping=200.0, viscosity=0.4, coulomb=1.0, breakaway=1.5, stribeck_speed=0.01), **others}))


@pytest.mark.parametrize("where", ["hinge", "slide"])
@pytest.mark.parametrize("speed", [0.002, 0.01, 0.3, -0.05])
def test_steady_sliding_of_bristles_is_the_stribeck_curve(where, speed):
    m = sl.Model(gravity=(0, 0, 0))
    motion = hinged(m, speed=speed).angle if where == "hinge" else sliding(m, speed=speed)[1].translation.z
    friction = lugre(m, motion)
    result = m.simulate(1.0, scheme="generalized_alpha", step=1e-3)
    read = result[friction.quantity("torque" if where == "hinge" else "force")].last
    expected = math.copysign(1.0 + 0.5 * math.exp(-((speed / 0.01) ** 2)), speed) + 0.4 * speed
    assert -read[1 if where == "hinge" else 0] == pytest.approx(expected, rel=1e-6)


def test_bristles_hold_below_break_away_and_let_go_above():
    m = sl.Model(gravity=(0, 0, 0))
    body, slide = sliding(m, mass=1.0, force="0.1*t")
    lugre(m, slide.translation.z, damping=10.0)
    result = m.simulate(20.0)
    before = result.time < 12.0
    truth = -1.5 / 1e4 * np.log(1 - 0.1 * result.time[before] / 1.5)  # dz/dx = 1 - sigma_0 z / F_s: 0.24 mm of presliding
    assert result[body.position.x][before] == pytest.approx(truth, rel=0.02, abs=1e-6)
    slips = result.time[np.abs(result[body.velocity.x]) > 0.05][0]
    assert 0.1 * slips == pytest.approx(1.5, rel=0.03)  # break-away force of a slow ramp (figure 4 of the paper)


def test_a_blocked_cylinder_is_a_spring_of_its_oil():
    """Natural frequency sqrt(4 beta A^2 / (V m)), V of both chambers (Merritt 1967, 6.1), on a slide and between two frames."""
    area, volume, beta, mass = 2e-3, 1e-3, 1.4e9, 500.0
    truth = math.sqrt(2 * beta * area**2 / volume / mass)
    fields = dict(piston_area=area, rod_area=area, piston_volume=volume, rod_volume=volume, bulk_modulus=beta, piston_flow="0", rod_flow="0")

    def swing(between_frames):
        m = sl.Model(gravity=(0, 0, 0))
        body = m.body(mass=mass, inertia=(9, 9, 9), at=(1, 0, 0), velocity=(1e-3, 0, 0), name="piston")
        slide = m.prismatic(m.ground, body, axis="x")
        p, r = (m.add(I.NodeOde1(count=1, initial_values=[5e6]), name=name) for name in ("p", "r"))
        motion = slide.translation.z
        if between_frames:  # a distance of 1 m at the start: volumes are those where it is 0
            motion = m.add(I.JointCoordinate(A="ground", B=body, motion="distance", name="reach"))
            fields_here = {**fields, "piston_volume": volume - area, "rod_volume": volume + area}
        else:
            fields_here = fields
        m.add(I.HydraulicCylinder(on=motion, piston_pressure=p, rod_pressure=r, **fields_here))
        result = m.simulate(2.0, scheme="dormand_prince", tolerance=1e-10)
        return result.at(np.linspace(0, 2, 401))[body.displacement.x]

    t = np.linspace(0, 2, 401)
    expected = 1e-3 / truth * np.sin(truth * t)
    assert swing(False) == pytest.approx(expected, abs=2e-3 * 1e-3 / truth)
    assert swing(True) == pytest.approx(expected, abs=2e-3 * 1e-3 / truth)


def test_what_stands_on_the_wrong_kind_of_coordinate_is_refused():
    m = sl.Model()
    hinge = hinged(m)
    x = m.add(I.Node1d(), name="x")
    m.add(I.Mass1d(node=x, mass=1.0))
    m.add(I.LugreFriction(name="brake", on=hinge.angle, bristles=x, stiffness=1, coulomb=1, breakaway=1, stribeck_speed=1))
    with pytest.raises(sl.ModelError, match="brake/bristles.*first-order states.*mechanical"):
        m.simulate(0.1)


def test_an_equilibrium_remembers_its_own_yielding_and_no_place_on_the_way_to_it():
    """0.8 u^3 + u = 1 N: 0.71 N of the spring that yields at 0.75 N; Newton's first step, of the spring alone, is at 1 N."""
    m = sl.Model(gravity=(0, 0, 0))
    x = m.add(I.Node1d(), name="x")
    m.add(I.Mass1d(node=x, mass=1.0))
    m.add(I.CoordinateLoad(on=x.coordinate, force=1.0))
    m.add(I.ElastoplasticSpring(A=m.ground, B=x, stiffness=1.0, yield_force=0.75))
    m.add(I.CoordinateUserSpring(A="ground", B=x, force="0.8*u^3"))
    exact = next(r.real for r in np.roots([0.8, 0, 1, -1]) if abs(r.imag) < 1e-12)
    assert float(m.static()["x.coordinate"]) == pytest.approx(exact, rel=1e-9)


def test_a_spring_that_yielded_in_an_equilibrium_yields_to_it_exactly():
    """k (u - p) = 2 with the cubic: perfectly plastic at 0.5 N, so 0.8 u^3 = 1.5."""
    m = sl.Model(gravity=(0, 0, 0))
    x = m.add(I.Node1d(), name="x")
    m.add(I.Mass1d(node=x, mass=1.0))
    m.add(I.CoordinateLoad(on=x.coordinate, force=2.0))
    m.add(I.ElastoplasticSpring(A=m.ground, B=x, stiffness=1.0, yield_force=0.5))
    m.add(I.CoordinateUserSpring(A="ground", B=x, force="0.8*u^3"))
    assert float(m.static()["x.coordinate"]) == pytest.approx((1.5 / 0.8) ** (1 / 3), rel=1e-9)


def test_friction_by_bristles_is_stiff_once_it_slides():
    """Bristles decay at stiffness times speed over friction, 2e5 1/s here: explicit steps would be 1e-5 s."""
    m = sl.Model(gravity=(0, 0, 0))
    body = m.body(mass=1, inertia=(1, 1, 1))
    friction = sl.LuGre(coulomb=1.0, breakaway=1.5, stribeck_speed=0.001, stiffness=1e5, damping=math.sqrt(1e5), viscosity=0.4)
    m.prismatic(m.ground, body, axis="x", friction=friction)
    m.force(body, ("0.1*t", 0, 0))
    result = m.simulate(20.0)
    assert result.scheme == "generalized_alpha" and len(result) < 10_000
    speed = result[body.velocity.x]
    assert result.time[np.argmax(np.asarray(speed) > 0.01)] * 0.1 == pytest.approx(1.494, abs=0.002)  # under 1.5 N: bristles that stretch slip, too
    assert result.at(19.0)[body.velocity.x] < speed.last == pytest.approx(1.79554, abs=1e-4)  # of moreau_jean and generalized_alpha alike
