// What the rows of a step hold, taken out of a difference of its velocities.
#pragma once

#include <span>
#include <vector>

#include "saltus/problem/problem.hpp"
#include "saltus/solver/few_rows.hpp"

namespace saltus {

/// Joints and normals that hold determine their part of the velocities anew in each step, by impulses along what they push, friction with them where it slips. Across a slip friction acts as a damper of its force over
/// the speed. An error in what they take is gone in the next step, and does not add up; the rest of it does.
class HeldPart {
 public:
  /// of: the problem of a step; r, w: its solution. difference (unknowns): of two ends of that step. False, and all as it was: nothing is held, or there are too many rows.
  bool take_out(const Problem& of, std::span<const double> r, std::span<const double> w, std::span<double> difference);

 private:
  static constexpr int most_of_block = 8;
  /// A sum of rows from `first` on: what it sees, and what it pushes.
  struct Row {
    int first = 0, count = 1;
    double sees[most_of_block] = {1.0}, pushes[most_of_block] = {1.0}, yields = 0.0;
  };
  bool choose(const Problem& of, std::span<const double> r, std::span<const double> w);
  void add_contact(const Block& block, const double* r, const double* w);
  void write(const Problem& of, std::span<const double> difference);

  std::vector<Row> rows_;
  Problem problem_;
  FewRows few_;
  std::vector<double> dense_, r_;
};

}  // namespace saltus
