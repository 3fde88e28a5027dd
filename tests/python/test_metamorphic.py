"""What physics says does not depend on where a scene stands, how it is measured, what it is called and how it is taken apart."""

import dataclasses

import numpy as np
import pytest
import worlds
from worlds import World

import saltus as sl

HERE = World()
TOLERANCE = 1e-7
STEP = 2e-3
FORCES = ("R", "drive")
WORLDS = {
    "shifted": World(shift=(1000.0, -300.0, 20.0)),
    "far": World(shift=(1e6, 0.0, 0.0)),
    "turned": World(turn=(0.4, -1.1, 2.0)),
    "millimetres": World(length=1e3),
    "tonnes and milliseconds": World(mass=1e-3, time=1e3),
    "reordered": World(reversed=True, prefix="zz_"),
}
SMOOTH_SCHEMES = {
    "dormand_prince": "dormand_prince",
    "index 3": sl.GeneralizedAlpha(),
    "index 2": sl.GeneralizedAlpha(index=2),
    "auto": "auto",
    "moreau_jean": "moreau_jean",
}


def run(scene, world, scheme, **options):
    world = dataclasses.replace(world, items=[])
    model, readings, end = scene(world)
    options = {name: value * world.time if name == "step" else value for name, value in options.items()}
    result = model.simulate(until=end * world.time, scheme=scheme, **options)
    return {name: reading.of(result, world) for name, reading in readings.items()}, result


def differences(a, b):
    """Largest difference over the size of what is read (a reaction of a few newtons, a place of a metre)."""
    return {name: np.abs(a[name] - b[name]).max() / max(np.abs(a[name]).max(), 1e-300) for name in a}


def pairs(scenes, schemes):
    return [pytest.param(scene, scheme, id=f"{scene.__name__}-{name}") for scene in scenes for name, scheme in schemes.items()]


@pytest.mark.parametrize("world", WORLDS.values(), ids=WORLDS)
@pytest.mark.parametrize("scene, scheme", pairs(worlds.SMOOTH, SMOOTH_SCHEMES))
def test_a_smooth_motion_is_the_same_in_every_world(scene, scheme, world):
    here, first = run(scene, HERE, scheme, tolerance=TOLERANCE)
    there, second = run(scene, world, scheme, tolerance=TOLERANCE)
    # 1e6 m away a double holds 1e-10 m: what that leaves of velocities, reactions and of a millionth of a metre.
    index_3 = isinstance(scheme, sl.GeneralizedAlpha) and any(world.shift)  # its reactions divide rounding by h^2
    allowed = 1e-3 if world is WORLDS["far"] or index_3 else 100 * TOLERANCE
    reactions = allowed
    if scheme == "moreau_jean" or (index_3 and world is WORLDS["far"]):  # means over the last step: of first order; 1e-10 m over h^2
        reactions = max(allowed, 1e-2)
    assert {n: d for n, d in differences(here, there).items() if d > (reactions if n in FORCES else allowed)} == {}
    if not any(world.shift):  # rounding of places allows longer steps
        assert abs(len(second.time) - len(first.time)) <= 0.05 * len(first.time) + 2


@pytest.mark.parametrize("world", WORLDS.values(), ids=WORLDS)
@pytest.mark.parametrize("scene", worlds.SMOOTH, ids=lambda scene: scene.__name__)
@pytest.mark.parametrize("scheme", ["runge_kutta_4", "generalized_alpha", "moreau_jean"])
def test_fixed_steps_differ_by_rounding(scene, scheme, world):
    here, _ = run(scene, HERE, scheme, step=STEP)
    there, _ = run(scene, world, scheme, step=STEP)
    # Reactions at index 3: 1e-10 (1e-13) m over h^2 of a millimetre's rounding; Newton's iterations end at 1e-9 of the forces.
    far = world is WORLDS["far"]
    allowed = {name: (1e-2 if far else 1e-4) if name in ("R", "drive") else 1e-4 if far else 3e-6 for name in here}
    assert {n: d for n, d in differences(here, there).items() if d > allowed[n]} == {}


@pytest.mark.parametrize("world", WORLDS.values(), ids=WORLDS)
@pytest.mark.parametrize("scene", worlds.NONSMOOTH, ids=lambda scene: scene.__name__)
def test_impacts_at_fixed_steps_are_the_same_in_every_world(scene, world):
    here, _ = run(scene, HERE, "moreau_jean", step=STEP)
    there, _ = run(scene, world, "moreau_jean", step=STEP)
    allowed = 2e-2 if world is WORLDS["far"] else 1e-7  # 1e6 m away an impact may fall into the next step
    assert {n: d for n, d in differences(here, there).items() if d > allowed} == {}


@pytest.mark.parametrize("world", WORLDS.values(), ids=WORLDS)
@pytest.mark.parametrize("scene", worlds.NONSMOOTH, ids=lambda scene: scene.__name__)
def test_impacts_at_default_settings_are_the_same_in_every_world(scene, world):
    here, _ = run(scene, HERE, "moreau_jean")
    there, _ = run(scene, world, "moreau_jean")
    assert {n: d for n, d in differences(here, there).items() if d > 3e-4} == {}


@pytest.mark.parametrize("scene, scheme", pairs([worlds.door, worlds.double_pendulum, worlds.tumbling, worlds.small_motion], SMOOTH_SCHEMES))
def test_a_body_split_in_two_moves_as_the_whole(scene, scheme):
    whole, _ = run(scene, HERE, scheme, tolerance=TOLERANCE)
    halves, _ = run(scene, World(split=True), scheme, tolerance=TOLERANCE)
    assert {n: d for n, d in differences(whole, halves).items() if d > 1000 * TOLERANCE} == {}


@pytest.mark.parametrize("scene, scheme", pairs(worlds.SMOOTH, SMOOTH_SCHEMES))
def test_what_is_read_converges_as_the_tolerance_falls(scene, scheme):
    fine, _ = run(scene, HERE, "dormand_prince", tolerance=1e-11)
    for tolerance in (1e-4, 1e-6, 1e-8):
        now, _ = run(scene, HERE, scheme, tolerance=tolerance)
        reactions = np.sqrt(tolerance) if scheme == "moreau_jean" else 1e3 * tolerance  # means over its last step
        assert {n: d for n, d in differences(fine, now).items() if d > (reactions if n in FORCES else 1e3 * tolerance)} == {}


@pytest.mark.parametrize("scene", worlds.SMOOTH + worlds.NONSMOOTH, ids=lambda scene: scene.__name__)
def test_two_threads_and_a_saved_model_give_the_same_bits(scene, tmp_path):
    model, _, end = scene(World())
    model.save(str(tmp_path / "model.json"))
    loaded = sl.Model.parse((tmp_path / "model.json").read_text())
    states = model.simulate(until=end)._recorded.arrays
    for other in (scene(World())[0].simulate(until=end, threads=2), loaded.simulate(until=end)):
        for name in ("t", "y", "a", "lam"):
            assert np.array_equal(states[name], other._recorded.arrays[name]), name


@pytest.mark.parametrize("scene", worlds.SMOOTH + worlds.NONSMOOTH, ids=lambda scene: scene.__name__)
def test_default_settings_follow_a_fine_run(scene):
    fine, _ = run(scene, HERE, "dormand_prince" if scene in worlds.SMOOTH else "moreau_jean", tolerance=1e-10 if scene in worlds.SMOOTH else 1e-8)
    default, result = run(scene, HERE, "auto")
    assert {n: d for n, d in differences(fine, default).items() if d > 1e-3} == {}
