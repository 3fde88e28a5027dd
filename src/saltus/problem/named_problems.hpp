// The named problems of the field as constructors of the one problem.
#pragma once

#include <span>
#include <vector>

#include "saltus/problem/problem.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

/// A problem with the parameters that its blocks point to. Moves, does not copy.
struct NamedProblem {
  Problem problem;
  std::vector<double> parameters;

  NamedProblem() = default;
  NamedProblem(NamedProblem&&) = default;
  NamedProblem& operator=(NamedProblem&&) = default;
  NamedProblem(const NamedProblem&) = delete;
  NamedProblem& operator=(const NamedProblem&) = delete;
};

/// Matrix of rows x cols from row-major dense values; zeros are not stored.
SparseRows sparse(std::span<const double> dense, int rows, int cols);

// All constructors throw ModelError with all faults of validate(). W is square, w = W r + q.

/// 0 <= r complementary to w = W r + q >= 0.
NamedProblem linear_complementarity(SparseRows W, std::vector<double> q);
/// Row i is complementary where complementary[i], else w_i = 0 with r_i free.
NamedProblem mixed_complementarity(SparseRows W, std::vector<double> q, const std::vector<bool>& complementary);
/// -(W r + q) in the normal cone of [low, high] at r: relays, box-constrained VI.
NamedProblem box_inequality(SparseRows W, std::vector<double> q, std::vector<double> low, std::vector<double> high);
/// min 1/2 x^T Q x + c^T x, low <= x <= high, A x = a, B x >= b_low. Rows of the problem: x, multipliers of A, of B.
NamedProblem quadratic_program(const SparseRows& Q, const std::vector<double>& c, const std::vector<double>& low,
                               const std::vector<double>& high, const SparseRows& A, const std::vector<double>& a,
                               const SparseRows& B, const std::vector<double>& b_low);
/// Contacts of `dimension` 2 or 3 rows (n, t..), u = W r + q, friction one a contact.
NamedProblem friction(int dimension, SparseRows W, std::vector<double> q, std::vector<double> friction);
/// The same from M v = p0 + H^T r, u = H v + b; H is m x n.
NamedProblem global_friction(int dimension, SparseRows M, SparseRows H, std::vector<double> p0, std::vector<double> b,
                             std::vector<double> friction);
/// Contacts with rolling friction: `dimension` 3 (n, t, roll) or 5 (n, t1, t2, roll1, roll2) rows.
NamedProblem rolling_friction(int dimension, SparseRows W, std::vector<double> q, const std::vector<double>& friction,
                              const std::vector<double>& rolling);
NamedProblem global_rolling_friction(int dimension, SparseRows M, SparseRows H, std::vector<double> p0,
                                     std::vector<double> b, const std::vector<double>& friction,
                                     const std::vector<double>& rolling);

/// One block of `mixed`: its set, its number of rows, its parameters.
struct BlockSpec {
  const SetType* set;
  int dim;
  std::vector<double> parameters;
};
/// Any sets in the order of the rows.
NamedProblem mixed(SparseRows W, std::vector<double> q, const std::vector<BlockSpec>& blocks);
NamedProblem global_mixed(SparseRows M, SparseRows H, std::vector<double> p0, std::vector<double> b,
                          const std::vector<BlockSpec>& blocks);

}  // namespace saltus
