// A problem of bounded rows and planar friction as a mixed complementarity problem.
#pragma once

#include <span>

#include "saltus/problem/problem.hpp"
#include "saltus/solver/mlcp.hpp"

namespace saltus {

/// Unknowns: v (free, rows M v - G r - p0 = 0; M may be singular), then the rows of r. A planar contact takes three:
/// r_n, s = mu r_n + r_t and the sliding speed u_t- to the negative side, complementary to u_n, u_t+ = u_t + u_t- and
/// mu r_n - r_t = 2 mu r_n - s (Loetstedt 1981; Jean 1999). Exact: the cone has two edges. A polyhedron's r is free, with a
/// multiplier y a facet: w + A^T y = 0, y complementary to a - A r (the normal cone by its generators).
class MlcpForm {
 public:
  /// All blocks give `bounds` or `facets` or are planar cones with `friction`.
  static bool can(const Problem& problem);
  /// Number of unknowns of the form.
  static int size(const Problem& problem);

  void build(const Problem& problem);
  const MixedLcp& mlcp() const { return form_; }
  /// Start from an earlier (v, r); empty v counts as zero.
  void warm(const Problem& problem, std::span<const double> v, std::span<const double> r, std::vector<double>& z) const;
  void solution(const Problem& problem, std::span<const double> z, std::span<double> v, std::span<double> r) const;

 private:
  void add_row(int row, const SparseRows& A, int source_row, double factor, bool of_r);
  double& entry(int i, int j) { return form_.A[static_cast<std::size_t>(i) * static_cast<std::size_t>(form_.n) + static_cast<std::size_t>(j)]; }
  MixedLcp form_;
  std::vector<int> place_;       // unknown that row i of r starts
  std::vector<double> mu_;       // of a planar tangential row: r_i = s - mu r_(i-1); else negative
};

}  // namespace saltus
