"""Models far from the usual sizes: a run is right, or says that it is not; it never ends with open joints."""

import numpy as np
import pytest

import saltus as sl


def double_pendulum(light, heavy):
    m = sl.Model(gravity=(0, -9.81, 0))
    a, b = m.point_mass(mass=light, at=(1, 0, 0)), m.point_mass(mass=heavy, at=(2, 0, 0))
    m.distance(m.ground, a, length=1, name="upper")
    m.distance(a, b, length=1, name="lower")
    return m


@pytest.mark.parametrize("ratio", [1e3, 1e6, 1e9, 1e12, 1e18])
@pytest.mark.parametrize("scheme", ["moreau_jean", "generalized_alpha", "dormand_prince"])
def test_a_heavy_body_on_a_light_one_keeps_its_joints_or_the_run_says_that_it_cannot(scheme, ratio):
    try:
        result = double_pendulum(ratio**-0.5, ratio**0.5).simulate(0.05, step=1e-3, scheme=scheme)
    except sl.RunError as error:
        assert ratio > 1e6
        assert any(cause in str(error) for cause in ("joints", "constraints", "could not be solved", "Newton's iteration", "residual stays", "singular"))
        assert f"the masses differ by {ratio:.0e}, from" in str(error) and "make the light one heavier" in str(error)
        result = error.result
    for joint in ("upper", "lower"):
        assert np.all(np.abs(result[f"{joint}.residual"]) < 5e-6)


def test_a_fixed_step_that_could_not_be_kept_is_reported():
    # 19 MJ out of nothing, at closed joints and small residuals: nothing else said that the motion is none.
    with pytest.warns(sl.ModelWarning, match="of 0.001 s (could not be kept: .* attempts failed|is too large: with 0.002 s the run fails)"):
        double_pendulum(1e11**-0.5, 1e11**0.5).simulate(0.05, step=1e-3, scheme="dormand_prince")


def test_a_run_that_blew_up_is_kept_in_its_file_and_read_again(tmp_path):
    m = sl.Model(gravity=(0, 0, 0))
    p = m.point_mass(mass=1e-9, at=(1, 0, 0), displacement=(0.1, 0, 0))
    m.spring(m.ground, p, stiffness=1e9, rest_length=1)
    with pytest.raises(sl.RunError) as error:
        m.simulate(1, step=0.01, scheme="runge_kutta_4", record=tmp_path / "run.result")
    assert np.isinf(error.value.result.report["energy_end"])  # no number that a file could hold
    error.value.result.save(tmp_path / "saved.result")
    for name in ("run", "saved"):
        again = sl.load_result(tmp_path / f"{name}.result")
        assert again.report["status"] == "failed" and np.isnan(again.report["energy_end"])
        assert np.array_equal(again["point_mass_1.position"], error.value.result[p.position])
