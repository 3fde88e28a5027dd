// Factor of the dynamics of a symmetric problem with its equality rows: the pattern is analyzed once, the numbers often.
#pragma once

#include <span>
#include <vector>

#include "saltus/math/ldlt.hpp"
#include "saltus/problem/problem.hpp"

namespace saltus {

/// K x = y for K = [M -H_e^T; H_e D_e], x = (v, r_e), e the equality rows: L D L^T of [M H_e^T; H_e -D_e] and (v, -r_e).
class SaddleFactor {
 public:
  /// place: by row of the problem, -1 - its index among the equality rows, or its index among the others. False where rows of both kinds meet in D,
  /// or the equality rows depend on each other: K is singular then, or nearly.
  bool compute(const Problem& problem, std::span<const int> place);
  /// x := K^-1 x.
  void solve(double* x);
  /// y -= K x.
  void subtract(const double* x, double* y) const;

 private:
  bool fill(const Problem& problem, std::span<const int> place);

  int velocities_ = 0;
  CsrPattern pattern_, last_;   // lower part, and that of the last analysis
  std::vector<double> values_;
  SparseLdlt ldlt_;
};

}  // namespace saltus
