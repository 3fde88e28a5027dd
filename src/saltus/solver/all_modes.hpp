// Few bounded rows solved by trying every combination of their states.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "saltus/solver/mlcp.hpp"

namespace saltus {

/// For rows that differ by more orders of magnitude than the tolerances of a path can tell apart (velocities of 1e-56 m/s beside
/// bounds of 1, in the last steps of a motion that comes to rest). Every row at its lower bound, inside, or at its upper bound: the
/// unknowns inside from the matrix as given, bounds judged by the size of the unknown, slacks by that of their own terms.
class AllModes {
 public:
  /// Few enough combinations: `states` of the rows that are not free multiplied, times the cost of a factor.
  static bool can(int unknowns, std::int64_t states) { return unknowns <= 40 && states <= 2187 && states * unknowns * unknowns * unknowns <= 20'000'000; }

  /// Of the combinations whose largest violation is at most 1e-9 the one next to the start `z`; false where there is none.
  bool solve(const MixedLcp& problem, std::span<double> z);
  int tried() const { return tried_; }

 private:
  enum class State : char { low, inside, high };
  bool point(const MixedLcp& problem);
  double violation(const MixedLcp& problem) const;
  double distance(const MixedLcp& problem) const;

  std::vector<State> states_;
  std::vector<double> z_, start_, found_, rows_;
  int tried_ = 0;
};

}  // namespace saltus
