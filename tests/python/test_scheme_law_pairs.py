"""Every scheme with every law: it runs, or refuses the pair by name and says what can."""

import numpy as np
import pytest

import saltus as sl
from saltus import _core
from saltus.items import Complementarity, CoulombImpact, CoulombImpact2d, Equality, LinearRelation, NewtonImpact, NodeOde2, GenericSystem, Relay

LAWS = {
    "complementarity": (1, Complementarity()),
    "coulomb_impact": (3, CoulombImpact(friction=0.3, restitution=0.5)),
    "coulomb_impact_2d": (2, CoulombImpact2d(friction=0.3, restitution=0.5)),
    "equality": (1, Equality()),
    "newton_impact": (1, NewtonImpact(restitution=0.5)),
    "relay": (1, Relay(low=-2, high=2, on="rate")),
}
TAKES = {
    "moreau_jean": set(LAWS),
    "event_driven": set(LAWS),
    "nonsmooth_generalized_alpha": set(LAWS),
    "generalized_alpha": {"equality"},
    "runge_kutta_4": {"equality"},
    "dormand_prince": {"equality"},
    "static": {"equality"},
}


def model(rows, law, height):
    m = sl.Model(gravity=(0, 0, 0))
    m.add(NodeOde2(name="n", count=3, coordinates=[height, 0, 0], velocities=[0, 1, 0.5]))
    m.add(GenericSystem(name="body", node="n", mass_matrix=np.eye(3).tolist(), stiffness_matrix=(10 * np.eye(3)).tolist(), force=[-12.0, 0.0, 0.0]))
    m.add(LinearRelation(name="row", on=[{"node": "n", "coordinate": i} for i in range(3)], matrix=np.eye(3)[:rows].tolist(), offset=[0.0] * rows, law=law))
    return m


def test_the_table_holds_every_law_and_scheme():
    assert set(LAWS) == {entry["name"] for entry in _core.items() if entry["family"] == "laws"}
    assert set(TAKES) == set(_core.schemes())


@pytest.mark.parametrize("scheme", TAKES)
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.filterwarnings("ignore:.*accumulate")
def test_every_pair_runs_alike_or_is_refused_by_name(scheme, law):
    rows, item = LAWS[law]
    height = 0.0 if law == "equality" else 0.2
    if law not in TAKES[scheme]:
        with pytest.raises(sl.ModelError, match=f"{law}.*moreau_jean"):
            model(rows, item, height).simulate(1.0, step=1e-3, scheme=scheme)
        return
    if scheme == "static":
        assert model(rows, item, height).static()["n.coordinate"].last[0] == pytest.approx(0, abs=1e-9)
        return
    reference = np.asarray(model(rows, item, height).simulate(1.0, step=2e-5, record=0.5, scheme="moreau_jean")["n.coordinate"])[-1]
    reached = np.asarray(model(rows, item, height).simulate(1.0, step=2e-4, record=0.5, scheme=scheme)["n.coordinate"])[-1]
    np.testing.assert_allclose(reached, reference, atol=5e-3)
