// Newton's method on min(z, w) for bounded rows: solve on the active set, exchange, repeat.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "saltus/problem/problem.hpp"

namespace saltus {

/// Newton on r = mid(low, r - c w, high) row by row, w = W r + b. Undamped: each step solves w = 0 in the rows inside and
/// puts the others on their bound; the exact solution when the sets repeat. Finite for M-matrices, may circle for others
/// (Ben Gharbia, Gilbert 2012): then it stops.
/// Source: Kojima, Shindo 1986; Harker, Pang 1990; Hintermueller, Ito, Kunisch 2003. Bounds on every row, W form.
class NewtonMin {
 public:
  /// r is start and result. Returns the steps; why it stopped short stands in cause(), empty where the sets repeated.
  int run(const Problem& local, int most_steps, std::span<double> r);
  std::string_view cause() const { return cause_; }

 private:
  enum class Side : char { low, inside, high };
  bool solve_inside(const Problem& local, std::span<double> r);
  std::vector<double> low_, high_, step_, w_;
  std::vector<Side> side_;
  std::vector<int> place_;
  std::string_view cause_;
};

}  // namespace saltus
