"""Complementarity and friction as a library of its own: problems as matrices in, solutions with a certificate out.

>>> from saltus.numerics import Lcp
>>> Lcp([[2, 1], [1, 2]], [-5, -6]).solve().z
array([1.33333333, 2.33333333])
"""

from saltus.numerics.files import cli_solve, read_problem, solve_file, write_solution
from saltus.numerics.problems import (
    Block,
    FrictionProblem,
    Lcp,
    MixedProblem,
    Mlcp,
    Problem,
    QuadraticProgram,
    Relay,
    RollingFrictionProblem,
    Solution,
    solvers,
)

__all__ = [
    "Block",
    "FrictionProblem",
    "Lcp",
    "MixedProblem",
    "Mlcp",
    "Problem",
    "QuadraticProgram",
    "Relay",
    "RollingFrictionProblem",
    "Solution",
    "cli_solve",
    "read_problem",
    "solve_file",
    "solvers",
    "write_solution",
]
