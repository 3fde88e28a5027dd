// What the rows of a step hold, taken out of a difference of its velocities.
#pragma once

#include <span>
#include <vector>

#include "saltus/problem/problem.hpp"
#include "saltus/solver/few_rows.hpp"

namespace saltus {

/// Joints and normals that hold determine their part of the velocities anew in each step, by impulses along what they push, friction with them where it slips. An error in that part is gone in
/// the next step, and does not add up; the rest of it does.
class HeldPart {
 public:
  /// of: the problem of a step; r: its multipliers. difference (unknowns): of two ends of that step. False, and all as it was: nothing is held, or there are too many rows.
  bool take_out(const Problem& of, std::span<const double> r, std::span<double> difference);

 private:
  bool choose(const Problem& of, std::span<const double> r);
  void write(const Problem& of, std::span<const double> r, std::span<const double> difference);

  /// A row that holds; `with`: rows behind it that push in proportion, as friction of slip does.
  struct Row { int row, with; };
  std::vector<Row> rows_;
  Problem problem_;
  FewRows few_;
  std::vector<double> dense_, r_;
};

}  // namespace saltus
