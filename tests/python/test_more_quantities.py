"""Quantities in the axes of frames, of pairs of frames, of groups, of energies, and formulas of them: against each other and closed forms."""

import json
import warnings

import numpy as np
import pytest

import saltus as sl

FAR = (1e4, -2e4, 3e4)


def spinning(at=(0, 0, 0), **given):
    """A free box that turns about no principal axis."""
    m = sl.Model(gravity=(0, 0, 0))
    box = m.box(size=(0.1, 0.2, 0.4), mass=2, at=at, velocity=(1, 2, -1), angular_velocity=(3, 1, 2), **given)
    return m, box


def test_body_axes_are_those_of_the_world_turned():
    m, box = spinning(rotation=(0.3, -0.2, 0.5))
    tip = box.frame(np.add(box.reference[0], (0.05, 0.1, 0.2)), rotation=(0.2, 0, 0.4), name="tip")
    result = m.simulate(until=1.0, tolerance=1e-9)
    for frame in (box, tip):
        R = result[frame.rotation_matrix].values.reshape(-1, 3, 3)
        for word in ("velocity", "acceleration", "angular_velocity", "angular_acceleration", "displacement"):
            world, body = result[frame.quantity(word)].values, result[frame.quantity(f"{word}_body")].values
            assert np.allclose(np.einsum("nij,nj->ni", R, body), world, rtol=0, atol=1e-12 * (1 + np.abs(world).max()))
        T = result[frame.transformation].values.reshape(-1, 4, 4)
        assert np.array_equal(T[:, :3, :3], R) and np.array_equal(T[:, :3, 3], result[frame.position].values) and np.array_equal(T[:, 3], np.tile([0, 0, 0, 1], (len(T), 1)))
        for i, axis in enumerate((frame.axis_x, frame.axis_y, frame.axis_z)):
            assert np.array_equal(result[axis].values, R[:, :, i])


@pytest.mark.parametrize("sequence", ["xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"])
def test_angles_of_all_sequences_are_those_of_rotations_and_turn_back(sequence):
    m, box = spinning(rotation=(0.3, -0.2, 0.5))
    result = m.simulate(until=2.0, step=0.01, scheme="runge_kutta_4")
    R = sl.Rotation.of_matrix(result[box.rotation_matrix].values)
    for axes in (sequence, sequence.upper()):
        angles = result[box.angles(axes)]
        assert angles.unit == "rad"
        assert np.allclose(np.exp(1j * angles.values), np.exp(1j * R.angles(axes)), rtol=0, atol=1e-12)
        assert np.allclose(sl.Rotation.of_angles(axes, angles.values).matrix, R.matrix, rtol=0, atol=1e-14)


def test_a_sequence_that_is_none_is_refused_and_the_singular_angle_reported():
    m, box = spinning()
    for wrong in ("xxz", "abc", "xy", "xYz", "xyzx"):
        with pytest.raises(sl.ModelError, match="sequence"):
            box.angles(wrong)
    m.outputs["angles"] = f"{box.name}.angles_xxz"
    with pytest.raises(sl.ModelError, match="twice about the same axis"):
        m.simulate(until=0.1)
    del m.outputs["angles"]
    still = sl.Model(gravity=(0, 0, 0))
    quarter = still.box(size=(1, 1, 1), mass=1, rotation=(0, np.pi / 2, 0))
    result = still.simulate(until=0.1)
    with pytest.warns(sl.ModelWarning, match="singular angle"):
        assert np.all(result[quarter.angles("ZYX")].values[:, 2] == 0.0)


@pytest.mark.parametrize("origin", [(0, 0, 0), FAR])
def test_energies_and_momentum_of_a_free_body_stand(origin):
    m, box = spinning(at=origin)
    result = m.simulate(until=1.0, tolerance=1e-10)
    assert np.allclose(result[box.momentum].values, 2 * np.array((1, 2, -1)), rtol=1e-12)
    spin = result[box.angular_momentum].values
    R = result[box.rotation_matrix].values.reshape(-1, 3, 3)
    inertia = np.diag([2 / 12 * (0.2**2 + 0.4**2), 2 / 12 * (0.1**2 + 0.4**2), 2 / 12 * (0.1**2 + 0.2**2)])
    assert np.allclose(spin, np.einsum("nij,jk,nk->ni", R, inertia, result[box.angular_velocity_body].values), rtol=0, atol=1e-13)
    assert np.ptp(spin, axis=0).max() < 1e-8
    group = m.group(box)
    assert np.allclose(result[group.mass].values, 2.0, rtol=1e-14)
    assert np.allclose(result[group.center_of_mass].values, result[box.position].values, rtol=0, atol=1e-15 * (1 + np.linalg.norm(origin)) * 4)


def test_energies_of_items_sum_to_the_models():
    m = sl.Model()
    rod = m.rod((0, 0, 0), (0.5, 0, 0), mass=1.0)
    ball = m.sphere(radius=0.05, mass=0.5, at=(0.7, 0.1, 0))
    m.revolute(m.ground, rod, at=(0, 0, 0), axis="y")
    spring = m.spring(rod.end, ball, stiffness=50, damping=0.3)
    arm = m.tree(name="arm")
    link = arm.revolute(at=(1, 0, 0), axis="y", mass=0.3, inertia=(0.01, 0.02, 0.03), center_of_mass=(0.2, 0, 0.1), rate=2.0)
    link.prismatic(at=(1.2, 0, 0), axis="x", mass=0.2, inertia=(0.001, 0.001, 0.002), center_of_mass=(0.0, 0.1, 0), rate=0.4)
    result = m.simulate(until=0.4)
    everything = m.group()
    for word in ("kinetic", "potential"):
        total = result[f"energy.{word}"].values
        own = sum(result[item.quantity(f"{word}_energy")].values for item in (rod, ball, arm))
        own = own + (result[spring.potential_energy].values if word == "potential" else 0.0)
        assert np.allclose(own, total, rtol=1e-14, atol=1e-14)
        together = result[everything.quantity(f"{word}_energy")].values + (result[spring.potential_energy].values if word == "potential" else 0.0)
        assert np.allclose(together, total, rtol=1e-14, atol=1e-14)


def test_momentum_of_a_group_changes_by_the_forces_on_it():
    m = sl.Model(gravity=(0, 0, -9.81))
    a = m.sphere(radius=0.1, mass=1, at=FAR, velocity=(0, 1, 0))
    b = m.box(size=(0.1, 0.2, 0.3), mass=2, at=np.add(FAR, (0.5, 0, 0)), angular_velocity=(1, 2, 3))
    m.spring(a, b.frame(np.add(FAR, (0.4, 0.05, 0))), stiffness=100, damping=1)
    result = m.simulate(until=1.0, tolerance=1e-9)
    group = m.group(a, b)
    t = result.time
    assert np.allclose(result[group.momentum].values, np.array((0, 1, 0)) + np.outer(t, (0, 0, -9.81 * 3)), rtol=0, atol=1e-9)
    assert np.ptp(result[group.angular_momentum].values, axis=0).max() < 1e-6  # weight has no moment about the centre of mass
    assert np.allclose(result[group.center_velocity].values * 3, result[group.momentum].values, rtol=1e-12, atol=1e-12)


def test_an_element_with_a_tree_has_the_momentum_of_its_bodies():
    def built(tree):
        m = sl.Model()
        inertia = dict(mass=0.4, inertia=(0.01, 0.02, 0.03), center_of_mass=(0.2, 0.05, 0))
        if tree:
            arm = m.tree()
            one = arm.revolute(at=(0, 0, 0), axis="z", rate=1.0, **inertia)
            one.revolute(at=(0.5, 0, 0), axis="y", rate=2.0, **inertia)
            return m, m.group(arm)
        one, two = (m.body(at=(x, 0, 0), name=f"b{int(2 * x)}", **inertia) for x in (0, 0.5))
        m.revolute(m.ground, one, at=(0, 0, 0), axis="z")
        m.revolute(one, two, at=(0.5, 0, 0), axis="y")
        one.angular_velocity = (0, 0, 1.0)
        two.velocity, two.angular_velocity = (0, 0.5, 0), (0, 2.0, 1.0)
        return m, m.group(one, two)

    results = []
    for tree in (True, False):
        m, group = built(tree)
        result = m.simulate(until=0.5, tolerance=1e-10)
        results.append([result.at(0.5)[q] for q in (group.momentum, group.angular_momentum, group.center_of_mass, group.mass)])
    for x, y in zip(*results, strict=True):
        assert np.allclose(x, y, rtol=0, atol=1e-8)


def test_power_and_dissipation_close_the_balance_of_a_spring():
    m = sl.Model(gravity=(0, 0, 0))
    ball = m.sphere(radius=0.1, mass=1, at=(1, 0, 0), velocity=(2, 0.5, 0))
    spring = m.spring(m.ground, ball, stiffness=80, damping=2, rest_length=0.8)
    result = m.simulate(until=2.0, tolerance=1e-10, record=2e-4)
    force, speed = result[spring.force].values, result[ball.velocity].values
    assert np.allclose(result[spring.power].values, np.sum(force * speed, axis=1), rtol=0, atol=1e-12)
    rate = result[spring.relative_velocity].values
    along = np.sum(rate * result[spring.relative_position].values, axis=1) / result[spring.length].values
    assert np.allclose(result[spring.dissipation].values, 2 * along**2, rtol=0, atol=1e-11)
    lost = np.trapezoid(result[spring.dissipation].values, result.time) if hasattr(np, "trapezoid") else np.trapz(result[spring.dissipation].values, result.time)
    total = result["energy.total"].values
    assert abs(total[0] - total[-1] - lost) < 2e-6 * total[0]


def test_the_power_of_a_drive_is_torque_times_speed_and_gains_the_energy():
    m = sl.Model(gravity=(0, 0, 0))
    wheel = m.cylinder(radius=0.2, length=0.1, mass=3)
    motor = m.revolute(m.ground, wheel, axis="z", speed="2 + t")
    result = m.simulate(until=1.0)
    assert np.allclose(result[motor.power].values, result[motor.drive].values * (2 + result.time), rtol=1e-12, atol=1e-12)
    assert np.allclose(result[motor.torque_body].values, result[motor.torque].values, rtol=0, atol=1e-12)
    assert np.allclose(np.diff(result["energy.kinetic"].values).sum(), 0.5 * 0.06 * (9 - 4), rtol=1e-9)


def test_a_relative_motion_is_what_a_rider_sees():
    m, box = spinning(at=(0.3, 0, 0), rotation=(0.2, 0.1, 0))
    car = m.box(size=(1, 1, 1), mass=5, at=(1, 2, 3), velocity=(0, 1, 0), angular_velocity=(0.5, -1, 0.7))
    seat = car.frame((1.2, 2.1, 3), rotation=(0, 0.4, 0), name="seat")
    result = m.simulate(until=1.0, tolerance=1e-10, record=1e-4)
    seen = m.relative(seat, box)
    A = result[seat.rotation_matrix].values.reshape(-1, 3, 3)
    between = result[box.position].values - result[seat.position].values
    place = result[seen.position].values
    assert np.allclose(np.einsum("nji,nj->ni", A, between), place, rtol=0, atol=1e-14)
    assert np.allclose(result[seen.distance].values, np.linalg.norm(between, axis=1), rtol=1e-14)
    t = result.time
    for value, rate in ((seen.position, seen.velocity), (seen.velocity, seen.acceleration), (seen.angular_velocity, seen.angular_acceleration), (seen.distance, seen.distance_rate)):
        by_time = np.gradient(result[value].values, t, axis=0)[2:-2]
        assert np.allclose(by_time, result[rate].values[2:-2], rtol=0, atol=2e-6 * (1 + np.abs(by_time).max()))
    R_AB = np.einsum("nji,njk->nik", A, result[box.rotation_matrix].values.reshape(-1, 3, 3))
    assert np.allclose(result[seen.rotation_matrix].values.reshape(-1, 3, 3), R_AB, rtol=0, atol=1e-14)
    assert np.allclose(result[seen.angles("ZYX")].values, sl.Rotation(R_AB).angles("ZYX"), rtol=0, atol=1e-12)
    against_ground = m.relative(m.ground, box)
    assert np.allclose(result[against_ground.velocity].values, result[box.velocity].values, rtol=0, atol=1e-15)


def test_a_formula_of_quantities_is_exact_has_its_unit_and_its_own_extremes():
    m = sl.Model()
    bob = m.sphere(radius=0.1, mass=1, at=(1, 0, 0))
    hinge = m.revolute(m.ground, bob, at=(0, 0, 0), axis="y")
    m.outputs["power"] = bob.velocity.z * -9.81 * 1.0
    m.outputs["swing"] = np.sin(hinge.angle) ** 2 + np.cos(hinge.angle) ** 2
    m.outputs["energy"] = 0.5 * bob.velocity.norm**2
    result = m.simulate(until=1.0)
    assert result[m.outputs["energy"]].unit == "m^2/s^2"
    assert np.allclose(result[m.outputs["swing"]].values, 1.0, rtol=1e-15)
    assert np.array_equal(result[m.outputs["power"]].values, result[bob.velocity.z].values * -9.81)
    both = bob.position - 2 * bob.velocity * 0.5
    with pytest.raises(sl.ModelError, match="units"):
        result[both]
    ratio = (bob.velocity / hinge.angular_rate).norm
    assert np.allclose(result[ratio].values[1:], 1.0, rtol=1e-12)
    assert result[bob.momentum / bob.velocity.norm].unit == "kg"
    fine = m.simulate(until=1.0, record=1e-5)
    speed = bob.velocity.x * bob.velocity.z
    assert abs(result[speed].max() - fine[speed].values.max()) < 1e-5
    assert result.table["power"][1] == "m/s"


def test_formulas_are_saved_renamed_and_stop_runs(tmp_path):
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 5), name="the ball")
    post = m.sphere(radius=0.1, mass=1, at=(1, 0, 5))
    m.outputs["apart"] = (ball.position - post.position).norm
    m.outputs["product"] = ball.velocity.z * post.position.x
    m.outputs["group"] = m.group(ball, post).momentum.norm
    m.outputs["seen"] = m.relative(ball, post).distance
    m.save(tmp_path / "model.json")
    text = json.loads((tmp_path / "model.json").read_text())
    assert text["outputs"]["seen"] == f"relative(the ball, {post.name}).distance"
    again = sl.Model.load(tmp_path / "model.json")
    one, two = m.simulate(until=0.5), again.simulate(until=0.5)
    for name in m.outputs:
        assert np.array_equal(one[m.outputs[name]].values, two[again.outputs[name]].values)
    assert np.allclose(one[m.outputs["apart"]].values, 1.0)
    stopped = m.simulate(until=2.0, stop=ball.position.z * 2 < 8)
    assert abs(stopped[ball.position.z].last - 4) < 1e-6
    assert kept(m.state()[ball.position.z * 2], 10.0)


def kept(value, wanted):
    return abs(value - wanted) < 1e-12


def test_mistakes_in_formulas_say_what_is_wrong():
    m, box = spinning()
    for text, message in (
        (f"= {box.name}.velocity.x +", "formula|expected|ends"),
        ("= nobody.velocity.x * 2", "nobody"),
        (f"= {box.name}.speed * 2", "no quantity 'speed'"),
        (f"relative({box.name}).distance", "two frames"),
        (f"= {box.name}.quaternion + {box.name}.velocity", "vectors of 4 and of 3|vectors of 3 and of 4"),
    ):
        m.outputs = {"x": text}
        with pytest.raises(sl.ModelError, match=message):
            m.simulate(until=0.1)
    m.outputs = {}
    with pytest.raises(sl.ModelError, match="makes no formula"):
        np.logaddexp(box.velocity.x, 1.0)
    with pytest.raises(sl.ModelError, match="no coordinate"):
        m.coupling([box.velocity.x * 2], (1.0,))
    with pytest.raises(sl.ModelError, match="expected bodies"):
        m.group(m.ground)


def test_reading_new_quantities_far_from_the_origin_loses_no_digits():
    values = []
    for origin in ((0, 0, 0), FAR):
        m, box = spinning(at=origin)
        mate = m.sphere(radius=0.1, mass=1, at=np.add(origin, (1, 0, 0)))
        result = m.simulate(until=0.5, step=0.01, scheme="runge_kutta_4")
        seen, both = m.relative(box, mate), m.group(box, mate)
        values.append([result[q].values for q in (seen.velocity, seen.distance, both.angular_momentum, both.momentum)])
    for near, far in zip(*values, strict=True):
        assert np.allclose(near, far, rtol=0, atol=1e-9)  # places are rounded to 4e-12 in each step, speeds and moments of inertia multiply it


def test_no_new_quantity_warns_without_cause():
    m, box = spinning()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = m.simulate(until=0.2)
        for word in m._engine.compile().quantities(box.name):
            assert np.isfinite(result[box.quantity(word)].values).all()
