// Problems of a run that were hard, kept for those who look at them afterwards.
#pragma once

#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "saltus/problem/problem.hpp"
#include "saltus/solver/report.hpp"

namespace saltus {

/// A problem with parameters of its own, and what its solve came to.
struct HardProblem {
  Problem problem;
  std::deque<std::vector<double>> parameters;  // that the blocks point into
  SolveReport report;
  double time = 0.0;  // [s] of the step
};

/// Keeps the first `most` problems that no solver solved, and the `most` that took most work.
/// A run solves on the thread that advances it; who advances one opens a Scope there, and who solves asks for the log `of_run`. No scheme, plan or workspace
/// has to hand it on, and a run without a log pays a comparison a solve.
class SolveLog {
 public:
  /// now: time of the step that a problem belongs to [s].
  SolveLog(int most, std::function<double()> now) : most_(most), now_(std::move(now)) {}
  void take(const Problem& problem, const SolveReport& report);
  const std::deque<HardProblem>& unsolved() const { return unsolved_; }
  const std::deque<HardProblem>& long_ones() const { return long_; }  // most work first

  /// Null outside of a scope.
  static SolveLog* of_run();
  class Scope {
   public:
    explicit Scope(SolveLog* log);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    SolveLog* before_;
  };

 private:
  HardProblem copied(const Problem& problem, const SolveReport& report) const;
  int most_;
  std::function<double()> now_;
  std::deque<HardProblem> unsolved_, long_;
};

}  // namespace saltus
