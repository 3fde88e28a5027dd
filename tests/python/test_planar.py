"""Planar models: the same numbers as the same mechanism in space, with fewer unknowns; what points out of the plane is refused."""

import copy
import math
import pickle

import numpy as np
import pytest

import saltus as sl

DOWN = (0, -9.81, 0)


def model(planar):
    return sl.Model(planar=True) if planar else sl.Model(gravity=DOWN)


def slider_crank(planar):
    m = model(planar)
    crank = m.rod((0, 0, 0), (0.2, 0.1, 0), mass=1, name="crank")
    rod = m.rod((0.2, 0.1, 0), (0.7, 0, 0), mass=2, name="rod")
    slider = m.box(size=(0.1, 0.05, 0.05), mass=3, at=(0.7, 0, 0), name="slider")
    m.revolute(m.ground, crank, at=(0, 0, 0), axis="z", torque="0.5", damping=0.1, name="hinge")
    m.revolute(crank, rod, at=(0.2, 0.1, 0), axis="z", name="pin")
    m.revolute(rod, slider, at=(0.7, 0, 0), axis="z", name="wrist")
    m.prismatic(m.ground, slider, at=(0.7, 0, 0), axis="x", stiffness=20, name="slide")
    m.force(slider, ("-2*sin(5*t)", 0.0, 0.0), name="push")
    m.spring(m.ground, rod, stiffness=30, rest_length=0.2, name="spring")
    return m


def same(results, paths, bound):
    for path in paths:
        flat, space = (np.asarray(result.at(np.linspace(0, result.time[-1], 20))[path]) for result in results)
        assert np.allclose(flat, space, rtol=0, atol=bound * max(1.0, np.abs(space).max())), path


def test_a_planar_slider_crank_is_the_one_in_space_with_half_the_unknowns():
    models = [slider_crank(planar) for planar in (True, False)]
    sizes = [m.compile()._core.sizes() for m in models]
    assert sizes[0]["nv"] == 9 and sizes[1]["nv"] == 18 and sizes[0]["rows"] == 8 and sizes[1]["rows"] == 20
    assert [m.freedoms().count for m in models] == [1, 1] and models[0].freedoms().redundant == ()
    results = [m.simulate(until=1.0, step=1e-3, scheme="generalized_alpha") for m in models]
    same(results, ("crank.position", "rod.rotation_matrix", "slider.velocity", "hinge.angle", "spring.force", "slide.translation", "energy.total"), 1e-9)
    same(results, ("slider.acceleration", "pin.force", "wrist.force"), 1e-7)  # the redundant rows in space are held by a small term


def test_drives_and_fixed_joints_turn_many_times_as_in_space():
    results = []
    for planar in (True, False):
        m = model(planar)
        wheel = m.cylinder(radius=0.2, length=0.1, mass=2, at=(1, 2, 0), name="wheel")
        arm = m.box(size=(0.4, 0.1, 0.1), mass=1, at=(1.3, 2, 0), name="arm")
        m.revolute(m.ground, wheel, at=(1, 2, 0), axis="z", speed="10*t", name="drive")
        m.fixed(wheel, arm, name="weld")
        results.append(m.simulate(until=2.0, tolerance=1e-11))
        assert m.compile()._core.sizes()["nv"] == (6 if planar else 12)
    same(results, ("arm.position", "drive.angle", "arm.velocity"), 1e-8)
    assert abs(results[0]["drive.angle"].last - 20.0) < 1e-8
    same(results, ("weld.force", "weld.torque"), 1e-7)


def test_discs_and_boxes_fall_slide_and_hit_as_in_space():
    results = []
    for planar in (True, False):
        m = model(planar)
        floor = m.plane(normal="y", name="floor")
        ball = m.sphere(radius=0.1, mass=1, at=(0, 0.5, 0), velocity=(1, 0, 0), angular_velocity=(0, 0, 5), name="ball")
        other = m.sphere(radius=0.1, mass=2, at=(0.5, 0.1, 0), name="other")
        m.contact(floor, ball, friction=0.3, restitution=0.5)
        m.contact(floor, other, friction=0.3)
        m.contact(ball, other, friction=0.2, restitution=0.8)
        results.append(m.simulate(until=1.0, step=1e-3, scheme="moreau_jean"))
        assert m.compile()._core.sizes()["rows"] == (6 if planar else 9)
    same(results, ("ball.position", "other.position", "ball.angular_velocity", "other.velocity"), 1e-9)
    spin = np.abs(results[0]["other.angular_velocity"].values[:, 2]).max()
    assert spin > 0.1  # they did meet


def test_slides_and_hinges_with_stops_and_friction_are_those_in_space():
    results = []
    for planar in (True, False):
        m = model(planar)
        box = m.box(size=(0.1, 0.1, 0.1), mass=1, velocity=(2, 0, 0), name="box")
        rod = m.rod((0, 0, 0), (0, -1, 0), mass=1)
        m.prismatic(m.ground, box, at=(0, 0, 0), axis=(1, 0.5, 0), limits=(-0.2, 0.3), restitution=0.5, friction=0.8, name="slide")
        m.revolute(box, rod, at=(0, 0, 0), axis="z", friction=0.1, limits=(-0.3, 0.3), restitution=0.2, name="hinge")
        results.append(m.simulate(until=1.0, step=1e-3, scheme="moreau_jean"))
    same(results, ("slide.translation", "hinge.angle", "box.position", "box.velocity"), 1e-9)
    assert np.abs(results[0]["hinge.angle"].values).max() > 0.29 and results[0].events  # they met their stops


def test_a_box_slides_down_an_incline_on_its_two_corners():
    angle = 0.4
    m = sl.Model(planar=True)
    slope = m.plane(normal=(np.sin(angle), np.cos(angle)))
    box = m.box(size=(0.4, 0.2, 0.1), mass=1, on=slope, name="box")
    contact = m.contact(slope, box, friction=0.2)
    assert len(contact.points) == 4 and m.compile()._core.sizes()["nv"] == 3
    result = m.simulate(until=1.0, step=1e-3, scheme="moreau_jean")
    speed = result[box.velocity].values[-1]
    truth = 9.81 * (np.sin(angle) - 0.2 * np.cos(angle))
    assert abs(np.linalg.norm(speed) - truth) < 1e-6 and abs(np.arctan2(-speed[1], speed[0]) - angle) < 1e-9
    pile = sl.Model(planar=True)
    floor = pile.plane()
    discs = [pile.cylinder(radius=0.1, length=1, mass=1, at=(0.02 * i, 0.1 + 0.22 * i)) for i in range(3)]
    pile.contact([floor, *discs], friction=0.5)
    assert pile.simulate(until=0.5, step=1e-3).report["status"] == "done"


def test_a_model_keeps_its_plane_through_files_copies_and_assignments(tmp_path):
    m = slider_crank(True)
    m.save(tmp_path / "m.json")
    again = sl.Model.load(tmp_path / "m.json")
    for other in (again, copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        assert other.planar
        extra = other.sphere(radius=0.1, mass=1, at=(3, 4))
        assert other.compile()._core.sizes()["nv"] == 12 and np.allclose(extra.reference[0], (3, 4, 0))
    assert np.allclose(again["rod"].reference[1], m["rod"].reference[1], atol=1e-15)
    assert np.array_equal(sl.Model.load(tmp_path / "m.json").simulate(until=0.1)["slider.position"].values, m.simulate(until=0.1)["slider.position"].values)
    m["crank"].mass = 2.5
    assert m.compile()._core.sizes()["nv"] == 9
    m["crank"].end = (0.2, 0.1)
    assert not sl.Model().planar


def test_two_numbers_numbers_about_z_and_bodies_of_any_kind_are_taken():
    m = sl.Model(planar=True, gravity=(1, -2))
    assert m.gravity.tolist() == [1, -2, 0]
    body = m.body(mass=2, inertia=0.1, at=(1, 2), center_of_mass=(0.1, 0), rotation=0.3 * np.array((0, 0, 1)), velocity=(1, 0), angular_velocity=2.0)
    point = m.point_mass(mass=1, at=(0, 1), velocity=(0, 1))
    m.torque(body, 0.5)
    m.force(point, (1, 2))
    m.spring(body, point, stiffness=3)
    assert m.compile()._core.sizes()["nv"] == 5
    result = m.simulate(until=0.2, tolerance=1e-10)
    group = m.group(body, point)
    t = result.time
    assert np.allclose(result[group.momentum].values - result[group.momentum].values[0], np.outer(t, np.array((1, -2, 0)) * 3 + (1, 2, 0)), rtol=0, atol=1e-9)
    assert np.allclose(np.unwrap(result[body.angles("ZYX")].values[:, 0])[0], 0.3)


def test_what_points_out_of_the_plane_is_refused_with_its_value():
    m = sl.Model(planar=True)
    box = m.box(size=(1, 1, 1), mass=1)
    cases = {
        "z = 0.5 m": lambda: m.sphere(radius=1, mass=1, at=(0, 0, 0.5)),
        "velocity.*z = 2 m/s": lambda: m.sphere(radius=1, mass=1, velocity=(0, 0, 2)),
        r"angular_velocity.*\(1, 0, 0\)": lambda: m.sphere(radius=1, mass=1, angular_velocity=(1, 0, 0)),
        r"rotation.*\(0.1, 0, 0\)": lambda: m.box(size=(1, 1, 1), mass=1, rotation=(0.1, 0, 0)),
        "axis: is 'y', in the plane": lambda: m.revolute(m.ground, box, axis="y"),
        r"axis: is \(0, 0, 1\), out of the plane": lambda: m.prismatic(m.ground, box, axis="z"),
        "joint in space": lambda: m.spherical(m.ground, box),
        "joints/universal": lambda: m.universal(m.ground, box, axes=("x", "y")),
        "joints/generic": lambda: m.generic(m.ground, box, locked="x"),
        "force.*z = 3 N": lambda: m.force(box, (0, 0, 3)),
        r"torque.*\(1, 0, 2\)": lambda: m.torque(box, (1, 0, 2)),
        "gravity: has z = -9.81": lambda: setattr(m, "gravity", (0, 0, -9.81)),
        r"normal.*\(0, 0, 1\)": lambda: m.plane(normal="z"),
        "out of the plane": lambda: m.cylinder(radius=1, length=1, mass=1, axis="x"),
        "orthotropic_impact": lambda: m.contact(m.plane(), box, law=sl.items.OrthotropicImpact(friction_1=0.1, friction_2=0.2)),
        "beam in space": lambda: m.beam((0, 0, 0), (1, 0, 0), section=sl.Section.circle(radius=0.01, E=1e9, nu=0.3, density=1e3), elements=2),
        "planar: is 3": lambda: sl.Model(planar=3),
    }
    for message, wrong in cases.items():
        with pytest.raises(sl.ModelError, match=message):
            wrong()


def test_ropes_over_sheaves_stick_and_slip_in_the_plane():
    """Atwood's machine in the plane x-y: T1 / T2 = e^(mu pi)."""
    ratio = math.exp(0.1 * math.pi)
    a = (3 - 2 * ratio) * 9.81 / (3 + 2 * ratio)
    m = sl.Model(planar=True)
    heavy, light = (m.body(mass=mass, inertia=0.1, at=(x, -1), name=name) for mass, x, name in ((3, -0.2, "heavy"), (2, 0.2, "light")))
    rope = m.rope([heavy, m.sheave(m.ground, radius=0.2, at=(0, 0, 0), axis=(0, 0, -1), friction=0.1), light])
    result = m.simulate(0.3)
    assert result[heavy.displacement.y].last == pytest.approx(-0.5 * a * 0.09, rel=1e-4)
    assert result[rope.first_tension].last / result[rope.tension].last == pytest.approx(ratio, rel=1e-6)


def test_a_disc_rolls_and_drives_over_a_kerb_in_the_plane():
    m = sl.Model(planar=True)
    disc = m.body(mass=1, inertia=0.02, at=(0, 0.2), name="disc")
    m.rolling(m.plane(name="floor"), disc, radius=0.2)
    m.torque(disc, -0.1)
    assert m.simulate(1.0)[disc.position.x].last == pytest.approx(0.5 * 0.5 / 1.5, rel=1e-6)
    m = sl.Model(planar=True)
    disc, floor = m.body(mass=1, inertia=0.02, at=(0, 0.2), velocity=(2.5, 0), name="disc"), m.plane(name="floor")
    m.wheel(floor, disc, radius=0.2, friction=0.9)
    m.wheel(floor, disc, radius=0.2, friction=0.9, outline=[(0.5, -1), (0.5, 0.05), (1.5, 0.05)], rounding=0.01)
    assert m.simulate(0.6)[disc.position.y].last == pytest.approx(0.25, abs=1e-4)


def test_a_drive_with_an_integral_holds_its_speed_in_the_plane():
    m = sl.Model(planar=True, gravity=(0, 0, 0))
    rotor = m.body(mass=1, inertia=0.5, name="rotor")
    hinge = m.revolute(m.ground, rotor, at=(0, 0), speed=2.0, gain=3.0, integral=8.0)
    m.torque(rotor, -1.0)
    assert m.simulate(6.0)[hinge.angular_rate].last == pytest.approx(2.0, abs=1e-4)


def test_a_surface_of_points_and_segments_is_refused_with_what_it_takes():
    for surface in (([(0, 0), (1, 0), (2, 0)], [(0, 1), (1, 2)]), ([(0, 0), (1, 0)], [(0, 1), (1, 0)])):
        with pytest.raises(sl.ModelError, match="expected at least 2 points"):
            sl.Model(planar=True).surface(surface)
