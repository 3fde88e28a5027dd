#include "saltus/math/curve.hpp"

#include <gtest/gtest.h>

#include "saltus/base/index.hpp"

namespace saltus {
namespace {

Matrix points_of(std::initializer_list<std::array<double, 3>> list) {
  std::vector<double> values;
  for (const auto& p : list) values.insert(values.end(), p.begin(), p.end());
  return {count_of(list), 3, values};
}
const Matrix open_points = points_of({{0, 0, 0}, {1, 0.3, 0.2}, {2, -0.4, 0.5}, {1, -1.5, 0.1}});

TEST(SplineCurve, HasItsArcLengthAsParameterAndExactDerivatives) {
  using Twice = Dual<1, Dual<1>>;
  for (const bool closed : {false, true}) {
    const SplineCurve curve(open_points, closed);
    for (double s = -1.03; s < curve.length() + 1.0; s += 0.07) {
      Twice x(Dual<1>::variable(s, 0));
      x.d[0] = Dual<1>(1.0);
      const auto c = curve(x), t = curve.tangent(x);
      const double h = 1e-4;
      const Vec3<double> before = curve(s - h), here = curve(s), after = curve(s + h);
      const Vec3<double> slope = curve.tangent(s), slope_before = curve.tangent(s - h), slope_after = curve.tangent(s + h);
      EXPECT_NEAR(norm(slope), 1.0, 1e-14);
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(c[i].d[0].value, slope[i], 1e-12) << s;
        EXPECT_NEAR(c[i].value.d[0], (after[i] - before[i]) / (2 * h), 1e-6) << s;
        EXPECT_NEAR(c[i].d[0].d[0], (after[i] - 2 * here[i] + before[i]) / (h * h), 2e-3) << s;  // the third derivative jumps at nodes
        EXPECT_NEAR(t[i].d[0].value, (slope_after[i] - slope_before[i]) / (2 * h), 2e-3) << s;
      }
    }
  }
}

TEST(SplineCurve, GoesThroughItsPointsAndRepeatsWhereClosed) {
  const SplineCurve open(open_points, false), closed(open_points, true);
  for (int i = 0; i < open.pieces(); ++i)
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(open(open.arc(i))[k], open_points(i, k), 1e-13);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(open(open.length())[k], open_points(3, k), 1e-13);
    EXPECT_NEAR(closed(0.4 + 5 * closed.length())[k], closed(0.4)[k], 1e-12);
    EXPECT_NEAR(closed(0.4 - 3 * closed.length())[k], closed(0.4)[k], 1e-12);
  }
}

TEST(SplineCurve, ComesToTheCircleWithTheFourthPowerOfItsPieces) {
  double error[2];
  for (const int n : {16, 32}) {
    Matrix points{n, 3, std::vector<double>(static_cast<std::size_t>(3 * n))};
    for (int i = 0; i < n; ++i) points(i, 0) = std::cos(2 * M_PI * i / n), points(i, 1) = std::sin(2 * M_PI * i / n);
    error[n == 32] = std::abs(SplineCurve(points, true).length() - 2 * M_PI);
  }
  EXPECT_GT(error[0] / error[1], 12.0);
}

TEST(SplineCurve, FindsThePlaceThatIsNearest) {
  for (const bool closed : {false, true}) {
    const SplineCurve curve(open_points, closed);
    for (const double s : {0.1, 0.37, 0.62, 0.93}) {
      const double at = s * curve.length();
      const Vec3<double> c = curve(at), t = curve.tangent(at), aside = cross(t, Vec3<double>{{0.3, -0.4, 0.86}});
      EXPECT_NEAR(curve.nearest(c + aside * 0.01), at, 1e-9) << s;
    }
  }
  EXPECT_EQ(SplineCurve(points_of({{0, 0, 0}, {1, 0, 0}}), false).nearest({{2, 1, 0}}), 1.0);
}

TEST(SplineCurve, RefusesWhatIsNoCurve) {
  EXPECT_EQ(SplineCurve::wrong(open_points, true), "");
  EXPECT_NE(SplineCurve::wrong(points_of({{1, 2, 3}}), false), "");
  EXPECT_NE(SplineCurve::wrong(points_of({{1, 2, 3}, {1, 2, 3}}), false).find("point 0"), std::string::npos);
  EXPECT_NE(SplineCurve::wrong(points_of({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 0, 0}}), true).find("leave the last one out"), std::string::npos);
}

}  // namespace
}  // namespace saltus
