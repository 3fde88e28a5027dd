// The broad phase finds exactly the pairs that a comparison of all with all finds.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "saltus/collision/broad_phase.hpp"

namespace saltus {
namespace {

std::vector<std::pair<int, int>> all_pairs(const std::vector<BoundingBall>& balls) {
  std::vector<std::pair<int, int>> out;
  for (int i = 0; i < static_cast<int>(balls.size()); ++i)
    for (int j = i + 1; j < static_cast<int>(balls.size()); ++j) {
      const BoundingBall &a = balls[i], &b = balls[j];
      const Vec3<double> d = b.center - a.center;
      if (dot(d, d) <= (a.radius + b.radius) * (a.radius + b.radius)) out.emplace_back(i, j);
    }
  return out;
}

TEST(BroadPhase, FindsThePairsOfAllWithAllForEqualAndForVeryDifferentBalls) {
  BroadPhase broad;
  for (double spread : {0.0, 1.0, 6.0})
    for (unsigned seed : {1u, 2u, 3u}) {
      std::mt19937 engine(seed);
      std::uniform_real_distribution<double> unit(-1.0, 1.0);
      std::vector<BoundingBall> balls;
      for (int i = 0; i < 400; ++i) balls.push_back({{{unit(engine), unit(engine), unit(engine)}}, 0.1 * std::pow(2.0, spread * unit(engine) - spread)});
      const auto expected = all_pairs(balls);
      if (spread == 0.0) { EXPECT_GT(expected.size(), 50u); }
      EXPECT_EQ(broad.pairs(balls), expected) << spread;
    }
}

TEST(BroadPhase, FindsBallsThatTouchAcrossCellsAndSkipsWhatIsNotFinite) {
  BroadPhase broad;
  std::vector<BoundingBall> row;
  for (int i = 0; i < 9; ++i) row.push_back({{{0.25 * i - 1.0, 0, 0}}, 0.125});  // exact in binary: neighbours touch
  EXPECT_EQ(broad.pairs(row).size(), 8u);
  row[4].center[1] = std::nan("");
  EXPECT_EQ(broad.pairs(row).size(), 6u);
  EXPECT_TRUE(broad.pairs({}).empty());
  const std::vector<BoundingBall> far_away{{{{1e300, 0, 0}}, 1.0}, {{{1e300, 0, 0}}, 1.0}, {{{0, 0, 0}}, 1.0}};
  EXPECT_EQ(broad.pairs(far_away), (std::vector<std::pair<int, int>>{{0, 1}}));
}

TEST(BroadPhase, MeetsBallsWithoutBoundsAndThoseBeyondAllMeasureOneByOne) {
  BroadPhase broad;
  const double endless = std::numeric_limits<double>::infinity();
  for (const double radius : {1e13, 1e200, 1e308, endless}) {
    const std::vector<BoundingBall> balls{{{{0, 0, 0}}, 0.1}, {{{5, 0, 0}}, radius}, {{{9, 0, 0}}, 0.1}, {{{-7, 0, 0}}, radius}};
    EXPECT_EQ(broad.pairs(balls), all_pairs(balls)) << radius;
    EXPECT_EQ(broad.pairs(balls).size(), 5u) << radius;  // all but the two small ones
  }
  const std::vector<BoundingBall> undefined{{{{0, 0, 0}}, std::nan("")}, {{{0, 0, 0}}, 1.0}, {{{0, 0, 0}}, endless}};
  EXPECT_EQ(broad.pairs(undefined), (std::vector<std::pair<int, int>>{{1, 2}}));
}

TEST(BroadPhase, FindsTheNeighboursOfALargePacking) {
  BroadPhase broad;
  std::vector<BoundingBall> grid;
  for (int i = 0; i < 30; ++i)
    for (int j = 0; j < 30; ++j)
      for (int k = 0; k < 30; ++k) grid.push_back({{{0.5 * i, 0.5 * j, 0.5 * k}}, 0.25});
  EXPECT_EQ(broad.pairs(grid).size(), 3u * 29 * 30 * 30);
}

}  // namespace
}  // namespace saltus
