// L U of a small dense matrix with scaled partial pivoting: no allocation once it has had its size.
#pragma once

#include <span>
#include <vector>

namespace saltus {

/// P R A = L U, R scales rows to unit largest entry (Wilkinson 1961).
class DenseLu {
 public:
  /// Room for n x n: smaller ones then ask for no memory.
  void reserve(int n);
  /// Takes n x n entries, row-major. False where a pivot is below `least` of its row's largest entry: no factor then.
  [[nodiscard]] bool factorize(std::span<const double> matrix, int n, double least = 1e-12);
  /// x := A^-1 x.
  void solve(std::span<double> x);
  /// x := A^-T x.
  void solve_transposed(std::span<double> x);
  /// The unknown without a pivot, or the row without entries, of a factorization that failed.
  int failed() const { return failed_; }
  int size() const { return n_; }

 private:
  int n_ = 0, failed_ = -1;
  std::vector<double> factor_, inverse_pivot_, scale_, work_;
  std::vector<int> row_;  // row of A in place i
};

}  // namespace saltus
