"""The programs of the documentation run as written, give the truth, and stay within their limits of length."""

import ast
import math
import runpy
from pathlib import Path

import numpy as np
import pytest

import saltus as sl

PROGRAMS = Path(__file__).parent / "programs"
# program: (lines, names) at most: one statement a line, imports not counted; names are the distinct words of the API,
# attributes and keywords, without those of pictures, the components of vectors, numpy's and the program's own parameters
PICTURES, COMPONENTS = {"plot", "label", "show"}, {"x", "y", "z", "norm", "max"}
LIMITS = {
    "p01_mass_spring_damper": (5, 14),
    "p02_double_pendulum": (7, 12),
    "p03_slider_crank": (12, 20),
    "p04_bouncing_ball": (6, 13),
    "p05_incline": (7, 14),
    "p06_ten_boxes": (9, 11),
    "p07_cantilever": (7, 14),
    "p08_chain_modes": (9, 11),
    "p09_diode_bridge": (9, 13),
    "p10_study": (7, 19),
    "p11_gears": (12, 18),
    "p12_poincare": (9, 18),
}


def results_of(name, monkeypatch):
    """Variables of a program after its run, and the results of its runs in order."""
    results = []
    simulate = sl.Model.simulate

    def kept(self, *args, **kwargs):
        results.append(simulate(self, *args, **kwargs))
        return results[-1]

    monkeypatch.setattr(sl.Model, "simulate", kept)
    return runpy.run_path(str(PROGRAMS / f"{name}.py"), run_name="__main__"), results


def length(name):
    """(lines, names) of a program."""
    tree = ast.parse((PROGRAMS / f"{name}.py").read_text())
    statements = [
        n for n in ast.walk(tree) if isinstance(n, ast.stmt) and not isinstance(n, (ast.Import, ast.ImportFrom))
    ]
    words = {n.attr for n in ast.walk(tree) if isinstance(n, ast.Attribute) and getattr(n.value, "id", "") != "np"}
    words |= {k.arg for n in ast.walk(tree) if isinstance(n, ast.Call) for k in n.keywords}
    words -= PICTURES | COMPONENTS | {a.arg for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) for a in n.args.args}
    return len(statements), sorted(words)


def test_the_first_ten_programs_have_78_lines_at_most_together():
    assert sum(length(path.stem)[0] for path in PROGRAMS.glob("p*.py") if int(path.stem[1:3]) <= 10) <= 78


@pytest.mark.parametrize("name", sorted(path.stem for path in PROGRAMS.glob("p*.py")))
def test_programs_are_as_short_as_promised(name):
    lines, words = length(name)
    assert lines <= LIMITS[name][0] and len(words) <= LIMITS[name][1], (lines, words)


def oscillation(t, k, c):
    """u'' + c u' + k u = 0, u(0) = 0.1, u'(0) = 0, below critical damping."""
    decay, w = c / 2, math.sqrt(k - c * c / 4)
    return 0.1 * np.exp(-decay * t) * (np.cos(w * t) + decay / w * np.sin(w * t))


def test_the_mass_follows_the_closed_form(monkeypatch):
    variables, (result,) = results_of("p01_mass_spring_damper", monkeypatch)
    u = result[variables["cart"].displacement.x]
    assert u.unit == "m" and len(u.time) > 20
    assert np.abs(u - oscillation(u.time, 100, 2)).max() < 1e-6 * 5


def test_the_study_gives_the_closed_form_at_every_point(monkeypatch):
    studies = []
    study = sl.study
    monkeypatch.setattr(sl, "study", lambda *a, **k: studies.append(study(*a, **k)) or studies[0])
    results_of("p10_study", monkeypatch)
    truth = [[oscillation(2.0, k, c) for c in np.linspace(0.5, 5, 10)] for k in np.linspace(50, 150, 10)]
    assert studies[0].values.shape == (10, 10)
    assert np.abs(studies[0].values - truth).max() < 1e-6 * 5


def planar_pendulum(until):
    """Two rods of length 1 and mass 1 from rest along x: (tip (2), force of the pin on rod 1 (2)) by angles, DOP853.

    Inertia m L^2/12 of each; equations of Lagrange in the angles against -y, scipy's DOP853 at 1e-12.
    """
    from scipy.integrate import solve_ivp

    g = 9.81

    def rates(t, s):
        a, b, u, w = s
        c, d = math.cos(a - b), math.sin(a - b)
        M = np.array([[4 / 3, c / 2], [c / 2, 1 / 3]])
        f = [-w * w * d / 2 - 1.5 * g * math.sin(a), u * u * d / 2 - 0.5 * g * math.sin(b)]
        return [u, w, *np.linalg.solve(M, f)]

    s = solve_ivp(rates, (0, until), [math.pi / 2, math.pi / 2, 0, 0], method="DOP853", rtol=1e-12, atol=1e-12).y[:, -1]
    a, b, u, w = s
    _, _, du, dw = rates(until, s)

    def along(angle):
        return np.array([math.sin(angle), -math.cos(angle)])

    def acceleration(angle, rate, change):
        return change * np.array([math.cos(angle), math.sin(angle)]) - rate * rate * along(angle)

    first, second = acceleration(a, u, du), acceleration(b, w, dw)
    force = 0.5 * first + first + 0.5 * second + np.array([0, 2 * g])
    return along(a) + along(b), force


def test_the_double_pendulum_agrees_with_lagrange(monkeypatch):
    variables, (result,) = results_of("p02_double_pendulum", monkeypatch)
    tip, force = planar_pendulum(1.0)
    assert result[variables["rod2"].end.position].last[:2] == pytest.approx(
        tip, abs=1e-4
    )  # tolerance 1e-6 a step, chaotic
    fixed = variables["m"].simulate(1.0, step=1e-3, scheme="runge_kutta_4")
    assert fixed[variables["base"].force].last[:2] == pytest.approx(force, abs=1e-6)
    assert result[variables["base"].force].unit == "N"


def test_the_slider_crank_follows_its_closed_kinematics_and_the_motor_does_the_work(monkeypatch):
    variables, (result,) = results_of("p03_slider_crank", monkeypatch)
    x = result[variables["slider"].position.x]
    w, L2 = 6.2832, 0.2078461**2 + 0.18**2 + 0.12**2
    y, z = 0.1 + 0.08 * np.cos(w * x.time), 0.12 + 0.08 * np.sin(w * x.time)
    assert np.abs(x - np.sqrt(L2 - y**2 - z**2)).max() < 1e-6
    late = x.time > 0.1
    power, energy = (np.asarray(result[q])[late] for q in (variables["motor"].drive, "energy.total"))
    work = np.sum(0.5 * w * (power[1:] + power[:-1]) * np.diff(x.time[late]))
    assert np.ptp(energy) > 0.05 and work == pytest.approx(energy[-1] - energy[0], abs=0.01 * np.ptp(energy))


def test_ten_boxes_stay_where_they_are(monkeypatch):
    variables, (result,) = results_of("p06_ten_boxes", monkeypatch)
    assert all(result[f"box_{i}.displacement.norm"].max() < 1e-6 for i in range(1, 11))


def test_the_cantilever_is_the_elastica(monkeypatch):
    """P L^2 / (EI) = 10: w / L and u / L by elliptic integrals; ten elements are right to their second order."""
    variables, _ = results_of("p07_cantilever", monkeypatch)
    result, beam = variables["result"], variables["beam"]
    tip = result[beam.end.position]
    assert tip == pytest.approx((1 - 0.5549956, -0.8106090, 0), abs=3e-3)
    line = result[beam.centerline]
    assert line.shape == (11, 3) and line.unit == "m" and line[-1] == pytest.approx(np.asarray(tip))
    assert list(Path().glob("*line*.png"))


def test_the_chain_vibrates_like_its_closed_matrices(monkeypatch):
    """Angles a of n equal rods: M = sum m (c c' + L^2/12 e e'), K = diag(m g sum c), c the lever of each rod's centre."""
    import scipy.linalg

    variables, _ = results_of("p08_chain_modes", monkeypatch)
    n, L, m, g = 10, 0.1, 0.1, 9.81
    M, K = np.zeros((n, n)), np.zeros((n, n))
    for rod in range(n):
        lever = np.where(np.arange(n) < rod, L, np.where(np.arange(n) == rod, L / 2, 0.0))
        M += m * np.outer(lever, lever)
        M[rod, rod] += m * L * L / 12
        K += np.diag(m * g * lever)
    truth = np.sqrt(scipy.linalg.eigh(K, M, eigvals_only=True)) / (2 * math.pi)
    assert variables["modes"].frequencies == pytest.approx(truth, rel=1e-10)
    assert Path("p08_chain_modes_mode_1.png").exists() or list(Path().glob("*mode*.png"))


def test_the_ball_rests_where_the_bounces_accumulate(monkeypatch, capsys):
    variables, (result,) = results_of("p04_bouncing_ball", monkeypatch)
    z = result[variables["ball"].position.z]
    step = np.diff(z.time).max()
    assert float(capsys.readouterr().out.split()[-1]) == pytest.approx(9 * math.sqrt(2 / 9.81), abs=10 * step)
    assert z.last == pytest.approx(0.1, abs=1e-6) and z.min() > 0.1 - 1e-3


def test_the_box_slides_at_30_degrees_and_sticks_at_25(monkeypatch):
    variables, (stick, slide) = results_of("p05_incline", monkeypatch)
    distance = 0.5 * 9.81 * (math.sin(math.pi / 6) - 0.5 * math.cos(math.pi / 6))
    assert stick["box_1.displacement.norm"].max() < 1e-6
    assert slide["box_1.displacement.norm"].last == pytest.approx(distance, rel=1e-3)


def test_the_bridge_loads_the_tank_like_a_resistor(monkeypatch):
    """The bridge conducts in both half waves: i_load = v / R; closed form of the damped tank."""
    variables, (result,) = results_of("p09_diode_bridge", monkeypatch)
    C, L, R = 1e-6, 1e-2, 1e3
    decay = 1 / (2 * R * C)
    w = math.sqrt(1 / (L * C) - decay**2)
    v = np.asarray(result[variables["a"].voltage])[1:]  # at the start potentials are guesses
    t = result.time[1:]
    # v' (0) = -v(0) / (R C), as no current flows in the inductor at the start
    truth = 10 * np.exp(-decay * t) * (np.cos(w * t) - decay / w * np.sin(w * t))
    assert truth[-1] == pytest.approx(0.7903228196443558, abs=1e-12)  # case diode_bridge_rlc, matrix exponentials
    assert np.abs(v - truth).max() < 0.01 * 10  # steps in which a diode switches are of first order


def test_p11_a_planetary_gear_keeps_its_ratio_over_many_turns(monkeypatch):
    variables, (result,) = results_of("p11_gears", monkeypatch)
    sun, carrier = (result[variables[name].angle] for name in ("drive", "carrier"))
    assert sun.last > 20 * np.pi
    assert np.max(np.abs(sun - 3 * carrier)) < 1e-9 * sun.last


def test_p12_the_driven_pendulum_comes_back_after_each_period(monkeypatch, capsys):
    names, _ = results_of("p12_poincare", monkeypatch)
    points = np.array(names["points"])
    assert len(points) == 41 and np.linalg.norm(points[-1] - points[-2]) < 1e-6

    def rates(t, x):  # of J phi'' = -m g L / 2 sin phi - c phi' + T
        return np.array([x[1], 3.0 * (-0.5 * 9.81 * math.sin(x[0]) - 0.5 * x[1] + 1.5 * math.sin(2 * math.pi * t))])

    x, h = np.zeros(2), 1e-3
    for i in range(40000):
        k1 = rates(i * h, x)
        k2 = rates((i + 0.5) * h, x + 0.5 * h * k1)
        k3 = rates((i + 0.5) * h, x + 0.5 * h * k2)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + rates((i + 1) * h, x + h * k3))
    assert np.allclose(points[-1], x, rtol=0, atol=1e-6)
