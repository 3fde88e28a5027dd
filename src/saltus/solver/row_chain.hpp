// Bounded rows in a chain, between masses that do not couple: modes by exchange, each solved in one sweep.
#pragma once

#include <span>
#include <vector>

#include "saltus/problem/problem.hpp"

namespace saltus {

/// Problems whose M is diagonal and whose rows, each bounded by itself, share unknowns with the rows before and behind them alone: W is tridiagonal. Gaps of single
/// bodies, columns of beads. All rows that contradict their modes change at once (Hintermueller, Ito, Kunisch 2002), which ends where no entry of W beside the diagonal is positive; a round
/// is linear in the rows. Of half-lines alone one sweep finds the modes first (Cryer 1983): a row more makes the multipliers of those before it grow, so that rows which hold go on holding. Keeps its memory.
class RowChain {
 public:
  /// Whether M is diagonal and all rows are bounded by themselves.
  static bool can(const Problem& problem);
  /// v and r of the problem. False where rows share unknowns with others than their neighbours, are close to redundant, or the modes come to no end.
  bool solve(const Problem& problem, std::span<double> v, std::span<double> r);
  int rounds() const { return rounds_; }

 private:
  enum class Mode : char { low, holds, high };
  bool read(const Problem& problem);
  bool couple(const Problem& problem);
  void sweep();
  bool solve_held(std::span<double> r);
  bool exchange(std::span<const double> r);

  std::vector<double> inverse_, coefficient_;           // by unknown: of M; of the row that it is under
  std::vector<int> row_;                                // by unknown: that row, -1: none; -2: it is under two already
  std::vector<double> diagonal_, beside_, rate_;        // by row: W_ii, W_i,i-1, w without multipliers
  std::vector<double> low_, high_, pivot_, right_;
  std::vector<Mode> mode_;
  /// Rows first to last that hold, seen from their ends: multipliers there, and the corners of the inverse of their W.
  struct Run {
    int first = 0, last = -1;
    double r_first = 0.0, r_last = 0.0, first_first = 0.0, first_last = 0.0, last_last = 0.0;
    bool empty() const { return last < first; }
  };
  Run joined(const Run& before, int row, const Run& behind) const;
  std::vector<Run> runs_;
  bool half_lines_ = false;
  int rounds_ = 0;
};

}  // namespace saltus
