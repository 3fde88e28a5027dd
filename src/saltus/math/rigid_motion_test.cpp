#include "saltus/math/rigid_motion.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

const Vec6<double> twists[] = {{{0.3, -0.7, 0.2, 1.1, 0.4, -0.8}}, {{1.0, 2.0, -0.5, 2e-3, -1e-3, 3e-3}}, {{0.4, 0.1, 0.9, 6e-3, 7e-3, 4e-3}}, {{1.0, 0.0, 0.0, 0.0, 0.0, 0.0}}, {{0.2, 0.3, 0.4, -1.9, 1.7, 1.2}}};

TEST(RigidMotion, LogarithmUndoesTheExponential) {
  for (const Vec6<double>& d : twists) {
    const Vec6<double> back = motion_log(motion_exp(d));
    for (int i = 0; i < 6; ++i) EXPECT_NEAR(back[i], d[i], 1e-14);
  }
}

TEST(RigidMotion, AScrewOfConstantCurvatureIsAnArc) {
  const double angle = 1.2;
  const RigidMotion<double> x = motion_exp(Vec6<double>{{1.0, 0.0, 0.0, 0.0, 0.0, angle}});
  EXPECT_NEAR(x.p[0], std::sin(angle) / angle, 1e-15);
  EXPECT_NEAR(x.p[1], (1.0 - std::cos(angle)) / angle, 1e-15);
}

TEST(RigidMotion, TangentIsTheDerivativeOfTheExponential) {
  const double h = 1e-6;
  for (const Vec6<double>& d : twists) {
    const RigidMotion<double> x = motion_exp(d);
    const Mat6<double> T = motion_tangent(d), one = T * motion_tangent_inverse(d);
    for (int j = 0; j < 6; ++j) {
      Vec6<double> step;
      step[j] = h;
      const Vec6<double> plus = motion_log(between(x, motion_exp(d + step))), minus = motion_log(between(x, motion_exp(d - step)));
      for (int i = 0; i < 6; ++i) {
        EXPECT_NEAR(T(i, j), (plus[i] - minus[i]) / (2 * h), 1e-9);
        EXPECT_NEAR(one(i, j), i == j ? 1.0 : 0.0, 1e-13);
      }
    }
  }
}

/// T(d) delta after exp(d) is T(-d) delta before it.
TEST(RigidMotion, TwistMapTakesTheLeftTangentToTheRight) {
  for (const Vec6<double>& d : twists) {
    const Mat6<double> inverse = motion_tangent_inverse(-d), turned = opposite(motion_tangent_inverse(d));
    for (std::size_t i = 0; i < 36; ++i) EXPECT_NEAR(inverse.a[i], turned.a[i], 1e-14);
    const Mat6<double> right = motion_tangent(d), left = twist_map(motion_exp(d)) * motion_tangent(-d);
    for (int i = 0; i < 36; ++i) EXPECT_NEAR(right.a[i], left.a[i], 1e-13);
  }
}

}  // namespace
}  // namespace saltus
