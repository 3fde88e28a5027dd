// The linear dynamics M v = p0 + G r of a problem: bodies (small independent blocks of M) or a sparse factorization.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "saltus/problem/problem.hpp"

namespace saltus::friction {

/// Columns of v that belong together: at most six, not coupled by M to any other.
struct Bodies {
  std::vector<std::vector<int>> columns;
};

/// Groups the columns of v into bodies: connected components of M, neighbours merged up to six columns where they meet
/// the same contacts. `block_of_row` numbers the contacts. Empty where a component has more than six columns.
std::optional<Bodies> bodies(const Problem& problem, std::span<const int> block_of_row);

/// v = M^-1 (p0 + G r); r may be empty (zero). Empty where M is singular.
std::optional<std::vector<double>> motion(const Problem& problem, std::span<const double> r);

/// w = H v + D r + b; without M: w = D r + b. r may be empty (zero).
std::vector<double> relative_velocity(const Problem& problem, std::span<const double> v, std::span<const double> r);

/// W = H M^-1 G + D row by row as a sparse matrix. Empty where M is singular.
std::optional<SparseRows> condensed(const Problem& problem);

}  // namespace saltus::friction
