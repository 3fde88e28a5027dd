// Sparse factorization of matrices of small dense blocks with a symmetric pattern.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "saltus/math/front_factor.hpp"

namespace saltus::friction {

/// L D L^T (symmetric positive definite) or LU with pivoting inside a front (general values, symmetric pattern) by FrontFactor.
/// All blocks are `block` x `block`, row-major. Equal bits for any number of threads.
class BlockFactor {
 public:
  using Edge = std::pair<int, int>;  // (i, j), i > j, each pair once

  /// Ordering and symbolic factorization.
  void analyse(int count, int block, const std::vector<Edge>& edges);

  /// Values: diagonal[i], lower[e] = A(i, j), upper[e] = A(j, i) of edge e; of a symmetric matrix only the lower triangle of the diagonal
  /// blocks is read, and no `upper`. False on a zero pivot, of a symmetric matrix also on a negative one.
  bool factor(bool symmetric, const double* diagonal, const double* lower, const double* upper, Threads* threads = nullptr);

  /// x = A^-1 x, with the last successful factor.
  void solve(double* x, Threads* threads = nullptr) { factor_.solve(x, threads); }

  std::int64_t factor_flops(bool symmetric) const { return static_cast<std::int64_t>(factor_.flops(symmetric)); }
  std::int64_t solve_flops() const { return static_cast<std::int64_t>(factor_.solve_flops()); }

 private:
  struct Entry { int edge, row, column; bool swapped; };  // block of an edge: place in its front

  void place(const std::vector<Edge>& edges);
  void fill(int f, const FrontFactor::Target& target, const double* diagonal, const double* lower, const double* upper) const;

  int block_ = 1;
  FrontFactor factor_;
  std::vector<Entry> entries_;  // by front
  std::vector<int> entry_begin_;
};

}  // namespace saltus::friction
