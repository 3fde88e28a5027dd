// The geometry of a disc over a plane against a search along its rim.
#include "saltus/items/contacts/disc_on_plane.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "saltus/items/contacts/disc_gap.hpp"

namespace saltus {
namespace {

TEST(DiscOnPlane, TouchesWithTheLowestPointOfItsRim) {
  const DiscOnPlane disc{0.7, 0.1};
  for (int seed = 1; seed < 40; ++seed) {
    const Mat3<double> R = rotation_exp(Vec3<double>{{1.3 * std::sin(seed), 2.0 * std::cos(1.7 * seed), std::sin(3.1 * seed)}});
    const Vec3<double> c = disc.arm(R);
    double lowest = 1.0;
    constexpr int points = 20000;
    for (int i = 0; i < points; ++i) {
      const double a = 2.0 * std::numbers::pi * i / points;
      lowest = std::min(lowest, (R * Vec3<double>{{disc.radius * std::cos(a), disc.radius * std::sin(a), 0.0}})[2] - disc.edge);
    }
    EXPECT_NEAR(c[2], lowest, 1e-7) << seed;
    const Vec3<double> in_disc = transposed_times(R, c + Vec3<double>{{0.0, 0.0, disc.edge}});
    EXPECT_NEAR(in_disc[2], 0.0, 1e-12);  // in the plane of the disc, on its rim
    EXPECT_NEAR(norm(in_disc), disc.radius, 1e-12);
  }
}

TEST(DiscOnPlane, IsASphereWithoutRadiusAndRefusedWhereFlat) {
  const Mat3<double> R = identity<double>();
  EXPECT_EQ((DiscOnPlane{0.0, 0.3}.arm(R)[2]), -0.3);
  EXPECT_TRUE(std::isnan(DiscOnPlane{0.5, 0.0}.arm(R)[2]));
  const FramePair::View<double> flat{{}, R, {}, {}}, upright{{}, rotation_exp(Vec3<double>{{1.0, 0.0, 0.0}}), {}, {}};
  EXPECT_NE((DiscOnPlane{0.5, 0.0}.trouble(flat)), "");
  EXPECT_EQ((DiscOnPlane{0.5, 0.0}.trouble(upright)), "");
  EXPECT_EQ((DiscOnPlane{0.0, 0.5}.trouble(flat)), "");
}

}  // namespace
}  // namespace saltus
