// L U of a sparse matrix by fronts, with exchanges of rows inside a front only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "saltus/math/front_factor.hpp"

namespace saltus {

/// Pattern of A + A^T, order of saddle_order, numbers by FrontFactor. Rows are scaled to a largest entry between 1 and 2. The pivot
/// of a column is the largest entry of its front's pivot rows. Where later rows hold larger ones the factor loses digits: the caller
/// looks at a solution, refines, and takes a factorization that exchanges all rows where that is not enough.
class FrontLu {
 public:
  /// The last `multipliers` unknowns are rows of constraints. MemoryError as in SparseLdlt.
  void analyze(const CsrPattern& pattern, int multipliers, double memory);
  /// False where a pivot is too small; failed() then names its unknown.
  bool factorize(const CsrPattern& pattern, const double* values, Threads* threads);
  int failed() const { return failed_; }
  void solve(double* x, Threads* threads);
  void solve_transposed(double* x, Threads* threads);
  std::int64_t fill() const { return 2 * static_cast<std::int64_t>(factor_.tree().entries()) - factor_.tree().size(); }

 private:
  struct Entry {
    int slot, row;
    std::uint32_t at;  // values[slot] scale[row] goes to panel[at] or side[at]
  };
  FrontFactor factor_;
  std::vector<Entry> entries_;            // by front, those of the panel first
  std::vector<int> begin_, side_begin_;
  std::vector<double> scale_;
  int failed_ = -1;
};

}  // namespace saltus
