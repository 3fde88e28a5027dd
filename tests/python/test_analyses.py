"""Freedoms by name, assembly from far off, rates of assembled positions, forces of a given motion: mechanisms with known answers."""

import os
import pickle

import numpy as np
import pytest

import saltus as sl

GALLERY = os.path.join(os.path.dirname(sl.__file__), "gallery")


def four_bar(lengths=(0.3, None, 0.8), ground=1.0, gravity=(0, 0, -9.81)):
    m = sl.Model(gravity=gravity)
    a, _, c = lengths
    crank = m.rod((0, 0, 0), (0, 0, a), mass=1, name="crank")
    coupler = m.rod((0, 0, a), (ground, 0, c), mass=1, name="coupler")
    rocker = m.rod((ground, 0, 0), (ground, 0, c), mass=1, name="rocker")
    m.revolute(m.ground, crank, at=(0, 0, 0), axis="y", name="turn")
    m.spherical(crank, coupler, at=(0, 0, a), name="knee")
    m.universal(coupler, rocker, at=(ground, 0, c), axes=("y", "x"), name="elbow")
    m.revolute(m.ground, rocker, at=(ground, 0, 0), axis="y", name="rock")
    return m


BASE, TOP = 1.0, 0.6


def stewart(height=0.9, apart=()):
    """Six legs of cylinder and rod between two hexagons; `apart`: by which each body is put wrong."""
    m = sl.Model()
    corners = [0.2, 2 * np.pi / 3 - 0.2, 2 * np.pi / 3 + 0.2, 4 * np.pi / 3 - 0.2, 4 * np.pi / 3 + 0.2, -0.2]
    tops = [np.pi / 3 - 0.2, np.pi / 3 + 0.2, np.pi - 0.2, np.pi + 0.2, 5 * np.pi / 3 - 0.2, 5 * np.pi / 3 + 0.2]
    platform = m.cylinder(radius=TOP, length=0.05, mass=20, at=(0, 0, height), name="platform")
    legs = []
    for i in range(6):
        foot = BASE * np.array((np.cos(corners[i]), np.sin(corners[i]), 0))
        head = TOP * np.array((np.cos(tops[i]), np.sin(tops[i]), 0)) + (0, 0, height)
        along = (head - foot) / np.linalg.norm(head - foot)
        side = np.cross(along, (0, 0, 1))
        side /= np.linalg.norm(side)
        tube = m.rod(foot, foot + 0.6 * (head - foot), mass=2, radius=0.03, name=f"tube{i}")
        rod = m.rod(foot + 0.4 * (head - foot), head, mass=1, radius=0.02, name=f"rod{i}")
        m.universal(m.ground, tube, at=foot, axes=(side, np.cross(along, side)), name=f"foot{i}")
        legs.append(m.prismatic(tube, rod, at=0.5 * (foot + head), axis=along, name=f"leg{i}"))
        m.spherical(rod, platform, at=head, name=f"head{i}")
    if len(apart):
        for body, by in zip((platform, *(m[f"rod{i}"] for i in range(6)), *(m[f"tube{i}"] for i in range(6))), apart, strict=True):
            body.displacement = by
    return m, platform, legs


def test_a_spatial_four_bar_has_one_freedom_by_its_name():
    m = four_bar()
    found = m.freedoms()
    assert found.count == int(found) == 1 and found.redundant == () and found.unknowns == 18 and found.rows == 17
    assert found.motions[0].name in ("turn.angle", "rock.angle", "elbow.angle") and set(found.motions[0].bodies) == {"crank", "coupler", "rocker"}
    assert "1 freedom" in str(found)


@pytest.mark.parametrize("name, count, redundant", [("bricard", 1, 1), ("andrews_squeezer", 1, 0), ("slider_crank_3d", 1, 0)])
def test_freedoms_of_known_mechanisms(name, count, redundant):
    found = sl.Model.load(f"{GALLERY}/{name}.json").freedoms()
    assert found.count == count and len(found.redundant) == redundant and found.passing == 0


def test_free_bodies_redundant_hinges_and_passing_freedoms_are_counted():
    m = sl.Model()
    body = m.box(size=(1, 1, 1), mass=1, name="box")
    assert m.freedoms().count == 6 and {motion.name for motion in m.freedoms().motions} == {f"box.{w}" for w in ("vx", "vy", "vz", "wx", "wy", "wz")}
    m.revolute(m.ground, body, at=(0, 0, 0), axis="z", name="one")
    m.revolute(m.ground, body, at=(0, 0, 1), axis="z", name="two")
    found = m.freedoms()
    assert found.count == 1 and len(found.redundant) == 5 and all("two" in text for text in found.redundant)
    assert str(found.motions[0]).endswith("angle moves box")
    flat = sl.Model()  # a parallelogram in line: two freedoms in this position, one in every other
    a, b, c = flat.rod((0, 0, 0), (1, 0, 0), mass=1), flat.rod((1, 0, 0), (3, 0, 0), mass=1), flat.rod((3, 0, 0), (2, 0, 0), mass=1)
    for A, B, at in ((flat.ground, a, (0, 0, 0)), (a, b, (1, 0, 0)), (b, c, (3, 0, 0)), (c, flat.ground, (2, 0, 0))):
        flat.revolute(A, B, at=at, axis="y")
    found = flat.freedoms()
    assert found.count == 2 and found.passing == 1


def test_a_drive_takes_a_freedom_and_a_stewart_platform_has_six():
    m, _, legs = stewart()
    found = m.freedoms()
    assert found.count == 6 and len(found.redundant) == 0
    assert {motion.name for motion in found.motions} == {f"leg{i}.translation.z" for i in range(6)}
    legs[0].position = "0.1*t"
    assert m.freedoms().count == 5


@pytest.mark.parametrize("far", [0.05, 0.3, 1.0])
def test_a_stewart_platform_is_assembled_from_far_off(far):
    chance = np.random.default_rng(3)
    m, platform, legs = stewart(apart=far * chance.normal(size=(13, 3)))
    found = m.assemble()
    assert max(found.residuals.values()) < 1e-10
    # with legs of given length: forward kinematics; the pose has these lengths
    lengths = np.array([0.02, -0.03, 0.05, 0.01, -0.02, 0.04])
    held = m.assemble({leg.translation.z: x for leg, x in zip(legs, lengths, strict=True)})
    assert np.allclose([held[leg.translation.z] for leg in legs], lengths, rtol=0, atol=1e-10)
    assert max(held.residuals.values()) < 1e-10
    result = m.simulate(until=0.01, start=held)
    assert np.allclose(result[platform.position].values[0], held[platform.position], rtol=0, atol=1e-9)


def test_andrews_squeezer_follows_its_crank_and_agrees_with_a_run():
    m = sl.Model.load(f"{GALLERY}/andrews_squeezer.json")
    result = m.simulate(until=0.02, tolerance=1e-9)
    hinge = m["pin_O"]
    moment = result.at(0.015)
    angle, rate = moment[hinge.angle], moment[hinge.angular_rate]
    found = m.assemble({hinge.angle: f"{float(angle)!r} + {float(rate)!r}*t"})
    for node in [name for name in m if m[name].__class__.__name__ == "Node"]:
        assert np.allclose(found[f"{node}.position"], moment[f"{node}.position"], rtol=0, atol=1e-8)
        assert np.allclose(found[f"{node}.velocity"], moment[f"{node}.velocity"], rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("size, origin", [(1e-3, 0.0), (1.0, 1e5), (1e3, 0.0)])
def test_other_sizes_and_places_close_on_the_same_branch(size, origin):
    o = np.array((origin, -2 * origin, 0.5 * origin))
    m = sl.Model()
    crank, coupler, rocker = (m.rod(o + size * np.array(p), o + size * np.array(q), mass=1) for p, q in (((0, 0, 0), (0, 0, 0.3)), ((0, 0, 0.3), (1, 0, 0.8)), ((1, 0, 0), (1, 0, 0.8))))
    turn = m.revolute(m.ground, crank, at=o, axis="y")
    m.spherical(crank, coupler, at=o + size * np.array((0, 0, 0.3)))
    m.universal(coupler, rocker, at=o + size * np.array((1, 0, 0.8)), axes=("y", "x"))
    rock = m.revolute(m.ground, rocker, at=o + size * np.array((1, 0, 0)), axis="y")
    assert m.freedoms().count == 1
    found = m.assemble({turn.angle: "7 + 3*t"})
    plain = four_bar()
    truth = plain.assemble({plain["turn"].angle: "7 + 3*t"})
    assert abs(found[rock.angle] - truth["rock.angle"]) < 1e-9 and abs(found[rock.angular_rate] - truth["rock.angular_rate"]) < 1e-9


def test_velocities_and_accelerations_are_derivatives_of_positions_beyond_half_a_turn():
    m = four_bar()
    turn, rock = m["turn"], m["rock"]
    motion = "7 + 3*t + 2*t^2"
    h = 1e-4
    values = [m.assemble({turn.angle: motion}, time=t)[rock.angle] for t in (-h, 0.0, h)]
    found = m.assemble({turn.angle: motion})
    assert abs(found[turn.angle] - 7) < 1e-12 and abs(found[turn.angular_rate] - 3) < 1e-11
    assert abs((values[2] - values[0]) / (2 * h) - found[rock.angular_rate]) < 1e-6
    assert abs((values[2] - 2 * values[1] + values[0]) / h**2 - (found[rock.relative_angular_acceleration.z])) < 1e-3


def test_a_closure_that_cannot_be_says_how_far_each_joint_is_apart_and_keeps_the_best():
    m = four_bar()
    m.distance(m["crank"], m["rocker"], length=5.0, name="strut")
    with pytest.raises(sl.AssemblyError, match="no position was found.*m") as caught:
        m.assemble()
    best = caught.value.best
    # crank and rocker centres can be at most about 1 + 0.15 + 0.4 apart
    assert 0.5 < max(best.residuals.values()) < 5 and best["crank.position"].shape == (3,)
    assert "strut" in best.residuals


def test_held_rates_that_joints_refuse_and_wrong_input_are_reported():
    m = four_bar()
    turn = m["turn"]
    for wrong, message in (
        ({turn.angular_rate: 1.0}, "no coordinate"),
        ({turn.angle: None}, "expected a number"),
        ({"nobody.angle": 1.0}, "nobody"),
        ({turn.angle: "speed*t"}, "speed"),
    ):
        with pytest.raises(sl.ModelError, match=message):
            m.assemble(wrong)
    assert m.simulate(until=0.01)  # the model is as it was
    assert not any(name.startswith("assemble") for name in m)
    with pytest.raises(sl.ModelError, match="times"):
        m.inverse_dynamics({turn.angle: 1.0}, [1.0, 0.5])
    with pytest.raises(sl.ModelError, match="motion"):
        m.inverse_dynamics({}, [0.0])


def test_the_torque_of_a_driven_pendulum_is_the_closed_form():
    m = sl.Model()
    rod = m.rod((0, 0, 0), (1.2, 0, 0), mass=2)
    hinge = m.revolute(m.ground, rod, at=(0, 0, 0), axis="y")
    times = np.linspace(0, 2, 41)
    found = m.inverse_dynamics({hinge.angle: "3*sin(2*t)"}, times)
    angle, acceleration = 3 * np.sin(2 * times), -12 * np.sin(2 * times)
    inertia = (rod.settings["mass"] * 1.2**2) / 3
    truth = inertia * acceleration - 2 * 9.81 * 0.6 * np.cos(angle)
    assert found[hinge.angle].unit == "N m"
    assert np.allclose(found[hinge.angle].values, truth, rtol=0, atol=2e-3 * np.abs(truth).max())  # the verb's rod has a radius
    assert np.abs(found.residual).max() < 1e-10
    assert np.allclose(found.result[hinge.angle].values, angle, rtol=0, atol=1e-11)


def test_forces_of_inverse_dynamics_drive_the_motion():
    m = four_bar()
    turn = m["turn"]
    found = m.inverse_dynamics({turn.angle: "0.8*sin(3*t)"}, np.linspace(0, 1, 201))
    driven = four_bar()
    driven["turn"].speed = "2.4*cos(3*t)"
    result = driven.simulate(until=1.0, tolerance=1e-9)
    torque = result.at(np.linspace(0.01, 0.99, 50))[driven["turn"].drive].values
    assert np.allclose(np.interp(np.linspace(0.01, 0.99, 50), found[turn.angle].time, found[turn.angle].values), torque, rtol=0, atol=2e-3 * np.abs(torque).max())


def test_inverse_dynamics_of_a_tree_is_its_recursion():
    m = sl.Model()
    arm = m.tree(name="arm")
    one = arm.revolute(at=(0, 0, 0), axis="z", mass=1, inertia=(0.1, 0.2, 0.3), center_of_mass=(0.3, 0, 0.1), name="one")
    one.revolute(at=(0.6, 0, 0), axis="y", mass=0.5, inertia=(0.02, 0.03, 0.01), center_of_mass=(0.2, 0.1, 0), name="two")
    q = [m["one"].coordinate[0], m["two"].coordinate[0]]
    found = m.inverse_dynamics({q[0]: "0.3 + 2*t + t^2", q[1]: "-0.4 + 1.5*t - 2*t^2"}, [0.0, 0.2])
    for i, t in enumerate((0.0, 0.2)):
        truth = arm.inverse_dynamics([0.3 + 2 * t + t * t, -0.4 + 1.5 * t - 2 * t * t], [2 + 2 * t, 1.5 - 4 * t], [2, -4])
        assert np.allclose([found[x].values[i] for x in q], truth, rtol=1e-11, atol=1e-12)


def test_an_undriven_model_leaves_what_its_motion_asks_for_beside_its_forces():
    def built(load):
        m = four_bar()
        if load:
            m.force(m["rocker"], (3.0, 0, 1.0))
        return m

    plain, loaded = built(False), built(True)
    own = plain.inverse_dynamics(plain.simulate(until=0.3, tolerance=1e-9))
    assert np.abs(own.residual).max() < 1e-6
    result = loaded.simulate(until=0.3, tolerance=1e-9)
    asked = plain.inverse_dynamics(result)
    power = np.einsum("ni,ni->n", asked.residual, result._recorded.arrays["y"][:, plain.compile()._core.sizes()["nq"] :][:, : asked.residual.shape[1]])
    truth = result[loaded["rocker"].velocity].values @ np.array((3.0, 0, 1.0))
    assert np.allclose(power, truth, rtol=0, atol=1e-6)  # reactions have none
    assert asked.residual_of("rocker").shape == (len(result), 6)


def test_an_assembled_position_saves_pickles_and_starts_far_from_the_origin(tmp_path):
    m = four_bar()
    found = m.assemble({"turn.angle": 0.5})
    again = pickle.loads(pickle.dumps(found))
    assert np.array_equal(again.q, found.q) and again.residuals == found.residuals
    found.save(tmp_path / "a.saltus")
    assert np.array_equal(sl.load_result(tmp_path / "a.saltus")["rocker.position"], found["rocker.position"])
