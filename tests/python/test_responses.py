"""Frequency response against closed forms and against runs; Campbell diagrams of rotors against the gyroscopic closed form."""

import numpy as np
import pytest

import saltus as sl

M, C, K = 2.0, 0.6, 50.0


def oscillator():
    m = sl.Model(gravity=(0, 0, 0))
    x = m.add(sl.items.Node1d(), name="x")
    m.add(sl.items.Mass1d(node=x, mass=M))
    m.add(sl.items.CoordinateSpringDamper(A="ground", B=x, stiffness=K, damping=C))
    m.add(sl.items.CoordinateLoad(on=x, force=0.0), name="push")
    return m, x


def test_the_response_of_an_oscillator_is_the_closed_form():
    m, x = oscillator()
    response = m.frequency_response(inputs=["push"], outputs=[x.coordinate, x.rate])
    s = 2j * np.pi * response.frequencies
    closed = 1 / (M * s**2 + C * s + K)
    assert response.values.shape == (len(s), 2, 1)
    assert np.abs(response.values[:, 0, 0] / closed - 1).max() < 1e-12 and np.abs(response.values[:, 1, 0] / (s * closed) - 1).max() < 1e-12
    assert response.gain[:, 0, 0].max() == pytest.approx(1 / (C * np.sqrt(K / M - (C / (2 * M)) ** 2)), rel=1e-3)
    assert response.phase[0, 0, 0] > -0.1 and response.phase[-1, 0, 0] == pytest.approx(-np.pi, abs=0.05)


@pytest.mark.parametrize("f", [0.3, 0.8, 2.0])
def test_a_run_settles_to_the_response(f):
    m, x = oscillator()
    response = m.frequency_response([f], inputs=["push"], outputs=[x.coordinate])
    m["push"].force = f"cos(2*pi*{f}*t)"
    until = np.ceil(120 * f) / f
    result = m.simulate(until + 1 / f, step=1 / (400 * f))
    late = result.time > until - 0.5 / (400 * f)
    t, q = result.time[late], np.asarray(result[x.coordinate])[late]
    found = 2 * np.trapezoid(q * np.exp(-2j * np.pi * f * t), t) * f
    assert abs(found / response.values[0, 0, 0] - 1) < 1e-4


def test_a_pendulum_on_joints_far_away_answers_as_near_the_origin():
    values = []
    for at in ((0, 0, 0), (1e3, -2e3, 500.0)):
        at = np.array(at, float)
        m = sl.Model()
        rod = m.rod(at, at - (0, 0, 1.0), mass=3.0)
        hinge = m.revolute(m.ground, rod, at=at, axis="y", damping=0.3, torque=0.0)
        values.append(m.frequency_response([0.2, 0.5, 1.0], inputs=[hinge], outputs=[hinge.angle]).values[:, 0, 0])
    s = 2j * np.pi * np.array([0.2, 0.5, 1.0])
    assert values[0] == pytest.approx(1 / (s**2 * 3.0 / 3 + 0.3 * s + 3.0 * 9.81 * 0.5), rel=1e-9)
    assert values[1] == pytest.approx(values[0], rel=1e-7)


def test_a_response_is_refused_at_an_undamped_mode_and_warns_of_an_unstable_state():
    m, x = oscillator()
    m["coordinate_spring_damper_1"].set(damping=0.0)
    with pytest.raises(sl.ModelError, match="undamped mode"):
        m.frequency_response([np.sqrt(K / M) / (2 * np.pi)], inputs=["push"], outputs=[x.coordinate])
    assert np.isfinite(m.frequency_response(inputs=["push"], outputs=[x.coordinate]).values).all()
    upside = sl.Model()
    rod = upside.rod((0, 0, 0), (0, 0, 1), mass=1)
    hinge = upside.revolute(upside.ground, rod, at=(0, 0, 0), axis="y", torque=0.0)
    with pytest.warns(sl.ModelWarning, match="unstable"):
        upside.frequency_response([1.0], inputs=[hinge], outputs=[hinge.angle], at="start")
    for bad in ([], [2.0, 1.0], [np.nan], "fast"):
        with pytest.raises(sl.ModelError, match="expected (rising )?numbers"):
            m.frequency_response(bad, inputs=["push"], outputs=[x.coordinate])
    with pytest.raises(sl.ModelError, match="expected a list"):
        m.frequency_response(inputs="push", outputs=[x.coordinate])


LENGTH, STIFF = 0.2, 3000.0
SIDE, POLAR = 0.01, 0.02


def rotor(axis="z", at=(0.0, 0.0, 0.0), damping=0.0):
    """A disc that turns freely about a fixed centre, on a shaft whose end four springs hold: tilting stiffness STIFF LENGTH^2, damping alike."""
    m = sl.Model(gravity=(0, 0, 0))
    m.parameters["speed"] = 0.0
    at, n = np.array(at), {"x": 0, "z": 2}[axis]
    along = np.eye(3)[n]
    inertia = [SIDE] * 3
    inertia[n] = POLAR
    disc = m.body(mass=1, inertia=inertia, at=at, angular_velocity=["speed" if k == n else 0.0 for k in range(3)], name="disc")
    m.spherical(m.ground, disc, at=at)
    end = at + LENGTH * along
    for side in np.eye(3)[[k for k in range(3) if k != n]]:
        for sign in (1, -1):
            m.spring(m.ground.frame(end + sign * 1e3 * side), disc.frame(end), stiffness=STIFF / 2, damping=damping / 2, rest_length=1e3)
    return m


@pytest.mark.parametrize("axis, at", [("z", (0, 0, 0)), ("x", (300.0, -200.0, 50.0))])
def test_whirl_of_a_rotor_is_the_gyroscopic_closed_form(axis, at):
    """SIDE phi'' - i POLAR speed phi' + k l^2 phi = 0: backward below, forward above the frequency at rest."""
    speeds = np.linspace(-100.0, 150.0, 21)
    m = rotor(axis, at)
    found = m.campbell("speed", speeds, axis=axis)
    half = POLAR * speeds / (2 * SIDE)
    root = np.sqrt(half**2 + STIFF * LENGTH**2 / SIDE)
    closed = np.sort(np.column_stack([root - half, root + half]) / (2 * np.pi), axis=1)
    assert found.frequencies.shape == (21, 2)
    assert np.sort(found.frequencies, axis=1) == pytest.approx(closed, rel=1e-5)
    turning = np.abs(speeds) > 1.0
    for i in np.flatnonzero(turning):
        fast, slow = np.argmax(found.frequencies[i]), np.argmin(found.frequencies[i])
        assert found.whirl[i, fast] == np.sign(speeds[i]) and found.whirl[i, slow] == -np.sign(speeds[i])
    assert (np.diff(found.frequencies, 2, axis=0) < 0.6).all()  # the columns are curves without kinks
    assert m.parameters == {"speed": 0.0}


def test_critical_speeds_are_those_of_the_closed_form():
    """omega = order speed: speed^2 order (order - POLAR / SIDE) = k l^2 / SIDE forward, order (order + POLAR / SIDE) backward."""
    found = rotor().campbell("speed", np.linspace(10.0, 260.0, 26))
    w, p = STIFF * LENGTH**2 / SIDE, POLAR / SIDE
    assert found.critical() == []  # a disc: the forward mode runs ahead of the speed
    assert found.critical(backward=True) == pytest.approx([np.sqrt(w / (1 + p))], rel=1e-4)
    assert found.critical(3.0) == pytest.approx([np.sqrt(w / (3 * (3 - p)))], rel=1e-3)


def test_damping_is_reported_by_mode():
    found = rotor(damping=5.0).campbell("speed", [0.0, 50.0])
    assert (found.damping_ratios > 0).all() and found.damping_ratios[0] == pytest.approx(5.0 / STIFF * np.sqrt(STIFF * LENGTH**2 / SIDE) / 2, rel=1e-3)


def test_pictures_are_written(tmp_path):
    m, x = oscillator()
    m.frequency_response(inputs=["push"], outputs=[x.coordinate]).plot(file=tmp_path / "bode.png")
    rotor().campbell("speed", [0.0, 50.0, 100.0]).plot(orders=(1, 2), file=tmp_path / "campbell.png")
    assert (tmp_path / "bode.png").stat().st_size > 5000 and (tmp_path / "campbell.png").stat().st_size > 5000


def test_a_campbell_diagram_refuses_what_it_cannot_vary():
    m = rotor()
    with pytest.raises(sl.ModelError, match='did you mean "speed"'):
        m.campbell("sped", [0, 1])
    with pytest.raises(sl.ModelError, match="rising"):
        m.campbell("speed", [1, 0])
