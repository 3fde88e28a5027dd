"""The classes of saltus.items come from the engine's table, and the committed stub is of this engine."""

import inspect
from pathlib import Path

import pytest

import saltus as sl
from saltus import _core, items, items_stub


def test_every_item_of_the_engine_has_a_class_with_its_fields():
    assert len(items.table()) == len(_core.items())
    for name, entry in items.table().items():
        known = set(inspect.signature(getattr(items, name)).parameters)
        assert {f["name"] for f in [*entry["fields"], *entry["ports"]]} | {"name"} == known
        for field in entry["fields"]:
            assert field["name"] in getattr(items, name).__doc__


def test_the_stub_is_current():
    folder = Path(items.__file__).parent
    for name, text in (("items.pyi", items_stub.text()), ("schemes.pyi", items_stub.schemes_text())):
        assert (folder / name).read_text() == text, "run `python -m saltus.items_stub`"


def test_the_stub_is_python():
    compile(items_stub.text(), "items.pyi", "exec")
    compile(items_stub.schemes_text(), "schemes.pyi", "exec")


def test_a_wrong_field_names_the_nearest():
    with pytest.raises(sl.ModelError, match='stifness: is 1, and not a field of SpringDamper; did you mean "stiffness"'):
        items.SpringDamper(A="a", B="b", stifness=1)


def test_a_missing_field_is_named():
    with pytest.raises(sl.ModelError, match="node: is missing"):
        items.RigidBody(mass=1, inertia=[1, 1, 1])


def test_an_unknown_item_is_an_attribute_error():
    with pytest.raises(AttributeError, match="Sprnig"):
        _ = items.Sprnig


ENERGY = {  # of a law: where the sentence on its energy is tested
    "adhesive_coulomb_impact": ("laws_test.cpp", "NoImpactGivesEnergyWhereItsLawSaysSo"),
    "characteristic": ("test_laws.py", "test_friction_with_a_slope_and_a_breakaway_slows_a_mass_exactly"),
    "cohesive_impact": ("test_laws_with_memory.py", "test_a_bond_holds_below_its_strength_and_takes_its_area_to_break"),
    "convex_bound": ("test_convex_bound.py", "test_the_multiplier_is_normal_to_the_set_and_takes_the_most_power"),
    "coulomb_impact": ("test_contacts.py", "test_energy_that_the_impact_of_a_relation_gives_is_said_exactly"),
    "fremond_impact": ("laws_test.cpp", "NoImpactGivesEnergyWhereItsLawSaysSo"),
    "hardening_relay": ("test_laws_with_memory.py", "test_what_a_hardening_relay_takes_is_its_area"),
    "hysteresis": ("test_hysteresis.py", "test_one_loop_gives_the_area_between_its_branches"),
    "lzb_impact": ("test_laws_with_memory.py", "test_the_energy_of_a_pair_falls_by_its_restitution"),
    "mohr_coulomb": ("laws_test.cpp", "NoImpactGivesEnergyWhereItsLawSaysSo"),
    "newton_impact": ("moreau_test.cpp", "KeepsESquaredOfItsEnergyAtEachImpactToFirstOrder"),
    "norm_bound": ("test_laws.py", "test_a_bound_on_the_size_stops_a_mass_straight_on"),
    "normal_cone": ("test_convex_bound.py", "test_it_is_the_law_whose_set_it_equals"),
    "orthotropic_impact": ("test_laws.py", "test_orthotropic_friction_stops_by_its_own_coefficient_along_each_direction"),
    "poisson_impact": ("laws_test.cpp", "NoImpactGivesEnergyWhereItsLawSaysSo"),
    "poisson_coulomb_impact": ("test_laws.py", "test_newtons_law_with_friction_may_give_energy_and_poissons_does_not"),
    "rolling_impact": ("laws_test.cpp", "NoImpactGivesEnergyWhereItsLawSaysSo"),
    "stribeck_impact": ("test_friction_within_steps.py", "test_friction_that_depends_on_the_speed_stops_a_plate_where_its_energy_ends"),
}


def test_each_law_says_what_energy_it_takes_and_a_test_holds_it_to_that():
    root = Path(__file__).resolve().parents[2]
    laws = {entry["name"]: getattr(items, name).__doc__ for name, entry in items.table().items() if entry["family"] == "laws"}
    assert [law for law, text in laws.items() if " Energy: " not in text] == []
    assert set(ENERGY) <= set(laws)
    for file, test in ENERGY.values():
        folder = "src/saltus/integrate" if file.endswith(".cpp") else "tests/python"
        assert test in (root / folder / file).read_text(), test
