// A step in a time integrator calls a solver a million times: after the first calls it must not ask for memory.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "saltus/problem/named_problems.hpp"
#include "saltus/solver/solve.hpp"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {
thread_local long allocations = 0;
}
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}

namespace saltus {
namespace {

TEST(SolverWorkspace, AllocatesNothingOnceWarmForFewRows) {
  const double W[16] = {2, 0.3, 0.1, 0, 0.3, 1.5, 0, 0.2, 0.1, 0, 2.5, 0.4, 0, 0.2, 0.4, 1.8};
  NamedProblem contacts = friction(2, sparse(W, 4, 4), {-1, 0.4, -1, 2}, {0.4, 0.3});
  const double M[4] = {2, 0, 0, 3}, H[4] = {1, 0, 1, 1};
  NamedProblem bodies = global_mixed(sparse(M, 2, 2), sparse(H, 2, 2), {-1, 1}, {0, 0}, {{&half_line_set, 1, {}}, {&box_set, 1, {-1, 1}}});
  // Two islands of different size, side by side.
  double both[36] = {};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) both[6 * i + j] = W[4 * i + j];
  both[28] = both[35] = 2.0;
  both[29] = both[34] = 0.1;
  NamedProblem islands = friction(2, sparse(both, 6, 6), {-1, 0.4, -1, 2, -1, 0.5}, {0.4, 0.3, 0.2});
  const double ball[18] = {0, 0, 1, 0, 0, 0, 1, 0, 0, 0, -0.1, 0, 0, 1, 0, 0.1, 0, 0};
  std::vector<double> mass(36, 0.0);
  for (std::size_t i = 0; i < 6; ++i) mass[7 * i] = i < 3 ? 1.0 : 0.1;
  NamedProblem spatial = global_friction(3, sparse(mass, 6, 6), sparse(ball, 3, 6), {0.3, 0, -1, 0, 0, 0.1}, {0, 0, 0}, {0.4});
  for (NamedProblem* named : {&contacts, &bodies, &islands, &spatial})
    for (const bool warm : {false, true}) {
      Solver solver;
      SolveReport report;
      std::vector<double> last_r, last_v;
      const auto step = [&](int i) {
        named->problem.b[0] = -1.0 - 0.01 * (i % 7);
        solver.solve(named->problem, {.warm_r = last_r, .warm_v = last_v, .timed = false}, report);
        ASSERT_EQ(report.status, SolveStatus::solved);
        if (warm) {
          last_r = report.r;
          last_v = report.v;
        }
      };
      for (int i = 0; i < 20; ++i) step(i);
      const long before = allocations;
      EXPECT_GT(before, 0);  // the counter counts
      const std::clock_t start = std::clock();
      for (int i = 0; i < 20000; ++i) step(i);
      const double microseconds = 1e6 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC / 20000;
      EXPECT_EQ(allocations, before);
      RecordProperty(warm ? "warm_microseconds" : "cold_microseconds", std::to_string(microseconds));
      std::printf("%s, %s: %.2f us a solve\n", named == &contacts ? "two planar contacts" : named == &bodies ? "two bodies" : named == &islands ? "two islands" : "a ball on the ground", warm ? "warm" : "cold", microseconds);
    }
}

}  // namespace
}  // namespace saltus

#endif
