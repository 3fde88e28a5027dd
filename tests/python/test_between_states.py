"""What a reader sees between the recorded states is the motion: closed forms, for every way to read a result."""

import csv
import math
import re
import warnings

import matplotlib.pyplot
import numpy as np
import pytest
from commands import saltus

import saltus as sl
from saltus import _core, curve
from saltus.view.container import unpacked
from saltus.view.shows import scene

matplotlib.use("Agg")
G, SPEED = 9.81, 6.8254
APEX, AT_APEX = SPEED**2 / (2 * G), SPEED / G
SCHEMES = ("dormand_prince", "runge_kutta_4", "generalized_alpha", "moreau_jean")


@pytest.fixture(autouse=True)
def closed_figures():
    yield
    matplotlib.pyplot.close("all")


def thrown(until=1.2, **options):
    m = sl.Model()
    ball = m.point_mass(mass=1, velocity=(3, 0, SPEED), name="ball")
    m.outputs = {"height": ball.position.z}
    return ball, m.simulate(until, **options)


def fixed_for(scheme, step):
    return {"scheme": scheme, **({"step": step} if scheme == "runge_kutta_4" else {})}


# Extremes.


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_apex_of_a_throw_is_that_of_the_parabola(scheme):
    ball, result = thrown(**fixed_for(scheme, 0.5))
    height = result[ball.position.z]
    assert height.values.max() < 0.999 * APEX  # no state is near it
    assert height.max() == pytest.approx(APEX, rel=1e-9)
    assert height.time_of_max() == pytest.approx(AT_APEX, rel=1e-6)
    assert height.min() == 0.0


def test_extremes_of_functions_of_a_quantity_and_of_components():
    ball, result = thrown()
    z, p = result[ball.position.z], result[ball.position]
    assert np.max(z) == z.max() and np.ptp(z) == z.ptp() == z.max() - z.min()
    assert abs(z - 3).max() == pytest.approx(3.0) and abs(z - 3).min() == pytest.approx(3.0 - APEX, rel=1e-9)
    assert (2 * z + 1).max() == pytest.approx(2 * APEX + 1, rel=1e-9)
    assert np.sqrt(p[:, 2] + 1).max() == pytest.approx(math.sqrt(APEX + 1), rel=1e-9)
    assert p.max(axis=0) == pytest.approx([3.6, 0.0, APEX], rel=1e-9) and p.max() == pytest.approx(3.6)
    assert (z - result[ball.position.x] * (SPEED / 3)).min() == pytest.approx(-G / 2 * 1.2**2, rel=1e-9)
    assert (p - (1.0, 2.0, 3.0)).max(axis=0) == pytest.approx([2.6, -2.0, APEX - 3], rel=1e-9)
    assert np.linalg.norm(p, axis=1).max() == pytest.approx(result[ball.position.norm].max(), rel=1e-12)
    assert (p**2).sum(axis=1).max() == pytest.approx(result[ball.position.norm].max() ** 2, rel=1e-12)
    # What numpy made of the numbers alone is of the numbers alone.
    assert (z - np.asarray(z)).max() == 0.0 and np.asarray(z).max() == z.values.max() == z[1:].max()
    changed = result[ball.position.z]
    changed[0] = 9.0
    assert changed.max() == 9.0
    assert z.unit == (2 * z).unit == "m" and p[:, 2].unit == "m"


def test_extremes_of_a_point_that_turns_many_times_in_a_step():
    m = sl.Model(gravity=(0, 0, 0))
    wheel = m.cylinder(radius=0.5, length=0.1, mass=1, axis="z", angular_velocity=(0, 0, 100.0), velocity=(1, 0, 0))
    rim = wheel.frame(at=(0.5, 0, 0), name="rim")
    result = m.simulate(1.0, scheme="dormand_prince")
    assert len(result) < 30  # 16 turns
    assert result[rim.position.y].max() == pytest.approx(0.5, rel=1e-9) and result[rim.position.y].min() == pytest.approx(-0.5, rel=1e-9)
    t = np.linspace(0, 1, 777)
    place = np.stack([t + 0.5 * np.cos(100 * t), 0.5 * np.sin(100 * t), 0 * t], axis=1)
    assert result.at(t)[rim.position] == pytest.approx(place, abs=1e-9)
    assert result[rim.velocity.norm].max() == pytest.approx(51.0, rel=1e-9)


def test_the_largest_and_the_least_share_one_sampling_of_the_run(monkeypatch):
    result = oscillator(scheme="generalized_alpha", step=5e-4)
    asked = []
    states_at = curve.states_at
    monkeypatch.setattr(curve, "states_at", lambda track, times, *rest: asked.append(len(times)) or states_at(track, times, *rest))
    assert result["x.coordinate"].max() == pytest.approx(1.0, rel=1e-5) and result["x.coordinate"].min() == pytest.approx(-1.0, rel=1e-5)
    assert result["x.coordinate"].ptp() == pytest.approx(2.0, rel=1e-5)
    assert len(result) == 4001 and sum(asked) < 3.5 * len(result)
    fine = np.asarray(result.at(np.linspace(0, 2, 400_001))["x.rate"])
    rate = result["x.rate"]
    assert rate.max() >= fine.max() and rate.min() <= fine.min() and rate.ptp() == pytest.approx(np.ptp(fine), rel=1e-8)


def test_a_step_of_whole_turns_ends_where_it_should():
    m = sl.Model(gravity=(0, 0, 0))
    body = m.box(size=(0.1, 0.1, 0.1), mass=1, angular_velocity=(0, 0, 4 * math.pi))
    for scheme in SCHEMES:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sl.ModelWarning)
            result = m.simulate(1.0, step=0.5, scheme=scheme)
        t = np.linspace(0, 1, 41)
        exact = np.stack([np.cos(2 * math.pi * t), 0 * t, 0 * t, np.sin(2 * math.pi * t)], axis=1)
        assert np.abs(np.sum(np.asarray(result.at(t)[body.quaternion]) * exact, axis=1)) == pytest.approx(1.0, abs=1e-9), scheme


# Between the states.


def oscillator(**options):
    m = sl.Model(gravity=(0, 0, 0))
    node = m.add(sl.items.Node1d(displacement=1.0), name="x")
    m.add(sl.items.Mass1d(node=node, mass=1.0))
    m.add(sl.items.CoordinateSpringDamper(A=m.ground, B=node, stiffness=100.0), name="spring")
    return m.simulate(2.0, **options)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("options", [{}, {"step": 0.01}, {"step": 0.01, "record": 0.013}], ids=["tolerance", "step", "record"])
def test_an_oscillation_is_between_the_states_as_right_as_at_them(scheme, options):
    result = oscillator(scheme=scheme, **options)
    t = np.linspace(0, 2, 5001)
    at = result.at(t)
    words = {"x.coordinate": np.cos, "x.rate": lambda s: -10 * np.sin(s), "spring.force": lambda s: -100 * np.cos(s)}
    if scheme != "moreau_jean":  # there it is the mean of a step
        words["x.coordinate_acceleration"] = lambda s: -100 * np.cos(s)
    for word, exact in words.items():
        at_states = np.abs(result[word] - exact(10 * result.time)).max()
        spread = 3.0 if word.endswith("acceleration") and scheme == "generalized_alpha" else 1.1  # it alternates where the step changes
        assert np.abs(np.asarray(at[word]) - exact(10 * t)).max() < spread * at_states + 1e-3 * (scheme == "moreau_jean") * np.abs(exact(t)).max(), word


def test_a_first_order_state_follows_its_rate_between_the_states():
    m = sl.Model()
    a = m.terminal()
    m.voltage_source(a, m.ground, voltage=1.0)
    b = m.terminal(name="b")
    m.resistor(a, b, R=1e3)
    m.capacitor(b, m.ground, C=1e-3)
    t = np.linspace(0, 3, 301)
    for scheme, close in (("dormand_prince", 5e-6), ("generalized_alpha", 1e-4), ("moreau_jean", 1e-4)):
        result = m.simulate(3.0, scheme=scheme)
        assert np.asarray(result.at(t)["b.value"]) == pytest.approx(1 - np.exp(-t), abs=close), scheme


def spherical_pendulum(**options):
    m = sl.Model()
    bob = m.sphere(radius=0.1, mass=2, at=(1, 0, 0), velocity=(0, 1.5, 0), angular_velocity=(0, 0, 1.5), name="bob")
    joint = m.spherical(m.ground, bob, at=(0, 0, 0), name="joint")
    return bob, joint, m.simulate(2.0, **options)


def test_a_pendulum_and_its_reaction_agree_with_a_run_of_small_steps():
    bob, joint, fine = spherical_pendulum(scheme="dormand_prince", tolerance=1e-11)
    t = np.linspace(0, 2, 401)
    for scheme, close in (("dormand_prince", 1e-5), ("generalized_alpha", 5e-3), ("moreau_jean", 5e-3)):
        bob, joint, result = spherical_pendulum(scheme=scheme)
        for word in ("bob.position", "bob.velocity", "bob.quaternion", "joint.force") if scheme != "moreau_jean" else ("bob.position", "bob.velocity", "bob.quaternion"):
            exact = np.asarray(fine.at(t)[word])
            assert np.abs(np.asarray(result.at(t)[word]) - exact).max() < close * max(1.0, np.abs(exact).max()), (scheme, word)


@pytest.mark.parametrize("options", [{"step": 1e-3}, {"tolerance": 1e-7}], ids=["step", "tolerance"])
def test_a_ball_that_bounces_rises_to_the_height_of_each_arc_and_its_velocity_jumps(options):
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1.1), velocity=(0.5, 0, 0))
    m.contact(m.plane(), ball, restitution=0.8)
    result = m.simulate(1.9, **options)
    z, hits = result[ball.position.z], [when for when, kind, *_ in result.events if kind == "impact"]
    assert len(hits) == 3
    close = 3e-3 if "step" in options else 1e-6
    for k in range(2):
        inside = np.linspace(hits[k] + 1e-9, hits[k + 1] - 1e-3, 5001)
        assert np.asarray(result.at(inside)[ball.position.z]).max() - 0.1 == pytest.approx(0.64 ** (k + 1), rel=close)
    times, speed = result[ball.velocity.z].curve()
    jumps = np.flatnonzero(np.diff(times) == 0.0)
    assert len(jumps) == 3 and speed[jumps + 1] / speed[jumps] == pytest.approx(-0.8, rel=1e-6)
    for k in jumps:  # nothing in between, and the place goes on
        before, after = result.at(times[k], before=True), result.at(times[k])
        assert (before[ball.velocity.z], after[ball.velocity.z]) == (speed[k], speed[k + 1])
        assert before[ball.position.z] == pytest.approx(after[ball.position.z], abs=1e-12)
    t = np.linspace(0, 1.9, 19_001)
    assert np.abs(np.diff(np.asarray(result.at(t)[ball.velocity.z])) + G * (t[1] - t[0])).max() == pytest.approx(1.8 * -speed[jumps[0]], rel=1e-3)
    assert np.asarray(result.at(t)[ball.position.x]) == pytest.approx(0.5 * t, abs=1e-12)
    assert z.max() == pytest.approx(1.1) and z.min() == pytest.approx(0.1, abs=5e-3 if "step" in options else 1e-6)


@pytest.mark.parametrize("theta", [0.5, 0.7, 1.0])
def test_a_velocity_jumps_where_the_position_update_of_the_scheme_has_it(theta):
    m = sl.Model(gravity=(0, 0, 0))
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.2), velocity=(0, 0, -1))
    m.contact(m.plane(), ball, restitution=0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sl.ModelWarning)
        result = m.simulate(0.3, step=0.03, scheme=sl.MoreauJean(theta=theta))
    times, speed = result[ball.velocity.z].curve()
    jump = np.flatnonzero(np.diff(times) == 0.0)
    assert len(jump) == 1 and (speed[jump], speed[jump + 1]) == (pytest.approx(-1.0), pytest.approx(0.5)) and np.isin(np.round(speed, 9), [-1.0, 0.5]).all()
    step = result.time[np.searchsorted(result.time, times[jump]) - 1]
    assert times[jump] == pytest.approx(step + (1 - theta) * 0.03, abs=1e-9)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_sampled_forces_and_sampled_speeds_end_where_they_end(scheme):
    # A force that is constant between samples: parabolas; a drive by speed: lines with corners, where the velocity jumps.
    m = sl.Model(gravity=(0, 0, 0))
    free, led = (m.add(sl.items.Node1d(), name=name) for name in ("free", "led"))
    m.add(sl.items.Mass1d(node=free, mass=1.0)), m.add(sl.items.Mass1d(node=led, mass=1.0))
    m.add(sl.items.CoordinateLoad(on=free, force=0.0), name="u")
    m.add(sl.items.CoordinateSpeedDrive(A=m.ground, B=led, speed=1.0), name="w")
    m.controller(lambda t: ((-1.0) ** round(t / 0.25),) * 2, period=0.25, inputs=[], outputs=["u", "w"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sl.ModelWarning)
        result = m.simulate(1.0, scheme=scheme, **({"step": 0.125} if scheme == "runge_kutta_4" else {}))
    t = np.linspace(0, 0.999, 333)
    cell, rest = np.divmod(t, 0.25)
    sign = np.where(cell % 2 == 0, 1.0, -1.0)
    rate = np.where(cell % 2 == 0, rest, 0.25 - rest)
    place = 0.03125 * cell + np.where(cell % 2 == 0, rest**2 / 2, 0.25 * rest - rest**2 / 2)
    at = result.at(t)
    assert np.asarray(at["free.coordinate"]) == pytest.approx(place, abs=1e-9) and np.asarray(at["free.rate"]) == pytest.approx(rate, abs=1e-8)
    assert np.asarray(at["led.coordinate"]) == pytest.approx(rate, abs=1e-9) and np.asarray(at["led.rate"]) == pytest.approx(sign, abs=1e-9)
    inside = np.abs(rest - 0.125) < 0.12
    if scheme != "moreau_jean":
        assert np.asarray(at["free.coordinate_acceleration"])[inside] == pytest.approx(sign[inside], abs=1e-8)


def test_a_run_with_a_switch_ends_at_the_time_that_was_given():
    m = sl.Model()
    a, b, c = m.terminal(), m.terminal(), m.terminal()
    m.voltage_source(a, m.ground, voltage=24.0)
    m.pwm_switch(a, b, period=1e-4, duty=0.4)
    m.diode(m.ground, b), m.inductor(b, c, L=1e-3), m.capacitor(c, m.ground, C=100e-6), m.resistor(c, m.ground, R=5.0)
    result = m.simulate(5e-3)
    assert result.time[-1] == 5e-3
    assert result.at(50 * 1e-4 * (1 + 1e-12))[c.voltage] == result[c.voltage].last
    with pytest.raises(sl.ModelError, match=r"is 0.00500000005 s, the run is known from 0 s to 0.005 s"):
        result.at(5e-3 * (1 + 1e-8))


def test_a_time_outside_of_the_run_and_an_equilibrium_are_refused():
    ball, result = thrown()
    assert result.at(0.7)[ball.position] == pytest.approx([2.1, 0, SPEED * 0.7 - G / 2 * 0.49], rel=1e-12)
    assert result.at([[0.1, 0.2], [0.3, 0.4]])[ball.position].shape == (2, 2, 3)
    with pytest.raises(sl.ModelError, match=r"is 1\.3 s, the run is known from 0 s to 1\.2 s"):
        result.at([0.3, 1.3])
    with pytest.raises(sl.ModelError, match="known from"):
        result.at(math.nan)
    m = sl.Model()
    box = m.box(size=(1, 1, 1), mass=1)
    m.fixed(m.ground, box)
    with pytest.raises(sl.ModelError, match="equilibrium"):
        m.static().at(0.0)


# What record= keeps.


@pytest.mark.parametrize("options", [{"step": 0.01}, {"step": 0.01, "scheme": "moreau_jean"}, {}, {"scheme": "generalized_alpha"}])
def test_record_keeps_exact_multiples_and_leaves_the_run_as_it_is(options):
    whole, thinned = oscillator(**options), oscillator(record=0.013, **options)
    assert thinned.time[:-1] == pytest.approx(0.013 * np.arange(len(thinned) - 1), abs=1e-15) and thinned.time[-1] == 2.0
    assert thinned._recorded.state == whole._recorded.state
    assert np.asarray(thinned["x.coordinate"]) == pytest.approx(np.asarray(whole.at(thinned.time)["x.coordinate"]), abs=1e-12)
    assert not thinned.warnings


def test_a_record_too_coarse_for_the_motion_is_reported():
    with pytest.warns(sl.ModelWarning, match=r"keeps states every 0\.5 s, which is coarse for this motion"):
        oscillator(record=0.5)
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1.1))
    m.contact(m.plane(), ball, restitution=0.8)
    with pytest.warns(sl.ModelWarning, match="record more often"):
        result = m.simulate(1.9, step=1e-3, record=0.3)
    assert result[ball.position.z].max() == pytest.approx(1.1) and result[ball.position.z].min() > 0.0  # no curve beyond what is kept


def test_a_record_within_the_steps_keeps_their_curves_and_jumps():
    ball, result = thrown(record=0.05)
    assert len(result) == 25 and result[ball.position.z].max() == pytest.approx(APEX, rel=1e-9)
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1.1))
    m.contact(m.plane(), ball, restitution=0.8)
    result = m.simulate(1.0, step=0.01, record=0.002)
    times, speed = result[ball.velocity.z].curve()
    jump = np.flatnonzero(np.diff(times) == 0.0)
    assert len(jump) == 1 and speed[jump + 1] / speed[jump] == pytest.approx(-0.8, rel=1e-9)


# Pictures, pages, files.


def test_plots_are_curves_and_jumps_are_jumps(tmp_path):
    ball, result = thrown()
    axis = result.plot(file=tmp_path / "plot.png")
    t, z = axis.lines[0].get_data()
    assert len(t) > 1000 and z == pytest.approx(SPEED * t - G / 2 * t**2, abs=1e-12) and z.max() == pytest.approx(APEX, rel=1e-6)
    x, z = result.plot_phase(ball.position.x, ball.position.z, file=tmp_path / "phase.png").lines[0].get_data()
    assert len(x) > 1000 and z == pytest.approx(SPEED * x / 3 - G / 2 * (x / 3) ** 2, abs=1e-12)
    kinetic = result.plot_energy(file=tmp_path / "energy.png").lines[0]
    t, energy = kinetic.get_data()
    assert energy == pytest.approx(0.5 * (9 + (SPEED - G * t) ** 2), abs=1e-9)


def test_a_spectrum_is_that_of_the_motion_however_few_its_states_are(tmp_path):
    result = oscillator(scheme="dormand_prince", tolerance=1e-4)
    assert len(result) < 80
    frequency, amplitude = result.plot_spectrum("x.coordinate", file=tmp_path / "spectrum.png").lines[0].get_data()
    assert abs(frequency[np.argmax(amplitude)] - 10 / (2 * math.pi)) < 0.3
    far = amplitude[(frequency > 15) & (frequency < 25)]  # linear interpolation left 1e-2 there
    assert len(far) and far.max() < 1e-4


def shown(result):
    """(times, {path: values}, head, arrays) of the page, with straight lines between its states as the page draws them."""
    head, arrays = unpacked(scene(result))
    t = arrays["t"]
    assert np.all(np.diff(t) >= 0)
    series = {s["path"]: np.asarray(arrays[s["array"]], dtype=float) for s in head["series"]}
    return t, series, head, arrays


def page_pose(t, arrays, frame, time):
    """(p, q) of a frame at a time as web/src/recording.ts has it: linear, normalized."""
    i = np.clip(np.searchsorted(t, time, side="right") - 1, 0, len(t) - 2)
    s = ((time - t[i]) / (t[i + 1] - t[i]))[:, None]
    p = (arrays["p.low"][frame] + arrays["p.step"][frame] * arrays["p"][frame].T)
    q = arrays["q"][list(arrays["turning"]).index(frame)].T / 32767.0
    turned = q[i + 1] * np.sign(np.sum(q[i] * q[i + 1], axis=1))[:, None]
    q = q[i] * (1 - s) + turned * s
    return p[i] * (1 - s) + p[i + 1] * s, q / np.linalg.norm(q, axis=1)[:, None]


def test_the_page_reads_the_motion_between_the_states():
    ball, result = thrown()
    t, series, head, _ = shown(result)
    time = np.linspace(0, 1.2, 1234)
    assert np.interp(time, t, series["ball.position.z"][:, 0]) == pytest.approx(SPEED * time - G / 2 * time**2, abs=1e-5)
    assert series["ball.position.z"].max() == pytest.approx(APEX, rel=1e-5)
    assert head["run"]["states"] == head["run"]["drawn"] == len(result) < 10


def test_the_page_shows_every_turn_of_a_step_and_places_off_by_a_thousandth_at_most():
    m = sl.Model()
    top = m.box(size=(0.2, 0.3, 0.4), mass=1, at=(0, 0, 0), velocity=(4, 0, 10), angular_velocity=(0, 60.0, 0), name="top")
    result = m.simulate(1.0, scheme="dormand_prince")
    assert len(result) < 30  # ten turns
    t, _, head, arrays = shown(result)
    time = np.linspace(0, 1, 2001)
    p, q = page_pose(t, arrays, 0, time)
    exact = np.stack([np.cos(30 * time), 0 * time, np.sin(30 * time), 0 * time], axis=1)
    assert np.abs(np.abs(np.sum(q * exact, axis=1)) - 1.0).max() < 2e-5  # half the angle squared: less than a degree
    place = np.stack([4 * time, 0 * time, 10 * time - G / 2 * time**2], axis=1)
    assert np.abs(p - place).max() < 1.5e-3 * head["size"]


def test_the_page_shows_a_bounce_as_a_corner():
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1.1), name="ball")
    m.contact(m.plane(), ball, restitution=0.8)
    result = m.simulate(1.0, tolerance=1e-6)
    t, _, _, arrays = shown(result)
    time = np.linspace(0, 0.999, 3001)
    assert page_pose(t, arrays, 0, time)[0][:, 2] == pytest.approx(np.asarray(result.at(time)[ball.position.z]), abs=2e-4)
    assert np.sum(np.diff(t) == 0.0) == 1


def test_the_report_names_the_extremes_of_the_motion(tmp_path):
    from saltus.view.report import report_html

    _, result = thrown()
    text = re.sub(r"<[^>]+>", " ", report_html(result, title="throw"))
    assert f"{APEX:.7g}" in text


def test_an_export_at_even_times_is_the_motion(tmp_path):
    ball, result = thrown(record=tmp_path / "throw.saltus")
    out = saltus("export", tmp_path / "throw.saltus", tmp_path / "throw.csv", "--every", "0.05")
    assert out.code == 0, out.err
    rows = list(csv.reader((tmp_path / "throw.csv").open()))
    table = np.array(rows[1:], dtype=float)
    t, z = table[:, 0], table[:, rows[0].index("ball.position.z [m]")]
    assert t == pytest.approx(0.05 * np.arange(25)) and z == pytest.approx(SPEED * t - G / 2 * t**2, abs=1e-12)
    bad = saltus("export", tmp_path / "throw.saltus", tmp_path / "no.csv", "--every", "0")
    assert bad.code == 2 and "must be above 0" in bad.err and not (tmp_path / "no.csv").exists()
    h5py = pytest.importorskip("h5py")
    assert saltus("export", tmp_path / "throw.saltus", tmp_path / "throw.h5", "--every", "0.7").code == 0
    with h5py.File(tmp_path / "throw.h5") as file:
        assert file["main/time"][:] == pytest.approx([0, 0.7, 1.2])


@pytest.mark.parametrize("scheme", ["dormand_prince", "moreau_jean"])
def test_a_file_keeps_the_curves_and_files_of_earlier_versions_have_them_too(scheme, tmp_path):
    from saltus.running import COLUMNS, channels_of, report_for_file
    from saltus.store import ResultWriter

    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1.1), name="ball")
    if scheme == "moreau_jean":
        m.contact(m.plane(), ball, restitution=0.8)
    result = m.simulate(1.0, scheme=scheme)
    result.save(tmp_path / "new.saltus")
    r, lost = result._recorded, ("xdot", "piece")
    with ResultWriter(tmp_path / "old.saltus", [c for c in channels_of(r.system.sizes()) if c.name not in lost], model=r.model_text) as writer:
        writer.append(r.arrays["t"], {name: r.arrays[name] for name in COLUMNS[1:] if name not in lost})
        for when, kind, item, value in r.events:
            writer.event(when, kind, item, value=value)
        writer.report(r.report["t"], "run", "", **report_for_file(r.report), scheme=r.scheme, is_static=False)
        writer.close("done")
    t = np.linspace(0, 1, 999)
    want = np.asarray(result.at(t)["ball.velocity.z"])
    for name in ("new", "old"):
        assert np.array_equal(np.asarray(sl.load_result(tmp_path / f"{name}.saltus").at(t)["ball.velocity.z"]), want), name
    sl.load_result(tmp_path / "old.saltus").save(tmp_path / "again.saltus")
    assert np.array_equal(np.asarray(sl.load_result(tmp_path / "again.saltus").at(t)["ball.velocity.z"]), want)


def test_no_warning_comes_with_the_default():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        thrown(), thrown(record=0.1)


def test_residuals_of_joints_are_those_of_the_states_and_gaps_those_of_the_motion():
    bob, joint, result = spherical_pendulum(scheme="dormand_prince")
    assert abs(result[joint.residual]).max() == np.abs(result[joint.residual].values).max() < 1e-12
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1), velocity=(0, 0, SPEED))
    contact = m.contact(m.plane(), ball, restitution=0.5)
    result = m.simulate(1.5)
    assert result[contact.points[0].gap].max() == pytest.approx(0.9 + APEX, rel=1e-8)


def test_an_impact_is_no_acceleration():
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1.1))
    m.contact(m.plane(), ball, restitution=0.8)
    for options in ({"step": 1e-3}, {}):
        assert m.simulate(1.0, **options)[ball.acceleration.z].max() < 1e-6


def test_a_run_that_goes_on_records_what_the_whole_would():
    m = sl.Model(gravity=(0, 0, 0))
    m.box(size=(0.1, 0.2, 0.3), mass=1, angular_velocity=(1, 2, 3))
    system = m._engine.compile()

    def rows(run, stop_after=None):
        taken = []

        def take(*block):
            taken.append([np.asarray(column) for column in (block[0], block[1], block[2], block[9])])
            return stop_after is None or block[-1] < stop_after

        run.advance(take, progress_interval=0.0, progress_steps=1, record_interval=0.013, record_all=False)
        return [np.concatenate(column) for column in zip(*taken, strict=True)]

    def new_run():
        return _core.Run(system, scheme="dormand_prince", until=1.0, step=0.01, error_control=False)

    whole, first, second = new_run(), new_run(), new_run()
    all_rows, begun = rows(whole), rows(first, stop_after=0.305)
    assert 0.28 < begun[0][-1] < 0.32
    second.load_state(first.state())
    rest = rows(second)
    for a, b, c in zip(all_rows, begun, rest, strict=True):
        np.testing.assert_array_equal(np.concatenate([b, c]), a)


@pytest.mark.parametrize("scheme", ["auto", "generalized_alpha", "trapezoidal", "moreau_jean", "event_driven"])
def test_potentials_between_states_are_those_of_their_equations(scheme):
    """A source across a resistor, whose current no state remembers: it alternates between states, and jumps where the source does."""
    m = sl.Model()
    a, b = m.terminal(), m.terminal()
    m.voltage_source(a, m.ground, voltage="10*sin(100*pi*t)")
    m.voltage_source(b, m.ground, voltage="if(t < 0.05, 0, 10)")
    one, two = m.resistor(a, m.ground, R=5), m.resistor(b, m.ground, R=5)
    result = m.simulate(0.1, scheme=scheme)
    t = np.linspace(0.001, 0.099, 50)
    np.testing.assert_allclose(np.ravel(result.at(t)[one.current]), 2 * np.sin(100 * np.pi * t), atol=1e-12)
    np.testing.assert_allclose(np.ravel(result.at(t)[two.current]), np.where(t < 0.05, 0.0, 2.0), atol=1e-12)
    assert abs(float(result[one.current].max()) - 2) < 1e-6


@pytest.mark.parametrize("tolerance", (1e-6, 1e-8))
def test_what_charges_through_a_diode_is_between_states_as_right_as_at_them(tolerance):
    m = sl.Model()
    a, b, c = m.terminal(), m.terminal(), m.terminal()
    m.voltage_source(a, m.ground, voltage=10.0)
    m.resistor(a, b, R=1000.0)
    diode = m.diode(b, c)
    m.capacitor(c, m.ground, C=1e-6)
    result = m.simulate(5e-3, tolerance=tolerance)

    def charged(t):
        return 10 * (1 - np.exp(-t / 1e-3))

    times = np.linspace(0, 5e-3, 3001)
    at_states = np.abs(np.asarray(result[c.voltage]) - charged(np.asarray(result.time))).max()
    moment = result.at(times)
    assert np.abs(moment[c.voltage] - charged(times)).max() < 1.5 * at_states
    assert np.abs(moment[diode.current] - (10 - charged(times)) / 1e3).max() < 1.5e-3 * at_states


@pytest.mark.parametrize("duty", (0.3, 0.6))
def test_a_capacitor_keeps_its_voltage_where_a_switch_closes(duty):
    m = sl.Model()
    a, b, c = m.terminal(), m.terminal(), m.terminal()
    m.voltage_source(a, m.ground, voltage=12.0)
    m.inductor(a, b, L=50e-6)
    m.pwm_switch(b, m.ground, period=1e-4, duty=duty)
    m.diode(b, c)
    m.capacitor(c, m.ground, C=20e-6)
    m.resistor(c, m.ground, R=100.0)
    result = m.simulate(5e-4)
    times, voltage = np.asarray(result.time), np.asarray(result[c.voltage])
    assert voltage.max() > 20.0
    for t in 1e-4 * np.add.outer(np.arange(1, 5), (0.0, duty)).ravel():
        assert result.at(t)[c.voltage] == pytest.approx(np.interp(t, times, voltage), abs=0.05)


@pytest.mark.parametrize("unit", (1.0, 1000.0))
@pytest.mark.parametrize("options", ({}, {"tolerance": 1e-9}, {"step": 0.004}), ids=("default", "fine", "step"))
def test_a_fall_of_one_step_is_a_parabola_up_to_its_impact(options, unit):
    # It was a straight line with a constant velocity: energy fell by 60 % between the states.
    g = G * unit
    m = sl.Model(gravity=(0, 0, -g))
    ball = m.sphere(radius=0.1 * unit, mass=1, at=(0, 0, 1.1 * unit), velocity=(0.3 * unit, 0, 0), angular_velocity=(0, 0, 4))
    m.contact(m.plane(), ball, restitution=0.8, friction=0)
    r = m.simulate(1.0, scheme="nonsmooth_generalized_alpha", **options)
    hit = np.sqrt(2 * unit / g)
    close = 0.005 if "step" in options else 1e-5
    t = np.linspace(0, hit - 0.004, 500)
    assert np.asarray(r.at(t)[ball.position.z]) / unit == pytest.approx(1.1 - G / 2 * t**2, abs=1e-9)
    assert np.asarray(r.at(t)[ball.velocity.z]) / unit == pytest.approx(-G * t, abs=1e-9)
    assert np.asarray(r.at(t)["energy.kinetic"] + r.at(t)["energy.potential"]) / unit**2 == pytest.approx(1.1 * G + 0.045 + 0.5 * 0.4 * 0.01 * 16, rel=1e-6)
    assert r[ball.velocity.z].min() / unit == pytest.approx(-np.sqrt(2 * G), rel=close)
    t = np.linspace(hit + 0.004, 1, 500)
    assert np.asarray(r.at(t)[ball.position.z]) / unit == pytest.approx(0.1 + 0.8 * np.sqrt(2 * G) * (t - hit) - G / 2 * (t - hit) ** 2, abs=0.05 if "step" in options else 1e-5)
    assert np.asarray(r.at(np.linspace(0, 1, 300))[ball.position.x]) / unit == pytest.approx(0.3 * np.linspace(0, 1, 300), abs=1e-12)


def test_what_rests_beside_an_impact_is_drawn_at_rest():
    m = sl.Model()
    rests = m.sphere(radius=0.1, mass=1, at=(1, 0, 0.1))
    falls = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.6))
    m.contact([m.plane()], [rests, falls], restitution=0.5)
    r = m.simulate(1.0, scheme="nonsmooth_generalized_alpha")
    t = np.linspace(0, 1, 5001)
    assert np.abs(np.asarray(r.at(t)[rests.position.z]) - 0.1).max() < 1e-9 and np.abs(np.asarray(r.at(t)[rests.velocity.z])).max() < 1e-9


@pytest.mark.parametrize("options", ({}, {"tolerance": 1e-9}, {"step": 1e-3}, {"step": 1e-3, "scheme": "d1_minus"}, {"scheme": "nonsmooth_generalized_alpha"}, {"scheme": "event_driven"}), ids=str)
def test_before_an_impact_at_the_time_of_its_event_is_what_precedes_it(options):
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 1.1))
    m.contact(m.plane(), ball, restitution=0.8)
    r = m.simulate(1.8, **options)
    hits = [when for when, kind, *_ in r.events if kind == "impact"]
    speed, close = np.sqrt(2 * G), 0.02 if "step" in options else 1e-4
    assert len(hits) == 3
    for k, when in enumerate(hits):
        assert r.at(when, before=True)[ball.velocity.z] == pytest.approx(-speed * 0.8**k, abs=close)
        assert r.at(when)[ball.velocity.z] == pytest.approx(speed * 0.8 ** (k + 1), abs=close)
    assert np.asarray(r.at(hits, before=True)[ball.velocity.z]) == pytest.approx([-speed * 0.8**k for k in range(len(hits))], abs=close)


@pytest.mark.parametrize("options", [{}, {"step": 1e-3}, {"record": 0.013}, {"scheme": "event_driven"}])
def test_bodies_that_are_parted_move_no_faster(options):
    m = sl.Model(gravity=(0, 0, 0))
    balls = [m.sphere(radius=0.1, mass=1, at=(0, 0, z), velocity=(3, 0, 0)) for z in (0, 0.15)]
    boxes = [m.box(size=(1, 0.2, 0.2), mass=1, at=(0, 2 + y, 0), rotation=(0, 0, turn)) for y, turn in ((0, 0), (0.17, 0.1))]
    m.contact([*balls, *boxes])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sl.ModelWarning)  # they overlap
        r = m.simulate(0.1, **options)
    assert np.linalg.norm(np.diff([r[b.position].last for b in balls], axis=0)) == pytest.approx(0.2, abs=1e-6)
    assert max(r[b.velocity.norm].max() for b in balls) == pytest.approx(3, abs=1e-9)
    assert max(r[b.velocity.norm].max() + r[b.angular_velocity.norm].max() for b in boxes) < 1e-9
    assert r["energy.kinetic"].max() == pytest.approx(9, abs=1e-9)


@pytest.mark.parametrize("jump", (0.3, 0.7))
@pytest.mark.parametrize("scheme", (None, "dormand_prince", "runge_kutta_4", "heun", "moreau_jean", "generalized_alpha", "event_driven"))
def test_a_velocity_is_read_at_the_jump_of_its_force(scheme, jump):
    """v' = 5 sin 2t - 20 (t > jump): v = 5/2 (1 - cos 2t) up to it; the step over the jump takes 1e-13 s, in which nothing moves."""
    m = sl.Model(gravity=(0, 0, 0))
    b = m.point_mass(mass=1, at=(0.3, 0, 0))
    m.force(b, (f"5 * sin(2 * t) - 20 * (t > {jump})", 0, 0))
    r = m.simulate(1.0, **({"scheme": scheme} if scheme else {}))
    exact = 2.5 * (1 - math.cos(2 * jump))
    around = np.linspace(jump - 3e-13, jump + 3e-13, 61)
    np.testing.assert_allclose(np.asarray(r.at(around)[b.velocity])[:, 0], exact, atol=2e-5)
    assert float(m.simulate(jump + 1e-3, start=(r, jump))[b.velocity.x].values[0]) == pytest.approx(exact, abs=2e-5)


def test_a_recorded_state_is_read_as_it_is_beside_a_gap_in_which_a_force_jumps():
    """+-5 N by turns each 0.25 s on 1 kg, recorded at 0.05 s: v is a triangle between 0 and 1.25 m/s."""
    m = sl.Model(gravity=(0, 0, 0))
    b = m.point_mass(mass=1, at=(0, 0, 0))
    m.force(b, ("5 - 10 * (mod(t, 0.5) > 0.25)", 0, 0))
    r = m.simulate(1.0, record=0.05)
    v = np.array([float(r.at(t)[b.velocity.x]) for t in r.time])
    np.testing.assert_allclose(v, np.asarray(r[b.velocity.x]), atol=1e-9)
    phase = np.mod(r.time, 0.5)
    np.testing.assert_allclose(v, 5 * np.minimum(phase, 0.5 - phase), atol=1e-4)
