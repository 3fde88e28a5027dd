"""Every scheme with every law: it runs, or refuses the pair by name and says what can."""

import numpy as np
import pytest

import saltus as sl
from saltus import _core
from saltus.items import GenericSystem, LinearRelation, NodeOde2

RUB = {"friction": 0.3, "restitution": 0.5}
LAWS = {  # rows and fields
    "adhesive_coulomb_impact": (3, {**RUB, "adhesion": 1}),
    "adhesive_coulomb_impact_2d": (2, {**RUB, "adhesion": 1}),
    "adhesive_impact": (1, {"adhesion": 1, "restitution": 0.5}),
    "characteristic": (1, {"corners": [[-1, 2], [0, 2], [0, -2], [1, -2]], "on": "rate"}),
    "complementarity": (1, {}),
    "convex_bound": (1, {"constraints": "lambda0^2 - 4", "interior": [0], "on": "rate"}),
    "coulomb_impact": (3, RUB),
    "coulomb_impact_2d": (2, RUB),
    "contensou_impact": (6, {**RUB, "spinning": 0.01}),
    "cohesive_coulomb_impact": (3, {**RUB, "strength": 1, "opening": 0.01}),
    "cohesive_coulomb_impact_2d": (2, {**RUB, "strength": 1, "opening": 0.01}),
    "cohesive_impact": (1, {"strength": 1, "opening": 0.01, "restitution": 0.5}),
    "equality": (1, {}),
    "fremond_impact": (3, RUB),
    "fremond_impact_2d": (2, RUB),
    "hardening_relay": (1, {"low": -2, "high": 2, "isotropic": 1, "kinematic": 1}),
    "hysteresis": (1, {"low": -2, "high": 2, "lower": -0.5, "upper": 0.5}),
    "lzb_impact": (1, {"restitution": 0.5}),
    "mohr_coulomb": (3, {"cohesion": 1, "tension": 0.5, "angle": 0.3, "restitution": 0.5}),
    "mohr_coulomb_2d": (2, {"cohesion": 1, "tension": 0.5, "angle": 0.3, "restitution": 0.5}),
    "mixed": (1, {"equalities": 0, "on": "rate"}),
    "newton_impact": (1, {"restitution": 0.5}),
    "normal_cone": (1, {"facets": [[1.0], [-1.0]], "bounds": [2.0, 2.0], "on": "rate"}),
    "norm_bound": (1, {"bound": 2, "on": "rate"}),
    "orthotropic_impact": (3, {}),
    "poisson_coulomb_impact": (3, RUB),
    "poisson_coulomb_impact_2d": (2, RUB),
    "poisson_impact": (1, {"restitution": 0.5}),
    "relay": (1, {"low": -2, "high": 2, "on": "rate"}),
    "rolling_impact": (6, {**RUB, "rolling": 0.01}),
    "rolling_impact_2d": (3, {**RUB, "rolling": 0.01}),
    "stribeck_impact": (3, {"restitution": 0.5}),
    "stribeck_impact_2d": (2, {"restitution": 0.5}),
}
ON_BODIES = set(LAWS) - {"hysteresis"}  # of a body it acts on the value of its row
ACROSS = {"cohesive_coulomb_impact", "cohesive_coulomb_impact_2d", "cohesive_impact"}  # pull across an open gap
TAKES = {
    "moreau_jean": set(LAWS),
    "event_driven": ON_BODIES - ACROSS,  # bounds row by row, arms over the normal force
    "nonsmooth_generalized_alpha": ON_BODIES,
    "d1_minus": ON_BODIES,
    "schatzman_paoli": ON_BODIES,
    "exact_modal": ON_BODIES - ACROSS - {"equality", "hardening_relay", "lzb_impact"},
    "zero_order_hold": ON_BODIES - ACROSS - {"equality", "hardening_relay", "lzb_impact"},
    "generalized_alpha": {"equality"},
    "newmark": {"equality"},
    "trapezoidal": {"equality"},
    "explicit_euler": {"equality"},
    "explicit_midpoint": {"equality"},
    "heun": {"equality"},
    "runge_kutta_3": {"equality"},
    "runge_kutta_4": {"equality"},
    "runge_kutta_6": {"equality"},
    "bogacki_shampine": {"equality"},
    "dormand_prince": {"equality"},
    "symplectic_euler": {"equality"},
    "velocity_verlet": {"equality"},
    "half_explicit": {"equality"},
    "static": set(LAWS),
}


def model(rows, law, height):
    m = sl.Model(gravity=(0, 0, 0))
    n = max(rows, 3)
    m.add(NodeOde2(name="n", count=n, coordinates=[height] + [0] * (n - 1), velocities=[0, 1] + [0.5] * (n - 2)))
    m.add(GenericSystem(name="body", node="n", mass_matrix=np.eye(n).tolist(), stiffness_matrix=(10 * np.eye(n)).tolist(), force=[-12.0] + [0.0] * (n - 1)))
    m.add(LinearRelation(name="row", on=[{"node": "n", "coordinate": i} for i in range(n)], matrix=np.eye(n)[:rows].tolist(), offset=[0.0] * rows, law=law))
    return m


def test_the_table_holds_every_law_and_scheme():
    assert set(LAWS) == {entry["name"] for entry in _core.items() if entry["family"] == "laws"}
    assert set(TAKES) == set(_core.schemes())


@pytest.mark.parametrize("scheme", TAKES)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.filterwarnings("ignore:.*accumulate")
def test_every_pair_runs_alike_or_is_refused_by_name(scheme, law):
    rows, fields = LAWS[law]
    item = {"type": law, **fields}
    height = 0.0 if law == "equality" else 0.2
    if law not in TAKES[scheme]:
        with pytest.raises(sl.ModelError, match=f"{law}.*moreau_jean"):
            model(rows, item, height).simulate(1.0, step=1e-3, scheme=scheme)
        return
    if scheme == "static":
        # -12 N on 10 N/m: at 0 of the gap; what yields at 2 N against the way lets it go on to -1; what allows no way back holds it where it is
        at_rest = -0.8 if law == "hardening_relay" else -1.0 if "on" in fields or law == "hysteresis" else 0.0  # hardening takes 2 N/m more on its way of 1 m
        assert model(rows, item, height).static()["n.coordinate"].last[0] == pytest.approx(0.2 if law == "mixed" else at_rest, abs=1e-9)
        return
    reference = np.asarray(model(rows, item, height).simulate(1.0, step=2e-5, record=0.5, scheme="moreau_jean")["n.coordinate"])[-1]
    reached = np.asarray(model(rows, item, height).simulate(1.0, step=2e-4, record=0.5, scheme=scheme)["n.coordinate"])[-1]
    np.testing.assert_allclose(reached, reference, atol=5e-3)
