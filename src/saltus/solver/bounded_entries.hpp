// Least norm of equalities, Newton-min, gradient and extragradient methods as entries of the table.
#pragma once

#include "saltus/solver/solve.hpp"

namespace saltus {

/// Equalities alone, up to 200 rows.
bool can_least_norm(const Problem& problem);
/// Equality, half-lines, boxes.
bool can_newton_min(const Problem& problem);
/// The same with W symmetric: a quadratic program.
bool can_projected_gradient(const Problem& problem);

void run_least_norm(SolveTask& task);
void run_newton_min(SolveTask& task);
void run_projected_gradient(SolveTask& task);
void run_conjugate_projected_gradient(SolveTask& task);
void run_extragradient(SolveTask& task);

}  // namespace saltus
