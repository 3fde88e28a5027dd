#include "saltus/collision/contact_frame.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

TEST(ContactFrame, IsARightHandedUnitFrameForAnyNormal) {
  for (int i = 0; i <= 40; ++i)
    for (int j = 0; j < 16; ++j) {
      const double polar = M_PI * i / 40.0, around = M_PI * j / 8.0;
      const ContactAxes<double> a = contact_axes<double>({{std::sin(polar) * std::cos(around), std::sin(polar) * std::sin(around), std::cos(polar)}});
      EXPECT_NEAR(norm(a.t1), 1.0, 1e-14);
      EXPECT_NEAR(dot(a.n, a.t1), 0.0, 1e-14);
      EXPECT_NEAR(norm(cross(a.n, a.t1) - a.t2), 0.0, 1e-14);
    }
}

TEST(ContactFrame, HasTheSameTangentsOnAnUprightWallWhereverRoundingTipsItsNormal) {
  for (int j = 0; j < 16; ++j) {
    const double around = M_PI * j / 8.0, x = std::cos(around), y = std::sin(around);
    const ContactAxes<double> up = contact_axes<double>({{x, y, 1e-17}}), down = contact_axes<double>({{x, y, -1e-17}});
    EXPECT_NEAR(norm(up.t1 - down.t1), 0.0, 1e-15);
    EXPECT_NEAR(norm(up.t2 - down.t2), 0.0, 1e-15);
  }
}

}  // namespace
}  // namespace saltus
