// Search for multipliers that prove that contacts have no solution.
#pragma once

#include <span>
#include <vector>

#include "saltus/problem/problem.hpp"

namespace saltus {

/// Multipliers of the rows for which `is_impossible` (problem/impossible.hpp) holds; empty where none are found. `r`: impulses of
/// an attempt, of which the largest 48 normals and bounded rows are taken (with all equality rows of their size): where no
/// solution exists they grow without bound. By non-negative least squares.
std::vector<double> contradicting_rows(const Problem& problem, std::span<const double> r);

}  // namespace saltus
