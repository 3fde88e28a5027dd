#include "saltus/problem/polyhedron.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {
namespace {

// {-1 <= x_i <= 2}: facets by row.
constexpr double box_A[] = {1, 0, 0, 1, -1, 0, 0, -1}, box_a[] = {2, 2, 1, 1};
constexpr Facets box{4, box_A, box_a};
// x_0 <= -1 and -x_0 <= -1: empty.
constexpr double empty_A[] = {1, 0, -1, 0}, empty_a[] = {-1, -1};
constexpr Facets empty{2, empty_A, empty_a};

TEST(Polyhedron, NearestPointOfABoxIsTheClampedOne) {
  std::vector<int> active;
  for (double p = -4.0; p <= 4.0; p += 0.5)
    for (double q = -4.0; q <= 4.0; q += 0.5) {
      const double c[] = {p, q};
      double x[2];
      ASSERT_TRUE(nearest_point(box, 2, 1.0, c, x, active));
      for (int i = 0; i < 2; ++i) EXPECT_NEAR(x[i], std::clamp(c[i], -1.0, 2.0), 1e-14) << p << " " << q;
    }
}

TEST(Polyhedron, NothingIsNearestToAPointThatIsNoNumberOrInAnEmptySet) {
  std::vector<int> active;
  double x[2];
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const double c[] = {0.5, bad};
    EXPECT_FALSE(nearest_point(box, 2, 1.0, c, x, active));
  }
  const double c[] = {0.0, 0.0};
  EXPECT_FALSE(nearest_point(empty, 2, 1.0, c, x, active));
}

TEST(Polyhedron, AContradictionAddsUpToZeroRowsWithNegativeBounds) {
  EXPECT_TRUE(contradiction(box, 2).empty());
  const std::vector<double> y = contradiction(empty, 2);
  ASSERT_EQ(y.size(), 2u);
  EXPECT_GE(std::min(y[0], y[1]), 0.0);
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(y[0] * empty_A[k] + y[1] * empty_A[2 + k], 0.0, 1e-14);
  EXPECT_LT(y[0] * empty_a[0] + y[1] * empty_a[1], 0.0);
  constexpr double unknown[] = {std::numeric_limits<double>::quiet_NaN(), -1};
  EXPECT_TRUE(contradiction({2, empty_A, unknown}, 2).empty());  // no number proves nothing
}

}  // namespace
}  // namespace saltus
