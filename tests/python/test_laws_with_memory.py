"""Laws that remember accepted states, in relations and in contacts of groups, and impacts followed along their impulse."""

import math
from itertools import pairwise

import numpy as np
import pytest

import saltus as sl
from saltus.items import CohesiveCoulombImpact, CohesiveImpact, CoordinateGap, GenericSystem, HardeningRelay, LinearRelation, LzbImpact, Mass1d, Node1d, NodeOde2
from saltus.verification.models import coordinates

pytestmark = pytest.mark.filterwarnings("ignore:.*is coarse")
homes = pytest.mark.parametrize("home", ("relation", "group"))
RUN = ("moreau_jean", "d1_minus", "nonsmooth_generalized_alpha", "schatzman_paoli")


def pushed(law, force, mass=1.0, velocity=0.0):
    m = sl.Model(gravity=(0, 0, 0))
    m.add(NodeOde2(name="n", count=1, velocities=[velocity]))
    m.add(GenericSystem(name="mass", node="n", mass_matrix=[[mass]], force=[force]))
    m.add(LinearRelation(name="line", on=coordinates("n", 1), matrix=[[1]], offset=[0], law=law))
    return m


def swung(law):
    """A mass on a spring that rubs on the law, to and fro."""
    m = pushed(law, 0.0, velocity=6.0)
    m.spring(m.ground, m.point_mass(mass=1), stiffness=1.0, rest_length=0.0)  # beside it, for the size of the model
    m.add(sl.items.CoordinateSpringDamper(A=m.ground, B={"node": "n", "coordinate": 0}, stiffness=20.0))
    return m


@pytest.mark.parametrize("scheme", RUN)
def test_bounds_of_a_hardening_relay_follow_the_way(scheme):
    """While it yields the multiplier is -(b + H p) of the direction, less K s: at each time of the motion."""
    b, H, K = 1.0, 0.4, 2.0
    r = swung(HardeningRelay(low=-b, high=b, isotropic=H, kinematic=K)).simulate(3.0, step=5e-4, scheme=scheme)
    x, v, force = (np.asarray(r[name])[:, 0] if np.asarray(r[name]).ndim > 1 else np.asarray(r[name]) for name in ("n.coordinate", "n.rate", "line.multiplier"))
    p = np.concatenate(([0.0], np.cumsum(np.abs(np.diff(x)))))
    yields = np.abs(v) > 0.1
    expected = -np.sign(v) * (b + H * p) - K * x
    assert np.abs(force - expected)[1:][yields[1:] & yields[:-1]].max() < 0.02  # a step of the way
    assert 1.0 < p[-1]
    assert (np.diff(np.sign(v)) != 0).sum() >= 3  # it was to and fro


@pytest.mark.parametrize("step", (1e-3, None))
def test_what_a_hardening_relay_takes_is_its_area(step):
    """A mass thrown into it stops after p with m v^2 / 2 = b p + (H + K) p^2 / 2; what K stores stays where b + H p holds it."""
    b, H, K, v = 1.0, 0.5, 0.25, 3.0
    stop = (-b + math.sqrt(b * b + (H + K) * v * v)) / (H + K)
    r = pushed(HardeningRelay(low=-b, high=b, isotropic=H, kinematic=K), 0.0, velocity=v).simulate(6.0, step=step)
    assert float(np.ravel(r["n.coordinate"].last)[0]) == pytest.approx(stop, rel=2e-3)
    assert abs(float(np.ravel(r["n.rate"].last)[0])) < 1e-9


@pytest.mark.parametrize("scheme", RUN)
def test_a_hardening_relay_is_followed_with_second_order(scheme):
    """While it yields a mass moves as on a spring H + K under the load -b."""
    b, k, v, t = 1.0, 0.5 + 0.25, 3.0, 1.0
    w, law = math.sqrt(k), HardeningRelay(low=-b, high=b, isotropic=0.5, kinematic=0.25)
    exact = b / k * (math.cos(w * t) - 1) + v / w * math.sin(w * t)
    error = [abs(float(np.ravel(pushed(law, 0.0, velocity=v).simulate(t, step=h, scheme=scheme)["n.coordinate"].last)[0]) - exact) for h in (0.05, 0.025, 0.0125)]
    assert error[0] < 2e-3
    assert error[1] < error[0] / 2.8 and error[2] < error[1] / 2.8


def hardened_swing(v, until, mass=1.0, stiffness=20.0, b=1.0, H=0.4, K=2.0):
    """Times and places of the turns of m x'' = -(k + K) x -+ (b + H p), p the length of the way so far, and the place in the end: arcs of sines."""
    x, p, t, turns, towards = 0.0, 0.0, 0.0, [], 1.0
    w = math.sqrt((stiffness + K + H) / mass)
    while True:
        centre = (H * x - towards * (b + H * p)) / (mass * w * w)
        angle = math.atan2(v / w, x - centre) % math.pi or math.pi
        place = lambda s, x=x, v=v, centre=centre: centre + (x - centre) * math.cos(s) + v / w * math.sin(s)
        if t + angle / w > until:
            return turns, place(w * (until - t))
        p, x, v, t = p + abs(place(angle) - x), place(angle), 0.0, t + angle / w
        turns.append((t, x))
        if (stiffness + K) * abs(x) <= b + H * p:
            return turns, x
        towards = -math.copysign(1.0, x)


@pytest.mark.parametrize(("tolerance", "allowed"), [(1e-6, 3e-6), (1e-10, 1e-9)])
def test_event_driven_follows_a_hardening_relay_to_and_fro_to_its_tolerance(tolerance, allowed):
    turns, rests = hardened_swing(6.0, 3.0)
    assert len(turns) == 5
    r = swung(HardeningRelay(low=-1, high=1, isotropic=0.4, kinematic=2)).simulate(3.0, scheme="event_driven", tolerance=tolerance)
    (time, kind, *_), *others = [event for event in r.events if event[1] != "step_rejected"]
    assert kind == "stick" and not others
    assert time == pytest.approx(turns[-1][0], abs=allowed)
    assert np.ravel(r["n.coordinate"].last) == pytest.approx(rests, abs=allowed)


def test_a_hardening_relay_takes_no_short_steps():
    r = pushed(HardeningRelay(low=-5, high=5, isotropic=0, kinematic=50), "12*sin(3*t)").simulate(1.0)
    assert len(r) < 5000  # 114,000 where bounds lag by half a step


def test_a_run_that_is_cut_in_mid_loop_goes_on_as_if_it_were_not():
    whole = swung(HardeningRelay(low=-1, high=1, isotropic=0.4, kinematic=2)).simulate(2.0, step=1e-3)
    first = swung(HardeningRelay(low=-1, high=1, isotropic=0.4, kinematic=2)).simulate(0.7, step=1e-3)
    second = swung(HardeningRelay(low=-1, high=1, isotropic=0.4, kinematic=2)).simulate(2.0, step=1e-3, start=first)
    assert np.ravel(second["n.coordinate"].last) == pytest.approx(np.ravel(whole["n.coordinate"].last), abs=1e-12)


def test_a_plastic_hinge_bends_in_statics_to_where_it_bears_the_load():
    """A cantilever on a rigid plastic hinge: nothing moves below b, above it the angle is (M - b) / (H + K); what is taken off again stays."""
    m = sl.Model(gravity=(0, 0, 0))
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1, name="rod")
    hinge = m.revolute(m.ground, rod, at=(0, 0, 0), axis="y")
    m.torque(rod, (0, "3*min(t, 2 - t)", 0))
    m.add(CoordinateGap(name="yields", on=hinge.angle, law=HardeningRelay(low=-2, high=2, isotropic=3, kinematic=1)))
    r = m.simulate(2.0, step=0.1, scheme="static")
    angle = np.asarray(r[hinge.angle])
    t = r.time
    up = t <= 1.0 + 1e-9
    np.testing.assert_allclose(np.abs(angle[up]), np.maximum(3 * t[up] - 2, 0) / 4, atol=1e-7)
    np.testing.assert_allclose(np.abs(angle[~up]), 0.25, atol=1e-7)


@pytest.mark.parametrize("scheme", ("static", "moreau_jean"))
@pytest.mark.parametrize("planar", (True, False))
def test_a_joint_takes_a_plastic_hinge_by_its_friction(scheme, planar):
    m = sl.Model(planar=planar, gravity=(0, 0) if planar else (0, 0, 0))
    ends = ((0, 0), (1, 0)) if planar else ((0, 0, 0), (0, 0, 1))
    rod = m.rod(*ends, mass=1, name="rod")
    hinge = m.revolute(m.ground, rod, at=ends[0], friction=sl.Plastic(2.0, isotropic=3.0, kinematic=1.0), **({} if planar else {"axis": "y"}))
    m.torque(rod, "3*min(t, 2 - t)" if planar else (0, "3*min(t, 2 - t)", 0))
    angle = m.simulate(2.0, step=0.1 if scheme == "static" else 2e-3, scheme=scheme)[hinge.angle].last
    assert float(angle) == pytest.approx(0.25, abs=1e-6 if scheme == "static" else 0.05)  # (M - b) / (H + K) at its largest; in time it goes on by its speed


def test_a_plastic_hinge_without_a_bound_is_refused():
    m = sl.Model()
    with pytest.raises(sl.ModelError, match="friction/bound: is 0, must be above 0"):
        m.revolute(m.ground, m.sphere(radius=0.1, mass=1), axis="y", friction=sl.Plastic(0))


S, D = 20.0, 0.01  # [N], [m] of the bond


def bonded(home, pull, law=None, mass=2.0, velocity=(0, 0, 0), gravity=(0, 0, 0), at=(0, 0, 0.1)):
    m = sl.Model(gravity=gravity)
    ball = m.sphere(radius=0.1, mass=mass, at=at, velocity=velocity, name="ball")
    m.contact(m.plane(), [ball] if home == "group" else ball, law=law or CohesiveImpact(strength=S, opening=D), name="bond")
    if pull is not None:
        m.force(ball, (0, 0, pull))
    return m


@homes
@pytest.mark.parametrize("scheme", RUN)
def test_a_bond_holds_below_its_strength_and_takes_its_area_to_break(home, scheme):
    held = bonded(home, 0.99 * S).simulate(0.3, step=1e-3, scheme=scheme)
    assert abs(held["ball.position.z"].last - 0.1) < 1e-9
    # Thrown off with twice the energy of the bond: the rest is kept.
    v = math.sqrt(2 * 2 * (S * D / 2) / 2.0)
    r = bonded(home, None, velocity=(0, 0, v)).simulate(0.2, step=1e-5, scheme=scheme)
    assert 0.5 * 2.0 * r["ball.velocity.z"].last ** 2 == pytest.approx(S * D / 2, rel=5e-3)
    # With half of it the bond turns it back, damaged; what it stored comes back and it sticks to the floor again.
    v = math.sqrt(2 * 0.5 * (S * D / 2) / 2.0)
    r = bonded(home, None, velocity=(0, 0, v)).simulate(0.2, step=1e-5, scheme=scheme)
    gap = np.asarray(r["ball.position.z"]) - 0.1
    top = gap.max()
    assert top == pytest.approx(D * (1 - math.sqrt(0.5)), rel=1e-2)
    assert gap[-1] == pytest.approx(0.0, abs=1e-5)
    # As it comes back: b S is the force, both ways.
    force = np.asarray(r["bond.force"])[:, 2]
    back = (r.time > r.time[gap.argmax()]) & (gap > 1e-4)
    np.testing.assert_allclose(np.abs(force[back]), S * (1 - top / D), rtol=1e-2)


@homes
def test_d1_minus_opens_a_bond_with_second_order(home):
    """m y'' = p t - S (1 - y/D) from rest at t = S/p: y = p/(m k^2) (sinh(k t)/k - t), k^2 = S/(m D), t since then."""
    k, pull, after = math.sqrt(S / (2 * D)), 60.0, 0.1
    exact = pull / (2 * k**2) * (math.sinh(k * after) / k - after)
    opens = S / pull
    errors = []
    for step in (2e-3, 1e-3, 5e-4):
        r = bonded(home, f"{pull}*t").simulate(opens + after, step=step, scheme="d1_minus")
        errors.append(abs(r["ball.position.z"].last - 0.1 - exact))
    assert exact < D and errors[0] < 1e-2 * exact
    assert errors[2] < errors[0] / 10


@homes
@pytest.mark.parametrize("step", (1e-4, None))
def test_what_has_let_go_does_not_bond_again(home, step):
    """Thrown up, the ball falls back on the floor, rests there, and a pull far below the strength lifts it off."""
    m = sl.Model(gravity=(0, 0, 0))
    ball = m.sphere(radius=0.1, mass=2, at=(0, 0, 0.1), velocity=(0, 0, 1.0), name="ball")
    m.contact(m.plane(), [ball] if home == "group" else ball, law=CohesiveImpact(strength=S, opening=D))
    m.force(ball, (0, 0, "10*(t > 1) - 10*(t <= 1)"))
    r = m.simulate(1.5, step=step)
    z, t = np.asarray(r["ball.position.z"]), r.time
    assert abs(z[np.searchsorted(t, 0.95)] - 0.1) < 1e-6
    assert z[-1] == pytest.approx(0.1 + 0.5 * 5 * 0.5**2, rel=1e-2)


@homes
def test_a_bond_that_is_sheared_slips_only_after_its_strength(home):
    law = CohesiveCoulombImpact(strength=S, opening=D, slip=0.02, friction=0.5)
    for push, holds in ((0.95 * 0.5 * S, True), (1.1 * 0.5 * S, False)):
        m = sl.Model(gravity=(0, 0, 0))
        box = m.box(size=(0.4, 0.4, 0.1), mass=2, at=(0, 0, 0.05), name="box")
        m.prismatic(m.ground, box, axis="x")
        if home == "group":
            m.contact([m.plane()], [box], law=law)
        else:
            m.add(sl.items.PlaneContact(A=m.plane(), B={"body": "box", "local": [0, 0, -0.05]}, law=law))
        m.force(box, (push / (1 if home == "relation" else 0.25), 0, 0))  # four corners bear a box
        x = m.simulate(0.3, step=1e-3)["box.position.x"].last
        assert (abs(x) < 1e-6) == holds, (push, x)


def sheared(home, push, speed, until, strength=20.0, slip=0.02, friction=0.5, weight=10.0, mass=2.0):
    """Place and speed in the end of what is pushed along a bond under a weight: two coordinates, or a box on its corners."""
    m = sl.Model(gravity=(0, 0, 0))
    bond = {"opening": D, "slip": slip, "friction": friction}
    if home == "group":
        box = m.box(size=(0.4, 0.4, 0.1), mass=mass, at=(0, 0, 0.05), velocity=(speed, 0, 0), name="box")
        m.contact([m.plane()], [box], law=CohesiveCoulombImpact(strength=strength / 4, **bond))
        m.force(box, (push, 0, -weight))
        return lambda **how: [float(m.simulate(until, **how)[f"box.{of}.x"].last) for of in ("position", "velocity")]
    m.add(NodeOde2(name="n", count=2, velocities=[0, speed]))
    m.add(GenericSystem(name="mass", node="n", mass_matrix=[[mass, 0], [0, mass]], force=[-weight, push]))
    m.add(LinearRelation(name="line", on=coordinates("n", 2), matrix=[[1, 0], [0, 1]], offset=[0, 0], law=sl.items.CohesiveCoulombImpact2d(strength=strength, **bond)))
    return lambda **how: [float(np.ravel(m.simulate(until, **how)[of].last)[1]) for of in ("n.coordinate", "n.rate")]


@homes
@pytest.mark.parametrize(("push", "speed", "until", "breaks"), [(9.0, 1.0, 0.1, 0.020272828383869245), (10.5, 0.3, 0.3, 0.07172292320700628)])
def test_a_bond_that_is_broken_by_slip_converges_with_the_tolerance(home, push, speed, until, breaks):
    """m x'' = P - mu (N + s (1 - x / d_T)): an unstable spring till x = d_T, then dry friction."""
    k, c = math.sqrt(0.5 * 20 / 0.02 / 2), (push - 0.5 * 30) / 2
    assert c / k**2 * (math.cosh(k * breaks) - 1) + speed / k * math.sinh(k * breaks) == pytest.approx(0.02, rel=1e-9)
    v = c / k * math.sinh(k * breaks) + speed * math.cosh(k * breaks)
    a, left = (push - 0.5 * 10) / 2, until - breaks
    exact = np.array([0.02 + v * left + a * left**2 / 2, v + a * left])
    run = sheared(home, push, speed, until)
    errors = [np.abs(run(tolerance=tolerance) - exact).max() for tolerance in (1e-5, 1e-7)]
    assert errors[0] < 3e-5 and errors[1] < 3e-7
    fixed = [np.abs(run(step=step, scheme="moreau_jean") - exact).max() for step in (1e-3, 2.5e-4)]
    assert fixed[0] < 1e-4 and fixed[1] < fixed[0] / 8


@homes
def test_bonds_are_saved_and_run_on(home, tmp_path):
    v = math.sqrt(0.5 * (S * D / 2))
    whole = bonded(home, None, velocity=(0, 0, v)).simulate(0.02, step=1e-4)
    m = bonded(home, None, velocity=(0, 0, v))
    m.save(tmp_path / "bond.json")
    first = sl.Model.load(tmp_path / "bond.json").simulate(0.011, step=1e-4)
    second = sl.Model.load(tmp_path / "bond.json").simulate(0.02, step=1e-4, start=first)
    assert second["ball.position.z"].last == pytest.approx(whole["ball.position.z"].last, abs=1e-12)


def test_bonds_do_not_depend_on_units_names_and_place():
    def top(shift, length):
        m = sl.Model(gravity=(0, 0, 0))
        ball = m.sphere(radius=0.1 * length, mass=2, at=(shift, 0, 0.1 * length), velocity=(0, 0, math.sqrt(0.5 * S * D / 2) * length), name="b")
        m.contact([m.plane(at=(shift, 0, 0))], [ball], law=CohesiveImpact(strength=S * length, opening=D * length))
        return (np.asarray(m.simulate(0.02, step=1e-4)["b.position.z"]).max() - 0.1 * length) / length

    assert top(0.0, 1000.0) == pytest.approx(top(0.0, 1.0), rel=1e-9)
    assert top(1e4, 1.0) == pytest.approx(top(0.0, 1.0), rel=1e-6)


def chain(n, law, step, scheme, struck=1, until=None):
    m = sl.Model(gravity=(0, 0, 0))
    for i in range(n):
        m.add(Node1d(coordinate=float(i) - 1.5e-3 * (i < struck), velocity=1.0 if i < struck else 0.0), name=f"x{i}")
        m.add(Mass1d(node=f"x{i}", mass=1.0))
    for i, j in pairwise(range(n)):
        m.add(LinearRelation(name=f"gap{i}", on=[{"node": f"x{i}", "coordinate": 0}, {"node": f"x{j}", "coordinate": 0}], matrix=[[-1, 1]], offset=[-1.0], law=law))
    r = m.simulate(until or step, step=step, scheme=scheme)
    return np.array([float(np.ravel(r[f"x{i}.rate"].last)[0]) for i in range(n)])


HERTZ = {  # Hinch, Saint-Jean 1999: limit of a row of stiff balls
    (3, 1.5): (-0.07095235365105404, 0.07640303907112832, 0.9945493145799268),
    (3, 1.0): (-0.13026169506488322, 0.1502295694348643, 0.9800321256300205),
    (5, 1.5): (-0.0710850170791453, -0.030273764098914593, -0.01446362903319141, 0.12704498607447073, 0.9887774241367802),
    (5, 1.0): (-0.13227948470834205, -0.07532916980332023, -0.03101082901405079, 0.29621775014150353, 0.9424017333842096),
}


@pytest.mark.parametrize("scheme", ("moreau_jean", "event_driven", "d1_minus", "nonsmooth_generalized_alpha", "schatzman_paoli"))
@pytest.mark.parametrize("case", HERTZ, ids=str)
def test_a_chain_passes_a_shock_on_as_stiff_balls_do(scheme, case):
    n, exponent = case
    v = chain(n, LzbImpact(exponent=exponent), 1e-3, scheme, until=6e-3)
    np.testing.assert_allclose(v, HERTZ[case], atol=1e-6)


@pytest.mark.parametrize("e", (1.0, 0.7, 0.3, 0.0))
def test_the_energy_of_a_pair_falls_by_its_restitution(e):
    v = chain(2, LzbImpact(restitution=e), 1e-3, "moreau_jean", until=4e-3)
    assert v == pytest.approx([(1 - e) / 2, (1 + e) / 2], abs=1e-7)
    energy = [0.5 * float(np.sum(chain(n, LzbImpact(restitution=e), 1e-3, "moreau_jean", until=4e-3) ** 2)) for n in (3, 6)]
    assert all(x <= 0.5 + 1e-7 for x in energy)
    if e == 1.0:
        assert energy == pytest.approx([0.5, 0.5], abs=1e-7)


def test_a_pair_far_stiffer_than_the_next_strikes_first():
    """Ratios of stiffness: with a contact 1e8 times stiffer in front, pairs strike one after the other, as in Newton's cradle."""
    m = sl.Model(gravity=(0, 0, 0))
    for i in range(3):
        m.add(Node1d(coordinate=float(i), velocity=1.0 if i == 0 else 0.0), name=f"x{i}")
        m.add(Mass1d(node=f"x{i}", mass=1.0))
    for i, K in ((0, 1e8), (1, 1.0)):
        m.add(LinearRelation(name=f"gap{i}", on=[{"node": f"x{i}", "coordinate": 0}, {"node": f"x{i + 1}", "coordinate": 0}], matrix=[[-1, 1]], offset=[-1.0], law=LzbImpact(stiffness=K)))
    r = m.simulate(2e-3, step=1e-3)
    assert [float(np.ravel(r[f"x{i}.rate"].last)[0]) for i in range(3)] == pytest.approx([0, 0, 1], abs=1e-2)


@homes
def test_a_ball_under_lzb_bounces_as_under_newton(home):
    ends = []
    for law in (LzbImpact(restitution=0.8), sl.items.NewtonImpact(restitution=0.8)):
        m = sl.Model()
        ball = m.sphere(radius=0.1, mass=2, at=(0, 0, 0.3), name="ball")
        m.contact(m.plane(), [ball] if home == "group" else ball, law=law)
        ends.append(m.simulate(0.6, step=1e-4)["ball.position.z"].last)
    assert ends[0] == pytest.approx(ends[1], abs=2e-3)


@pytest.mark.parametrize(
    ("law", "words"),
    [
        ({"type": "lzb_impact", "restitution": -0.1}, "restitution: is -0.1, must be between 0 and 1; 0 gives nothing back"),
        ({"type": "lzb_impact", "stiffness": 0.0}, "stiffness: is 0.*above 0.*1 where all contacts are alike"),
        ({"type": "cohesive_impact", "strength": 0.0, "opening": 1.0}, "strength: is 0 N, must be above 0; a contact without a bond has newton_impact"),
        ({"type": "cohesive_impact", "strength": 1.0, "opening": 0.0}, "opening: is 0 m, must be above 0; a bond that lets go at once has adhesive_impact"),
        ({"type": "hardening_relay", "low": 2.0, "high": 1.0}, "`low` is not below `high`"),
        ({"type": "hardening_relay", "isotropic": -1.0}, "isotropic: is -1 N/m, must be at least 0; what softens has no unique motion"),
    ],
)
def test_mistakes_in_these_laws_are_reported(law, words):
    with pytest.raises(sl.ModelError, match=words):
        pushed(law, 0.0).simulate(0.1)


def test_schemes_that_do_not_follow_them_say_what_does():
    for scheme in ("event_driven",):
        with pytest.raises(sl.ModelError, match="cohesive_impact.*pulls across an open gap.*moreau_jean"):
            bonded("relation", 1.0).simulate(0.1, step=None if scheme == "event_driven" else 1e-3, scheme=scheme)
