"""Hydraulic and pneumatic cylinders with their valves, against closed forms."""

import math

import numpy as np
import pytest

import saltus as sl

EXACT = dict(scheme="dormand_prince", tolerance=1e-10)


def pushed(m, mass=500.0, **keywords):
    body = m.body(mass=mass, inertia=(9, 9, 9), at=(1, 0, 0), name="piston", **keywords)
    return body, m.prismatic(m.ground, body, axis="x")


@pytest.mark.parametrize("between_frames", [False, True])
def test_oil_that_is_locked_in_has_the_stiffness_of_merritt(between_frames):
    """4 beta A^2 / V, V both chambers together, in statics and in the frequency."""
    area, volume, beta, load = 2e-3, 1e-3, 1.4e9, 1000.0
    m = sl.Model(gravity=(0, 0, 0))
    body, slide = pushed(m, velocity=(1e-3, 0, 0))
    on = (m.ground, body) if between_frames else slide.translation.z
    cylinder = m.hydraulic_cylinder(on, piston_area=area, rod_area=area, piston_volume=volume, rod_volume=volume, bulk_modulus=beta, pressures=(5e6, 5e6))
    stiffness = 4 * beta * area**2 / (2 * volume)
    w = math.sqrt(stiffness / 500.0)
    result = m.simulate(1.0, **EXACT)
    assert result[body.displacement.x] == pytest.approx(1e-3 / w * np.sin(w * result.time), abs=2e-3 * 1e-3 / w)
    m.force(body, (f"{load}*min(1, t)", 0, 0))
    body.velocity = (0, 0, 0)
    held = m.simulate(2.0, **EXACT)
    mean = held.at(np.linspace(1.2, 2.0, 4001))[body.displacement.x]
    assert np.mean(mean) == pytest.approx(load / stiffness, rel=5e-3)
    assert np.mean(held.at(np.linspace(1.2, 2.0, 4001))[cylinder.piston_pressure]) < 5e6  # drawn out


def test_a_valve_moves_the_piston_as_its_orifices_let_it():
    """Steady speed: flow C sqrt(dp) through both edges; with equal areas and no load v = (C / A) sqrt(p_s / 2)."""
    area, C, supply = 1e-3, 2e-8, 1e7
    m = sl.Model(gravity=(0, 0, 0))
    body, slide = pushed(m, mass=20.0)
    cylinder = m.hydraulic_cylinder(slide.translation.z, piston_area=area, rod_area=area, piston_volume=1e-4, rod_volume=1e-3, spool=0.5, conductance=C, supply=supply, pressures=(5e6, 5e6), laminar=100.0)
    result = m.simulate(1.0, scheme="generalized_alpha", step=1e-3)
    assert result[body.velocity.x].last == pytest.approx(0.5 * C / area * math.sqrt(supply / 2), rel=1e-3)
    assert result[cylinder.piston_pressure].last == pytest.approx(supply / 2, rel=1e-2)


def test_a_servo_valve_holds_a_place():
    m = sl.Model(gravity=(0, 0, 0))
    body, slide = pushed(m, mass=20.0)
    m.hydraulic_cylinder(
        slide.translation.z, piston_area=1e-3, rod_area=8e-4, piston_volume=1e-4, rod_volume=1e-3, spool="max(-1, min(1, 20*(0.1 - u)))", conductance=2e-7, supply=1e7, pressures=(4e6, 5e6), rod_flow="-1e-13*p2")
    result = m.simulate(2.0, scheme="generalized_alpha", step=1e-3)
    assert result[body.displacement.x].last == pytest.approx(0.1, abs=1e-3)


def test_oil_that_cavitates_is_reported_with_its_time():
    m = sl.Model(gravity=(0, 0, 0))
    body = m.body(mass=1, inertia=(1, 1, 1), name="piston")
    slide = m.prismatic(m.ground, body, axis="x", position="1e-3*t")  # drawn out, locked: p1 falls by beta A v t / V
    m.hydraulic_cylinder(slide.translation.z, piston_area=1e-3, rod_area=1e-3, piston_volume=1e-3, rod_volume=1e-2, bulk_modulus=1e9, pressures=(4e5, 4e5), name="jack")
    with pytest.warns(sl.ModelWarning, match=r"jack.*cavitates.*at t = 0.5"):
        m.simulate(1.0, scheme="generalized_alpha", step=1e-3)  # 4e5 - 1e6 t = -1e5 at 0.5 s


@pytest.mark.parametrize("exponent", [1.0, 1.4])
def test_a_gas_spring_follows_its_polytrope(exponent):
    """p (V + A u)^n is constant without flow: the force of both chambers at the end of a slow stroke."""
    area, volume, p0 = 1e-3, 2e-4, 6e5
    m = sl.Model(gravity=(0, 0, 0))
    body = m.body(mass=1, inertia=(1, 1, 1), name="piston")
    slide = m.prismatic(m.ground, body, axis="x", position="0.05*t")
    cylinder = m.pneumatic_cylinder(slide.translation.z, piston_area=area, rod_area=0.8 * area, piston_volume=volume, rod_volume=volume, exponent=exponent, pressures=(p0, p0))
    result = m.simulate(1.0, **EXACT)
    p1 = p0 * (volume / (volume + area * 0.05)) ** exponent
    p2 = p0 * (volume / (volume - 0.8 * area * 0.05)) ** exponent
    assert result[cylinder.piston_pressure].last == pytest.approx(p1, rel=1e-8)
    assert result[cylinder.rod_pressure].last == pytest.approx(p2, rel=1e-8)
    assert result[slide.drive].last == pytest.approx(-(area * (p1 - 101325) - 0.8 * area * (p2 - 101325)), rel=1e-8)


def test_a_gas_flows_choked_and_then_fills_up():
    """A chamber filled through an edge: dp/dt = n R T C p_s / V while choked."""
    m = sl.Model(gravity=(0, 0, 0))
    body = m.body(mass=1, inertia=(1, 1, 1), name="piston")
    slide = m.prismatic(m.ground, body, axis="x", position=0)
    n, R, T, C, V, ps = 1.2, 287.0, 293.15, 1e-9, 1e-3, 7e5
    cylinder = m.pneumatic_cylinder(slide.translation.z, piston_area=1e-3, rod_area=1e-3, piston_volume=V, rod_volume=V, spool=1, conductance=C, supply=ps, tank=101325.0)
    result = m.simulate(40.0, **EXACT)
    p, t = result[cylinder.piston_pressure], result.time
    choked = p < 0.5 * ps
    assert p[choked] == pytest.approx(101325 + n * R * T * C * ps / V * t[choked], rel=1e-9)
    assert p[-1] == pytest.approx(ps, rel=1e-3) and result[cylinder.rod_pressure].last == pytest.approx(101325, rel=1e-9)


def test_saved_and_loaded_it_moves_alike(tmp_path):
    m = sl.Model(gravity=(0, 0, 0))
    body, slide = pushed(m, mass=20.0)
    m.hydraulic_cylinder(slide.translation.z, piston_area=1e-3, rod_area=8e-4, piston_volume=1e-4, rod_volume=1e-3, spool="0.5*sin(9*t)", conductance=2e-7, supply=1e7, pressures=(4e6, 5e6), name="ram")
    m.save(tmp_path / "ram.json")
    again = sl.Model.load(tmp_path / "ram.json")
    a, b = (x.simulate(0.5, scheme="generalized_alpha", step=1e-3) for x in (m, again))
    assert np.array_equal(a[m["ram"].piston_pressure], b[again["ram"].piston_pressure])


def test_mistakes_are_refused_with_a_remedy():
    m = sl.Model()
    body, slide = pushed(m)
    fields = dict(piston_area=1e-3, rod_area=1e-3, piston_volume=1e-3, rod_volume=1e-3)
    cases = [
        (lambda: m.hydraulic_cylinder(m.cylindrical(m.ground, m.body(mass=1, inertia=(1, 1, 1)), axis="x", name="tube"), **fields), "on", "name one: tube.angle or tube.translation.z"),
        (lambda: m.hydraulic_cylinder((body, body), **fields), "on", "one place"),
        (lambda: m.hydraulic_cylinder(slide.translation.z, **{**fields, "piston_volume": 0}), "piston_volume", "above 0"),
        (lambda: m.hydraulic_cylinder(slide.translation.z, **fields, pressures=(1,)), "pressures", "two"),
    ]
    for action, where, says in cases:
        with pytest.raises(sl.ModelError, match=says) as caught:
            action()
        assert caught.value.faults[0].path.endswith(where)
