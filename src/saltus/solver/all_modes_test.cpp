#include "saltus/solver/all_modes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "saltus/problem/named_problems.hpp"
#include "saltus/solver/solve.hpp"

namespace saltus {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// One solution: the first relay holds its row at zero, the second is at the bound against its velocity. Its column is 60 orders
// below the first one's.
TEST(AllModes, TellsRowsOfSixtyOrdersApart) {
  const MixedLcp relays{2, {2.45e-6, -4e-89, 4.9e-3, 4e-69}, {-6.7e-56, 1.3e-52}, {-1, -1}, {1, 1}};
  AllModes modes;
  std::vector<double> z(2);
  ASSERT_TRUE(modes.solve(relays, z));
  EXPECT_EQ(modes.tried(), 8);  // nine, counted from zero
  EXPECT_DOUBLE_EQ(z[0], 6.7e-56 / 2.45e-6);
  EXPECT_EQ(z[1], -1.0);
  const double W[4] = {2.45e-6, -4e-89, 4.9e-3, 4e-69};
  const NamedProblem named = box_inequality(sparse(W, 2, 2), {-6.7e-56, 1.3e-52}, {-1, -1}, {1, 1});
  const SolveReport report = solve(named.problem);
  EXPECT_EQ(report.status, SolveStatus::solved);
  EXPECT_EQ(report.r[1], -1.0);
}

// w = 1/2 - z on [-2, 2]: solved by both bounds and between them.
TEST(AllModes, TakesTheSolutionNextToTheStart) {
  const MixedLcp relay{1, {-1.0}, {0.5}, {-2.0}, {2.0}};
  AllModes modes;
  for (const auto& [start, solution] : {std::pair{-1.9, -2.0}, std::pair{0.4, 0.5}, std::pair{1.8, 2.0}}) {
    double z[1] = {start};
    ASSERT_TRUE(modes.solve(relay, z));
    EXPECT_EQ(z[0], solution);
  }
}

TEST(AllModes, SaysThatNothingFits) {
  AllModes modes;
  std::vector<double> z(2);
  EXPECT_FALSE(modes.solve({1, {-1.0}, {-1.0}, {0.0}, {infinity}}, std::span(z).first(1)));  // w = -z - 1
  EXPECT_TRUE(modes.solve({2, {0, 1, -1, 0}, {0, 1}, {-infinity, 0}, {infinity, infinity}}, z));  // free z_0: z_1 = 0, w_1 = 1 - z_0
  EXPECT_EQ(z[1], 0.0);
}

}  // namespace
}  // namespace saltus
