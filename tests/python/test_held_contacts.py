"""Equilibria on curved surfaces: rocking is stable where 1 / h > 1 / R1 + 1 / R2, with the frequency of the pendulum that it is."""

import math

import numpy as np
import pytest

import saltus as sl

R1, R2, G = 0.3, 0.5, 9.81


def rocker(height, group, planar=False, aside=0.0):
    """A ball on a fixed one whose centre of mass is at `height` above the contact: its mass at its centre, as much on a pin."""
    m = sl.Model(planar=planar, gravity=(0, -G, 0) if planar else (0, 0, -G))
    up = np.array((0, 1, 0) if planar else (0, 0, 1), float)
    base = m.sphere(radius=R2, mass=1, at=(0, 0, 0), name="base")
    m.fixed(m.ground, base)
    turn = np.array((math.sin(aside / R2), math.cos(aside / R2), 0) if planar else (math.sin(aside / R2), 0, math.cos(aside / R2)))
    at = (R1 + R2) * turn
    top = m.sphere(radius=R1, mass=1, at=at, name="top")
    pin = at + 2 * (height - R1) * up
    weight = m.point_mass(mass=1, at=pin, name="weight")
    (m.revolute(top, weight, at=pin) if planar else m.spherical(top, weight, at=pin))
    m.contact([base] if group else base, [top] if group else top, friction=0.9, name="touch")
    return m


def square(height):
    """Of the angular frequency about a horizontal axis; below 0: it falls."""
    inertia = 0.4 * R1**2 + 2 * (height - R1) ** 2 + 2 * height**2
    return 2 * G * (R1 * R2 / (R1 + R2) - height) / inertia


@pytest.mark.parametrize("group", [False, True])
@pytest.mark.parametrize("height", [0.1, 0.17, 0.2, 0.25])
def test_rocking_on_a_ball_is_stable_where_the_centre_is_low(height, group):
    m = rocker(height, group)
    unstable = square(height) < 0
    with pytest.warns(sl.ModelWarning, match="unstable") if unstable else warnings_as_errors():
        result = m.static()
    assert any(event[1] == "unstable_equilibrium" for event in result.events) == unstable
    values = m.modes().eigenvalues
    rocking = values[np.abs(values) > 0.5]
    exact = np.sqrt(complex(square(height)))
    assert len(rocking) in (2, 4)
    assert rocking**2 == pytest.approx(np.full(len(rocking), -(exact**2)), rel=1e-5)
    assert m.linearize().closed == ["touch"]


def test_a_contact_that_only_touches_in_the_record_is_open():
    m = rocker(0.1, True)
    m.plane(at=(0, 0, -3), name="floor")
    m.contact([m["floor"]], [m["top"]], name="below")
    space = m.linearize()
    assert space.closed == ["touch"] and space.open == ["below"]


def test_a_box_on_four_corners_has_no_motion_and_without_friction_three():
    for friction, slow in ((0.5, 0), (0.0, 3)):
        m = sl.Model()
        box = m.box(size=(0.4, 0.3, 0.2), mass=2, at=(0, 0, 0.1), name="box")
        m.contact([m.plane()], [box], friction=friction, name="floor")
        space = m.linearize()
        assert space.sizes[1] == slow and np.abs(space.eigenvalues).max(initial=0.0) < 1e-3
        assert np.abs(space.rest).max(initial=0.0) < 1e-8


def test_a_hinge_and_a_spring_beside_a_contact_of_groups_keep_their_frequency():
    """A ball on a plane rolls against a spring at its centre: k / (m + I / r^2)."""
    m = sl.Model()
    ball = m.sphere(radius=0.2, mass=3, at=(0, 0, 0.2), name="ball")
    m.spring(m.ground.frame(at=(-1, 0, 0.2)), ball, stiffness=50, rest_length=1.0)
    m.contact([m.plane()], [ball], friction=0.5, name="floor")
    values = m.modes().eigenvalues
    assert np.abs(values.imag).max() == pytest.approx(math.sqrt(50 / (3 * 1.4)), rel=1e-6)


def test_a_state_that_moves_on_a_contact_of_groups_is_refused():
    m = sl.Model()
    ball = m.sphere(radius=0.2, mass=3, at=(0, 0, 0.2), velocity=(1, 0, 0), angular_velocity=(0, 5, 0), name="ball")
    m.contact([m.plane()], [ball], friction=0.5, name="floor")
    result = m.simulate(0.1)
    with pytest.raises(sl.ModelError, match="moves while contacts between groups carry"):
        m.linearize(at=result)

@pytest.mark.parametrize("friction", [0.0, "mu"])
@pytest.mark.parametrize("spinning", [0.0, 0.01])
def test_the_normal_force_turns_with_the_normal_where_friction_is_zero(friction, spinning):
    """A ball slides in a bowl as a pendulum, g / (R - r); on a ball it falls, g / (R + r)."""
    for bowl, square in ((True, -G / 0.8), (False, G / 1.2)):
        m = sl.Model(gravity=(0, 0, -G))
        m.parameters["mu"] = 0.0
        m.shape("hollow_sphere" if bowl else "sphere", m.ground, radius=1.0, at=(0, 0, 0), name="base")
        ball = m.sphere(radius=0.2, mass=1, at=(0, 0, -0.8 if bowl else 1.2), name="ball")
        m.contact([m["base"]], [ball], friction=friction, spinning=spinning, name="c")
        values = np.real(m.modes().eigenvalues ** 2)
        moving = values[np.abs(values) > 1.0]
        assert len(moving) in (2, 4) and moving == pytest.approx(np.full(len(moving), square), rel=1e-6)


def table(box, friction, stiffness=2.0):
    """A box of 1.5 kg, 0.2 m high, on a table on a hinge with a spring."""
    m = sl.Model(gravity=(0, 0, -G))
    top = m.box(size=(0.5, 0.5, 0.1), mass=4, at=(0, 0, 0), name="table")
    m.revolute(m.ground, top, at=(0, 0, 0), axis="y", stiffness=stiffness, name="hinge")
    load = m.box(size=(box, box, 0.2), mass=1.5, at=(0, 0, 0.15), name="box")
    m.contact([top], [load], friction=friction, name="c")
    return m


@pytest.mark.parametrize("box", [0.499, 0.5])
@pytest.mark.parametrize("stiffness", [2.0, 60.0])
def test_a_load_on_a_hinged_table_falls_with_it_also_where_their_edges_coincide(box, stiffness):
    m = table(box, 0.6, stiffness)
    square = (1.5 * G * 0.15 - stiffness) / (4 * 0.26 / 12 + 1.5 * (box**2 + 0.04) / 12 + 1.5 * 0.15**2)
    with pytest.warns(sl.ModelWarning, match="unstable") if square > 0 else warnings_as_errors():
        m.static()
    values = np.real(m.modes().eigenvalues ** 2)
    moving = values[np.abs(values) > 1e-3]
    assert len(moving) in (1, 2) and moving == pytest.approx(np.full(len(moving), square), rel=1e-6)


def test_edges_that_coincide_without_friction_have_no_verdict():
    m = table(0.5, 0.0)
    assert not m.static().events
    with pytest.raises(sl.ModelError, match="relations/c.*other points at the least motion"):
        m.linearize()


def test_what_lies_far_away_takes_nothing_from_the_stiffness_of_a_small_bowl():
    m = sl.Model(gravity=(0, 0, -G))
    m.shape("hollow_sphere", m.ground, radius=0.05, at=(0, 0, 0), name="bowl")
    ball = m.sphere(radius=0.01, mass=1, at=(0, 0, -0.04), name="ball")
    m.contact([m["bowl"]], [ball], friction=0.5, name="c")
    far = m.point_mass(mass=1, at=(500, 0, 0), name="far")
    m.spring(m.ground.frame(at=(500, 0, 1)), far, stiffness=50, rest_length=1.0)
    values = np.real(m.modes().eigenvalues ** 2)
    assert values.min() == pytest.approx(-G / 0.04 / 1.4, rel=1e-6)


def test_friction_that_strains_a_body_to_its_bounds_does_not_hide_that_it_falls():
    """Two points under one box may push against each other; the table falls at k < m g h."""
    m = sl.Model(planar=True, gravity=(0, -G, 0))
    top = m.box(size=(1, 0.1, 0.4), mass=4, at=(0, 0), name="table")
    m.revolute(m.ground, top, at=(0, 0), stiffness=2.0, name="hinge")
    load = m.box(size=(0.3, 0.4, 0.4), mass=4, at=(0, 0.25), name="box")
    m.contact([top], [load], friction=0.6, name="c")
    with pytest.warns(sl.ModelWarning, match="unstable"):
        m.static()
    square = (4 * G * 0.25 - 2.0) / (4 * 1.01 / 12 + 4 * (0.09 + 0.16) / 12 + 4 * 0.25**2)
    assert np.real(m.modes().eigenvalues ** 2).max() == pytest.approx(square, rel=1e-6)


def test_a_recorded_force_whose_point_is_not_found_again_is_refused():
    from saltus import _core
    from saltus.linearization import _wrenches

    m = rocker(0.1, True)
    result = m.static()
    recorded = result._recorded
    a = {name: values[-1] for name, values in recorded.arrays.items()}
    wrenches = np.array(_wrenches(recorded, None))
    system = m._engine.compile()
    _core.linear_equations(system, a["t"], a["y"], a["a"], a["lam"], a["data"], wrenches)
    wrenches[0] += 1  # another point of the pair
    with pytest.raises(sl.ModelError, match="relations/touch.*has a recorded force at a point"):
        _core.linear_equations(system, a["t"], a["y"], a["a"], a["lam"], a["data"], wrenches)



class warnings_as_errors:
    def __enter__(self):
        import warnings

        self.caught = warnings.catch_warnings()
        self.caught.__enter__()
        warnings.simplefilter("error", sl.ModelWarning)

    def __exit__(self, *given):
        self.caught.__exit__(*given)


def test_how_four_corners_share_a_weight_is_no_motion_to_be_followed():
    m = sl.Model()
    floor = m.plane()
    box = m.box(size=(0.2, 0.2, 0.1), mass=1, on=floor)
    m.contact(floor, box, friction=0.5)
    push, along = 1.1 * 0.5 * 9.81, np.array((math.cos(0.785), math.sin(0.785), 0.0))  # a tenth above friction, towards a corner
    m.force(box, tuple(push * along))
    result = m.simulate(0.5)
    np.testing.assert_allclose(np.asarray(result[box.displacement])[-1], 0.5 * 0.05 * 9.81 * 0.5**2 * along, atol=1e-9)
    assert len(result) < 100


@pytest.mark.parametrize("slope", [1e-3, 20, 33.3, 50])
@pytest.mark.parametrize("heading", [0, 17, 45, 90])
def test_a_crate_slides_down_a_ramp_of_any_heading_in_few_steps(slope, heading):
    """Turned out of the axes of the world, what its corners share is not zero in each direction but rounding; 30,000 steps of 1 s came of it."""
    m = sl.Model()
    a, b = math.radians(heading), math.radians(slope)
    turn = np.array(((math.cos(a), -math.sin(a), 0), (math.sin(a), math.cos(a), 0), (0, 0, 1))) @ ((math.cos(b), 0, math.sin(b)), (0, 1, 0), (-math.sin(b), 0, math.cos(b)))
    ramp = m.plane(rotation=turn)
    crate = m.box(size=(0.3, 0.25, 0.2), mass=5, on=ramp)
    m.contact(ramp, crate, friction=(friction := 0.5 * math.tan(b)))
    result = m.simulate(1.0)
    way = 0.5 * 9.81 * (math.sin(b) - friction * math.cos(b))
    np.testing.assert_allclose(np.asarray(result[crate.displacement])[-1] - np.asarray(result[crate.displacement])[0], way * turn[:, 0], atol=1e-6)
    assert len(result) < 100


def test_a_block_slides_on_a_block_that_slides():
    """Both have four corners, and push each other while they do: 7,000 attempts of 1 s came of it."""
    m = sl.Model()
    floor = m.plane()
    lower = m.box(size=(0.4, 0.2, 0.1), mass=1, on=floor)
    upper = m.box(size=(0.1, 0.1, 0.1), mass=1, at=(-0.05, 0, 0.15), velocity=(0.8, 0, 0))
    m.contact(floor, lower, friction=0.1)
    m.contact(lower, upper, friction=0.3)
    result = m.simulate(0.5)
    together = 0.8 / (0.4 * 9.81)  # the lower is pushed by 0.3 m g, held by 0.1 * 2 m g: 0.1 g; the upper loses 0.3 g
    for body, way in ((lower, 0.5 * 0.981 * together**2), (upper, 0.8 * together - 0.5 * 0.3 * 9.81 * together**2)):
        speed = 0.981 * together
        rest = speed / 0.981
        np.testing.assert_allclose(float(result[body.displacement.x].last), way + 0.5 * speed * rest, atol=2e-6)
    assert result.report["steps"] + result.report["rejected"] < 300
