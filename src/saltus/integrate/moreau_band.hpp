// Modes of rows whose Delassus matrix is a narrow band: beads on a wire, columns, and other bodies side by side.
#pragma once

#include "saltus/integrate/moreau_row_modes.hpp"

namespace saltus {

/// Where A is diagonal, W = C A^-1 C^T couples only rows that share an unknown; where these stand close to each other a pass over
/// modes is a banded L D L^T of the rows that hold, a few operations a row. If no entry of W beside the
/// diagonal is positive (W a Minkowski matrix), changing all contradicting rows at once ends after at most one pass more
/// than there are rows, with the only solution (Hintermueller, Ito, Kunisch 2002, theorem 3.2). Rows that hold act on each other
/// through rows that hold alone: after the first pass only the runs of rows next to a change are solved and looked at again.
/// Where the modes of the last step do not serve and W is tridiagonal, those of a column of contacts follow from one sweep (Cryer 1983).
class BandModes final : public RowStrategy {
 public:
  BandModes(const MoreauModel& model, RowModes& modes);
  bool can(const RowTask& task) override;
  bool solve(const RowTask& task) override;

 private:
  struct Range { int begin, end; };
  struct Run { int begin, end; double a[3], b[3]; };
  struct Shared { int place, back, own, other, unknown; };  // C at own, of the row at `place`, times C at other, of that at place - back
  struct Places {                                           // by place, with empty ones before and after all
    std::vector<double> mu, bound, free, size, x, factor;   // bound: mu where it does not hold; free: w without multipliers; size: of its terms; x, factor: L D L^T
    std::vector<char> holds, active;
    bool pushed = false;                                    // some row sits at a bound that is not 0
  };

  void plan(const std::vector<double>& directions);
  void find_band(const RowTask& task);
  void free_places(const RowTask& task);
  void set_place(std::size_t place, int row);
  bool solve_places(int begin, int end);
  template <int Band>
  bool solve_places(int begin, int end);
  bool change_place(int place, double largest_mu);
  bool solve_again(double& largest_mu);
  void sweep_modes(const RowTask& task);
  Run alone(int place) const;
  static Run joined(const Run& A, const Run& B);
  double coupling(int place) const { return band_ == 1 ? -W_[place * 2 + 1] : 0.0; }  // with the row before
  bool take_places(const RowTask& task);
  static void append(std::vector<Range>& ranges, int begin, int end);

  const MoreauPlan& plan_;
  const System& system_;
  const std::vector<int>& block_begin_;
  RowModes& modes_;
  int band_ = -1;             // rows before and after that a row can share unknowns with; -1: W is no band
  bool minkowski_ = false;    // A is diagonal and no entry of W beside its diagonal is positive
  long matrices_ = -1;        // that W was made of
  std::vector<Shared> shared_;
  std::vector<int> row_at_;   // row by place in the order
  std::vector<int> entry_of_row_;
  Places place_;
  std::vector<Range> again_, changed_;  // places to solve, and to look at
  std::vector<Run> runs_;
  std::vector<double> W_, free_;        // by place in the order: entry (i, i - k) at i (band + 1) + k; the free motion, by unknown
};

}  // namespace saltus
