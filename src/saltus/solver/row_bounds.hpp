// Bounds of all rows, for strategies that work row by row.
#pragma once

#include <vector>

#include "saltus/problem/problem.hpp"

namespace saltus {

/// Whether each block bounds its rows one by one: equality, half-line, box.
bool all_bounded(const Problem& problem);
/// low and high of each row; infinite where free.
void row_bounds(const Problem& problem, std::vector<double>& low, std::vector<double>& high);
/// Whether W is symmetric: D and M are, and G = H^T.
bool symmetric_response(const Problem& problem);

}  // namespace saltus
