"""Complementarity and friction as a library of its own: problems as matrices in, solutions with a certificate out.

>>> from saltus.numerics import Lcp
>>> Lcp([[2, 1], [1, 2]], [-5, -6]).solve().z
array([1.33333333, 2.33333333])
"""

from saltus.numerics.compare import compare, profile
from saltus.numerics.fclib import write_fclib
from saltus.numerics.files import cli_solve, read_problem, solve_file, write_solution
from saltus.numerics.generate import generate
from saltus.numerics.nonlinear import Box, Cone, ConvexQp, ConvexSet, Mcp, Ncp, NonlinearSolution, Polyhedron, Projection, Soclcp, VariationalInequality
from saltus.numerics.problems import (
    AffineInequality,
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
from saltus.numerics.writing import write_problem

__all__ = [
    "AffineInequality",
    "Block",
    "Box",
    "Cone",
    "ConvexQp",
    "ConvexSet",
    "FrictionProblem",
    "Lcp",
    "Mcp",
    "MixedProblem",
    "Mlcp",
    "Ncp",
    "NonlinearSolution",
    "Polyhedron",
    "Problem",
    "Projection",
    "QuadraticProgram",
    "Relay",
    "RollingFrictionProblem",
    "Soclcp",
    "Solution",
    "VariationalInequality",
    "cli_solve",
    "compare",
    "generate",
    "profile",
    "read_problem",
    "solve_file",
    "solvers",
    "write_fclib",
    "write_problem",
    "write_solution",
]
