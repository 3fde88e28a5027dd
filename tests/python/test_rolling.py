"""Discs and spheres on planes: without slip, with friction, elastic. Truths: verification/truth/rolling_disc, closed forms."""

import math

import numpy as np
import pytest

import saltus as sl

R = 0.05
TILT_AT_3_S, CENTRE_AT_3_S = 1.326671568761008, (-0.6734735388535016, 1.5996180643518876)  # truth/rolling_disc
SMOOTH = {
    "dormand_prince": (dict(tolerance=1e-9), 1e-6),
    "runge_kutta_4": (dict(step=1e-3), 1e-6),
    "generalized_alpha": (dict(step=5e-4), 1e-4),
    "moreau_jean": (dict(step=5e-4), 1e-4),
    "event_driven": (dict(tolerance=1e-9), 1e-6),
    "nonsmooth_generalized_alpha": (dict(step=5e-4), 2e-4),
}


def coin(put="rolling", theta=np.radians(75), rates=(0.3, 2.0, -25.0), turn=0.0, shift=(0, 0, 0), unit=1.0, name="coin", **keywords):
    """The coin of the truth; turned about z, shifted, in another unit of length."""
    Q = sl.Rotation.about("z", turn).matrix
    r, (p, q, n) = R * unit, rates
    m = sl.Model(gravity=(0, 0, -9.81 * unit))
    level, axis = Q @ np.array([1.0, 0, 0]), Q @ np.array([0, -np.sin(theta), np.cos(theta)])
    up = np.cross(axis, level)
    body = m.body(
        mass=1, inertia=(r * r / 4, r * r / 4, r * r / 2), at=np.array(shift) + (0, 0, r * np.sin(theta)), rotation=np.column_stack([level, up, axis]),
        velocity=-n * r * level + p * r * axis, angular_velocity=p * level + q * up + n * axis, name=name,
    )  # fmt: skip
    getattr(m, put)(m.plane(at=shift), body, radius=r, name="rim", **keywords)
    return m, body


def end(m, body, until=3.0, **keywords):
    result = m.simulate(until, **keywords)
    return np.array(result[body.position].last), float(np.arccos(result[body.rotation_matrix].last[8])), result


@pytest.mark.parametrize("scheme", SMOOTH)
def test_a_coin_rolls_as_its_reduced_equations_say(scheme):
    keywords, within = SMOOTH[scheme]
    place, tilt, result = end(*coin(), scheme=scheme, **keywords)
    assert place[:2] == pytest.approx(CENTRE_AT_3_S, abs=within)
    assert tilt == pytest.approx(TILT_AT_3_S, abs=within)


def test_at_defaults_and_far_away_turned_renamed_in_other_units():
    place, tilt, _ = end(*coin())
    assert place[:2] == pytest.approx(CENTRE_AT_3_S, abs=1e-4) and tilt == pytest.approx(TILT_AT_3_S, abs=1e-5)
    Q = sl.Rotation.about("z", 2.3).matrix
    for keywords, back in (
        ({"shift": (1000, -2000, 30)}, lambda p: p - (1000, -2000, 30)),
        ({"turn": 2.3}, lambda p: Q.T @ p),
        ({"unit": 1000.0}, lambda p: p / 1000),
        ({"name": "zebra"}, lambda p: p),
    ):
        other, tilt_other, _ = end(*coin(**keywords))
        assert back(other) == pytest.approx(place, abs=1e-5), keywords
        assert tilt_other == pytest.approx(tilt, abs=1e-5)


def test_a_steady_circle_is_kept_for_100_000_steps():
    """100,000 steps of Moreau's scheme: 100 circles at a tilt of 60 degrees; closed form of the spin: truth/rolling_disc."""
    theta, yaw, spin = np.radians(60), 6.0, -12.086235868333844
    m, body = coin(theta=theta, rates=(0.0, yaw * np.sin(theta), spin))
    result = m.simulate(100.0, scheme="moreau_jean", step=1e-3, record=0.5)
    energy = np.asarray(result["energy.total"])
    assert np.ptp(energy) / energy[0] < 3e-5  # of second order in a step of 1/500 of a turn of the coin
    assert np.asarray(result[body.position])[:, 2] == pytest.approx(R * np.sin(theta), abs=1e-5)


def test_the_contact_with_much_friction_rolls_and_converges_with_its_scheme():
    place, tilt, _ = end(*coin("wheel", friction=5.0), scheme="event_driven", tolerance=1e-9)
    assert place[:2] == pytest.approx(CENTRE_AT_3_S, abs=1e-6)  # the rate of the slip, not of a value, is held
    errors = [abs(end(*coin("wheel", friction=5.0), scheme="moreau_jean", step=h)[1] - TILT_AT_3_S) for h in (4e-4, 2e-4)]
    assert errors[1] < 0.6 * errors[0] < 0.004  # first order


def test_an_elastic_rim_comes_to_the_rigid_one():
    errors = [abs(end(*coin("elastic_wheel", friction=5.0, stiffness=k, damping=np.sqrt(k)), until=1.0)[1] - 1.3073685029235944) for k in (1e5, 1e6)]
    assert errors[1] < 0.5 * errors[0] < 1e-3


def test_a_thrown_wheel_slides_until_it_rolls():
    """Disc with spin 0: it rolls at 2/3 of its speed after v / (3 mu g)."""
    m = sl.Model()
    wheel = m.cylinder(radius=0.3, length=0.1, mass=2, at=(0, 0, 0.3), axis="y", velocity=(3, 0, 0))
    rim = m.wheel(m.plane(), wheel, friction=0.4)
    assert m.simulate(0.1, scheme="moreau_jean", step=1e-3)[rim.force].last == pytest.approx([-0.4 * 2 * 9.81, 0, 2 * 9.81], rel=1e-6)
    result = m.simulate(0.6, scheme="moreau_jean", step=1e-3)
    assert result[wheel.velocity].last[0] == pytest.approx(2.0, abs=1e-3)
    v = np.asarray(result[wheel.velocity])[:, 0]
    assert result.time[np.argmax(v < 2.0 + 1e-6)] == pytest.approx(3 / (3 * 0.4 * 9.81), abs=3e-3)


def test_rolling_resistance_stops_a_wheel_after_its_way():
    """Deceleration mu_r g / (r (1 + J / (m r^2))) = mu_r g / (1.5 r)."""
    m = sl.Model()
    wheel = m.cylinder(radius=0.3, length=0.1, mass=2, at=(0, 0, 0.3), axis="y", velocity=(1, 0, 0), angular_velocity=(0, 1 / 0.3, 0))
    m.wheel(m.plane(), wheel, friction=0.8, rolling=0.01, spinning=0.01)
    result = m.simulate(3.0, scheme="moreau_jean", step=1e-3)
    braking = 0.01 * 9.81 / (1.5 * 0.3)
    assert result[wheel.velocity.x].last == pytest.approx(1 - 3 * braking, abs=2e-3)


@pytest.mark.parametrize("scheme", ["dormand_prince", "generalized_alpha", "moreau_jean"])
def test_a_ball_on_a_turntable_goes_round_at_two_sevenths(scheme):
    """Pars 1965: a solid ball that rolls on a disc turning at W goes round a circle at 2 W / 7."""
    W, r, x, v = 2.0, 0.05, np.array([0.2, 0.1, 0.05]), np.array([0.3, 0, 0])
    slip = (v - np.cross([0, 0, W], [x[0], x[1], 0])) / r
    m = sl.Model(gravity=(0, 0, 0))
    table = m.cylinder(radius=1, length=0.1, mass=10, at=(0, 0, -0.05))
    m.revolute(m.ground, table, at=(0, 0, 0), axis="z", speed=W)
    ball = m.sphere(radius=r, mass=1, at=x, velocity=v, angular_velocity=np.cross([0, 0, 1], slip))
    m.rolling(table.frame(at=(0, 0, 0)), ball)
    result = m.simulate(np.pi / (2 / 7 * W), scheme=scheme, **(dict(tolerance=1e-9) if scheme == "dormand_prince" else dict(step=1e-3)))
    assert result[ball.velocity].last == pytest.approx(-v, abs=1e-3)
    half = np.cross([0, 0, 1], v) / (2 / 7 * W)  # from the start to the centre of the circle
    assert result[ball.position].last == pytest.approx(x + 2 * half, abs=1e-3)


def test_a_disc_that_comes_to_lie_flat_ends_the_run_with_what_to_do():
    with pytest.raises(sl.RunError, match=r"t = 0\.14.*joints/rim: its disc lies flat.*cylinder"):
        coin(theta=np.radians(60), rates=(0, 0, 0))[0].simulate(1.0)
    m = sl.Model()
    m.rolling(m.plane(), m.cylinder(radius=0.1, length=0.01, mass=1))
    with pytest.raises(sl.RunError, match="lies flat"):
        m.simulate(1.0)


def test_mistakes_name_the_item_the_value_and_the_remedy():
    m = sl.Model()
    floor, box, disc = m.plane(), m.box(size=(1, 1, 1), mass=1), m.cylinder(radius=0.1, length=0.1, mass=1)
    with pytest.raises(sl.ModelError, match="joints/rolling_1/radius.*no cylinder or sphere.*radius="):
        m.rolling(floor, box)
    with pytest.raises(sl.ModelError, match="no size"):
        m.rolling(floor, box, radius=0.0).settings and m.simulate(0.1)
    with pytest.raises(sl.ModelError, match="radius"):
        m.rolling(floor, box, radius=-1.0)
        m.simulate(0.1)
    with pytest.raises(sl.ModelError, match="axis"):
        m.rolling(floor, disc.frame(at=(0, 0, 0)), radius=0.1, axis="x")
    with pytest.raises(sl.ModelError, match="stiffness"):
        m.elastic_wheel(floor, disc, stiffness=-5.0)
        m.simulate(0.1)


KERB = [(0.5, -1), (0.5, 0.05), (1.5, 0.05)]


def at_the_kerb(*, speed=0.0, torque=None, turned=0.0, at=(0, 0, 0), elastic=False, height=0.05, rounding=1e-3, friction=0.9, start=0.0):
    """A wheel of radius 0.2 on a road, beside a kerb half a metre ahead; everything turned about z and put elsewhere."""
    c, s = math.cos(turned), math.sin(turned)
    place = lambda x, y, z: (at[0] + c * x - s * y, at[1] + s * x + c * y, at[2] + z)  # noqa: E731
    m = sl.Model()
    road = m.plane(at=place(0, 0, 0), name="road")
    wheel = m.body(mass=3, inertia=(0.04, 0.04, 0.06), at=place(start, 0, 0.2), rotation=(0, 0, turned), velocity=(c * speed, s * speed, 0), angular_velocity=(-s * speed / 0.2, c * speed / 0.2, 0), name="wheel")
    ground = m.ground.frame(at=place(0, 0, 0), rotation=(0, 0, turned))
    make = dict(radius=0.2, axis=(-s, c, 0), friction=friction)
    touch = (lambda A, **k: m.elastic_wheel(A, wheel, stiffness=2e5, damping=500.0, **make, **k)) if elastic else (lambda A, **k: m.wheel(A, wheel, **make, **k))
    touch(road, name="on_road")
    touch(ground, outline=[(0.5, -1), (0.5, height), (1.5, height)], rounding=rounding, name="on_kerb")
    if torque is not None:
        m.torque(wheel, (-s * torque, c * torque, 0))
    return m, wheel, lambda p: (np.asarray(p) - np.asarray(at)) @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


@pytest.mark.parametrize("options", [dict(scheme="moreau_jean", step=5e-4), dict(scheme="event_driven")], ids=str)
@pytest.mark.parametrize("place", [{}, dict(turned=0.7, at=(2e3, -5e2, 30.0))], ids=["", "far and turned"])
def test_a_wheel_that_hits_a_kerb_climbs_if_it_is_fast_enough(options, place):
    """It turns about the edge without slip and rebound: momentum about the edge gives w+ = w (I + m R (R - h)) / (I + m R^2), and it climbs h if
    (I + m R^2) w+^2 > 2 m g h (the lift from R - h to R)."""
    m_, I_, R, h = 3.0, 0.06, 0.2, 0.05
    share = (I_ / 1.0 + m_ * R * (R - h)) / (I_ + m_ * R * R)
    least = R * math.sqrt(2 * m_ * 9.81 * h / (I_ + m_ * R * R)) / share
    for speed, climbs in ((0.9 * least, False), (1.1 * least, True)):
        m, wheel, local = at_the_kerb(speed=speed, friction=3.0, **place)
        result = m.simulate(1.2, **options)
        p = local(result[wheel.position].last)
        assert (p[2] > 0.24 and p[0] > 0.5) == climbs, (speed, p)
        if climbs:
            assert p[2] == pytest.approx(0.25, abs=2e-3)


def test_a_wheel_at_a_kerb_climbs_by_the_torque_of_its_closed_form():
    """In contact with the edge alone: T > m g b, b the lever from the edge to the centre, sqrt(R^2 - (R - h)^2)."""
    lever = math.sqrt(0.2**2 - 0.15**2)
    for share, climbs in ((0.97, False), (1.03, True)):
        m, wheel, local = at_the_kerb(torque=share * 3 * 9.81 * lever, friction=5.0, rounding=1e-4, start=0.5 - lever)
        result = m.simulate(0.6, scheme="moreau_jean", step=5e-4)
        assert (result[wheel.position.z].last > 0.2 + 1e-3) == climbs


def test_an_elastic_wheel_drives_over_a_bump_and_is_as_high_as_the_ground():
    m, wheel, local = at_the_kerb(speed=2.5, elastic=True, rounding=0.01)
    result = m.simulate(1.0)
    p = local(result[wheel.position].last)
    assert p[0] > 0.8 and p[2] == pytest.approx(0.25 - 3 * 9.81 / 2e5, abs=1e-3)


@pytest.mark.parametrize(
    "outline, message",
    [([(0, 0), (1, 0), (1, 1)], "does not turn down at corner 1"), ([(0, 0)], "expected two points"), ([(0, 0), (0, 1), (2, float("nan"))], "expected two points"), ("kerb", "expected two points")],
)
def test_an_outline_that_is_no_kerb_is_reported(outline, message):
    m = sl.Model()
    with pytest.raises(sl.ModelError, match=message):
        m.wheel(m.ground, m.body(mass=1, inertia=(1, 1, 1), at=(0, 0, 1)), radius=0.2, axis="y", outline=outline, rounding=0.01)
        m.simulate(0.1)
    with pytest.raises(sl.ModelError, match="rounding.*give outline="):
        m.wheel(m.ground, m.body(mass=1, inertia=(1, 1, 1), at=(0, 0, 1)), radius=0.2, axis="y", rounding=0.01)
