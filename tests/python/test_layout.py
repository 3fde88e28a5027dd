"""What a compiled model says of its states: whose entries they are, where its frames are."""

import numpy as np
import pytest

import saltus as sl


def rig():
    m = sl.Model()
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1, name="rod")
    hinge = m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", name="hinge")
    ball = m.sphere(radius=0.1, mass=1, at=(2, 0, 0.5), name="ball")
    m.contact(m.plane(), ball, friction=0.3, name="touch")
    m.add(sl.items.Frame(body=ball, position=(0, 0, 0.1), rotation=(0.3, 0, 0)), name="top")
    p = m.terminal(name="p")
    m.capacitor(p, m.ground, C=1.0, voltage=2.0), m.resistor(p, m.ground, R=1.0)
    return m, rod, hinge, ball


def test_each_entry_of_a_state_belongs_to_one_item():
    m, *_ = rig()
    result = m.simulate(0.05, step=1e-2, scheme="moreau_jean")
    arrays, seen = result._recorded.arrays, {}
    for part in result.system.layout():
        assert len(part.names) == len(part.units) == part.entries.stop - part.entries.start > 0
        for i in range(part.entries.start, part.entries.stop):
            assert seen.setdefault((part.array, i), part) is part, (part, seen[part.array, i])
    for array, ground in (("y", 1), ("lam", 0), ("data", 0)):
        assert sorted(i for name, i in seen if name == array) == list(range(arrays[array].shape[1] - ground))


def test_the_layout_finds_the_quantities():
    m, rod, hinge, ball = rig()
    result = m.simulate(0.05, step=1e-2, scheme="moreau_jean")
    parts = {(part.item, part.part): part for part in result.system.layout()}
    node = parts["ball.node", "q"]
    assert node.names == ("x", "y", "z", "qw", "qx", "qy", "qz") and node.units[:3] == ("m", "m", "m")
    y = result._recorded.arrays["y"]
    assert np.array_equal(y[:, node.entries][:, :3], result[ball.position])
    rate = parts["ball.node", "v"]
    assert rate.names == ("vx", "vy", "vz", "wx", "wy", "wz")
    assert np.array_equal(y[:, rate.entries][:, :3], result[ball.velocity])
    reaction = parts["hinge", "lambda"]
    assert np.array_equal(result._recorded.arrays["lam"][:, reaction.entries], result["hinge.multiplier"])
    assert parts["p", "z"].units == ("V",)


def test_frames_are_where_the_quantities_say():
    m, rod, _, ball = rig()
    system = m.compile()
    result = m.simulate(0.2, step=1e-2, scheme="moreau_jean")
    poses = system.frames(result)
    assert poses.shape == (len(result.time), len(system.frame_names), 7)
    for name in ("rod.node", "ball.node", "top"):
        at = system.frame_names.index(name)
        assert poses[:, at, :3] == pytest.approx(np.asarray(result[f"{name}.position"]), abs=1e-15)
        assert np.abs(np.sum(poses[:, at, 3:] * np.asarray(result[f"{name}.quaternion"]), axis=1)) == pytest.approx(1.0, abs=1e-14)
    assert system.frames()[system.frame_names.index("top"), :3] == pytest.approx([2, 0, 0.6], abs=1e-15)
    assert system.frames(result._recorded.arrays["y"][3]).shape == (1, len(system.frame_names), 7)
    with pytest.raises(sl.ModelError, match="not of this model"):
        system.frames(np.zeros((2, 3)))
