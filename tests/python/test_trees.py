"""Kinematic trees through the package: against the same bodies on joints, closed loops, contact, loads, refusals, files."""

import math

import numpy as np
import pytest

import saltus as sl

MOMENTS = (0.02, 0.03, 0.025)


def bars(m, tree):
    """Three bars from the ground, each hinged to the one before, as a tree or as bodies on joints."""
    places, axes, length = [(0, 0, 0), (0.3, 0, 0.4), (1.0, 0, 0.5)], ["y", "y", "y"], [(0.15, 0, 0.2), (0.35, 0, 0.05), (0.1, 0, -0.25)]
    carrier, out = (m.tree(name="arm") if tree else m.ground), []
    for i, (p, axis, c) in enumerate(zip(places, axes, length, strict=True)):
        if tree:
            carrier = carrier.revolute(at=p, axis=axis, mass=1 + i, inertia=MOMENTS, center_of_mass=c, name=f"bar_{i}")
        else:
            body = m.body(mass=1 + i, inertia=MOMENTS, at=p, center_of_mass=c, name=f"bar_{i}")
            m.revolute(carrier, body, at=p, axis=axis)
            carrier = body
        out.append(carrier)
    return out


def path(tree, scheme, step, more=lambda m, links: None):
    m = sl.Model()
    links = bars(m, tree)
    more(m, links)
    result = m.simulate(until=0.3, scheme=scheme, step=step)
    return result[links[-1].position].last, result[links[-1].rotation.y].last


@pytest.mark.parametrize("scheme, step, apart", [("dormand_prince", None, 1e-5), ("generalized_alpha", 1e-3, 3e-5), ("moreau_jean", 1e-3, 3e-4)])
def test_a_loop_is_closed_by_a_joint_between_two_of_its_links(scheme, step, apart):
    def close(m, links):
        m.revolute(m.ground, links[-1], at=(1.2, 0, 0.0), axis="y")
        m.force(links[1].frame((0.8, 0, 0.45)), (3, 0, -5))

    here, there = path(True, scheme, step, close), path(False, scheme, step, close)
    assert np.allclose(here[0], there[0], atol=apart) and abs(here[1] - there[1]) < apart


def test_what_inverse_dynamics_says_holds_the_arm_and_drives_it():
    m = sl.Model()
    links = bars(m, tree=True)
    q, v, a = (0.4, -0.3, 0.8), (0.5, 1.0, -0.7), (2.0, -1.0, 0.5)
    force = m["arm"].inverse_dynamics(q, v, a)
    for i, link in enumerate(links):
        link.coordinate, link.rate = q[i], v[i]
        m.add(sl.items.CoordinateLoad(on=link, force=float(force[i])), name=f"motor_{i}")
    result = m.simulate(until=1e-3, scheme="dormand_prince")
    assert np.allclose([np.asarray(result[link.coordinate_acceleration])[0] for link in links], a, atol=1e-10)
    with pytest.raises(sl.ModelError, match="q has 2 numbers, the tree has 3"):
        m["arm"].inverse_dynamics(q[:2], v, a)


def test_springs_and_gears_take_the_coordinate_of_a_joint():
    m = sl.Model(gravity=(0, 0, 0))
    arm = m.tree(name="arm")
    first = arm.revolute(axis="z", mass=1.0, inertia=(1, 1, 2.0), rate=30.0, name="first")
    second = arm.revolute(axis="x", mass=1.0, inertia=(0.5, 1, 1), rate=-15.0, name="second")
    m.coupling([first.coordinate, second.coordinate], (1, 2))
    m.add(sl.items.CoordinateSpringDamper(A="ground", B=first, stiffness=0.01), name="spring")
    result = m.simulate(until=10.0, step=1e-3)
    w = math.sqrt(0.01 / (2.0 + 0.25 * 0.5))
    assert result[first.coordinate].last == pytest.approx(30 / w * math.sin(w * 10), abs=1e-3)  # tens of turns: the angle is a coordinate
    assert result[second.coordinate].last == pytest.approx(-0.5 * result[first.coordinate].last, abs=1e-9)


def test_a_hand_falls_on_a_plane_as_the_closed_form_says():
    m = sl.Model()
    hand = m.tree().prismatic(axis="z", at=(0.2, 0.1, 1.0), mass=2.0, name="hand")
    m.add(sl.items.PlaneGap(A="ground", B=hand, law={"type": "newton_impact", "restitution": 0.5}), name="floor")
    result = m.simulate(until=0.8, step=1e-3, scheme="moreau_jean")
    fall = math.sqrt(2 / 9.81)
    after = 0.5 * 9.81 * fall
    assert result[hand.position.z].last == pytest.approx(after * (0.8 - fall) - 0.5 * 9.81 * (0.8 - fall) ** 2, abs=6e-3)


def test_a_free_base_keeps_its_momentum():
    m = sl.Model(gravity=(0, 0, 0))
    hull = m.box(size=(1, 1, 1), mass=3.0, velocity=(0.1, 0, 0), name="hull")
    wheel = m.tree(base=hull).revolute(at=(0.5, 0, 0), axis="x", mass=1.0, inertia=(0.2, 0.1, 0.1), rate=10.0, name="wheel")
    m.add(sl.items.CoordinateSpringDamper(A="ground", B=wheel, damping=0.3), name="brake")
    result = m.simulate(until=20.0, step=0.01, scheme="generalized_alpha")
    assert result[wheel.rate].last == pytest.approx(0.0, abs=1e-3)
    assert result[hull.angular_velocity.x].last == pytest.approx(0.2 * 10 / (0.5 + 0.2), rel=1e-6)  # all that the wheel had
    assert (3 * result[hull.velocity].last + result[wheel.velocity].last) / 4 == pytest.approx([0.1, 0, 0], abs=1e-9)


def test_energy_is_kept():
    m = sl.Model()
    bars(m, tree=True)
    result = m.simulate(until=1.0, scheme="dormand_prince", tolerance=1e-9)
    assert np.ptp(result["energy.total"]) < 1e-6 * np.max(result["energy.kinetic"])


LINK = '"type": "tree_link", "mass": 1, "node": {"type": "node_1d"}'
TREE = '"arm": {"type": "kinematic_tree"}'


@pytest.mark.parametrize(
    "bodies, path, message, remedy",
    [
        (f'{TREE}, "a": {{{LINK}, "parent": "b"}}, "b": {{{LINK}, "parent": "a"}}', "bodies/a/parent", "'a' stands on itself", "closed by a joint"),
        (f'{TREE}, "a": {{{LINK}, "parent": "handle"}}', "bodies/a/parent", "handle\" is not there", "arm"),
        (f'"w": {{"type": "point_mass", "mass": 1, "node": {{"type": "node_point"}}}}, "a": {{{LINK}, "parent": "w"}}', "bodies/a/parent", "'w' is a point_mass", "kinematic_tree"),
        (TREE, "bodies/arm", "has no links", "tree_link"),
        (f'{TREE}, "a": {{"type": "tree_link", "mass": 1, "parent": "arm"}}', "bodies/a/node", "is missing: it says where the joint stands", "node_1d"),
        (f'{TREE}, "a": {{{LINK}, "joint": "fixed", "parent": "arm"}}', "bodies/a/node", "a fixed joint has no coordinate", "leave the node out"),
        (f'{TREE}, "a": {{"type": "tree_link", "node": {{"type": "node_1d"}}, "parent": "arm"}}', "bodies/a/mass", "moves nothing that has mass", "give mass"),
        (f'{TREE}, "a": {{{LINK}, "joint": "hinge", "parent": "arm"}}', "bodies/a/joint", "is \"hinge\"", "revolute"),
        (f'"arm": {{"type": "kinematic_tree", "base": "a"}}, "a": {{{LINK}, "parent": "arm"}}', "bodies/a/parent", "'a' stands on itself", "closed by a joint"),
    ],
)
def test_refuses_by_name_with_a_remedy(bodies, path, message, remedy):
    with pytest.raises(sl.ModelError) as error:
        sl.Model.parse(f'{{"saltus": 1, "bodies": {{{bodies}}}}}').simulate(until=0.01)
    text = str(error.value)
    assert path in text and message in text and remedy in text, text


def test_comes_back_from_a_file(tmp_path):
    m = sl.Model()
    arm = m.tree(base=m.box(size=(1, 1, 1), mass=1, at=(0, 1, 0), rotation=(0.1, 0.2, 0.3), name="hull").frame((0.5, 1, 0)), name="arm")
    link = arm.revolute(at=(0.5, 1.5, 0), axis=(0, 1, 1), rotation=(0.3, 0, 0), mass=1, coordinate=0.2, name="first")
    hand = link.fixed(at=(0.5, 2, 0), mass=0.5, inertia=MOMENTS, name="hand").prismatic(axis="x", mass=0.1, rate=0.3, name="tip")
    m.save(tmp_path / "arm.json")
    again = sl.Model.load(tmp_path / "arm.json")
    assert again._engine.text() == m._engine.text()
    assert type(again["arm"]) is type(arm) and type(again["tip"]) is type(hand)
    for name in ("first", "hand", "tip"):
        for a, b in zip(again[name].reference, m[name].reference, strict=True):
            assert np.allclose(a, b, atol=1e-14)
    assert np.allclose(m.simulate(until=1e-3)[hand.frame((0.5, 2, 0)).position].last, again.simulate(until=1e-3)["tip.position"].last)


def test_links_are_drawn_where_they_are():
    from saltus.view.scene import Scene

    m = sl.Model()
    links = bars(m, tree=True)
    result = m.simulate(until=0.2, step=1e-2, scheme="runge_kutta_4")
    scene = Scene(m._engine, m._engine.compile())
    drawn = {scene.items[body["i"]][2]: body for body in scene._drawn()["bodies"]}
    assert set(drawn) == {link.name for link in links} and drawn["bar_0"]["kind"] == "link"
    p, q = scene.poses(np.asarray(result._recorded.arrays["y"]))
    for link in links:
        frame = scene.places.frame_of(link.name)
        assert np.allclose(p[:, frame], result[link.position], atol=1e-12)
        assert np.allclose(np.abs(np.sum(q[:, frame] * result[link.quaternion], axis=1)), 1.0)
        assert np.allclose(scene.places.reference[frame][0], link.reference[0], atol=1e-12)


def test_links_have_the_energies_and_momenta_of_bodies_and_those_of_the_tree_are_their_sums():
    m = sl.Model()
    tree = m.tree()
    upper = tree.revolute(axis="y", mass=2, inertia=(0.1, 0.2, 0.3), center_of_mass=(0.5, 0, 0), rate=1.3)
    lower = upper.prismatic(axis=(1, 1, 0), at=(1, 0, 0), mass=1, inertia=(0.05, 0.02, 0.03), center_of_mass=(0.1, 0.2, 0), rate=0.4)
    r, whole = m.simulate(0.3, tolerance=1e-9), m.group()
    t = 0.2
    at = r.at(t)
    c, w = np.array([0.5, 0, 0]), np.asarray(at[upper.angular_velocity])
    R = np.asarray(at[upper.rotation_matrix]).reshape(3, 3)
    v = np.cross(w, R @ c)
    assert at[upper.center_velocity] == pytest.approx(v, abs=1e-9)
    assert at[upper.momentum] == pytest.approx(2 * v, abs=1e-9)
    spin = R @ np.diag([0.1, 0.2, 0.3]) @ R.T @ w
    assert at[upper.angular_momentum] == pytest.approx(spin, abs=1e-9)
    assert at[upper.kinetic_energy] == pytest.approx(v @ v + 0.5 * w @ spin, abs=1e-9)
    assert at[upper.potential_energy] == pytest.approx(2 * 9.81 * (R @ c)[2], abs=1e-9)
    for word in ("kinetic_energy", "potential_energy", "momentum"):
        both = np.asarray(at[getattr(upper, word)]) + np.asarray(at[getattr(lower, word)])
        assert np.asarray(at[getattr(whole, word)]) == pytest.approx(both, abs=1e-9)
