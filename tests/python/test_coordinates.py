"""Lagrange's equations in coordinates of the user's choice: M(q), a potential, forces."""

import math

import numpy as np
import pytest

import saltus as sl

G = 9.81


def double_pendulum(m, start=(0.7, -0.4), velocity=(0.3, 1.1), l1=1.0, l2=0.7, m1=1.3, m2=0.8, inertia=0.0, **keywords):
    """Two masses at the ends of massless rods; angles against the vertical."""
    mixed = f"{m2 * l1 * l2}*cos(q0 - q1)"
    return m.coordinates(
        [[(m1 + m2) * l1**2 + inertia, mixed], [mixed, m2 * l2**2 + inertia]],
        potential=f"-{(m1 + m2) * G * l1}*cos(q0) - {m2 * G * l2}*cos(q1)",
        start=start,
        velocity=velocity,
        **keywords,
    )


def closed_form(q, v, l1=1.0, l2=0.7, m1=1.3, m2=0.8):
    """Angular accelerations of the double pendulum, written out by hand."""
    d = q[0] - q[1]
    M = np.array([[(m1 + m2) * l1**2, m2 * l1 * l2 * math.cos(d)], [m2 * l1 * l2 * math.cos(d), m2 * l2**2]])
    f = np.array(
        [
            -m2 * l1 * l2 * math.sin(d) * v[1] ** 2 - (m1 + m2) * G * l1 * math.sin(q[0]),
            m2 * l1 * l2 * math.sin(d) * v[0] ** 2 - m2 * G * l2 * math.sin(q[1]),
        ]
    )
    return np.linalg.solve(M, f)


@pytest.mark.parametrize("q, v", [((0.7, -0.4), (0.3, 1.1)), ((2.0, 1.0), (-3.0, 2.0)), ((0.0, 3.0), (5.0, -4.0))])
def test_a_double_pendulum_accelerates_as_its_closed_form(q, v):
    m = sl.Model(gravity=(0, 0, 0))
    pendulum = double_pendulum(m, q, v)
    result = m.simulate(1e-3, scheme="dormand_prince", step=1e-3)
    assert result[pendulum.coordinate_acceleration][0] == pytest.approx(closed_form(q, v), rel=1e-12)


def bodies_with_joints(m, q, v, l1=1.0, l2=0.7, m1=1.3, m2=0.8, inertia=0.05):
    """The same of bodies on hinges."""
    p1 = np.array([l1 * math.sin(q[0]), 0.0, -l1 * math.cos(q[0])])
    p2 = p1 + [l2 * math.sin(q[1]), 0.0, -l2 * math.cos(q[1])]
    w1, w2 = np.array([0, -v[0], 0]), np.array([0, -v[1], 0])
    first = m.body(mass=m1, inertia=(inertia,) * 3, at=p1, velocity=np.cross(w1, p1), angular_velocity=w1)
    second = m.body(mass=m2, inertia=(inertia,) * 3, at=p2, velocity=np.cross(w1, p1) + np.cross(w2, p2 - p1), angular_velocity=w2)
    m.revolute(m.ground, first, at=(0, 0, 0), axis="y")
    m.revolute(first, second, at=p1, axis="y")
    return second


def test_a_double_pendulum_moves_as_bodies_with_joints():
    q, v = (0.7, -0.4), (0.3, 1.1)
    one, other = sl.Model(gravity=(0, 0, 0)), sl.Model(gravity=(0, 0, -G))
    pendulum, body = double_pendulum(one, q, v, inertia=0.05), bodies_with_joints(other, q, v)
    options = dict(scheme="dormand_prince", tolerance=1e-12, record=0.1)
    a, b = one.simulate(1.0, **options), other.simulate(1.0, **options)
    angles = a[pendulum.coordinate]
    x = np.sin(angles[:, 0]) + 0.7 * np.sin(angles[:, 1])
    z = -np.cos(angles[:, 0]) - 0.7 * np.cos(angles[:, 1])
    assert b[body.position][:, 0] == pytest.approx(x, abs=1e-10)
    assert b[body.position][:, 2] == pytest.approx(z, abs=1e-10)


@pytest.mark.parametrize("given", ["formulas", "function"])
def test_a_spherical_pendulum_keeps_its_angular_momentum_and_energy(given):
    m = sl.Model(gravity=(0, 0, 0))
    if given == "formulas":
        mass, potential = [["2", "0"], ["0", "2*sin(q0)^2"]], f"2*{G}*cos(q0)"
    else:
        mass, potential = (lambda q0, q1: [[2, 0], [0, 2 * math.sin(q0) ** 2]]), (lambda q0, q1: 2 * G * math.cos(q0))
    pendulum = m.coordinates(mass, potential=potential, start=(2.2, 0), velocity=(0.5, 1.5))
    result = m.simulate(3.0, scheme="dormand_prince", tolerance=1e-10)
    q, v = result[pendulum.coordinate], result[pendulum.rate]
    momentum = 2 * np.sin(q[:, 0]) ** 2 * v[:, 1]
    assert momentum == pytest.approx(momentum[0], rel=1e-8)
    energy = result["energy.total"]
    assert energy == pytest.approx(energy[0], abs=1e-7)
    assert energy[0] == pytest.approx(0.5 * 2 * (0.25 + math.sin(2.2) ** 2 * 2.25) + 2 * G * math.cos(2.2), rel=1e-12)


SCHEMES = [("dormand_prince", 4.5), ("generalized_alpha", 1.8), ("moreau_jean", 1.8)]


@pytest.mark.parametrize("scheme, order", SCHEMES)
def test_a_free_point_in_polar_coordinates_goes_straight_at_the_order_of_each_scheme(scheme, order):
    def error(step):
        m = sl.Model(gravity=(0, 0, 0))
        point = m.coordinates([["1.5", 0], [0, "1.5*q0^2"]], start=(1.0, 0.0), velocity=(0.2, 0.9))
        result = m.simulate(1.0, scheme=scheme, step=step)
        r, phi = result[point.coordinate][-1]
        return math.hypot(r * math.cos(phi) - 1.2, r * math.sin(phi) - 0.9)

    coarse, fine = error(0.05), error(0.025)
    assert fine < 1e-3
    assert math.log2(coarse / fine) > order


@pytest.mark.parametrize("scheme, order", SCHEMES)
def test_a_double_pendulum_converges_at_the_order_of_each_scheme(scheme, order):
    m = sl.Model(gravity=(0, 0, 0))
    pendulum = double_pendulum(m)
    exact = m.simulate(0.6, scheme="dormand_prince", tolerance=1e-12)[pendulum.coordinate][-1]
    errors = [np.abs(m.simulate(0.6, scheme=scheme, step=step)[pendulum.coordinate][-1] - exact).max() for step in (0.01, 0.005)]
    assert math.log2(errors[0] / errors[1]) > order


@pytest.mark.parametrize("scheme", ["generalized_alpha", "moreau_jean"])
def test_newton_converges_without_the_derivative_of_the_inertia(scheme):
    """The matrix of a step leaves out d(M a)/dq, which is of the order of the step squared beside M: each iteration gains that factor."""
    m = sl.Model(gravity=(0, 0, 0))
    double_pendulum(m)
    report = m.simulate(1.0, scheme=scheme, step=1e-2).report
    assert report["iterations"] <= 5 * report["steps"]
    assert report["residual"]["equations"] < 1e-9


def test_a_stop_on_polar_coordinates_keeps_the_moment_of_momentum_and_e_squared_of_the_radial_energy():
    """A bead that is thrown outwards in a slot: r <= 2, restitution 0.5; r^2 phi' stays through the impact."""
    m = sl.Model(gravity=(0, 0, 0))
    bead = m.coordinates([[1, 0], [0, "q0^2"]], start=(1.0, 0.0), velocity=(1.0, 0.5))
    m.add(sl.items.LinearRelation(on=[bead.coordinate[0]], matrix=[[-1]], offset=[2.0], law=sl.items.NewtonImpact(restitution=0.5)))
    result = m.simulate(1.5, scheme="moreau_jean", step=2e-4)
    q, v = result[bead.coordinate], result[bead.rate]
    assert q[:, 0].max() < 2.0 + 1e-3
    momentum = q[:, 0] ** 2 * v[:, 1]
    assert momentum == pytest.approx(0.5, rel=1e-5)
    hit = int(np.argmin(v[:, 0]))
    assert v[hit, 0] == pytest.approx(-0.5 * v[hit - 2, 0], rel=1e-2)


def test_masses_that_are_none_are_refused_at_the_start_and_end_a_run():
    m = sl.Model(gravity=(0, 0, 0))
    m.coordinates([[1, 0], [0, "q0"]], start=(1.0, 0.0), velocity=(-1.0, 0.0), name="slider")
    with pytest.raises(sl.RunError, match=r"bodies/slider: mass_matrix is not positive definite.*eigenvalue.*t = 1"):
        m.simulate(2.0, scheme="moreau_jean", step=0.03)
    m = sl.Model(gravity=(0, 0, 0))
    m.coordinates([[1, "q0"], ["q1", 1]], start=(0.1, 0.2), name="skew")
    with pytest.raises(sl.ModelError, match="not symmetric"):
        m.simulate(1.0)
    m = sl.Model(gravity=(0, 0, 0))
    m.coordinates([["1 + 0.1*t"]], name="rocket")
    with pytest.raises(sl.ModelError, match="momentum"):
        m.simulate(1.0)


def test_a_model_file_keeps_mass_and_potential(tmp_path):
    m = sl.Model(gravity=(0, 0, 0))
    pendulum = double_pendulum(m, name="pendulum")
    m.save(tmp_path / "double.json")
    again = sl.Model.load(tmp_path / "double.json")
    a = m.simulate(0.5, step=0.01)[pendulum.coordinate]
    assert again.simulate(0.5, step=0.01)[again["pendulum"].coordinate].tolist() == a.tolist()


def test_a_hanging_double_pendulum_linearizes_by_its_potential():
    """Small motions about hanging: M(0) a + V'' q = 0."""
    m = sl.Model(gravity=(0, 0, 0))
    double_pendulum(m, (0, 0), (0, 0))
    M, K = np.array([[2.1, 0.56], [0.56, 0.8 * 0.49]]), np.diag([2.1 * G, 0.8 * G * 0.7])
    expected = np.sqrt(np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real))
    found = np.sort(m.modes().frequencies) * 2 * math.pi
    assert found == pytest.approx(expected, rel=1e-9)
