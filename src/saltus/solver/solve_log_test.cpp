#include "saltus/solver/solve_log.hpp"

#include <gtest/gtest.h>

#include "saltus/problem/sets.hpp"
#include "saltus/solver/solve.hpp"

namespace saltus {
namespace {

/// w = a r - 1, r in [0, 1] times the scale.
Problem bounded(double a, const double* box, double scale) {
  Problem p;
  p.D.resize(1, 1);
  p.D.insert(0, 0) = a;
  p.D.makeCompressed();
  p.b = {-1.0};
  p.blocks = {{.begin = 0, .dim = 1, .set = &box_set, .parameters = box, .set_scale = scale}};
  return p;
}

TEST(SolveLog, KeepsTheProblemsWithMostWorkAndThoseWithoutASolution) {
  double time = 0.0;
  SolveLog log(2, [&] { return time; });
  double box[] = {0.0, 1.0};
  for (int k = 1; k <= 4; ++k) {
    SolveReport report;
    report.status = k == 3 ? SolveStatus::budget : SolveStatus::solved;
    report.flops = 10 * k;
    time = 0.1 * k;
    log.take(bounded(k, box, 0.5), report);
  }
  ASSERT_EQ(log.unsolved().size(), 1u);
  EXPECT_EQ(log.unsolved()[0].problem.D.coeff(0, 0), 3.0);
  ASSERT_EQ(log.long_ones().size(), 2u);
  EXPECT_EQ(log.long_ones()[0].problem.D.coeff(0, 0), 4.0);
  EXPECT_EQ(log.long_ones()[1].problem.D.coeff(0, 0), 2.0);
  EXPECT_DOUBLE_EQ(log.long_ones()[0].time, 0.4);
}

TEST(SolveLog, IsThatOfTheRunInItsScope) {
  EXPECT_EQ(SolveLog::of_run(), nullptr);
  SolveLog log(1, [] { return 0.0; });
  {
    const SolveLog::Scope scope(&log);
    EXPECT_EQ(SolveLog::of_run(), &log);
  }
  EXPECT_EQ(SolveLog::of_run(), nullptr);
}

TEST(SolveLog, KeepsParametersOfItsOwnScaledLikeTheSet) {
  SolveLog log(1, [] { return 0.0; });
  double box[] = {0.0, 1.0};
  const Problem problem = bounded(1.0, box, 0.5);
  Solver solver;
  SolveReport report, again;
  solver.solve(problem, {}, report);
  log.take(problem, report);
  box[1] = 7.0;
  const HardProblem& kept = log.long_ones()[0];
  EXPECT_EQ(kept.problem.blocks[0].parameters[1], 0.5);
  EXPECT_EQ(kept.problem.blocks[0].set_scale, 1.0);
  Solver().solve(kept.problem, {}, again);
  EXPECT_DOUBLE_EQ(again.r[0], report.r[0]);
}

}  // namespace
}  // namespace saltus
