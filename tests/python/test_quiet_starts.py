"""A start warns of what the user gave and did not get; what follows from a drive is no mistake."""

import math
import re
import warnings
from pathlib import Path

import pytest

import saltus as sl

SCHEMES = {"generalized_alpha": None, "moreau_jean": 1e-3, "runge_kutta_4": 1e-3, "dormand_prince": None}
DRIVES = {"speed": 2.0, "speed of t": "2*cos(t)", "angle": "sin(2*t)"}


def chain(drive, joined, **velocities):
    """A driven rod, with a second one that hangs on it in one of several ways."""
    m = sl.Model()
    first = m.rod((0, 0, 0), (1, 0, 0), mass=1, **velocities)
    m.revolute(m.ground, first, at=first.start, axis="y", **{drive.split()[0]: DRIVES[drive]})
    second = m.rod((1, 0, 0), (1, 0, -1), mass=0.5, name="second")
    if joined == "fixed":
        m.fixed(first, second, at=first.end)
    elif joined == "hinge":
        m.revolute(first, second, at=first.end, axis="y")
    else:
        m.distance(first, second)
    return m


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("joined", ["fixed", "hinge", "distance"])
@pytest.mark.parametrize("drive", DRIVES)
def test_bodies_without_a_given_velocity_follow_a_drive_without_a_warning(drive, joined, scheme):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = chain(drive, joined).simulate(0.02, scheme=scheme, step=SCHEMES[scheme])
    assert float(result["rod_1.angular_velocity.y"][0]) == pytest.approx(2.0, abs=1e-9)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_given_velocity_that_a_drive_contradicts_is_reported(scheme):
    right = {"velocity": (0, 0, -1), "angular_velocity": (0, 2, 0)}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        chain("speed", "hinge", **right).simulate(0.01, scheme=scheme, step=SCHEMES[scheme])
    for wrong in ({"angular_velocity": (0, 1, 0)}, {"velocity": (0, 0, 1)}, {**right, "velocity": (0, 0, -1.001)}):
        with pytest.warns(sl.ModelWarning, match="initial velocities were changed by"):
            chain("speed", "hinge", **wrong).simulate(0.01, scheme=scheme, step=SCHEMES[scheme])


def test_inertia_with_the_rounding_of_a_drawing_is_taken_with_a_note():
    m = sl.Model(gravity=(0, 0, 0))
    plate = m.body(mass=1, inertia=(0.333, 0.333, 0.667), angular_velocity=(0.1, 0, 3))
    with pytest.warns(sl.ModelWarning, match="bodies/body_1/inertia: .* by 0.15 %, taken as rounded"):
        result = m.simulate(1.0, tolerance=1e-9)
    # Of a symmetric top the spin stays, the rest turns at (C - A)/A times it in the body's axes.
    w = result[plate.angular_velocity_body]
    rate = (0.667 - 0.333) / 0.333 * 3.0
    assert [float(x) for x in w.last] == pytest.approx([0.1 * math.cos(rate), 0.1 * math.sin(rate), 3.0], abs=1e-6)
    plate.inertia = (0.333, 0.333, 0.674)
    with pytest.raises(sl.ModelError, match="no body has one larger than the sum"):
        m.simulate(1.0)
    plate.inertia = (0.3335, 0.3335, 0.667)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m.simulate(0.1)


ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", ["README.md", "docs/start.md", "tests/python/programs/p03_slider_crank.py"])
def test_no_program_of_the_documentation_warns(page):
    text = (ROOT / page).read_text()
    code = text if page.endswith(".py") else "\n".join(BLOCK.findall(text))
    with warnings.catch_warnings():
        warnings.simplefilter("error", sl.ModelWarning)
        exec(compile(code, page, "exec"), {"__name__": "__main__"})
