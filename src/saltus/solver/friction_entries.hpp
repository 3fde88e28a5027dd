// The friction solvers as entries of the table: cones, with half-lines and equalities beside them.
#pragma once

#include "saltus/solver/solve.hpp"

namespace saltus {

/// Cones of two or three rows with a friction coefficient, rows free on both sides, rows bounded by 0 and infinity.
bool can_friction(const Problem& problem);

// Equality rows are taken out first (LinearReduction); a half-line is a contact of one row without friction.
void run_race(SolveTask& task);
bool can_friction_again(const Problem& problem);  // such that run_race stopped early
void run_race_on(SolveTask& task);
void run_nsgs(SolveTask& task);
void run_nsgs_accelerated(SolveTask& task);
void run_admm(SolveTask& task);
void run_admm_anderson(SolveTask& task);
void run_interior_point(SolveTask& task);
void run_sweep_newton(SolveTask& task);
void run_piles(SolveTask& task);
void run_held_slips(SolveTask& task);
void run_proximal(SolveTask& task);

}  // namespace saltus
