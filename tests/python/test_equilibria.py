"""Paths of equilibria: snap-through and branching of the von Mises truss, the Euler column by rods and by beams, against closed forms."""

import math

import numpy as np
import pytest

import saltus as sl

STIFF = 1000.0


def truss(rise, at=(0.0, 0.0), turn=0.0, width=1.0, loaded=True):
    """Two bars that meet at the top, which a load P presses down: 2 k (l0 / l - 1) z = P."""
    c, s = math.cos(turn), math.sin(turn)
    place = lambda x, z: (at[0] + c * x - s * z, at[1] + s * x + c * z)  # noqa: E731
    m = sl.Model(gravity=(0, 0, 0), planar=True)
    m.parameters["P"] = 0.0
    top = m.point_mass(mass=1.0, at=place(0, rise), name="top")
    for side in (-width, width):
        m.spring(m.ground.frame(place(side, 0)), top, stiffness=STIFF, rest_length=math.hypot(width, rise))
    if loaded:
        m.force(top, (f"{s!r}*P", f"{-c!r}*P", 0))
    return m, top


def load(rise, z, width=1.0):
    return 2 * STIFF * (math.hypot(width, rise) / np.hypot(width, z) - 1) * z


@pytest.mark.parametrize("at, turn", [((0, 0), 0.0), ((300.0, -200.0), 0.7)])
def test_a_flat_truss_snaps_through_at_the_closed_load(at, turn):
    rise = 0.3
    m, top = truss(rise, at, turn)
    path = m.follow_equilibria("P", (0.0, 40.0), length=0.03)
    x, y = (np.asarray(path[top.position]) - np.array([*at, 0.0]))[:, :2].T
    z = -math.sin(turn) * x + math.cos(turn) * y
    assert path.complete and path.values[-1] == 40.0 and z[-1] < -rise
    assert path.values == pytest.approx(load(rise, z), abs=1e-5)  # every point is on the curve
    span = (math.hypot(1, rise)) ** (2 / 3)
    limit = math.sqrt(span - 1)
    kinds = [(c.kind, c.value) for c in path.critical]
    assert [kind for kind, _ in kinds] == ["limit", "limit"]
    assert kinds[0][1] == pytest.approx(load(rise, limit), rel=1e-6) and kinds[1][1] == pytest.approx(-load(rise, limit), rel=1e-6)
    assert (path.stable == (np.abs(z) > limit)).all()
    assert m.parameters["P"] == 0.0


def test_a_prescribed_displacement_leads_through_the_limit_point():
    rise = 0.3
    m, top = truss(rise)
    path = m.follow_equilibria("P", (0.0, 40.0), control=top.position.y, until=top.position.y < -0.35, length=0.02)
    z = np.asarray(path[top.position.y])
    assert (np.diff(z) < 0).all() and path.values == pytest.approx(load(rise, z), abs=1e-5) and path.values.min() < -9.9


def test_a_steep_truss_branches_aside_before_its_limit():
    """K_xx = 2 k (1 - l0 z^2 / l^3) vanishes first; the other branch leads aside."""
    rise = 4.0
    m, top = truss(rise)
    path = m.follow_equilibria("P", (0.0, 2500.0), until=top.position.y < 2.5, length=0.03)
    l0 = math.hypot(1, rise)
    z = np.linspace(3.0, 4.0, 2000001)
    truth = float(load(rise, z[np.argmin(np.abs(l0 * z**2 - np.hypot(1, z) ** 3))]))
    first = path.critical[0]
    assert first.kind == "branching" and first.value == pytest.approx(truth, rel=1e-5)
    assert np.abs(np.asarray(path[top.position.x])).max() < 1e-9
    sides = []
    for switch in (0.05, -0.05):
        aside = m.follow_equilibria("P", (0.0, 2500.0), start=first, switch=switch, length=0.03, points=12)
        x, z = np.asarray(aside[top.position.x]), np.asarray(aside[top.position.y])
        assert np.abs(x).min() > 0.03 and np.abs(x[-1]) > np.abs(x[0])
        left, right = (np.hypot(1 + s * x, z) for s in (1, -1))
        across = (1 + x) * (l0 / left - 1) - (1 - x) * (l0 / right - 1)
        assert np.abs(across).max() < 1e-7  # in balance across
        sides.append(np.sign(x[0]))
    assert sorted(sides) == [-1, 1]


@pytest.mark.parametrize("first, last", [(0.0, 40.0), (40.0, -40.0)])
def test_a_truss_that_snaps_against_a_stop_turns_there(first, last):
    """The stop takes what the truss does not; its reaction falls to 0 where the truss leaves it."""
    rise, low = 0.3, -0.1
    m, top = truss(rise)
    m.user_relation([m.ground, top], [f"B_y - {low!r}"], law=sl.items.Complementarity(), name="stop")
    path = m.follow_equilibria("P", (first, last), length=0.03)
    z, reaction = np.asarray(path[top.position.y]), np.ravel(path["stop.multiplier"])
    assert path.complete and z.min() == pytest.approx(low, abs=1e-9) and reaction.min() > -1e-6
    assert path.values - reaction == pytest.approx(load(rise, z), abs=1e-5)
    assert [c.value for c in path.critical if c.kind == "contact"] == pytest.approx([load(rise, low)], rel=1e-6)
    assert [c.kind for c in path.critical] == (["limit", "contact"] if first == 0.0 else ["contact", "limit"])
    assert path.stable[reaction > 1e-3].all() and z[-1] == pytest.approx(low if last > 0 else z.max())


def column(preload=0.0):
    """Two rigid rods of 1/2 m with a rotational spring c between them: the column gives way at 4 c / L (1 m)."""
    m = sl.Model(gravity=(0, 0, 0), planar=True)
    m.parameters["P"] = 0.0
    low = m.rod((0, 0), (0, 0.5), mass=1, name="low")
    high = m.rod((0, 0.5), (0, 1), mass=1, name="high")
    m.revolute(m.ground, low, at=(0, 0))
    m.revolute(low, high, at=(0, 0.5), stiffness=50.0, name="knee")
    m.user_relation([high.end], "A_x")
    m.force(high.end, (0, f"-P - {preload}", 0))
    return m


def test_a_column_of_rods_gives_way_at_the_closed_load():
    m = column()
    path = m.follow_equilibria("P", (0.0, 300.0))
    assert [c.kind for c in path.critical] == ["branching"] and path.critical[0].value == pytest.approx(4 * 50.0, rel=1e-6)
    assert (path.stable == (path.values < 200.0)).all()
    aside = m.follow_equilibria("P", (0.0, 290.0), start=path.critical[0], switch=0.05)
    half = np.asarray(aside["knee.angle"]) / 2  # each rod leans by half: P sin(a) = 4 c a
    assert aside.values == pytest.approx(4 * 50.0 * half / np.sin(half), rel=1e-6) and aside.complete


def test_a_column_that_buckles_leans_on_a_wall():
    """Each rod leans by a: P sin(a) L / 2 = 2 c a + N cos(a) L / 4 from where the knee meets the wall."""
    m, at = column(), 0.1
    m.user_relation([m["low"].end], [f"{at!r} - A_x"], law=sl.items.Complementarity(), name="wall")
    straight = m.follow_equilibria("P", (0.0, 300.0))
    assert [c.kind for c in straight.critical] == ["branching"]
    ends = {}
    for switch in (0.05, -0.05):
        path = m.follow_equilibria("P", (0.0, 300.0), start=straight.critical[0], switch=switch, points=40)
        lean = np.abs(np.asarray(path["knee.angle"])) / 2
        N = np.ravel(path["wall.multiplier"])
        assert path.values * np.sin(lean) / 2 == pytest.approx(2 * 50.0 * lean + N * np.cos(lean) / 4, rel=1e-6)
        ends[max(N) > 0] = lean[-1], [(c.kind, c.value) for c in path.critical]
    held = math.asin(2 * at)
    assert ends[True][0] == pytest.approx(held, rel=1e-9) and ends[False][0] > 2 * held
    assert ends[True][1] == [("contact", pytest.approx(4 * 50.0 * held / math.sin(held), rel=1e-8))] and ends[False][1] == []


def test_linear_buckling_of_the_column_with_and_without_preload():
    assert column().buckling("P").values[0] == pytest.approx(200.0, rel=1e-6)
    assert column(preload=80.0).buckling("P").values[0] == pytest.approx(120.0, rel=1e-6)
    assert column().buckling("P", at=150.0).values[0] == pytest.approx(200.0, rel=1e-6)


@pytest.mark.parametrize("elements, within", [(4, 0.02), (8, 0.006)])
def test_a_beam_buckles_at_the_load_of_euler(elements, within):
    """Clamped at its foot: pi^2 E I / (4 L^2)."""
    m = sl.Model(gravity=(0, 0, 0))
    m.parameters["P"] = 0.0
    EI = 20.0
    beam = m.beam((0, 0, 0), (0, 0, 1), section=sl.Section((1e6, 1e6, 1e6, 30.0, 2 * EI, EI), 1.0, (1e-3, 1e-3, 1e-3)), elements=elements, up="x", name="mast")
    m.fixed(m.ground, beam.start)
    m.force(beam.end, (0, 0, "-P"))
    found = m.buckling("P", count=2).values
    assert found[0] == pytest.approx(math.pi**2 * EI / 4, rel=within) and found[1] == pytest.approx(math.pi**2 * 2 * EI / 4, rel=within)


def test_a_load_that_does_nothing_and_other_mistakes_are_refused():
    m, top = truss(0.3, loaded=False)
    with pytest.raises(sl.ModelError, match="moves nothing"):
        m.follow_equilibria("P", (0.0, 1.0))
    m, top = truss(0.3)
    for change, words in (
        (dict(parameter="Q"), "which the model has not"),
        (dict(values=(1.0, 1.0)), "begins where it ends"),
        (dict(values=3), "expected \\(first, last\\)"),
        (dict(until=3), "expected a condition"),
        (dict(start=3), 'start="static"'),
        (dict(length=0.0), "above 0"),
        (dict(control=top.position.x), "does not move"),
    ):
        with pytest.raises(sl.ModelError, match=words):
            m.follow_equilibria(**{"parameter": "P", "values": (0.0, 1.0), **change})
    with pytest.raises(sl.ModelError, match="softens nothing"):
        pulled().buckling("P")
    ball = sl.Model()
    ball.parameters["P"] = 0.0
    ball.contact(ball.plane(), ball.sphere(radius=0.1, mass=1, at=(0, 0, 0.1)), friction=0.3)
    with pytest.raises(sl.ModelError, match="no joint"):
        ball.follow_equilibria("P", (0.0, 1.0))


def pulled():
    m = sl.Model(gravity=(0, 0, 0), planar=True)
    m.parameters["P"] = 0.0
    rod = m.rod((0, 0), (0, 1), mass=1)
    m.revolute(m.ground, rod, at=(0, 0), stiffness=10.0)
    m.force(rod.end, (0, "P", 0))
    return m


@pytest.mark.parametrize("held, says", [(False, "a gap is about to press or to open"), (True, "leave nothing to move")])
def test_buckling_beside_gaps_that_it_cannot_take_says_so(held, says):
    m = sl.Model(gravity=(0, 0, 0), planar=True)
    m.parameters["P"] = 0.0
    rods = [m.rod((0, i / 3), (0, (i + 1) / 3), mass=1) for i in range(3)]
    m.revolute(m.ground, rods[0], at=(0, 0))
    for i in (0, 1):
        m.revolute(rods[i], rods[i + 1], at=(0, (i + 1) / 3), stiffness=50.0)
    m.user_relation([rods[2].end], "A_x")
    m.force(rods[2].end, (0, "-P", 0))
    for rod in rods[:2] if held else rods[:1]:
        m.user_relation([rod.end], ["-A_x"], law=sl.items.Complementarity())
        if held:
            m.force(rod.end, (20, 0, 0))
    with pytest.raises(sl.ModelError, match=says):
        m.buckling("P")
