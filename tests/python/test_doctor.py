"""`saltus doctor`: typical mistakes are found with a remedy, sound models are left in peace."""

import json
from pathlib import Path

import numpy as np
import pytest
from commands import saltus
from saltus.doctor import examine

import saltus as sl

GALLERY = sorted(file for file in (Path(sl.__file__).parent / "gallery").glob("*.json") if "." not in file.stem)


def pendulum(**options):
    m = sl.Model()
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1, name="rod")
    m.revolute(m.ground, rod, at=(0, 0, 0), axis="y", name="hinge", **options)
    return m


def with_box(**options):
    m = sl.Model()
    floor = m.plane(name="floor")
    box = m.box(**{"size": (0.1, 0.1, 0.1), "mass": 1.0, "on": floor, "name": "box", **options})
    m.contact(floor, box, friction=0.3, name="touch")
    return m


def in_millimetres():
    return with_box(size=(100, 100, 100), mass=7.8)


def gravity_in_millimetres():
    m = with_box()
    m.gravity = (0, 0, -9810)
    return m


def inertia_in_millimetres():
    m = sl.Model()
    m.gravity = (0, 0, 0)
    m.add(sl.items.RigidBody(node={"type": "node_rigid"}, mass=1.0, inertia=[1e3, 1e3, 1e3]), name="disc")
    m.point_mass(mass=1.0, at=(0.1, 0, 0))
    return m


def redundant():
    m = sl.Model()
    bars = [m.rod((0, y, 0), (1, y, 0), mass=1, name=f"bar{y}") for y in (0, 1)]
    top = m.rod((1, 0, 0), (1, 1, 0), mass=1, name="top")
    for bar in bars:
        m.revolute(m.ground, bar, at=bar.start, axis="z"), m.revolute(bar, top, at=bar.end, axis="z")
    return m


def falls():
    m = pendulum()
    m.sphere(radius=0.1, mass=3.0, at=(0, 0, 3), name="lost")
    return m


def unread():
    m = pendulum()
    m.parameters["stifness"] = 100.0
    return m


def too_long_a_step():
    m = pendulum(stiffness=1e4)
    m.simulation = {"scheme": "runge_kutta_4", "step": 0.1, "until": 1.0}
    return m


def uneven():
    m = pendulum()
    m.fixed(m["rod"], m.body(mass=1e-9, inertia=(1e-9,) * 3, at=(1, 0, 0), name="dust"))
    return m


def per_cent():
    m = with_box()
    m["touch"].friction = 30.0
    return m


def overlap():
    return with_box(on=None, at=(0, 0, 0.02))


def slow_samples():
    m = pendulum(torque=0.0)
    m.spring(m.ground.frame((1, 0, 1)), m["rod"].end, stiffness=100.0)
    m.pid(m["hinge"].angle, kp=10.0, period=3.0, outputs=[m["hinge"]], name="brain")
    return m


SEEDS = [
    (in_millimetres, "bodies/box", "its size in mm"),
    (gravity_in_millimetres, "gravity", "metres"),
    (redundant, "joints", "spherical or cylindrical"),
    (falls, "bodies/lost", "held by nothing"),
    (unread, "parameters/stifness", "read nowhere"),
    (too_long_a_step, "simulation/step", "smaller step"),
    (uneven, "bodies/dust", "lost in rounding"),
    (per_cent, "friction", "0.3, if it is in per cent"),
    (lambda: pendulum(limits=(-45, 45)), "joints/hinge/limits", "sl.degrees(-45)"),
    (overlap, "touch", ""),
    (slow_samples, "controllers/brain/period", "ten times a swing"),
    (lambda: with_box(mass=1e-9), "bodies/box", "kg/m^3"),
]


@pytest.mark.parametrize("make, path, words", SEEDS, ids=[path for _, path, _ in SEEDS])
def test_a_typical_mistake_is_found_with_a_remedy(make, path, words):
    found = make().doctor()
    hits = [fault for fault in found.findings if path in fault.path and words in fault.text]
    assert len(hits) == 1 and hits[0].remedy, str(found)


@pytest.mark.parametrize("make", [pendulum, with_box], ids=["pendulum", "box"])
def test_a_sound_model_is_left_in_peace(make):
    found = make().doctor()
    assert found.findings == [] and "nothing looks wrong" in str(found)
    assert found.facts["scheme"].startswith("dormand_prince: smooth" if make is pendulum else "moreau_jean: 'touch")
    assert "s of work for 1 s of motion" in found.facts["cost"]


@pytest.mark.parametrize("file", GALLERY, ids=[file.stem for file in GALLERY])
def test_the_gallery_is_sound(file):
    found = examine(sl.Model.load(file))
    doubts = [f for f in found.findings if "hold" not in f.message and "redundant" not in f.message and "simulation" not in f.path]
    assert not doubts, [f.text for f in doubts]


def test_stiffness_and_stable_step_are_reported():
    m = sl.Model(gravity=(0, 0, 0))
    for name, k in (("fast", 1e10), ("slow", 1.0)):
        node = m.add(sl.items.Node1d(), name=name)
        m.add(sl.items.Mass1d(node=node, mass=1.0)), m.add(sl.items.CoordinateSpringDamper(A="ground", B=node, stiffness=k))
    facts = m.doctor().facts
    assert f"{1e5 / (2 * np.pi):.4g} Hz" in facts["fastest"] and "2.78e-05 s" in facts["fastest"]
    assert "generalized_alpha" in facts["stiffness"] and facts["slowest"] == f"{1 / (2 * np.pi):.4g} Hz"


def test_what_does_not_swing_has_a_rate_and_what_stands_no_frequency():
    """A capacitor that empties, an inverted pendulum; and of a free cart beside a stiff spring the double zero is no slow motion."""
    m = sl.Model()
    a = m.terminal()
    m.capacitor(a, m.ground, C=1e-6, voltage=10), m.resistor(a, m.ground, R=1e3)
    assert m.doctor().facts["slowest"] == "decays at 1000 1/s" and "freedoms" not in m.doctor().facts
    m = sl.Model()
    rod = m.rod((0, 0, 0), (0, 0, 1), mass=1)
    m.revolute(m.ground, rod, at=rod.start, axis="y")
    assert m.doctor().facts["slowest"] == f"grows at {np.sqrt(1.5 * 9.81):.4g} 1/s"
    m = sl.Model(gravity=(0, 0, 0))
    left, right = (m.sphere(radius=0.1, mass=1, at=(x, 0, 0)) for x in (0, 1))
    m.spring(left, right, stiffness=1e9, rest_length=1.0, damping=1e4)
    assert "stiffness" not in m.doctor().facts


def test_redundant_rows_are_told_of_once_and_together():
    m = sl.Model()
    rods = [m.rod(a, b, mass=1) for a, b in (((0, 0, 0), (0, 0, 1)), ((0, 0, 1), (2, 0, 1)), ((2, 0, 1), (2, 0, 0)))]
    for name, a, b, at in zip("ABCD", (m.ground, *rods), (*rods, m.ground), ((0, 0, 0), (0, 0, 1), (2, 0, 1), (2, 0, 0)), strict=True):
        m.revolute(a, b, at=at, axis="y", name=name)
    (found,) = m.doctor().findings
    assert "3 of 20 rows hold what others hold already: rows z, ry, rx of 'D' with 'A', 'B', 'C'; take joints with more freedom" in found.text


def test_the_command_prints_and_has_an_exit_code(tmp_path):
    file = tmp_path / "m.json"
    unread().save(file)
    done = saltus("doctor", file)
    assert done.code == 0 and "parameters/stifness: is read nowhere" in done.out and "scheme" in done.out
    done = saltus("doctor", file, "--json")
    assert json.loads(done.out)["findings"][0]["path"] == "parameters/stifness"
    file.write_text(file.read_text().replace('"mass": 1', '"mass": -1'))
    assert saltus("doctor", file).code == 2


def whip(**options):
    m = sl.Model()
    beam = m.beam((0, 0, 1), (1, 0, 1), EI=0.01, EA=1e4, mass_per_length=0.1, elements=10, **options)
    m.revolute(m.ground, beam.start, at=(0, 0, 1), axis="y")
    return m


def rattling():
    """A rod that swings at 1 Hz with a small mass that vibrates at its end at 1e4 Hz, by a hundred-thousandth of the rod's length."""
    m = sl.Model()
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1)
    m.revolute(m.ground, rod, at=(0, 0, 0), axis="y")
    m.spring(m.ground.frame(at=(1, 0, 1)), rod.frame(at=(1, 0, 0)), stiffness=15.0)
    small = m.point_mass(mass=0.01, at=(2, 0, 0), velocity=(1, 0, 0))
    m.spring(rod.frame(at=(1, 0, 0)), small, stiffness=4e7, rest_length=1.0)
    return m


@pytest.mark.filterwarnings("ignore::saltus.ModelWarning")
def test_a_run_that_follows_a_vibration_nobody_asked_for_gets_the_step_that_damps_it(monkeypatch):
    from saltus import doctor

    monkeypatch.setattr(doctor, "LONG", 0.0)  # whatever the machine takes
    (fault,) = [f for f in examine(rattling()).findings if f.path == "simulation/step"]
    assert "vibration of 1.01e+04 Hz" in fault.message and "work" in fault.message
    assert "scheme='generalized_alpha', step=0.001" in fault.remedy
    m = rattling()
    assert m.simulate(1.0, scheme="generalized_alpha", step=0.001).report["steps"] < 1100
    assert not [f for f in examine(whip()).findings if f.path == "simulation/step"]  # the default damps what a slim beam does not show


def test_a_run_whose_end_is_far_says_so_once(monkeypatch):
    from saltus import running

    monkeypatch.setattr(running, "LATE", 0.2)
    monkeypatch.setattr(running, "FAR", 0.0)
    stop = []

    def after_step(state):
        if len(stop) > 100_000 or state.time > 0.02:
            raise ValueError
        stop.append(state.time)

    with pytest.warns(sl.ModelWarning, match=r"test_doctor|after 0 s of work, and takes some .* more; m.doctor\(\) says") as warned, pytest.raises(sl.RunError):
        whip().simulate(1.0, scheme="dormand_prince", after_step=after_step)
    assert len([w for w in warned if "of work" in str(w.message)]) == 1
    assert all(w.filename == __file__ for w in warned)


def test_a_model_that_holds_nothing_is_said_to():
    assert "holds no body and no node" in str(sl.Model().doctor())
    assert "holds no body" not in str(pendulum().doctor())
