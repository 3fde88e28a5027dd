"""Units of expressions of quantities are those of the numbers: a change of the base units changes values by the unit's powers."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import saltus as sl
from saltus.result import Series
from saltus.unit_algebra import dimension, read, written

UNITS = ["m", "m/s", "m/s^2", "rad", "rad/s", "N", "N m", "N/m", "N s/m", "N m/rad", "kg", "kg m^2", "kg/m^3", "J", "W", "V", "A", "Ohm", "s", "1/s", "Pa", "F", "H", "m^(1/2) N^(1/2)/s^(1/2)", "kg/(m s)", ""]
SCALES = (2.0, 3.0, 5.0, 7.0, 1.0)  # of kg, m, s, A, K: by how much numbers grow in smaller base units


def series(values, unit):
    return Series(np.array(values, dtype=float), unit, np.arange(len(values)) * 0.1, "x")


def rescaled(x):
    """The same quantity in other base units."""
    return series(np.asarray(x) * factor(x.unit), x.unit)


def factor(unit):
    powers = dimension(read(unit))[:5]
    return float(np.prod([s ** float(p) for s, p in zip(SCALES, powers, strict=True)]))


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_is_written_as_it_is_read(unit):
    assert written(read(unit)) == unit


OPERATIONS = {
    "product": lambda a, b: a * b,
    "quotient": lambda a, b: a / b,
    "square": lambda a, b: a**2,
    "cube root": lambda a, b: np.cbrt(a),
    "power": lambda a, b: np.power(a, -3),
    "half power": lambda a, b: a**0.5,
    "inverse": lambda a, b: 1 / a,
    "reciprocal": lambda a, b: np.reciprocal(a),
    "root of a product": lambda a, b: np.sqrt(a * b),
    "negative": lambda a, b: -abs(a),
    "double": lambda a, b: 2 * a,
    "sum": lambda a, b: a + a * 1.5,
    "difference": lambda a, b: a - 0.3 * a,
    "norm": lambda a, b: np.linalg.norm(np.stack([a, 2 * a], axis=1), axis=1),
    "hypot": lambda a, b: np.hypot(a, 2 * a),
    "mean": lambda a, b: np.cumsum(a) / 2,
    "variance": lambda a, b: np.var(np.stack([a, 2 * a]), axis=0),
    "derivative by another": lambda a, b: np.gradient(a, b),
    "maximum": lambda a, b: np.maximum(a, 2 * a),
    "dot": lambda a, b: np.outer(a, b)[0],
}


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(OPERATIONS)), st.sampled_from(UNITS), st.sampled_from(UNITS), st.lists(st.floats(0.5, 2.0), min_size=4, max_size=4))
def test_an_expression_in_other_base_units_has_the_numbers_that_its_unit_says(name, first, second, values):
    a, b = series(values, first), series(np.cumsum(values), second)
    here, there = OPERATIONS[name](a, b), OPERATIONS[name](rescaled(a), rescaled(b))
    assert isinstance(here, Series) and here.unit == there.unit
    assert np.asarray(there) == pytest.approx(np.asarray(here) * factor(here.unit), rel=1e-9)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(UNITS), st.sampled_from(UNITS))
def test_what_does_not_measure_the_same_is_neither_added_nor_compared(first, second):
    a, b = series([1.0, 2.0], first), series([3.0, 4.0], second)
    alike = not first or not second or dimension(read(first)) == dimension(read(second))
    for operation in (lambda: a + b, lambda: a - b, lambda: np.maximum(a, b), lambda: a < b, lambda: np.concatenate([a, b]), lambda: np.arctan2(a, b)):
        if alike:
            operation()
        else:
            with pytest.raises(sl.ModelError, match="have different units"):
                operation()


def test_units_of_the_quantities_of_a_run():
    m = sl.Model()
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1)
    pin = m.revolute(m.ground, rod, at=rod.start, axis="y")
    r = m.simulate(0.1)
    p, v, w, t = r[rod.position], r[rod.velocity], r[rod.angular_velocity], r.time
    assert (p * v).unit == "m^2/s" and (r[pin.force] * v).unit == "N m/s" and (p / v).unit == "s"
    assert (p * w).unit == "m/s" and (v - np.cross(w, p)).unit == "m/s"  # the radian is 1
    assert np.linalg.norm(v, axis=1).unit == "m/s" and np.gradient(p[:, 0], t).unit == "m/s" and np.gradient(w[:, 1], t).unit == "rad/s^2"
    assert np.trapezoid(v[:, 0], t) if hasattr(np, "trapezoid") else True
    assert (p - 1.0).unit == "m" and np.sin(r[pin.angle]).unit == "" and (r[pin.angle] * 2).unit == "rad"
    assert (p * v).time is t and (p + p).components == ["x", "y", "z"]
    with pytest.raises(sl.ModelError, match=r"rod_1.position \[m\], rod_1.velocity \[m/s\]: have different units"):
        p + v
    with pytest.raises(sl.ModelError):
        p += v  # noqa: F841
    assert (np.asarray(p) + np.asarray(v)).shape == p.shape
    q = p.copy()
    q *= v
    assert q.unit == "m^2/s"
