"""A model without some of its items: what goes along, what stays, that it moves as the model that never had them."""

import numpy as np
import pytest

import saltus as sl


def two(left=True):
    """A driven rod with its payload; a ball that falls beside it."""
    m = sl.Model()
    floor = m.plane(name="floor")
    balls = [m.sphere(radius=0.1, mass=1, at=(x, 2, 1), name=f"ball_{x}") for x in (1, 2)]
    if left:
        rod = m.rod((0, 0, 1), (1, 0, 1), mass=2, name="rod")
        m.revolute(m.ground, rod, at=(0, 0, 1), axis="y", torque="3*sin(t)", limits=(-1, 1), friction=0.1, name="hinge")
        m.spring(balls[0], rod, stiffness=100, name="spring")
        m.outputs["angle"] = m["hinge"].angle
    m.contact([floor], [*balls, m.sphere(radius=0.1, mass=1, at=(5, 2, 1), name="extra")] if left else balls, friction=0.3, name="landing")
    m.outputs["height"] = m["ball_1"].position.z
    return m


def test_what_stays_moves_as_if_the_rest_had_never_been():
    m = two().without("rod", "extra")
    assert set(m) == set(two(left=False)) and m.outputs.keys() == {"height"}
    a, b = (x.simulate(until=1.0) for x in (m, two(left=False)))
    assert np.array_equal(a["ball_1.position.z"], b["ball_1.position.z"])


def test_a_joint_goes_with_its_drive_its_stops_and_its_friction():
    m = two()
    gone = set(m) - set(m.without(m["hinge"]))
    assert gone == {name for name in m if name.startswith("hinge")} and len(gone) == 5
    assert "angle" not in m.without("hinge").outputs and "angle" in m.outputs


def test_a_contact_of_several_points_a_beam_and_a_circuit_go_whole():
    m = sl.Model()
    floor, box = m.plane(name="floor"), m.box(size=(1, 1, 1), mass=1, at=(0, 0, 1), name="box")
    m.contact(floor, box, name="feet")
    m.beam((0, 0, 2), (1, 0, 2), EI=10, EA=1e5, mass_per_length=1.0, elements=3, name="bar")
    a = m.terminal(name="a")
    m.voltage_source(a, m.ground, voltage=1, name="source")
    m.resistor(a, m.ground, R=1, name="load")
    assert not any(name.startswith("feet") for name in m.without("feet"))
    assert not any(name.startswith("bar") for name in m.without("bar"))
    left = set(m.without("source"))
    assert {"a", "load"} <= left and "source" not in left
    assert not {"a", "source", "load"} & set(m.without("source", "load"))


def test_controllers_of_what_goes_go_and_others_stay():
    m = two()
    p = m.parameter("k", 1.0)
    m.controller("-2*x", inputs={"x": "hinge.angle"}, outputs=[p], period=0.1, name="of_the_hinge")
    m.controller("-2*x", inputs={"x": "ball_1.position.z"}, outputs=[p], period=0.1, name="of_the_ball")
    new = m.without("hinge")
    assert "of_the_ball" in new and "of_the_hinge" not in new and "k" in new.parameters


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("rodd", 'rodd: is not an item of the model; did you mean "rod"?'),
        (3, "without: is given 3, expected items"),
        ("ground", "without: is given the ground"),
    ],
)
def test_what_is_no_item_is_refused(given, message):
    with pytest.raises(sl.ModelError, match=message.replace("?", r"\?")):
        two().without(given)


def test_an_item_of_another_model_is_refused():
    with pytest.raises(sl.ModelError, match="of another model"):
        two().without(two()["rod"])


def test_a_sensor_that_goes_takes_who_reads_it_along():
    m = two()
    sensor = m.sensor(m["ball_2"].position.z, period=0.01, name="eye")
    m.outputs["seen"] = sensor.value
    rest = m.without("ball_2")
    assert "seen" not in rest.outputs and "eye" not in set(rest)
    assert rest.simulate(0.05).report["status"] == "done"


def test_functions_of_the_program_stay():
    m = two()
    m.user_force([m["ball_1"].frame()], function=lambda t, *q: [3.0 * t] + [0.0] * 5, name="push")
    new, how = m.without("extra"), {"scheme": "moreau_jean", "step": 5e-3}
    a, b = (x.simulate(until=0.1, **how)["ball_1.position.x"].last for x in (m, new))
    assert a == pytest.approx(b, abs=1e-9) and abs(a - two().simulate(until=0.1, **how)["ball_1.position.x"].last) > 1e-5
    assert "push" in new and "push" not in m.without("ball_1")


def test_controllers_of_functions_stay_or_go_with_what_they_read():
    m = two()
    p = m.parameter("k", 1.0)
    seen = []
    m.controller(lambda t, z: seen.append(z) or 2.0, inputs=["ball_1.position.z"], outputs=[p], period=0.1, name="of_the_ball")
    m.controller(lambda t, x, memory: x, inputs=["hinge.angle"], outputs=[], shown=1, memory=[0.0], period=0.1, name="of_the_hinge")
    new = m.without("hinge")
    new.simulate(until=0.15)
    assert len(seen) == 2 and "of_the_ball" in new and "of_the_hinge" not in set(new)


def test_what_was_included_goes_whole():
    part = sl.Model()
    part.rod((0, 0, 0), (1, 0, 0), mass=1, name="rod")
    part.revolute(part.ground, part["rod"], at=(0, 0, 0), axis="y", name="hinge")
    m = two()
    left = m.include(part, name="left", position=(5, 0, 0))
    assert set(m.without(left)) == set(two()) and set(m.without(left, "rod")) == set(two().without("rod"))
    with pytest.raises(sl.ModelError, match="included in another model"):
        two().without(left)
