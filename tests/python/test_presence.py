"""Bodies that come and go: they fall from the time on at which they come, and leave nothing behind."""

import numpy as np
import pytest

import saltus as sl

g = 9.81


def falling(**presence):
    m = sl.Model()
    ball = m.sphere(radius=0.1, mass=2.0, at=(0, 0, 5), velocity=(1, 0, 2), name="ball")
    m.presence(ball, name="guest", **presence)
    return m, ball


@pytest.mark.parametrize("scheme", ["moreau_jean", "generalized_alpha", "dormand_prince", "event_driven", "runge_kutta_4", "nonsmooth_generalized_alpha", "schatzman_paoli"])
@pytest.mark.parametrize("step", [2e-3, None])
def test_a_body_that_comes_falls_from_then_on(scheme, step):
    m, ball = falling(begin=0.5013)
    if step is None and scheme == "schatzman_paoli":
        pytest.skip("has no error control")
    r = m.simulate(1.0, scheme=scheme, **({"step": step} if step else {"tolerance": 1e-9}))
    t, z, x, v = (np.asarray(series) for series in (r.time, r["ball.position.z"], r["ball.position.x"], r["ball.velocity.z"]))
    before, after = t < 0.5013 - 1e-9, t > 0.5013 + 1e-9
    assert np.all(z[before] == 5.0) and np.all(v[before] == 0.0) and np.all(np.asarray(r["energy.total"])[before] == 0.0)
    s = t[after] - 0.5013
    assert np.abs(z[after] - (5.0 + 2.0 * s - 0.5 * g * s**2)).max() < 2e-6
    assert np.abs(x[after] - s).max() < 1e-9
    (event,) = [e for e in r.events if e[1] == "born"]
    assert event[0] == pytest.approx(0.5013, abs=1e-12) and event[2] == "ball" and event[3] == pytest.approx(0.5 * 2.0 * 5.0 + 2.0 * g * 5.0)


def test_what_stood_on_a_body_that_goes_falls():
    m = sl.Model()
    floor = m.plane(name="floor")
    low = m.box(size=(1, 1, 1), mass=5.0, at=(0, 0, 0.5), name="low")
    high = m.box(size=(1, 1, 1), mass=5.0, at=(0, 0, 1.5), name="high")
    m.contact([floor], [low, high], friction=0.5, name="on_floor")
    m.contact([low, high], friction=0.5, name="between")
    m.presence(low, end=0.3, name="guest")
    r = m.simulate(0.6, step=1e-3)
    t, z = np.asarray(r.time), np.asarray(r["high.position.z"])
    assert np.abs(z[t < 0.3] - 1.5).max() < 1e-9
    after = t > 0.3 + 1e-9
    assert np.abs(z[after] - (1.5 - 0.5 * g * (t[after] - 0.3) ** 2)).max() < 1e-6
    assert r["guest.count"].last == 0.0 and r["on_floor.points"].last == 0.0
    assert [e[1:3] for e in r.events if e[1] in ("born", "removed")] == [("removed", "low")]


def test_a_source_gives_body_after_body_and_a_room_takes_them():
    m = sl.Model()
    balls = [m.sphere(radius=0.05, mass=1.0, at=(0, 0, 1.0), name=f"b{i}") for i in range(6)]
    guests = m.presence(balls, begin=0.1, interval=0.1, inside="z + 0.2", name="guests")
    m.contact(balls, name="balls")
    r = m.simulate(1.2, step=1e-3)
    count, t = np.asarray(r[guests.count]), np.asarray(r.time)
    fall = np.sqrt(2.0 * 1.2 / g)
    for when in (0.05, 0.15, 0.45, 0.55, 0.65, 0.75, 0.95, 1.15):
        born = min(6, max(0, int(np.floor(when / 0.1 + 1e-9))))
        gone = sum(1 for i in range(6) if when > 0.1 + 0.1 * i + fall)
        assert count[np.searchsorted(t, when)] == born - gone, when
    assert sum(e[1] == "removed" for e in r.events) == sum(1 for i in range(6) if 1.2 > 0.1 + 0.1 * i + fall)


def test_a_parameter_switches_a_body_and_it_comes_anew_at_its_start():
    m, ball = falling(present="gate")
    gate = m.parameter("gate", 0.0, schedule=[(0.2, 1.0), (0.4, 0.0), (0.5, 1.0)])
    r = m.simulate(0.8, step=1e-3)
    t, z, count = np.asarray(r.time), np.asarray(r["ball.position.z"]), np.asarray(r["guest.count"])
    assert set(count[(t > 0.41) & (t < 0.49)]) == {0.0} and set(count[(t > 0.21) & (t < 0.39)]) == {1.0}
    s = t[t > 0.501] - 0.5
    assert np.abs(z[t > 0.501] - (5.0 + 2.0 * s - 0.5 * g * s**2)).max() < 1e-6
    seen = []

    def before(state):
        state[gate] = 1.0 if state.time < 0.3 else 0.0
        seen.append(state.time)

    m2, _ = falling(present="gate")
    m2.parameter("gate", 0.0)
    hooked = m2.simulate(0.6, step=1e-2, before_step=before)
    assert np.asarray(hooked["guest.count"])[-1] == 0.0 and max(np.asarray(hooked["guest.count"])) == 1.0 and seen


def test_bodies_with_a_joint_come_and_go_together():
    m = sl.Model()
    A = m.rod((0, 0, 1), (1, 0, 1), mass=1.0, name="upper")
    B = m.rod((1, 0, 1), (2, 0, 1), mass=1.0, name="lower")
    m.revolute(m.ground, A, at=(0, 0, 1), axis="y", name="pin")
    m.revolute(A, B, at=(1, 0, 1), axis="y", name="elbow")
    spring = m.spring(m.ground, B, stiffness=20.0, rest_length=1.0, name="spring")
    m.presence([A, B], begin=0.25, together=True, name="guests")
    late = m.simulate(1.25, scheme="generalized_alpha", step=1e-3)
    fresh = sl.Model()
    A = fresh.rod((0, 0, 1), (1, 0, 1), mass=1.0, name="upper")
    B = fresh.rod((1, 0, 1), (2, 0, 1), mass=1.0, name="lower")
    fresh.revolute(fresh.ground, A, at=(0, 0, 1), axis="y", name="pin")
    fresh.revolute(A, B, at=(1, 0, 1), axis="y", name="elbow")
    fresh.spring(fresh.ground, B, stiffness=20.0, rest_length=1.0, name="spring")
    whole = fresh.simulate(1.0, scheme="generalized_alpha", step=1e-3)
    assert late["lower.position"].last == pytest.approx(whole["lower.position"].last, abs=1e-9)
    t = np.asarray(late.time)
    assert np.abs(np.asarray(late["energy.total"])[t < 0.25 - 1e-9]).max() < 1e-13 and spring is not None
    for scheme in ("moreau_jean", "dormand_prince"):
        other = m.simulate(1.25, scheme=scheme, **({"step": 1e-4} if scheme == "moreau_jean" else {"tolerance": 1e-9}))
        assert other["lower.position"].last == pytest.approx(whole["lower.position"].last, abs=3e-4)


def poured():
    m = sl.Model()
    walls = sl.scenes.hopper(m, opening=0.06, width=0.2, height=0.3, slope=np.radians(45.0))
    grains = sl.scenes.pile(m, 16, size=0.03, width=0.1, at=(0, 0, 0.12), seed=3)
    m.contact(walls, grains, friction=0.3, name="on_walls")
    m.contact(grains, friction=0.3, name="grains")
    m.presence(grains, begin=0.01, interval=0.01, inside="z + 0.05", name="flow")
    return m, grains


def last(result, grains):
    return np.array([result[f"{b.name}.position"].last for b in grains])


def test_threads_files_and_a_run_that_goes_on_give_the_same_bits(tmp_path):
    m, grains = poured()
    whole = m.simulate(0.5, step=2e-3)
    assert 0 < whole["flow.count"].last < 16
    for threads in (2, 7):
        assert np.array_equal(last(whole, grains), last(m.simulate(0.5, step=2e-3, threads=threads), grains))
    m.save(tmp_path / "poured.json")
    assert np.array_equal(last(whole, grains), last(sl.Model.load(tmp_path / "poured.json").simulate(0.5, step=2e-3), grains))
    m.simulate(0.25, step=2e-3, record=tmp_path / "half.result")
    assert np.array_equal(last(whole, grains), last(sl.resume(tmp_path / "half.result", until=0.5), grains))


def test_far_from_the_origin_and_in_other_axes_the_same():
    def flow(far, up):
        m = sl.Model(gravity=[-g * x for x in np.eye(3)[up]])
        e = np.roll(np.eye(3), up - 2, axis=1)  # x, y, z of the scene in the world
        foot = np.array(far)
        floor = m.box(size=(1, 1, 1), mass=1.0, at=foot - 0.5 * e[2], name="floor")
        m.fixed(m.ground, floor, at=foot)
        balls = [m.sphere(radius=0.05, mass=1.0, at=foot + 0.3 * e[2] + 0.02 * i * e[0], name=f"b{i}") for i in range(3)]
        m.contact([floor], balls, friction=0.4)
        m.contact(balls, friction=0.4)
        m.presence(balls, begin=0.05, interval=0.25, inside=f"{'xyz'[up]} - ({float(foot[up]) - 1.0})", name="flow")
        r = m.simulate(0.8, step=1e-3)
        return np.array([(r[f"b{i}.position"].last - foot) @ e.T for i in range(3)]), r["flow.count"].last

    near = flow((0.0, 0.0, 0.0), 2)
    for far, up in (((1e3, -2e3, 5e2), 2), ((0.0, 0.0, 0.0), 0), ((3.0, 1.0, 2.0), 1)):
        other = flow(far, up)
        assert other[1] == near[1] == 3 and np.abs(other[0] - near[0]).max() < 1e-6


def test_penalty_contacts_do_not_see_who_is_away():
    m = sl.Model()
    floor = m.plane(name="floor")
    low = m.sphere(radius=0.5, mass=1.0, at=(0, 0, 0.5), name="low")
    high = m.sphere(radius=0.5, mass=1.0, at=(0, 0, 1.2), name="high")
    m.contact([floor], [low, high], stiffness=1e5, damping=0.1)
    m.contact([low], [high], stiffness=1e5, damping=0.1, name="soft")
    m.presence(low, begin=10.0)
    r = m.simulate(0.3, scheme="generalized_alpha", step=1e-3)
    s = np.asarray(r.time)
    assert np.abs(np.asarray(r["high.position.z"]) - (1.2 - 0.5 * g * s**2)).max() < 1e-6
    assert np.all(np.asarray(r["low.position.z"]) == 0.5)


BAD = [
    (lambda m, ball, box: m.presence("bal"), "is 'bal', and no body has that name; give bodies, or their names; did you mean \"ball\"?"),
    (lambda m, ball, box: m.presence(m.plane()), "is no body"),
    (lambda m, ball, box: m.presence([]), "is an empty list"),
    (lambda m, ball, box: m.presence(ball, begin=2.0, end=1.0), "not after it begins"),
    (lambda m, ball, box: m.presence([ball, box], interval=0.1, together=True), "leave one of both out"),
    (lambda m, ball, box: m.presence(ball, begin=-1.0), "begin"),
    (lambda m, ball, box: [m.presence(ball, name="one"), m.presence(ball)], "comes and goes by 'one' already"),
    (lambda m, ball, box: [m.spring(ball, box, stiffness=1.0, rest_length=1.0, name="string"), m.presence(ball, begin=1.0)], "connectors/string: joins ball, which comes and goes ('presence_1'), to what stays"),
    (lambda m, ball, box: [m.spherical(ball, box, at=(0, 0, 0), name="link"), m.presence([ball, box], begin=1.0)], "let them come and go together"),
    (lambda m, ball, box: [m.revolute(m.ground, ball, at=(0, 0, 0), axis="z", speed=1.0, name="motor"), m.presence(ball, begin=1.0)], "prescribes a motion of ball"),
]


@pytest.mark.parametrize("case", range(len(BAD)))
def test_what_has_no_meaning_is_refused_by_name(case):
    change, message = BAD[case]
    m = sl.Model()
    ball, box = m.sphere(radius=0.1, mass=1.0, name="ball"), m.box(size=(1, 1, 1), mass=1.0, at=(0, 0, 3), name="box")
    with pytest.raises(sl.ModelError) as caught:
        change(m, ball, box)
        m.simulate(0.1, step=1e-2)
    assert message in str(caught.value)


def test_the_viewer_does_not_draw_who_is_away():
    import json

    from saltus.view.scene import scene_of

    m, ball = falling(begin=0.2, end=0.6)
    m.sphere(radius=0.1, mass=1.0, name="other")
    r = m.simulate(1.0, step=1e-2)
    packed = scene_of(r._recorded, m._engine)
    head = json.loads(packed[12 : 12 + int.from_bytes(packed[8:12], "little")])
    (away,) = head["away"]
    assert head["frames"][away["f"]].startswith("ball") and [a for a, _ in away["t"]] == pytest.approx([0.0, 0.6]) and away["t"][0][1] == pytest.approx(0.2)


def test_a_body_that_appears_in_another_is_told():
    for height, told in ((0.15, True), (0.35, False)):
        m = sl.Model()
        floor, low = m.plane(), m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1), name="low")
        high = m.sphere(radius=0.1, mass=1, at=(0, 0, height), name="high")
        m.contact([floor, low, high])
        m.presence([high], begin=0.5)
        warnings = [str(w) for w in m.simulate(0.6).warnings]
        assert any("overlap at t = 0.5 s" in w and "0.15 m" in w and "'high'" in w for w in warnings) == told
