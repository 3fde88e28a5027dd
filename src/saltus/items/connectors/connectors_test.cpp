// Closed forms of the connectors.
#include <gtest/gtest.h>

#include "saltus/items/connectors/bushing.hpp"
#include "saltus/items/connectors/user_spring.hpp"

namespace saltus {
namespace {

FramePair::View<double> turned(const Vec3<double>& rotation, const Vec3<double>& w = {}) {
  return {{}, rotation_exp(rotation), {}, w};
}

TEST(Bushing, TurnsItsTorqueWithTheRotationVector) {
  // Isotropic stiffness k: energy k |phi|^2 / 2, torque k phi on B in the axes of B (and of A: phi is the axis).
  Bushing bushing;
  for (int i = 3; i < 6; ++i) bushing.stiffness(i, i) = 4.0;
  const Vec3<double> phi{{0.8, -1.1, 0.6}};
  const auto f = bushing.lhs(turned(phi), Context<double>{});
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(f[3 + i], 4.0 * phi[i], 1e-13);
}

TEST(Bushing, RefusesMatricesThatGiveEnergy) {
  Bushing b;
  EXPECT_EQ(b.invalid(), "");
  b.damping(2, 2) = -1.0;
  EXPECT_NE(b.invalid().find("damping"), std::string::npos);
  b.damping(2, 2) = 1.0, b.stiffness(0, 1) = 1.0;
  EXPECT_NE(b.invalid().find("stiffness"), std::string::npos);  // not symmetric
  b.stiffness(1, 0) = 1.0;
  EXPECT_NE(b.invalid().find("stiffness"), std::string::npos);  // indefinite: zero diagonal
  b.stiffness(0, 0) = b.stiffness(1, 1) = 1.0;
  EXPECT_EQ(b.invalid(), "");  // rank 1
  b.stiffness = {3, 3, std::vector<double>(9)};
  EXPECT_NE(b.invalid().find("3 x 3"), std::string::npos);
}

TEST(UserSpring, PullsByItsFormula) {
  Faults faults;
  UserSpring spring{.tension = Function::parse({"3*(L - 1) + 2*dL + t"}, {"t", "L", "dL"}, {}, {}, "tension", faults)};
  ASSERT_EQ(faults.errors(), 0);
  Context<double> context;
  context.t = 0.5;
  const auto f = spring.lhs(PointPair::View<double>{{{3, 4, 0}}, {{5, 0, 0}}}, context);  // L = 5, dL = 3
  EXPECT_NEAR(f[0], (3.0 * 4.0 + 2.0 * 3.0 + 0.5) * 0.6, 1e-14);
  EXPECT_NEAR(f[1], (3.0 * 4.0 + 2.0 * 3.0 + 0.5) * 0.8, 1e-14);
}

}  // namespace
}  // namespace saltus
