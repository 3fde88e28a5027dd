"""Items that a program adds, and motors on joints that name no place."""

import math
import warnings

import pytest

import saltus as sl


def test_added_items_count_one_by_one():
    m = sl.Model()
    b = m.point_mass(mass=1, at=(1, 0, 0))
    names = [m.add(sl.items.SpringDamper(A=m.ground, B=b, stiffness=1)).name for _ in range(3)]
    assert names == ["spring_damper_1", "spring_damper_2", "spring_damper_3"]


@pytest.mark.parametrize("listed", [False, True])
def test_a_contact_added_as_an_item_keeps_its_result_at_a_fixed_step(listed):
    """A ball of restitution 1/2 from 0.4 m above the plane: sqrt(2 h / g) to the impact, then half the speed."""
    m = sl.Model()
    plane = m.add(sl.items.Plane(body=m.ground, name="p"))
    ball = m.body(mass=1, inertia=(0.004, 0.004, 0.004), at=(0, 0, 0.5), name="ball")
    shape = m.add(sl.items.Sphere(body=ball, radius=0.1, name="s"))
    ends = {"A": [plane], "B": [shape]} if listed else {"A": plane, "B": shape}
    m.add(sl.items.Contact(**ends, law=sl.items.NewtonImpact(restitution=0.5)))
    fall = math.sqrt(2 * 0.4 / 9.81)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = m.simulate(fall + 0.1, step=1e-4)
    assert float(result[ball.velocity.z].last) == pytest.approx(0.5 * 9.81 * fall - 9.81 * 0.1, abs=5e-3)
    ball.velocity = (0, 0, -50)
    with pytest.warns(sl.ModelWarning, match="coarse for contact: ball moves"):
        m.simulate(0.01, step=1e-3, scheme="nonsmooth_generalized_alpha")


MOTOR = dict(L=1e-2, k=0.1, R=2.0)


def motor(**place):
    m = sl.Model(gravity=(0, 0, 0))
    shaft = m.cylinder(radius=0.1, length=0.1, mass=1, at=(0.3, 0, 0.2), axis=place.get("axis", "z"))
    joint = m.revolute(m.ground, shaft, **place)
    supply = m.terminal()
    m.voltage_source(supply, m.ground, voltage=5)
    return m, joint, m.dc_motor(supply, m.ground, joint, **MOTOR)


@pytest.mark.parametrize("place", [{}, {"axis": "x"}, {"at": (0.3, 0, 0.2)}, {"at": (0.3, 0, 0.2), "axis": "x"}])
def test_a_motor_turns_a_joint_wherever_it_is_named(place):
    """L di/dt = U - R i - k w, J dw/dt = k i with J = m r^2 / 2: the slow root's speed against the exact solution."""
    m, joint, turned = motor(**place)
    L, k, R, J, U, T = *(MOTOR[x] for x in "LkR"), 0.5 * 0.01, 5.0, 0.5
    a, b = R / (2 * L), math.sqrt((R / (2 * L)) ** 2 - k * k / (L * J))
    slow, fast = -a + b, -a - b
    speed = U / k * (1 + (fast * math.exp(slow * T) - slow * math.exp(fast * T)) / (slow - fast))
    result = m.simulate(T, tolerance=1e-8)
    assert float(result[joint.angular_rate].last) == pytest.approx(speed, rel=1e-5)
    assert float(result[turned.torque.norm].last) == pytest.approx(k * float(result[turned.current].last), rel=1e-9)


def test_a_motor_follows_its_joint_to_another_axis():
    m, joint, _ = motor(at=(0.3, 0, 0.2), axis="z")
    joint.axis = "x"
    fresh = sl.Model(gravity=(0, 0, 0))
    shaft = fresh.cylinder(radius=0.1, length=0.1, mass=1, at=(0.3, 0, 0.2))
    pin = fresh.revolute(fresh.ground, shaft, at=(0.3, 0, 0.2), axis="x")
    supply = fresh.terminal()
    fresh.voltage_source(supply, fresh.ground, voltage=5)
    fresh.dc_motor(supply, fresh.ground, pin, **MOTOR)
    assert m._engine.text() == fresh._engine.text()
