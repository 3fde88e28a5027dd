"""A drive with an integral and a limit, at any step; and contacts of meganewtons beside currents of microamperes."""

import numpy as np
import pytest

import saltus as sl


def driven(speed, gain, integral, limit, gravity=(0, 0, -9.81)):
    m = sl.Model(gravity=gravity)
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1.0, name="rod")
    m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", speed=speed, gain=gain, integral=integral, limit=limit, name="hinge")
    return m


@pytest.mark.parametrize(("gain", "integral", "limit", "speed"), [(0.5, 50, 6, "5"), (5, 500, 6, "5*sin(3*t)"), (0.5, 500, 1, "5"), (0.5, 5, 1, "5")])
def test_a_limited_integral_is_solved_at_any_step(gain, integral, limit, speed):
    ends, kept = [], []
    for step in (1e-2, 1e-3, None):
        result = driven(speed, gain, integral, limit).simulate(0.3, step=step)
        ends.append(result["hinge.angle"].last)
        kept.append(np.abs(np.asarray(result["hinge_integral.state"])).max())
    assert ends[0] == pytest.approx(ends[2], abs=2e-3) and ends[1] == pytest.approx(ends[2], abs=2e-4)
    assert max(kept) <= (1.02 * limit + gain * 10.0) / integral  # it waits at the limit


def test_a_limited_drive_holds_its_speed_where_the_limit_suffices():
    """J w' = T within the limit; then the integral takes the speed without a lasting error."""
    m = driven("2", 2.0, 20.0, 1.0, gravity=(0, 0, 0))
    result = m.simulate(4.0)
    assert result["hinge.angular_rate"].last == pytest.approx(2.0, abs=1e-4)
    early = result.at(0.2)
    assert float(early["hinge.angular_rate"]) == pytest.approx(0.2 * 1.0 / (1.0 / 3.0), rel=1e-3)


def heavy_beside_small(R, heavy=True, small=True):
    m = sl.Model()
    if heavy:
        ball = m.sphere(radius=0.2, mass=1e5, at=(3, 0, 0.4), name="ball")
        m.contact(m.plane(), ball, restitution=0.5, friction=0.4, name="touch")
    if small:
        a, b, c = (m.terminal(name=name) for name in "abc")
        m.voltage_source(a, m.ground, voltage="sin(100*t)")
        m.resistor(a, b, R=R)
        m.diode(b, c)
        m.resistor(c, m.ground, R=10 * R)
        m.capacitor(c, m.ground, C=0.01 / R, name="store")
    return m


@pytest.mark.parametrize("R", [1e3, 1e6])
def test_a_rectifier_of_microamperes_is_as_exact_beside_a_contact_of_meganewtons(R):
    both, small, heavy = (heavy_beside_small(R, *which).simulate(0.1, scheme="moreau_jean", step=5e-4) for which in ((True, True), (False, True), (True, False)))
    voltage = np.asarray(small["store_charge.state"])
    assert np.abs(np.asarray(both["store_charge.state"]) - voltage).max() <= 1e-11 * np.abs(voltage).max()
    assert np.abs(np.asarray(both["ball.position.z"]) - np.asarray(heavy["ball.position.z"])).max() < 2e-5
