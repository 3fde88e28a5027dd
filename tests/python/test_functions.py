"""Constant, expression, Python callable and compiled address give the same in every field that takes a function."""

import ctypes
import math
import shutil
import subprocess

import numpy as np
import pytest

import saltus as sl

CALL = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_double), ctypes.POINTER(ctypes.c_double))
FIXED = dict(step=1e-3, scheme="generalized_alpha")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A C function out[0] = 3 sin(2 in[0])."""
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang", "c++"))), None)
    if compiler is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("compiled")
    (folder / "f.c").write_text("#include <math.h>\nvoid f(const double *in, double *out) { out[0] = 3.0 * sin(2.0 * in[0]); }\n")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "f.c", "-o", "f.so", "-lm"], cwd=folder, check=True)
    return sl.Compiled(ctypes.CDLL(str(folder / "f.so")).f)


@pytest.mark.parametrize("kind", ["expression", "callable", "compiled"])
def test_a_torque_of_any_kind_turns_a_rod_the_same(kind, compiled):
    torque = {"expression": "3*sin(2*t)", "callable": lambda t, angle, speed: 3 * math.sin(2 * t), "compiled": compiled}[kind]
    m = sl.Model(gravity=(0, 0, 0))
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=3)
    pin = m.revolute(m.ground, rod, at=(0, 0, 0), axis="z", torque=torque)
    result = m.simulate(1.0, **FIXED)
    # I = 1: angle = 3/2 t - 3/4 sin(2 t)
    assert result[pin.angle].last == pytest.approx(1.5 - 0.75 * math.sin(2), abs=1e-6)


@pytest.mark.parametrize("kind", ["expression", "callable", "compiled"])
def test_a_voltage_source_of_any_kind_drives_a_resistor(kind, compiled):
    m = sl.Model()
    a = m.terminal()
    voltage = {"expression": "3*sin(2*t)", "callable": lambda t: 3 * math.sin(2 * t), "compiled": compiled}[kind]
    source = m.voltage_source(a, m.ground, voltage=voltage)
    load = m.resistor(a, m.ground, R=10)
    result = m.simulate(0.5, **FIXED)
    assert result[a.voltage].last == pytest.approx(3 * math.sin(1), abs=1e-9)
    assert result[load.current].last == pytest.approx(0.3 * math.sin(1), abs=1e-9)
    assert result[source.current].last == pytest.approx(-0.3 * math.sin(1), abs=1e-9)
    assert (result[a.voltage].unit, result[load.current].unit, result[source.current].unit) == ("V", "A", "A")


def test_a_current_source_charges_a_capacitor():
    m = sl.Model()
    a = m.terminal()
    m.current_source(m.ground, a, current=lambda t: 1e-3 * t)
    c = m.capacitor(a, m.ground, C=1e-4)
    result = m.simulate(0.5, **FIXED)
    assert result[a.voltage].last == pytest.approx(0.5 * 1e-3 * 0.25 / 1e-4, rel=1e-5)
    assert result[c.current].last == pytest.approx(0.5e-3, rel=1e-4)


def test_a_dc_motor_reaches_the_speed_at_which_its_voltage_is_that_of_the_source():
    m = sl.Model(gravity=(0, 0, 0))
    rotor = m.cylinder(radius=0.1, length=0.1, mass=0.2, axis="x")
    shaft = m.revolute(m.ground, rotor, at=(0, 0, 0), axis="x")
    a = m.terminal()
    m.voltage_source(a, m.ground, voltage=12)
    motor = m.dc_motor(a, m.ground, shaft, L=1e-3, R=2.0, k=0.1)
    result = m.simulate(2.0, step=1e-3, scheme="generalized_alpha")
    # J w' = k i, L i' = U - R i - k w; L is negligible: w = U/k (1 - exp(-k^2 t / (J R)))
    J = 0.5 * 0.2 * 0.01
    speed = 12 / 0.1 * (1 - math.exp(-0.01 * 2.0 / (J * 2.0)))
    assert result[shaft.angular_rate].last == pytest.approx(speed, rel=1e-2)
    assert result[motor.torque].last[0] == pytest.approx(0.1 * result[motor.current].last, rel=1e-9)


def test_functions_of_all_coordinates_are_sized_by_the_record():
    m = sl.Model(gravity=(0, 0, 0))
    calls = []

    def force(t, q0, q1, v0, v1):
        calls.append(t)
        return -4.0 * q0, -9.0 * q1

    system = m.add(
        sl.items.GenericSystem(
            node=sl.items.NodeOde2(count=2, coordinates=[1, 2]), mass_matrix=[[1, 0], [0, 1]], force=force
        )
    )
    result = m.simulate(1.0, step=1e-3, scheme="runge_kutta_4")
    assert calls
    coordinates = np.asarray(result[f"{system.name}.node.coordinate"])[-1]
    assert coordinates == pytest.approx([math.cos(2), 2 * math.cos(3)], abs=1e-9)


def test_relations_of_python_functions_are_sized_by_rows_and_coordinates():
    m = sl.Model(gravity=(0, 0, 0))
    node = m.add(sl.items.NodeOde2(count=2, coordinates=[1, 0], velocities=[0, 1]), name="n")
    m.add(sl.items.GenericSystem(node=node, mass_matrix=[[1, 0], [0, 1]]))
    on = [{"node": "n", "coordinate": i} for i in range(2)]
    m.add(sl.items.UserRelation(on=on, function=lambda t, x, y: 0.5 * (x * x + y * y - 1)))
    result = m.simulate(1.0, step=1e-3, scheme="generalized_alpha")
    end = np.asarray(result[m["n"].coordinate])[-1]
    assert end == pytest.approx([math.cos(1), math.sin(1)], abs=1e-5)


def test_what_is_no_compiled_function_is_refused():
    for wrong in (0, -1):
        with pytest.raises(ValueError, match="is no address"):
            sl.Compiled(wrong)
    with pytest.raises(TypeError, match="takes an address"):
        sl.Compiled("f")
