// Sparse L D L^T of a symmetric quasi-definite matrix: symbolic once, numeric often and without allocation.
#pragma once

#include <span>
#include <vector>

#include "saltus/math/csr.hpp"

namespace saltus {

/// What a factorization met. Rows are the caller's.
struct PivotReport {
  bool finite = true;
  int row = -1;            // first replaced pivot, or the first that was not finite
  int replaced = 0;        // pivots lost to rounding or zero, replaced by +- `substitute`
  int negative = 0;        // inertia: number of negative pivots
  int first_negative = -1;
  double smallest = 0.0;   // |pivot|
  double largest = 0.0;
};

/// P A P^T = L D L^T in the order of saddle_order(), row by row (up-looking; Davis 2005, "Algorithm 849"). No pivoting:
/// stable for quasi-definite matrices (Vanderbei 1995), as long as the caller refines. Only entries (i, j) with j <= i are
/// read. A pivot that is rounding noise of what it was computed from is lost.
class SparseLdlt {
 public:
  /// Orders and allocates; the last `multipliers` unknowns are rows of constraints. The diagonal need not be stored.
  void analyze(const CsrPattern& pattern, int multipliers = 0);
  /// values: by slot of the pattern. shift (size or empty) is added to the diagonal. substitute (size): signed replacement of
  /// a lost pivot, |d| <= lost times the size of its terms; empty: the first lost pivot ends the work (replaced is 1).
  PivotReport factorize(const double* values, std::span<const double> shift, std::span<const double> substitute, double lost = 1e-13);
  /// Rows of the pivots that the last factorization replaced.
  std::span<const int> lost_rows() const { return {lost_rows_.data(), lost_rows_.data() + lost_count_}; }
  /// x := A^-1 x in place.
  void solve(double* x);

  int size() const { return size_; }
  /// Entries of L below its diagonal.
  int fill() const { return static_cast<int>(row_of_.size()); }

 private:
  int size_ = 0;
  std::vector<int> old_of_, new_of_;                         // permutation
  std::vector<int> upper_begin_, upper_row_, upper_source_;  // permuted upper triangle by columns, with input slots
  std::vector<int> column_begin_, row_of_;                   // L by columns
  std::vector<int> step_begin_, step_column_;                // pattern of row k of L in the order of its computation
  std::vector<double> L_, D_, inverse_, work_;
  std::vector<int> filled_;  // entries of each column that are already computed
  std::vector<int> lost_rows_;
  std::size_t lost_count_ = 0;
};

}  // namespace saltus
