// The geometry of a disc on a kerb against a search along its rim.
#include "saltus/items/contacts/disc_on_outline.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "saltus/items/contacts/disc_outline_contact.hpp"

namespace saltus {
namespace {
using Contact = DiscOutlineContact3d;

Contact kerb(double radius, double edge) {
  Contact c;
  c.radius = radius, c.edge = edge, c.rounding = 0.03;
  c.points = {3, 2, {0.0, 0.0, 0.0, 0.12, 1.0, 0.12}};
  EXPECT_EQ(c.invalid(), "");
  return c;
}
/// Distance of (x, z) from the kerb.
double outside(double x, double z, double rounding) {
  const double dx = x - rounding, dz = z - (0.12 - rounding);  // from the centre of the corner
  if (dx < 0.0 && dz > 0.0) return std::hypot(dx, dz) - rounding;
  return std::max(-x, z - 0.12);
}

TEST(DiscOnOutline, TouchesWithTheNearestPointOfItsRim) {
  const Contact c = kerb(0.3, 0.02);
  for (int seed = 1; seed < 60; ++seed) {
    const Mat3<double> R = rotation_exp(Vec3<double>{{1.5 + 0.4 * std::sin(seed), 0.4 * std::cos(1.7 * seed), 0.5 * std::sin(3.1 * seed)}});
    const FramePair::View<double> r{{{-0.34 + 0.5 * std::abs(std::sin(0.7 * seed)), 0.3, 0.32 + 0.15 * std::sin(2.3 * seed)}}, R, {}, {}};
    double least = 1e9;
    constexpr int points = 40000;
    for (int i = 0; i < points; ++i) {
      const double a = 2.0 * std::numbers::pi * i / points;
      const Vec3<double> p = r.p + R * Vec3<double>{{0.3 * std::cos(a), 0.3 * std::sin(a), 0.0}};
      least = std::min(least, outside(p[0], p[2], 0.03) - 0.02);
    }
    if (least > -0.02) {
      EXPECT_NEAR(c.nearest(r).gap, least, 1e-7) << seed;
    }
  }
}

TEST(DiscOnOutline, TheGapGoesWithTheMaterialPoint) {
  const Contact c = kerb(0.3, 0.02);
  const FramePair::View<double> r{{{-0.2, 0.1, 0.35}}, rotation_exp(Vec3<double>{{1.4, 0.2, -0.1}}), {}, {}};
  const auto H = c.jacobian(r, Context<double, 3>{});
  constexpr double h = 1e-6;
  for (int j = 0; j < 6; ++j) {
    const auto moved = [&](double by) {
      auto out = r;
      Vec3<double> turn{};
      if (j < 3) out.p[j] += by;
      else turn[j - 3] = by;
      out.R = out.R * rotation_exp(turn);
      return c.nearest(out).gap;
    };
    EXPECT_NEAR(H(0, j), (moved(h) - moved(-h)) / (2 * h), 1e-8) << j;
  }
}

TEST(DiscOnOutline, FallsOnWhileTheDiscEntersTheKerb) {
  const Contact c = kerb(0.3, 0.0);
  double before = 1.0;
  for (double x = -0.4; x < -0.05; x += 0.001) {
    const double gap = c.nearest(FramePair::View<double>{{{x, 0.0, 0.3}}, rotation_exp(Vec3<double>{{0.5 * std::numbers::pi, 0.0, 0.0}}), {}, {}}).gap;
    EXPECT_LT(gap, before) << x;
    EXPECT_LT(before - gap, 0.01 + (before == 1.0)) << x;
    before = gap;
  }
  EXPECT_LT(before, -0.05);
}

TEST(DiscOnOutline, SaysWhatIsNoGround) {
  Contact c = kerb(0.3, 0.0);
  c.points = {3, 2, {0.0, 0.0, 1.0, 0.0, 1.0, 1.0}};
  EXPECT_NE(c.invalid().find("does not turn down at corner 1"), std::string::npos);
  c.points = {4, 2, {0.0, 0.0, 0.0, 0.1, 0.02, 0.1, 0.02, 0.0}};
  EXPECT_NE(c.invalid().find("shorter than its `rounding`"), std::string::npos);
  c.points = {3, 2, {0.0, 0.0, 0.0, 0.12, 1.0, 0.12}}, c.rounding = 0.0;
  EXPECT_NE(c.invalid().find("sharp"), std::string::npos);
}

}  // namespace
}  // namespace saltus
