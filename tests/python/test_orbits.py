"""Periodic orbits: closed forms of linear, Duffing and bouncing motions, their Floquet multipliers, folds and period doublings."""

import math

import numpy as np
import pytest
from saltus.orbits import OrbitError

import saltus as sl


def driven(force="0.5*cos(w*t)", stiffness=4.0, cubic=0.0, damping=0.2, start=(0.0, 0.0), w=1.3):
    m = sl.Model(gravity=(0, 0, 0))
    m.parameters["w"] = w
    x = m.add(sl.items.Node1d(displacement=start[0], velocity=start[1]), name="x")
    m.add(sl.items.Mass1d(node=x, mass=1.0))
    m.user_force([x.coordinate], function=f"-{stiffness}*q0 - {cubic}*q0^3 - {damping}*v0 + {force}")
    return m, x


def test_the_orbit_of_a_driven_oscillator_is_its_steady_state():
    m, x = driven()
    T = 2 * math.pi / 1.3
    orbit = m.periodic_orbit(T)
    steady = 0.5 / (4.0 - 1.3**2 + 0.2j * 1.3)
    assert float(orbit["x.coordinate"][0]) == pytest.approx(steady.real, abs=1e-8)
    assert float(orbit["x.rate"][0]) == pytest.approx((1.3j * steady).real, abs=1e-8)
    roots = np.exp(np.roots([1, 0.2, 4.0]) * T)
    assert np.sort_complex(orbit.multipliers) == pytest.approx(np.sort_complex(roots), abs=1e-6)
    assert orbit.stable and orbit.residual < 1e-7


@pytest.mark.parametrize("amplitude", [0.2, 1.0, 3.0])
def test_the_backbone_of_a_duffing_oscillator_is_the_elliptic_integral(amplitude):
    """x'' + x + x^3 = 0: T = 4 K(m) / sqrt(1 + A^2), m = A^2 / (2 (1 + A^2)); K by the arithmetic-geometric mean."""
    a, b = 1.0, math.sqrt(1 - amplitude**2 / (2 * (1 + amplitude**2)))
    for _ in range(60):
        a, b = (a + b) / 2, math.sqrt(a * b)
    T = 4 * (math.pi / (2 * a)) / math.sqrt(1 + amplitude**2)
    m, x = driven(force="0", stiffness=1.0, cubic=1.0, damping=0.0, start=(amplitude, 0.0))
    orbit = m.periodic_orbit(1.15 * T, free=True, fixed=[x.coordinate])
    assert orbit.period == pytest.approx(T, rel=1e-8)
    assert np.abs(orbit.multipliers - 1.0).max() < 3e-3  # a double 1 splits by the root of the differences' error


def van_der_pol():
    m = sl.Model(gravity=(0, 0, 0))
    x = m.add(sl.items.Node1d(displacement=1.5, velocity=0.3), name="x")
    m.add(sl.items.Mass1d(node=x, mass=1.0))
    m.user_force([x.coordinate], function="(1 - q0^2)*v0 - q0")
    return m


def test_the_limit_cycle_of_van_der_pol_is_found_without_its_period():
    """mu = 1: period 6.6632868593231301, multiplier exp(-integral of x^2 - 1)."""
    orbit = van_der_pol().periodic_orbit(6.0, free=True)
    assert orbit.period == pytest.approx(6.6632868593231301, abs=1e-7)
    assert orbit.multipliers[0] == pytest.approx(1.0, abs=1e-6) and orbit.stable
    t, x = orbit.result.time, np.asarray(orbit["x.coordinate"])
    assert float(orbit.multipliers[1].real) == pytest.approx(math.exp(-np.trapezoid(x * x - 1, t)), rel=0.02)


def test_a_pendulum_on_joints_far_away_has_the_orbit_of_its_coordinate():
    found = []
    for at in ((0, 0, 0), (500.0, -300.0, 20.0)):
        at = np.array(at, float)
        m = sl.Model()
        rod = m.rod(at, at - (0, 0, 1.0), mass=3.0)
        hinge = m.revolute(m.ground, rod, at=at, axis="y", damping=0.4, torque="6*cos(4*t)")
        orbit = m.periodic_orbit(math.pi / 2, tolerance=1e-9)
        found.append((float(orbit[hinge.angle][0]), *np.sort_complex(orbit.multipliers)))
    m, x = driven(force="6*cos(4*t)", stiffness=0.0, damping=0.4)
    m["user_force_1"].function = "-3*9.81*0.5*sin(q0) - 0.4*v0 + 6*cos(4*t)"
    truth = m.periodic_orbit(math.pi / 2)
    for angle, *multipliers in found:
        assert angle == pytest.approx(float(truth["x.coordinate"][0]), abs=1e-6)
        assert multipliers == pytest.approx(list(np.sort_complex(truth.multipliers)), abs=1e-5)


G, E, W = 9.81, 0.6, 20.0


def bouncing(amplitude, shake=0.0):
    """A ball on a table A sin(w t): the orbit of one impact each period lands where the table's speed is g T (1 - e) / (2 (1 + e))."""
    T = 2 * math.pi / W
    speed = G * T / 2
    phase = math.acos(speed * (1 - E) / (1 + E) / (amplitude * W)) / W  # of the impact; later phases are unstable
    m = sl.Model(gravity=(0, 0, 0))
    m.parameters["A"] = amplitude
    launch = T - phase  # from the impact to t = T
    z = amplitude * math.sin(W * phase) + speed * launch - G * launch**2 / 2
    x = m.add(sl.items.Node1d(displacement=z + shake, velocity=speed - G * launch), name="x")
    m.add(sl.items.Mass1d(node=x, mass=1.0))
    m.add(sl.items.CoordinateLoad(on=x, force=-G))
    m.user_relation([x.coordinate], f"q0 - A*sin({W}*t)", law={"type": "newton_impact", "restitution": E})
    return m, x, phase, z, speed - G * launch


def jump(amplitude, phase):
    """Closed multipliers: trace = -2 e + (1 + e) f T / (relative speed before), determinant e^2, f the relative acceleration (saltation matrix)."""
    T = 2 * math.pi / W
    relative = -G * T / 2 - amplitude * W * math.cos(W * phase)
    f = -G + amplitude * W**2 * math.sin(W * phase)
    return -2 * E + (1 + E) * f * T / relative, E * E


def test_a_ball_on_a_vibrating_table_has_the_multipliers_of_its_saltation():
    amplitude = 0.022
    m, x, phase, z, v = bouncing(amplitude, 1e-4)
    orbit = m.periodic_orbit(2 * math.pi / W)
    assert float(orbit["x.coordinate"][0]) == pytest.approx(z, abs=1e-8) and float(orbit["x.rate"][0]) == pytest.approx(v, abs=1e-6)
    trace, determinant = jump(amplitude, phase)
    assert float(np.sum(orbit.multipliers).real) == pytest.approx(trace, abs=2e-4)
    assert float(np.prod(orbit.multipliers).real) == pytest.approx(determinant, abs=2e-4)
    assert orbit.stable


def test_the_bouncing_orbit_doubles_its_period_at_the_closed_amplitude():
    """det(Phi + 1) = 1 + trace + e^2 = 0."""
    low, high = 0.0205, 0.05
    gap = lambda a: 1 + E * E + jump(a, math.acos(G * math.pi / W * (1 - E) / (1 + E) / (a * W)) / W)[0]  # noqa: E731
    assert gap(low) > 0 > gap(high)
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if gap(middle) > 0 else (low, middle)
    m, x, *_ = bouncing(0.8 * low)
    branch = m.follow_orbits("A", (0.8 * low, 1.2 * low), 2 * math.pi / W, length=0.2)
    kinds = dict(branch.bifurcations)
    assert branch.complete and list(kinds) == ["period doubling"]
    assert kinds["period doubling"] == pytest.approx(low, rel=2e-3)
    assert branch.stable[0] and not branch.stable[-1] and m.parameters["A"] == 0.8 * low


def test_a_driven_duffing_oscillator_is_followed_around_its_folds():
    """x'' + 0.2 x' + x + x^3 = 0.5 cos(w t): harmonic balance turns near the same frequencies; three orbits stand at one frequency."""
    m, x = driven(force="0.5*cos(w*t)", stiffness=1.0, cubic=1.0, damping=0.1, start=(0.6, 0.0), w=0.9)
    branch = m.follow_orbits("w", (0.9, 2.6), lambda w: 2 * math.pi / w, length=0.08, tolerance=1e-9)
    folds = [value for kind, value in branch.bifurcations if kind == "fold"]
    assert branch.complete and len(folds) == 2
    a = np.linspace(0.05, 2.5, 200001)  # harmonic balance: ((1 + 3/4 a^2 - w^2)^2 + (0.1 w)^2) a^2 = 0.25
    half, square = 1 + 0.75 * a**2 - 0.1**2 / 2, (1 + 0.75 * a**2) ** 2 - 0.25 / a**2
    there = half**2 >= square
    high = np.sqrt(half[there] + np.sqrt(half[there] ** 2 - square[there]))
    inner = (a[there] > 0.3) & (a[there] < 1.5)
    assert sorted(folds) == pytest.approx([high[inner].min(), high[a[there] > 1.5].max()], rel=0.01)
    order = [branch.values[~branch.stable].min(), branch.values[~branch.stable].max()]
    assert order == pytest.approx(sorted(folds), abs=0.01) and branch.stable[0] and branch.stable[-1]
    assert np.count_nonzero(np.diff(np.sign(branch.values - 1.9))) == 3  # three orbits at one frequency
    assert branch.largest(x.coordinate).max() == pytest.approx(a[there][np.argmax(np.where(a[there] > 1.5, high, 0.0))], rel=0.03)


def test_what_is_no_orbit_is_refused_with_what_is_missing():
    m, x = driven(force="1", stiffness=0.0, damping=0.0)
    with pytest.raises(OrbitError, match="misses") as caught:
        m.periodic_orbit(1.0)
    assert caught.value.residual > 1e-3
    for change, words in ((dict(period=0.0), "above 0"), (dict(period=math.nan), "finite"), (dict(start=3), 'start="start"'), (dict(scheme=None, accuracy=-1.0), "above 0")):
        with pytest.raises(sl.ModelError, match=words):
            m.periodic_orbit(**{"period": 1.0, **change})
    with pytest.raises(sl.ModelError, match='did you mean "w"|which the model has not'):
        m.follow_orbits("v", (1, 2), 1.0)
    m.add(sl.items.CoordinateLoad(on=x, force=0.0), name="u")
    m.controller("1", period=0.1, inputs={}, outputs=["u"])
    with pytest.raises(sl.ModelError, match="sampled controllers"):
        m.derivatives(1.0)


def sampled(period, integral=0.0, initial=(0.3, 0.0), **how):
    """x'' + 9 x = u + 2 cos(2 pi t / 0.6), u = -3 x - 0.8 x' - integral m at the samples, held between them; m sums period x."""
    m = sl.Model(gravity=(0, 0, 0))
    x = m.add(sl.items.Node1d(displacement=initial[0], velocity=initial[1]), name="x")
    m.add(sl.items.Mass1d(node=x, mass=1.0))
    m.user_force([x.coordinate], function=f"-9*q0 + 2*cos({2 * math.pi / 0.6!r}*t)")
    u = m.add(sl.items.CoordinateLoad(on=x.coordinate, force=0.0), name="u")
    law = ["-3*x - 0.8*v" + (f" - {integral}*m0" if integral else "")] + ([f"m0 + {period}*x"] if integral else [])
    m.controller(law, inputs={"x": "x.coordinate", "v": "x.rate"}, outputs=[u], period=period, memory=[0.0] if integral else [], **how)
    return m


def held_multipliers(period, count, integral=0.0, late=0):
    """Of `count` samples: exp(A period) of the oscillator under what is held, outputs acting `late` samples late."""
    w = 3.0
    c, s = math.cos(w * period), math.sin(w * period)
    Phi, gamma = np.array([[c, s / w], [-w * s, c]]), np.array([(1 - c) / w**2, s / w])
    K = np.array([-3.0, -0.8, -integral])
    n = 3 + late
    one = np.zeros((n, n))  # x, v, m, outputs that wait: just before a sample
    acts = K @ np.eye(3, n) if not late else np.eye(n)[3 + late - 1]
    one[:2, :2] = Phi
    one[:2] += np.outer(gamma, acts)
    one[2, 2], one[2, 0] = 1.0, period
    if late:
        one[3, :3] = K
        one[4:, 3:-1] = np.eye(late - 1)
    multipliers = np.linalg.eigvals(np.linalg.matrix_power(one, count))
    return multipliers if integral else np.delete(multipliers, np.argmin(np.abs(multipliers - 1.0)))


@pytest.mark.parametrize(("integral", "late"), [(0.0, 0), (2.0, 0), (2.0, 1)])
def test_an_orbit_under_a_sampled_controller_has_the_multipliers_of_its_discrete_time_matrix(integral, late):
    period, count = 0.1, 6
    m = sampled(period, integral, delay=late * period)
    orbit = m.periodic_orbit(period * count)
    exact = held_multipliers(period, count, integral, late)
    found = orbit.multipliers[: len(exact)]
    assert np.sort_complex(found) == pytest.approx(np.sort_complex(exact), abs=1e-5)
    assert np.abs(orbit.multipliers[len(exact) :]).max(initial=0.0) < 1e-5
    assert orbit.stable == bool((np.abs(exact) < 1).all())
    assert float(orbit["x.coordinate"][0]) == pytest.approx(float(orbit["x.coordinate"][-1]), abs=1e-7)


def test_a_controller_asks_for_whole_numbers_of_its_samples_in_a_period():
    with pytest.raises(sl.ModelError, match="periodic_orbit/period: is 0.62 s, no multiple of 0.1 s, at which 'controller_1' samples.*such as 0.6 s"):
        sampled(0.1).periodic_orbit(0.62)
    with pytest.raises(sl.ModelError, match="periodic_orbit/free: is asked of a model with the sampled controller"):
        sampled(0.1).periodic_orbit(0.6, free=True)
