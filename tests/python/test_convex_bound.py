"""Multipliers in a convex set of the user, `convex_bound`: as the laws whose sets it equals, normal to its set, and taking power."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import saltus as sl
from saltus.items import ConvexBound, FirstOrderLinearRelation, GenericSystem, LinearRelation, NodeOde2, NormalCone, NormBound, OrthotropicImpact, PlaneContact, Relay
from saltus.verification.models import coordinates, states

FORCED = {"force": ["sin(3*t)", "2*cos(5*t)"]}
FREE = {"force": [0.0, 0.0]}
SCHEMES = {"moreau_jean": FORCED, "nonsmooth_generalized_alpha": FORCED, "d1_minus": FORCED, "schatzman_paoli": FORCED, "exact_modal": FREE, "zero_order_hold": FREE}
SAME = {  # a law, and the set by formulas that equals its own
    "ball": (NormBound(bound=1.5, on="rate"), ConvexBound(constraints="lambda0^2 + lambda1^2 - 2.25", interior=[0, 0], on="rate")),
    "box": (Relay(low=-1, high=0.5, on="rate"), ConvexBound(constraints=["lambda0 - 0.5", "-lambda0 - 1", "lambda1 - 0.5", "-lambda1 - 1"], interior=[-0.1, 0.2], on="rate")),
    "polyhedron": (
        NormalCone(facets=[[1, 1], [-1, 0], [0, -1]], bounds=[1, 0.5, 0.5], on="rate"),
        ConvexBound(constraints=["lambda0 + lambda1 - 1", "-lambda0 - 0.5", "-lambda1 - 0.5"], interior=[0, 0], on="rate"),
    ),
}


def plate(law, force, matrix=((1, 0.3), (0, 1))):
    """Two coupled coordinates of a body that a law holds."""
    m = sl.Model(gravity=(0, 0, 0))
    m.add(NodeOde2(name="n", count=2, coordinates=[0.2, 0], velocities=[3.0, 1.0]))
    m.add(GenericSystem(name="body", node="n", mass_matrix=[[2, 0.5], [0.5, 1]], stiffness_matrix=[[4, 0], [0, 9]], force=force))
    m.add(LinearRelation(name="row", on=[{"node": "n", "coordinate": i} for i in range(2)], matrix=[list(row) for row in matrix], offset=[0, 0], law=law))
    return m


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("kind", SAME)
def test_it_is_the_law_whose_set_it_equals(scheme, kind):
    known, own = (np.asarray(plate(law, **SCHEMES[scheme]).simulate(2.0, step=2e-3, scheme=scheme)["n.coordinate"]) for law in SAME[kind])
    assert np.ptp(known[:, 0]) > 0.1 and np.abs(own - known).max() < 1e-9


def test_of_one_row_it_is_a_relay_with_located_events():
    def mass(law):
        m = sl.Model(gravity=(0, 0, 0))
        m.add(NodeOde2(name="n", count=1, velocities=[1.0]))
        m.add(GenericSystem(name="body", node="n", mass_matrix=[[1.0]], force=["3*sin(2*t)"]))
        m.add(LinearRelation(name="row", on=[{"node": "n", "coordinate": 0}], matrix=[[1]], offset=[0], law=law))
        return m.simulate(5.0, scheme="event_driven", tolerance=1e-10)

    known, own = mass(Relay(low=-2, high=1, on="rate")), mass(ConvexBound(constraints="(lambda0 + 2)*(lambda0 - 1)", interior=[-0.5], on="rate"))
    assert own["n.coordinate"].last == pytest.approx(known["n.coordinate"].last, abs=1e-9)
    assert [e[0] for e in own.events] == pytest.approx([e[0] for e in known.events], abs=1e-9) and len(known.events) > 2


def test_friction_in_two_directions_is_that_of_an_orthotropic_contact():
    """A weight on a plane with mu 0.3 along x and 0.6 along y: an ellipse of mu m g."""
    weight, velocity = 2.0 * 9.81, (1.0, 1.5, 0.0)
    m = sl.Model()
    floor, body = m.plane(), m.point_mass(mass=2.0, velocity=velocity, name="body")
    m.add(PlaneContact(name="c", A=floor, B=body, law=OrthotropicImpact(friction_1=0.3, friction_2=0.6)))
    known = m.simulate(0.5, step=1e-3, scheme="moreau_jean")["body.position"]
    m = sl.Model(gravity=(0, 0, 0))
    m.add(NodeOde2(name="n", count=2, velocities=velocity[:2]))
    m.add(GenericSystem(name="body", node="n", mass_matrix=[[2.0, 0], [0, 2.0]]))
    ellipse = ConvexBound(constraints=f"(lambda0/{0.3 * weight})^2 + (lambda1/{0.6 * weight})^2 - 1", interior=[0, 0], on="rate")
    m.add(LinearRelation(name="row", on=[{"node": "n", "coordinate": i} for i in range(2)], matrix=[[1, 0], [0, 1]], offset=[0, 0], law=ellipse))
    own = m.simulate(0.5, step=1e-3, scheme="moreau_jean")["n.coordinate"]
    assert np.abs(np.asarray(known)[:, :2] - np.asarray(own)).max() < 1e-9


@pytest.mark.parametrize("constraints", ["lambda0^4 + 3*lambda1^2 - 1", ["exp(lambda0) + exp(-lambda0) + lambda1^2 - 3", "lambda0 + lambda1 - 0.5"]])
def test_the_multiplier_is_normal_to_the_set_and_takes_the_most_power(constraints):
    """-w lambda >= -w l for each l of the set, with w at the end of the step: where it slides, on the boundary; the energy that is lost is the power taken."""
    law = ConvexBound(constraints=constraints, interior=[0, 0], on="rate")
    m = plate(law, FREE["force"], matrix=((1, 0), (0, 1)))
    r = m.simulate(1.0, step=1e-3, scheme="moreau_jean")
    w, forces = np.asarray(r["n.rate"])[1:], np.asarray(r["row.multiplier"])[1:]
    K = sl.numerics.ConvexSet([c.replace("lambda", "z") for c in ([constraints] if isinstance(constraints, str) else constraints)], [0, 0])
    points = np.array([K.project(x) for x in 5 * np.random.default_rng(0).normal(size=(200, 2))])
    assert np.abs([K.project(f) - f for f in forces]).max() < 1e-9
    power = -np.einsum("ij,ij->i", w, forces)
    assert (power >= (-w @ points.T).max(axis=1) - 1e-8).all() and (power >= 0.0).all() and power.max() > 0.1


def test_by_default_it_lets_go_at_the_time_at_which_a_force_that_grows_passes_the_set():
    """0.8 t and 0.6 t N against an ellipse of 6 and 3 N: it breaks at 1 / |(0.8/6, 0.6/3)| s."""
    m = sl.Model(gravity=(0, 0, 0))
    m.add(NodeOde2(name="n", count=2))
    m.add(GenericSystem(name="body", node="n", mass_matrix=[[1, 0], [0, 1]], force=["0.8*t", "0.6*t"]))
    law = ConvexBound(constraints="(lambda0/6)^2 + (lambda1/3)^2 - 1", interior=[0, 0], on="rate")
    m.add(LinearRelation(name="row", on=[{"node": "n", "coordinate": i} for i in range(2)], matrix=[[1, 0], [0, 1]], offset=[0, 0], law=law))
    begin = 1.0 / np.hypot(0.8 / 6, 0.6 / 3)
    assert np.abs(m.simulate(begin - 1e-4)["n.coordinate"].last).max() < 1e-12
    moved = m.simulate(begin + 0.01)["n.coordinate"].last
    assert 1e-9 < np.abs(moved).max() < 1e-5


def test_two_states_reach_the_origin_as_with_a_polyhedron():
    """On values: Filippov's spiral."""

    def spiral(law):
        m = states((1.0, 0.5))
        m.add(FirstOrderLinearRelation(name="r", on=coordinates("x", 2), C=((1, 0), (0, 1)), B=((1, -0.5), (0.5, 1)), law=law))
        return np.asarray(m.simulate(3.0, step=1e-3, scheme="moreau_jean")["x.state"])

    formulas = ["lambda0 - 1", "lambda1 - 1", "-lambda0 - 1", "-lambda1 - 1"]
    x = spiral(ConvexBound(constraints=formulas, interior=[0, 0], on="value"))
    assert np.abs(x - spiral(Relay(low=-1, high=1, on="value"))).max() < 1e-8 and np.abs(x[-1]).max() < 1e-9


def test_a_model_with_it_comes_back_from_its_file(tmp_path):
    m = plate(SAME["ball"][1], FREE["force"])
    m.save(tmp_path / "m.json")
    again = sl.Model.load(tmp_path / "m.json")
    assert again._engine.text() == m._engine.text()
    assert (np.asarray(again.simulate(0.1, step=1e-3)["n.coordinate"]) == np.asarray(m.simulate(0.1, step=1e-3)["n.coordinate"])).all()


@pytest.mark.parametrize(("fields", "message"), [
    ({"constraints": "lambda0^2 + lambda1^2 - 1", "interior": [0, 2]}, "`constraints` is 3 at the point (0, 2) of `interior`, must be below 0 there"),
    ({"constraints": "lambda0^2 - 1", "interior": [0, 0]}, "has no end from (0, 0) along (0, -1): the set must be bounded"),
    ({"constraints": "sqrt(abs(lambda0)) + sqrt(abs(lambda1)) - 1", "interior": [0.1, 0.1]}, "the set must be convex"),
    ({"constraints": "lambda0^2 + lambda1^2 - 1", "interior": [0]}, "names lambda1 beside 1 entries of `interior`"),
    ({"constraints": "lambda0^2 + lambda1^2 + lambda2^2 - 1", "interior": [0, 0, 0]}, "is a law of 3 rows, row has 2"),
])  # fmt: skip
def test_what_is_no_set_is_refused_with_the_reason(fields, message):
    with pytest.raises(sl.ModelError) as error:
        plate(ConvexBound(**fields, on="rate"), FREE["force"]).simulate(0.1)
    assert message in str(error.value)


@pytest.mark.parametrize("kind", ["ball", "formula"])
def test_friction_that_turns_is_followed_to_second_order(kind):
    """Against the slip of a point that forces turn round: by scipy's solve_ivp."""
    law = NormBound(bound=1.5, on="rate") if kind == "ball" else ConvexBound(constraints="lambda0^2 + lambda1^2 - 2.25", interior=[0, 0], on="rate")

    def rates(t, y):
        return [*y[2:], *(np.array((3 * math.sin(2 * t), 2 * math.cos(3 * t))) - 1.5 * y[2:] / np.hypot(*y[2:]))]

    for until, tolerance, steps in ((1.0, 1e-6, 2000), (0.2, 1e-8, 4000)):  # 77,357 steps to 1 s before
        m = sl.Model(gravity=(0, 0, 0))
        m.add(NodeOde2(name="n", count=2, velocities=[1.0, 0.5]))
        m.add(GenericSystem(name="body", node="n", mass_matrix=[[1, 0], [0, 1]], force=["3*sin(2*t)", "2*cos(3*t)"]))
        m.add(LinearRelation(name="row", on=[{"node": "n", "coordinate": i} for i in range(2)], matrix=[[1, 0], [0, 1]], offset=[0, 0], law=law))
        r = m.simulate(until, tolerance=tolerance)
        true = solve_ivp(rates, (0, until), [0, 0, 1, 0.5], rtol=1e-12, atol=1e-13).y[:2, -1]
        assert r["n.coordinate"].last == pytest.approx(true, abs=tolerance) and len(r) < steps
