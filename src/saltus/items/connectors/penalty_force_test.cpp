// Normal forces of penalty contacts: their derivatives, and the closed forms of adhesion.
#include "saltus/items/connectors/penalty_spheres.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace saltus {
namespace {

PenaltyForce force(const std::string& model) {
  PenaltyForce f;
  f.stiffness = 1e6, f.damping = 30.0, f.model = model;
  if (model == "dmt" || model == "jkr") f.adhesion = 2.0;
  if (model == "walton_braun") f.unloading = 3e6, f.cohesion = 2e5;
  if (model == "hunt_crossley" || model == "lankarani_nikravesh" || model == "flores") f.restitution = 0.7;
  (void)f.invalid();  // it learns its model
  return f;
}

TEST(PenaltyForce, DifferentiatesExactlyInEveryState) {
  const double kept[] = {2e-3, 0.4};  // deepest place, impact speed, or a neck; rate
  Context<double> c;
  c.history = kept, c.since = 1e-3;
  Context<Dual<2>> cd;
  cd.history = kept, cd.since = 1e-3;
  for (const char* model : {"hertz", "hunt_crossley", "lankarani_nikravesh", "flores", "walton_braun", "dmt", "jkr"}) {
    PenaltyForce f = force(model);
    EXPECT_EQ(f.invalid(), "") << model;
    for (const double d : {-2e-5, 1e-4, 8e-4, 1.7e-3, 3e-3}) {
      const double v = 0.1, h = 1e-8;
      const Dual<2> found = f.normal(Dual<2>::variable(d, 0), Dual<2>::variable(v, 1), 0.05, cd);
      const auto at = [&](double depth, double rate) { return f.normal(depth, rate, 0.05, c); };
      EXPECT_DOUBLE_EQ(found.value, at(d, v));
      EXPECT_NEAR(found.d[0], (at(d + h, v) - at(d - h, v)) / (2 * h), 1e-5 * (1e3 + std::abs(found.d[0]))) << model << " at " << d;
      EXPECT_NEAR(found.d[1], (at(d, v + 1e-6) - at(d, v - 1e-6)) / 2e-6, 1e-5 * (1.0 + std::abs(found.d[1]))) << model << " at " << d;
    }
  }
}

TEST(PenaltyForce, OfJohnsonKendallRobertsIsZeroWhereTheyFindIt) {
  // Without load a^3 = 9 pi w R^2 / (2 E*) * ... : F = 0 at a^3 = 9 pi w R^2 / (2 E*), d = a^2 / (3 R).
  PenaltyForce f = force("jkr");
  f.damping = 0.0;
  const double R = 0.05, E = 0.75 * f.stiffness / std::sqrt(R), a = std::cbrt(9.0 * std::numbers::pi * f.adhesion * R * R / (2.0 * E));
  const double pull = 1.5 * std::numbers::pi * f.adhesion * R;
  EXPECT_NEAR(f.normal(a * a / (3.0 * R), 0.0, R, Context<double>{}), 0.0, 1e-9 * pull);
  EXPECT_NEAR(f.normal(0.0, 0.0, R, Context<double>{}), -8.0 / 9.0 * pull, 1e-9 * pull);  // as they touch
  const double kept[] = {1.0, 0.0};
  Context<double> held;
  held.history = kept;
  const double neck = std::cbrt(std::numbers::pi * f.adhesion * R * R / (8.0 * E)), broken = -3.0 * neck * neck / R;
  EXPECT_NEAR(f.normal(0.999999 * broken, 0.0, R, held), -5.0 / 9.0 * pull, 1e-2 * pull);  // with given places, not forces
  EXPECT_EQ(f.normal(1.000001 * broken, 0.0, R, held), 0.0);
  EXPECT_EQ(f.normal(-1e-9, 0.0, R, Context<double>{}), 0.0);  // not yet touched
}

TEST(PenaltyForce, OfYieldingSpheresIsALoop) {
  PenaltyForce f = force("walton_braun");
  f.damping = 0.0, f.cohesion = 0.0;
  const double kept[] = {1e-3, 0.0};
  Context<double> c;
  c.history = kept;
  EXPECT_DOUBLE_EQ(f.normal(1.2e-3, 0.0, 0.05, c), 1200.0);          // on
  EXPECT_NEAR(f.normal(1e-3, 0.0, 0.05, c), 1000.0, 1e-9);           // from the deepest place
  EXPECT_NEAR(f.normal(0.8e-3, 0.0, 0.05, c), 400.0, 1e-9);          // back by the stiffer spring
  EXPECT_NEAR(f.normal(0.5e-3, 0.0, 0.05, c), 0.0, 1e-9);            // a dent of 2/3 mm stays
  double next[2];
  EXPECT_EQ(f.remember(0.4e-3, 0.0, 0.05, c, next), 0.0);
  EXPECT_DOUBLE_EQ(next[0], 1e-3);
  EXPECT_EQ(f.remember(-1e-9, 0.0, 0.05, c, next), 0.0);
  EXPECT_EQ(next[0], 0.0);  // apart: the next touch is at another place
}

}  // namespace
}  // namespace saltus
