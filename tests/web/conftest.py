"""Models that the tests of the viewer share."""

import pytest

import saltus as sl


@pytest.fixture(autouse=True)
def _in_a_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")


@pytest.fixture(scope="session")
def pendulum():
    """A double pendulum under gravity, run for half a second, with an output."""
    m = sl.Model(gravity=(0, 0, -9.81))
    upper, lower = m.rod((0, 0, 0), (1, 0, 0), mass=1, name="upper"), m.rod((1, 0, 0), (2, 0, 0), mass=1, name="lower")
    m.revolute(m.ground, upper, at=upper.start, axis="y", name="shoulder")
    m.revolute(upper, lower, at=lower.start, axis="y", name="elbow")
    m.outputs = {"tip": lower.end.position.z}
    return m.simulate(until=0.5)


@pytest.fixture(scope="session")
def ball():
    """A ball that falls on a plane and bounces."""
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.5), name="ball")
    m.contact(m.plane(name="floor"), ball, restitution=0.8, name="touch")
    return m.simulate(until=1, step=1e-3)
