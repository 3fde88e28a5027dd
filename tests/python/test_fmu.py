"""A model as a unit of a co-simulation: what a master gets is what a run gives, in both versions of FMI."""

import ctypes
import math
import subprocess
import sys
import zipfile

import numpy as np
import pytest

import saltus as sl

fmpy = pytest.importorskip("fmpy")
from fmpy.fmi2 import FMU2Slave  # noqa: E402
from fmpy.fmi3 import FMU3Slave  # noqa: E402
from fmpy.validation import validate_fmu  # noqa: E402

VERSIONS = ("2.0", "3.0")


class Master:
    """One unit by fmpy, with variables by name."""

    def __init__(self, path, folder, start=0.0, tolerance=None, before=None):
        self.description = fmpy.read_model_description(path)
        self.folder = fmpy.extract(path, str(folder))
        self.at = {v.name: v.valueReference for v in self.description.modelVariables}
        self.is_2 = self.description.fmiVersion == "2.0"
        kind = FMU2Slave if self.is_2 else FMU3Slave
        token = self.description.guid if self.is_2 else self.description.instantiationToken
        self.unit = kind(unzipDirectory=self.folder, modelIdentifier=self.description.coSimulation.modelIdentifier, instanceName="one", guid=token)
        self.said = []
        self.unit.instantiate(**({} if self.is_2 else {"logMessage": self._callback()}))
        self.begin(start, tolerance, before or {})

    def _callback(self):
        from fmpy.fmi3 import fmi3LogMessageCallback

        self._kept = fmi3LogMessageCallback(lambda environment, status, category, message: self.said.append(message.decode()))
        return self._kept

    def begin(self, start=0.0, tolerance=None, before=()):
        self.time = start
        if self.is_2:
            self.unit.setupExperiment(startTime=start, tolerance=tolerance)
            for name, value in dict(before).items():
                self[name] = value
            self.unit.enterInitializationMode()
        else:
            for name, value in dict(before).items():
                self[name] = value
            self.unit.enterInitializationMode(startTime=start, tolerance=tolerance)
        self.unit.exitInitializationMode()

    def __getitem__(self, name):
        return (self.unit.getReal if self.is_2 else self.unit.getFloat64)([self.at[name]])[0]

    def __setitem__(self, name, value):
        (self.unit.setReal if self.is_2 else self.unit.setFloat64)([self.at[name]], [value])

    def step(self, h):
        self.unit.doStep(currentCommunicationPoint=self.time, communicationStepSize=h)
        self.time += h

    def end(self):
        self.unit.terminate()
        self.unit.freeInstance()


def cart():
    """A mass on a line with a force and a spring, of which a run may change the force and the stiffness."""
    m = sl.Model(gravity=(0, 0, 0))
    m.parameters = {"mass": 2.0}
    force, k = m.parameter("force", 0.0), m.parameter("k", 0.0)
    body = m.point_mass(mass="mass", at=(0, 0, 0), name="cart")
    m.force(body, (force, 0, 0), name="push")
    m.user_force([body], potential=f"{k}*A_x^2/2", name="spring")
    return m, force, body


def ball():
    m = sl.Model()
    body = m.sphere(radius=0.1, mass=1, at=(0, 0, 1.1), name="ball")
    m.contact(m.plane(), body, restitution=0.8, name="floor")
    return m, body


@pytest.fixture
def exported(tmp_path):
    def export(m, **given):
        given.setdefault("version", "3.0")
        return m.export(tmp_path / f"unit_{given['version'][0]}.fmu", **given)

    return export


@pytest.mark.parametrize("version", VERSIONS)
def test_the_description_is_valid_and_says_what_is_there(version, exported):
    m, force, body = cart()
    path = exported(m, inputs=[force], outputs={"x": body.position.x, "a": body.acceleration}, version=version)
    assert validate_fmu(path) == []
    description = fmpy.read_model_description(path, validate=True)
    there = {v.name: (v.causality, v.variability, v.unit or (v.declaredType and v.declaredType.unit)) for v in description.modelVariables}
    assert there["force"][:2] == ("input", "continuous") and there["k"][:2] == ("parameter", "tunable") and there["mass"][:2] == ("parameter", "fixed")
    assert there["x"] == ("output", "continuous", "m") and there["a.z"] == ("output", "continuous", "m/s^2")
    (unit,) = (u for u in description.unitDefinitions if u.name == "m/s^2")
    assert (unit.baseUnit.m, unit.baseUnit.s) == (1, -2)
    with zipfile.ZipFile(path) as archive:
        assert sum(entry.compress_size for entry in archive.infolist()) < 5e6


@pytest.mark.parametrize("version", VERSIONS)
def test_inputs_are_held_in_a_step(version, exported, tmp_path):
    m, force, body = cart()
    one = Master(exported(m, inputs=[force], outputs=[body.position.x, body.velocity.x], version=version), tmp_path / "u", before={"mass": 4.0})
    x = v = 0.0
    for i in range(200):
        f = math.sin(i)
        one["force"] = f
        one.step(0.01)
        x, v = x + 0.01 * v + 0.5 * f / 4 * 0.01**2, v + 0.01 * f / 4
        assert one["cart.position.x"] == pytest.approx(x, abs=1e-12) and one["cart.velocity.x"] == pytest.approx(v, abs=1e-12)
    assert one["residual.equations"] < 1e-10
    one.end()


@pytest.mark.parametrize("version", VERSIONS)
def test_it_is_the_state_of_a_program_bit_by_bit(version, exported, tmp_path):
    m, body = ball()
    one = Master(exported(m, outputs=[body.position, body.velocity], version=version, scheme="event_driven"), tmp_path / "u")
    state = m.state(scheme="event_driven")
    for i in range(60):
        one.step(1 / 32), state.advance((i + 1) / 32)
        assert [one[f"ball.{q}.{c}"] for q in ("position", "velocity") for c in "xyz"] == [*state[body.position], *state[body.velocity]]
    one.end()


def test_a_ball_bounces_between_and_at_the_steps_of_the_master(exported, tmp_path):
    """Impacts at sqrt(2/g) (1 + 2 e + ...) for a fall of 1 m, whatever the master's steps are."""
    m, body = ball()
    path, g = exported(m, outputs=[body.position.z], scheme="event_driven"), 9.81
    first = math.sqrt(2 / g)
    for h in (first / 3, 0.013, 0.5):
        one = Master(path, tmp_path / str(h))
        while one.time < 1.2:
            one.step(h)
            t, v, up = one.time - first, 0.8 * g * first, 0.0
            if t < 0:
                up = 1 - g * one.time**2 / 2
            else:
                while t > 2 * v / g:
                    t, v = t - 2 * v / g, 0.8 * v
                up = v * t - g * t * t / 2
            assert one["ball.position.z"] == pytest.approx(0.1 + up, abs=1e-10)
        one.end()


def test_a_state_is_kept_and_comes_back(exported, tmp_path):
    m, body = ball()
    path = exported(m, outputs=[body.position.z, body.velocity.z])
    one = Master(path, tmp_path / "u")
    for _ in range(37):
        one.step(0.02)
    kept, time = one.unit.getFMUState(), one.time
    saved = one.unit.serializeFMUState(kept)

    def ahead(unit):
        out = []
        for _ in range(40):
            unit.step(0.02)
            out.append((unit["ball.position.z"], unit["ball.velocity.z"]))
        return out

    first = ahead(one)
    one.unit.setFMUState(kept)
    one.time = time
    assert ahead(one) == first
    one.unit.freeFMUState(kept)
    other = Master(path, tmp_path / "v")
    other.unit.setFMUState(other.unit.deserializeFMUState(saved))
    other.time = time
    assert ahead(other) == first
    with pytest.raises(Exception, match="fmi3DeserializeFMUState"):
        other.unit.deserializeFMUState(saved[:-8])
    one.unit.reset()
    one.begin()
    assert one["ball.position.z"] == 1.1
    one.end(), other.end()


@pytest.mark.parametrize("version", VERSIONS)
def test_derivatives_by_inputs(version, exported, tmp_path):
    m, force, body = cart()
    one = Master(exported(m, inputs=[force], outputs=[body.acceleration.x, body.position.x], version=version), tmp_path / "u")
    one["force"] = 3.0
    one.step(0.1)
    where = one["cart.position.x"]
    got = one.unit.getDirectionalDerivative([one.at["cart.acceleration.x"], one.at["cart.position.x"]], [one.at["force"]], [2.0])
    assert np.allclose(got, [2.0 / 2.0, 0.0], rtol=0, atol=1e-8)
    assert one["cart.position.x"] == where and one["force"] == 3.0
    one.end()


def test_a_parameter_that_is_tuned_and_a_start_later(exported, tmp_path):
    m, force, body = cart()
    m.force(body, (0, "6*t", 0), name="ramp")
    one = Master(exported(m, inputs=[force], outputs=[body.position]), tmp_path / "u", start=2.0)
    one["k"], one["force"] = 8.0, 4.0  # about 0.5 m, at 2 rad/s
    for _ in range(1000):
        one.step(0.01)
    t = one.time - 2.0
    assert one["time"] == pytest.approx(12.0)
    assert one["cart.position.x"] == pytest.approx(0.5 * (1 - math.cos(2 * t)), abs=1e-4)
    assert one["cart.position.y"] == pytest.approx(0.5 * t**3 + 3 * t**2, rel=1e-9)
    one.end()


def test_what_a_master_does_wrong_is_said_in_its_log(exported, tmp_path):
    m, force, body = cart()
    path = exported(m, inputs=[force], outputs=[body.position.x])
    one = Master(path, tmp_path / "u")
    for wrong, said in (
        (lambda: one.unit.doStep(currentCommunicationPoint=5.0, communicationStepSize=0.1), "begins at 5 s, and the unit is at 0 s"),
        (lambda: one.unit.doStep(currentCommunicationPoint=0.0, communicationStepSize=-0.1), "a step of -0.1 s"),
        (lambda: one.__setitem__("force", math.nan), "'force' is set to a number that is not finite"),
        (lambda: one.__setitem__("cart.position.x", 1.0), "is read, not set"),
        (lambda: one.unit.getFloat64([99]), "no variable with the reference 99"),
        (lambda: one.unit.enterEventMode(), "not offered"),
    ):
        with pytest.raises(Exception, match="status|failed|returned|error|Error"):
            wrong()
        assert said in one.said[-1]
    one.step(0.1)  # none of it has changed the state
    with pytest.raises(Exception, match="."):
        one["mass"] = 3.0
    assert "'mass' is fixed" in one.said[-1]
    one.end()
    from fmpy.fmi3 import fmi3LogMessageCallback

    said = []
    callback = fmi3LogMessageCallback(lambda environment, status, category, message: said.append(message.decode()))
    other = FMU3Slave(unzipDirectory=one.folder, modelIdentifier="unit_3", instanceName="other", guid="{another}")
    with pytest.raises(Exception, match="."):
        other.instantiate(logMessage=callback)
    assert "token" in said[0]


def test_a_motion_that_cannot_go_on_says_why_and_where(exported, tmp_path):
    m = sl.Model(gravity=(0, 0, 0))
    body = m.point_mass(mass=1, at=(1, 0, 0), name="p")
    m.user_force([body], potential="log(A_x)", name="well")  # falls into the pole
    one = Master(exported(m, outputs=[body.position.x]), tmp_path / "u")
    with pytest.raises(Exception, match="."):
        for _ in range(100):
            one.step(0.1)
    assert "the step fell to" in one.said[-1]
    assert 0.5 < one["time"] < 2.0 and 0.0 < one["p.position.x"] < 1.0
    one.end()


def test_two_units_do_not_know_of_each_other(exported, tmp_path):
    m, body = ball()
    path = exported(m, outputs=[body.position.z])
    one, other = Master(path, tmp_path / "u"), Master(path, tmp_path / "v")
    one.step(0.3)
    assert other["ball.position.z"] == 1.1
    other.step(0.3)
    assert other["ball.position.z"] == one["ball.position.z"]
    one.end(), other.end()


def test_a_long_run_is_the_run(exported, tmp_path):
    """1e5 steps of the master: an oscillator keeps its phase as a run of the same tolerance does."""
    m, force, body = cart()
    m.parameter("free", 0.0)
    path = exported(m, inputs=[force], outputs=[body.position.x], scheme="runge_kutta_4", step=1e-3)
    one = Master(path, tmp_path / "u")
    one["k"], one["force"] = 8.0, 4.0
    for _ in range(100_000):
        one.step(1e-3)
    assert one["cart.position.x"] == pytest.approx(0.5 * (1 - math.cos(2 * one.time)), abs=1e-7)
    one.end()


def test_the_library_needs_neither_python_nor_a_library_of_c(exported, tmp_path):
    m, body = ball()
    fmpy.extract(exported(m, outputs=[body.position.z]), str(tmp_path / "u"))
    (library,) = (tmp_path / "u" / "binaries").glob("*/unit_3.*")
    ctypes.CDLL(str(library))  # loads alone
    if sys.platform == "linux":
        needed = subprocess.run(["ldd", library], capture_output=True, text=True, check=False).stdout
        assert "python" not in needed and "stdc++" not in needed and "not found" not in needed


def test_the_same_model_gives_the_same_bytes(exported, tmp_path):
    m, body = ball()
    first = open(exported(m, outputs=[body.position.z]), "rb").read()
    assert open(exported(m, outputs=[body.position.z]), "rb").read() == first
    assert open(exported(m, outputs=[body.position.x]), "rb").read() != first


def test_mistakes_are_named(tmp_path):
    m, force, body = cart()
    for given, path, words in (
        ({"inputs": ["mass"]}, "export/inputs/mass", 'm.parameter("mass", value)'),
        ({"inputs": ["forse"]}, "export/inputs/forse", 'did you mean "force"'),
        ({"inputs": [3]}, "export/inputs", "m.parameter("),
        ({"outputs": None}, "export/outputs", "named outputs"),
        ({"outputs": ["cart.positoin"]}, "", "position"),
        ({"outputs": {"force": body.position.x}}, "export", "two variables with the name 'force'"),
        ({"version": "1.0"}, "export/version", "2.0 and 3.0"),
        ({"scheme": "static"}, "simulation/scheme", "static"),
    ):
        with pytest.raises(sl.ModelError) as caught:
            m.export(tmp_path / "u.fmu", **{"outputs": [body.position.x], **given})
        assert path in str(caught.value) and words in str(caught.value), str(caught.value)
    with pytest.raises(sl.ModelError, match="m.save"):
        m.export(tmp_path / "u.json", outputs=[body.position.x])
    with pytest.raises(sl.ModelError, match="m.export"):
        m.save(tmp_path / "u.fmu")
    m.force(body, lambda t: (0, 0, t), name="of_program")
    with pytest.raises(sl.ModelError, match="of_program"):
        m.export(tmp_path / "u.fmu", outputs=[body.position.x])
    assert not (tmp_path / "u.fmu").exists()
