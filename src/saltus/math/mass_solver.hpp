// Solver of a block-diagonal symmetric positive definite matrix: mass matrices, which fall apart into bodies.
#pragma once

#include <span>
#include <vector>

#include "saltus/math/csr.hpp"
#include "saltus/math/ldlt.hpp"

namespace saltus {

struct MassReport {
  bool ok = true;
  bool finite = true;
  int row = -1;  // first unknown whose pivot is zero, negative or not finite (a massless free coordinate)
};

/// Finds the connected components of a symmetric pattern: single unknowns become reciprocals, components of up to 32
/// unknowns dense Cholesky factors (stored flat), larger ones sparse L D L^T. Symbolic once, numeric often.
/// Of the values only those on and below the diagonal are read.
class MassSolver {
 public:
  static constexpr int largest_dense = 32;

  void analyze(const CsrPattern& pattern);
  /// values: one a slot of the pattern. No allocation. A pivot <= 1e-14 of its diagonal counts as zero.
  [[nodiscard]] MassReport factorize(std::span<const double> values);
  /// x := M^-1 x for `count` right-hand sides, the k-th at x + k * stride (stride 0: size()).
  void solve(double* x, int count = 1, int stride = 0);

  /// x := M^-1 right; false where a result is not finite. right and x do not overlap.
  [[nodiscard]] bool solve(const double* right, double* x);

  int size() const { return size_; }
  int components() const { return components_; }

 private:
  struct Dense {
    int size, index_begin, factor_begin;  // unknowns in index_, lower triangle row-major (size x size) in factor_
  };
  struct Entry {
    int slot, place;  // values[slot] goes to factor_[place]
  };
  struct Sparse {
    std::vector<int> index, source;  // unknowns; slots of the component's pattern
    std::vector<double> values, work;
    SparseLdlt ldlt;
  };
  bool factorize_dense(const Dense& block, MassReport& report);
  void solve_dense(const Dense& block, double* x);

  int size_ = 0, components_ = 0;
  std::vector<int> single_, single_slot_;
  std::vector<double> reciprocal_;
  std::vector<Dense> dense_;
  std::vector<Entry> entries_;
  std::vector<int> index_;
  std::vector<double> factor_;
  std::vector<Sparse> sparse_;
};

}  // namespace saltus
