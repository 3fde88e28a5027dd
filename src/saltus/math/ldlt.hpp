// Sparse L D L^T of a symmetric quasi-definite matrix: symbolic once, numeric often and without allocation.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "saltus/math/front_ldlt.hpp"

namespace saltus {

/// P A P^T = L D L^T by dense fronts over the parts of saddle_order() (multifrontal; Duff, Reid 1983): a part is eliminated
/// in a small dense matrix that holds its entries and what earlier parts left to it. No pivoting: stable for quasi-definite
/// matrices (Vanderbei 1995), as long as the caller refines. Only entries (i, j) with j <= i are
/// read. A pivot that is rounding noise of what it was computed from is lost.
///
/// Chains, whose fronts are small, keep them in one place and registers. Where a front is larger (meshes), parts join to larger ones,
/// what is left waits on a stack, and threads share the work (FrontLdlt).
class SparseLdlt {
 public:
  /// Rows of a front from which on large fronts pay.
  static constexpr int large_front = 32;

  /// Orders and allocates; the last `multipliers` unknowns are rows of constraints. The diagonal need not be stored. Throws
  /// MemoryError, which names the size, before it takes more than `memory` bytes (0: those that are free).
  /// large: rows of a front from which on FrontLdlt works.
  void analyze(const CsrPattern& pattern, int multipliers = 0, double memory = 0.0, int large = large_front);
  /// values: by slot of the pattern. shift (size or empty) is added to the diagonal. substitute (size): signed replacement of
  /// a lost pivot, |d| <= lost times the size of its terms; empty: the first lost pivot ends the work (replaced is 1).
  PivotReport factorize(const double* values, std::span<const double> shift, std::span<const double> substitute, double lost = 1e-13, Threads* threads = nullptr);
  /// Rows of the pivots that the last factorization replaced.
  std::span<const int> lost_rows() const { return {lost_rows_.data(), lost_rows_.data() + lost_count_}; }
  /// x := A^-1 x in place.
  void solve(double* x, Threads* threads = nullptr);

  int size() const { return size_; }
  /// Whether it works by large fronts.
  bool large() const { return fronts_ != nullptr; }
  /// Entries of L below its diagonal, zeros within the fronts included.
  std::int64_t fill() const { return fill_; }

 private:
  /// A part: columns begin .. begin + width - 1 of L, and `rest` later rows that they reach. Its panel is width rows of
  /// L^T without its diagonal (row-major, `stride` long, of which width + rest count); what it leaves to `parent` is rest x rest (upper triangle) at `left`.
  struct Part {
    int begin, width, rest, stride, row_begin, entry_begin, child_begin, place_begin, parent;
    std::size_t panel, left;
    /// Width and rest are known to the compiler: rows lie without gaps. Others begin at multiples of four numbers.
    bool small() const { return (width == 3 && rest == 3) || (width == 1 && rest == 1); }
  };
  /// Parts that follow each other and are substituted together: one, or a band of single columns, each reaching the next place alone.
  struct Stretch {
    int part, count;
    bool band;
  };
  struct Entry {
    int slot, at;  // values[slot] goes to front[at]
  };
  void find_structure(const CsrPattern& pattern, const std::vector<int>& part_begin, double memory);
  void place_entries(const CsrPattern& pattern);
  void gather(const Part& part, const double* values, std::span<const double> shift);
  bool invert(const Part& part, int j, double& pivot, std::span<const double> substitute, double lost, PivotReport& report);
  bool eliminate(const Part& part, std::span<const double> substitute, double lost, PivotReport& report);
  void substitute_forward(const Part& part);
  void substitute_back(const Part& part);
  // The same of small parts, all rows.
  template <int Width, int All>
  bool eliminate(const Part& part, std::span<const double> substitute, double lost, PivotReport& report);
  template <int Width, int All>
  void substitute_forward(const Part& part);
  template <int Width, int All>
  void substitute_back(const Part& part);
  void keep_left(const Part& part);
  void find_stretches();

  std::unique_ptr<FrontLdlt> fronts_;  // null: what follows does the work
  int size_ = 0;
  std::int64_t fill_ = 0;
  std::vector<int> old_of_, new_of_;  // permutation
  std::vector<Part> parts_;           // one more at the end
  std::vector<Stretch> stretches_;
  std::vector<int> part_of_;          // by place
  std::vector<int> rows_;             // later rows of each part, ascending
  std::vector<int> children_, place_; // children of each part; where the rows of a part stand in the front of its parent
  std::vector<Entry> entries_;
  std::vector<double> panels_, left_, front_, lower_, inverse_, terms_, work_, local_;
  std::vector<int> lost_rows_;
  std::size_t lost_count_ = 0;
};

}  // namespace saltus
