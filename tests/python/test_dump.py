"""`simulate(dump=folder)`: the hard problems of a run are files that `saltus solve` solves again to the same velocities."""

import numpy as np
import pytest
from commands import saltus
from saltus.numerics import read_problem

import saltus as sl


def pile(friction=0.4):
    m = sl.Model()
    floor = m.plane(name="floor")
    balls = [m.sphere(radius=0.1, mass=1 + i, at=(0.05 * (i % 2), 0.03 * (i % 3), 0.1 + 0.19 * i), velocity=(1.0, 0, 0), name=f"ball{i}") for i in range(5)]
    m.contact(floor, balls, friction=friction)
    m.contact(balls, friction=friction)
    return m


def check(files):
    assert files
    for file in files:
        read = read_problem(file)
        again = read.problem.solve(1e-10)
        assert again.solved
        if read.stored:  # forces may not be unique, velocities are, to the tolerance of the run
            size = np.abs(read.stored["u"]).max() + np.abs(again.w).max() + 1e-12
            assert np.abs(again.w[: len(read.stored["u"])] - read.stored["u"]).max() < 1e-5 * size


@pytest.mark.parametrize("scheme", ["moreau_jean", "nonsmooth_generalized_alpha"])
def test_the_problems_of_a_pile_are_files_of_fclib_with_the_same_solution(tmp_path, scheme):
    result = pile().simulate(0.3, step=2e-3, scheme=scheme, dump=tmp_path / "hard")
    files = result.report["dumped"]
    assert 5 < len(files) <= 40 and all("work_" in file for file in files)
    import h5py

    with h5py.File(files[0]) as file:
        assert "fclib_global" in file and "flops" in bytes(file["fclib_global/info/math_info"][()]).decode()
    check(files[:6])
    done = saltus("solve", files[0], "--json")
    assert done.code == 0 and done.json["status"] == "solved"


def test_problems_with_joints_beside_contacts_are_dumped_too(tmp_path):
    m = pile()
    m.fixed(m["ball0"], m.box(size=(0.2, 0.2, 0.02), mass=1, at=(0.3, 0, 0.1)))
    result = m.simulate(0.2, step=2e-3, scheme="moreau_jean", dump=tmp_path)
    check(result.report["dumped"][:4])


def test_laws_that_fclib_has_not_are_kept_in_own_files(tmp_path):
    m = sl.Model(gravity=(0, 0, -9.81))
    floor = m.plane()
    ball = m.sphere(radius=0.1, mass=1, at=(0, 0, 0.1), angular_velocity=(0, 30, 0))
    m.contact(floor, ball, friction=0.4, rolling=0.01, spinning=0.002)
    b = m.box(size=(0.2, 0.2, 0.2), mass=1, at=(1, 0, 0.1), velocity=(1, 0, 0))
    m.contact(floor, b, friction=0.2)
    result = m.simulate(0.2, step=2e-3, scheme="moreau_jean", dump=tmp_path)
    for file in result.report["dumped"][:4]:
        assert read_problem(file).problem.solve(1e-9).solved


def test_a_run_without_hard_problems_writes_none_and_no_dump_keeps_none(tmp_path):
    m = sl.Model()
    m.revolute(m.ground, m.rod((0, 0, 0), (1, 0, 0), mass=1), at=(0, 0, 0), axis="y")
    assert m.simulate(0.1, dump=tmp_path / "none").report["dumped"] == []
    assert "dumped" not in pile().simulate(0.01, step=2e-3).report
    (tmp_path / "file").write_text("")
    with pytest.raises(sl.ModelError, match="cannot be made"):
        m.simulate(0.1, dump=tmp_path / "file" / "folder")


def test_the_command_dumps_too(tmp_path):
    pytest.importorskip("h5py")
    m = pile()
    m.simulation = {"until": 0.2, "step": 2e-3}
    m.save(tmp_path / "pile.json")
    done = saltus("run", tmp_path / "pile.json", "--dump", tmp_path / "hard", "--output", tmp_path / "a.saltus", "--json")
    assert done.code == 0 and done.json["dumped"]
    check(done.json["dumped"][:2])
    run = saltus("run", tmp_path / "pile.json", "--dump", tmp_path / "hard", "--output", tmp_path / "a.saltus")
    assert f"problems  {len(done.json['dumped'])} in {tmp_path / 'hard'}" in run.out
    assert saltus("run", "--resume", tmp_path / "a.saltus", "--dump", tmp_path / "hard").code == 2
    (tmp_path / "file").write_text("")
    assert "cannot be made" in saltus("run", tmp_path / "pile.json", "--dump", tmp_path / "file" / "folder").err


def test_dumping_changes_no_bit_of_the_run(tmp_path):
    a, b = pile().simulate(0.1, step=2e-3), pile().simulate(0.1, step=2e-3, dump=tmp_path)
    assert np.array_equal(a._recorded.arrays["y"], b._recorded.arrays["y"])
