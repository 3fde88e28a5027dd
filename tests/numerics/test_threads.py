"""Any number of threads gives the same bits: whole solves of one large island, of many islands, and through the command."""

import numpy as np
import pytest
import scipy.sparse as sparse
from commands import saltus

from saltus import ModelError
from saltus.numerics import FrictionProblem, generate, write_problem


def apart(problems):
    """The problems side by side: islands."""
    friction = np.concatenate([[block.parameters[0] for block in p.blocks] for p in problems])
    M, H = (sparse.block_diag([getattr(p, name) for p in problems], format="csr") for name in "MH")
    return FrictionProblem(friction, M=M, H=H, p0=np.concatenate([p.p0 for p in problems]), b=np.concatenate([p.b for p in problems]))


@pytest.mark.parametrize("make", [lambda: generate("wall", 1800), lambda: apart([generate("wall", n, n) for n in (40, 300, 90, 8, 150)])])
def test_one_two_and_seven_threads_give_the_same_bits(make):
    problem = make()
    one = problem.solve(1e-8)
    assert one.solved
    for threads in (2, 7):
        many = problem.solve(1e-8, threads=threads)
        assert many.r.tobytes() == one.r.tobytes() and many.v.tobytes() == one.v.tobytes()
        assert (many.flops, many.iterations, many.solver, many.islands) == (one.flops, one.iterations, one.solver, one.islands)


def test_the_command_takes_threads(tmp_path):
    write_problem(tmp_path / "wall.h5", generate("wall", 1800))
    out = [saltus("solve", str(tmp_path / "wall.h5"), "--json", "--threads", str(n)).json for n in (1, 2)]
    assert out[0]["status"] == "solved"
    assert out[0]["residual"] == out[1]["residual"]


@pytest.mark.parametrize("threads", [0, -3, 5000])
def test_a_number_of_threads_that_is_none_is_named(threads):
    with pytest.raises(ModelError, match=f"threads: is {threads}"):
        FrictionProblem([0.5], W=np.eye(3), q=[-1.0, 0, 0]).solve(threads=threads)
