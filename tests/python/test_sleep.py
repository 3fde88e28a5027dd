"""Bodies that rest fall asleep, where they are, and wake as if they had not slept."""

import numpy as np
import pytest

import saltus as sl

g = 9.81


def stack(asleep=True, count=4, **kwargs):
    m = sl.Model()
    floor = m.plane(name="floor")
    boxes = [m.box(size=(0.4, 0.4, 0.2), mass=2.0, at=(0, 0, 0.101 + 0.2 * i), name=f"box{i}") for i in range(count)]
    m.contact([floor], boxes, friction=0.6, name="on_floor")
    if count > 1:
        m.contact(boxes, friction=0.6, name="between")
    if asleep:
        m.sleep(boxes, name="rest", **kwargs)
    return m, floor, boxes


def test_a_stack_falls_asleep_where_it_stands():
    m, _, boxes = stack(after=0.2)
    r = m.simulate(1.5, step=2e-3)
    awake = stack(False)[0].simulate(1.5, step=2e-3)
    t, asleep = np.asarray(r.time), np.asarray(r["rest.asleep"])
    assert asleep[0] == 0 and asleep[-1] == 4 and set(asleep) == {0.0, 4.0}
    begin = t[np.flatnonzero(asleep)[0]]
    assert 0.2 < begin < 0.5
    for b in boxes:
        z = np.asarray(r[f"{b.name}.position.z"])
        assert np.all(z[t >= begin] == z[-1]) and np.all(np.asarray(r[f"{b.name}.velocity"].values)[t >= begin] == 0.0)
        assert z[-1] == pytest.approx(awake[f"{b.name}.position.z"].last, abs=1e-9)
    events = [e for e in r.events if e[1] == "asleep"]
    assert [e[2] for e in events] == [b.name for b in boxes] and all(0.0 <= e[3] < 4 * 0.5 * 2.0 * 1e-6 for e in events)


def test_who_is_hit_wakes_with_all_that_touch_it_and_moves_as_if_it_had_not_slept():
    def run(asleep):
        m, floor, boxes = stack(asleep, count=3, **({"after": 0.1} if asleep else {}))
        far = m.box(size=(0.4, 0.4, 0.2), mass=2.0, at=(3, 0, 0.1), name="far")
        m.contact([floor], [far], friction=0.6)
        if asleep:
            m.sleep([far], after=0.1, name="far_rest")
        ball = m.sphere(radius=0.1, mass=1.0, at=(-2.1, 0, 0.5), velocity=(2.5, 0, 3.4), name="ball")
        m.contact([ball], boxes, friction=0.3, name="hit")
        return m.simulate(1.4, step=1e-3), boxes

    (r, boxes), (free, _) = run(True), run(False)
    assert max(np.asarray(r["rest.asleep"])) == 3 and r["far_rest.asleep"].last == 1
    woken = [e for e in r.events if e[1] == "awake"]
    assert {e[2] for e in woken} == {b.name for b in boxes} and len({e[0] for e in woken}) == 1
    for name in ("ball", *(b.name for b in boxes)):
        assert r[f"{name}.position"].last == pytest.approx(free[f"{name}.position"].last, abs=2e-5), name
    assert r["far.position"].last == pytest.approx(np.array([3, 0, 0.1]), abs=1e-9)


def test_a_support_that_goes_wakes_and_what_stood_on_it_falls():
    m = sl.Model()
    floor = m.plane(name="floor")
    low = m.box(size=(1, 1, 1), mass=5.0, at=(0, 0, 0.5), name="low")
    high = m.box(size=(1, 1, 1), mass=5.0, at=(0, 0, 1.5), name="high")
    m.contact([floor], [low, high], friction=0.5)
    m.contact([low, high], friction=0.5)
    m.presence(low, end=0.5)
    m.sleep([low, high], after=0.1, name="rest")
    r = m.simulate(0.8, step=1e-3)
    t, z = np.asarray(r.time), np.asarray(r["high.position.z"])
    assert np.asarray(r["rest.asleep"])[np.searchsorted(t, 0.4)] == 2
    after = t > 0.5 + 1e-9
    assert np.abs(z[after] - (1.5 - 0.5 * g * (t[after] - 0.5) ** 2)).max() < 1e-6


def test_a_parameter_that_changes_wakes():
    m, _, _ = stack(count=1, after=0.1)
    other = m.sphere(radius=0.1, mass=1.0, at=(5, 0, 1), name="other")
    m.parameter("push", 0.0, schedule=[(0.6, 1.0)])
    m.force(other, ("push", 0, 0))
    r = m.simulate(0.8, step=2e-3)
    assert [e[0] for e in r.events if e[1] == "awake"] == pytest.approx([0.6])


def test_what_flies_slides_or_is_carried_does_not_sleep():
    m = sl.Model(gravity=(0, 0, -1.0))
    floor = m.plane(name="floor")
    up = m.sphere(radius=0.1, mass=1.0, at=(0, 0, 1), velocity=(0, 0, 0.4), name="up")
    slider = m.box(size=(0.2, 0.2, 0.2), mass=1.0, at=(2, 0, 0.1), velocity=(0.05, 0, 0), name="slider")
    belt = m.box(size=(1, 1, 0.1), mass=1.0, at=(5, 0, 0.05), velocity=(1e-4, 0, 0), name="belt")
    m.prismatic(m.ground, belt, at=(5, 0, 0.05), axis="x", speed=1e-4)
    rider = m.box(size=(0.2, 0.2, 0.2), mass=1.0, at=(5, 0, 0.2), velocity=(1e-4, 0, 0), name="rider")
    m.contact([floor], [up, slider])
    m.contact([belt], [rider], friction=0.5)
    m.sleep([up, slider, rider], after=0.2, speed=0.01, name="rest")
    r = m.simulate(1.0, step=2e-3)
    assert np.all(np.asarray(r["rest.asleep"]) == 0)
    assert r["rider.position.x"].last == pytest.approx(5.0 + 1e-4, abs=1e-7)


@pytest.mark.parametrize("scheme", ["nonsmooth_generalized_alpha", "schatzman_paoli"])
def test_other_schemes_let_sleep_too(scheme):
    r = stack(count=2, after=0.1)[0].simulate(0.8, step=1e-3, scheme=scheme)
    assert r["rest.asleep"].last == 2


def test_threads_files_and_a_run_that_goes_on_give_the_same_bits(tmp_path):
    def model():
        m, _, boxes = stack(count=3, after=0.1)
        m.contact(boxes, [m.sphere(radius=0.1, mass=1.0, at=(0, 0, 3.0), name="ball")], friction=0.3)
        return m

    def rows(r):
        return np.array([r[f"{name}.position"].last for name in ("box0", "box1", "box2", "ball")])

    m = model()
    whole = m.simulate(1.2, step=2e-3)
    assert {e[1] for e in whole.events} >= {"asleep", "awake"}
    for threads in (2, 7):
        assert np.array_equal(rows(whole), rows(m.simulate(1.2, step=2e-3, threads=threads)))
    m.save(tmp_path / "m.json")
    assert np.array_equal(rows(whole), rows(sl.Model.load(tmp_path / "m.json").simulate(1.2, step=2e-3)))
    m.simulate(0.4, step=2e-3, record=tmp_path / "part.result")
    assert np.array_equal(rows(whole), rows(sl.resume(tmp_path / "part.result", until=1.2)))


BAD = [
    (lambda m, box: m.sleep("bxo"), "no body has that name"),
    (lambda m, box: m.sleep([]), "is an empty list"),
    (lambda m, box: m.sleep(box, speed=0.0), "speed"),
    (lambda m, box: m.sleep(box, after=-1.0), "after"),
    (lambda m, box: [m.sleep(box, name="one"), m.sleep(box)], "names 'box', as 'one' does"),
    (lambda m, box: [m.spring(m.ground, box, stiffness=1.0, rest_length=1.0, name="string"), m.sleep(box, name="rest")], "connectors/string: acts on box, which may fall asleep ('rest')"),
    (lambda m, box: [m.fixed(m.ground, box, at=(0, 0, 0), name="bolt"), m.sleep(box)], "joints/bolt: acts on box"),
]


@pytest.mark.parametrize("case", range(len(BAD)))
def test_what_has_no_meaning_is_refused_by_name(case):
    change, message = BAD[case]
    m = sl.Model()
    box = m.box(size=(1, 1, 1), mass=1.0, at=(0, 0, 3), name="box")
    m.contact([m.plane()], [box])
    with pytest.raises(sl.ModelError) as caught:
        change(m, box)
        m.simulate(0.1, step=1e-2)
    assert message in str(caught.value)


@pytest.mark.parametrize("scheme", ["moreau_jean", "nonsmooth_generalized_alpha", "d1_minus"])
def test_what_sleeps_goes_on_to_carry_and_to_be_carried(scheme):
    m, floor, boxes = stack(count=3, after=0.1)
    m.contact_force(boxes[0], boxes[1], name="on_second")
    r = m.simulate(0.8, step=2e-3, scheme=scheme)
    assert r["rest.asleep"].last == 3
    weight = 2.0 * g
    assert r["on_floor.force"].last == pytest.approx((0, 0, 3 * weight), rel=1e-3, abs=1e-3 * weight)
    assert r["on_second.force"].last == pytest.approx((0, 0, 2 * weight), rel=1e-3, abs=1e-3 * weight)
    records = r.contacts(0.8)
    assert len(records) == 12 and records.force[:, 2].sum() == pytest.approx(6 * weight, rel=1e-3)
    assert np.all(records.slip == 0.0) and np.all(np.abs(records.gap) < 1e-3)


def test_a_run_with_sleepers_goes_on_with_the_forces_of_their_contacts():
    whole = stack(count=3, after=0.1)[0].simulate(0.8, step=2e-3)
    first = stack(count=3, after=0.1)[0].simulate(0.5, step=2e-3)
    assert first["rest.asleep"].last == 3
    rest = stack(count=3, after=0.1)[0].simulate(0.8, step=2e-3, start=first)
    assert np.array_equal(rest["on_floor.force"].last, whole["on_floor.force"].last)
    assert np.array_equal(rest.contacts(0.8).force, whole.contacts(0.8).force)


def test_who_wakes_carries_by_its_own_contacts_again():
    m, floor, boxes = stack(count=2, after=0.1)
    ball = m.sphere(radius=0.1, mass=1.0, at=(0, 0, 2.0), name="ball")
    m.contact([ball], boxes, name="hit")
    r = m.simulate(1.5, step=2e-3)
    assert [e for e in r.events if e[1] == "awake"]
    assert r["on_floor.force"].last[2] == pytest.approx(5.0 * g, rel=1e-3)
