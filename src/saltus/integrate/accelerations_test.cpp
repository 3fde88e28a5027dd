#include "saltus/integrate/accelerations.hpp"

#include <gtest/gtest.h>

#include "saltus/integrate/accelerations_testing.hpp"

namespace saltus {
namespace {
using namespace testing_items;

struct Solved {
  LinearOutcome outcome;
  std::vector<double> y, lambda, rates;
};
Solved solve(const System& s, double t = 0.0) {
  Accelerations accelerations(s);
  Solved r;
  r.y = s.initial_y;
  r.lambda.assign(s.layout.rows, 0.0);
  r.rates.assign(s.layout.unknowns() + 1, 0.0);
  r.outcome = accelerations.solve(t, r.y.data(), s.initial_data.data(), r.lambda.data(), r.rates.data());
  return r;
}

TEST(Accelerations, OfAPendulumFollowItsClosedForm) {
  SystemBuilder b;
  add_pendulum(b, 0.7, 1.3);
  const auto s = b.finish();
  const Solved r = solve(*s);
  ASSERT_TRUE(r.outcome.ok) << r.outcome.cause;
  const double alpha = -9.81 * std::sin(0.7) / (1.0 + 1.0 / 3.0);  // J + m l^2
  EXPECT_NEAR(r.rates[5], alpha, 1e-12);
  // The pin pushes with m (a - g): a = alpha (cos, sin) + w^2 (-sin, cos) at the angle 0.7.
  EXPECT_NEAR(r.lambda[0], alpha * std::cos(0.7) - 1.69 * std::sin(0.7), 1e-11);
  EXPECT_NEAR(r.lambda[1], alpha * std::sin(0.7) + 1.69 * std::cos(0.7) + 9.81, 1e-11);
}

TEST(Accelerations, OfRedundantPinsShareTheReactionEqually) {
  SystemBuilder one, three;
  add_pendulum(one, 0.7, 1.3);
  add_pendulum(three, 0.7, 1.3, 3);
  const auto s1 = one.finish(), s3 = three.finish();
  const Solved r1 = solve(*s1), r3 = solve(*s3);
  ASSERT_TRUE(r3.outcome.ok) << r3.outcome.cause;
  EXPECT_NEAR(r3.rates[5], r1.rates[5], 1e-10);
  // The sum is determined: exact. The shares live in the null space, where rounding counts by the inverse of the solver's
  // regularization: 2e-16 / 1e-8 of the reaction.
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(r3.lambda[i] + r3.lambda[5 + i] + r3.lambda[10 + i], r1.lambda[i], 1e-11);
    for (int pin = 0; pin < 3; ++pin) EXPECT_NEAR(r3.lambda[5 * pin + i], r1.lambda[i] / 3.0, 1e-7);
  }
}

TEST(Accelerations, TakeTheSecondTimeDerivativeOfAPrescribedMotion) {
  SystemBuilder b;
  const int n = b.node("p", NodePoint{});
  b.object("m", point_mass(2.0), {b.marker(n)});
  b.relation("drive", Prescribed{.amplitude = 0.3, .frequency = 4.0}, {b.coordinate(n, 1)}, equality());
  const auto s = b.finish();
  const Solved r = solve(*s, 0.2);
  ASSERT_TRUE(r.outcome.ok) << r.outcome.cause;
  const double a = -0.3 * 16.0 * std::sin(0.8);
  EXPECT_NEAR(r.rates[1], a, 1e-12);
  EXPECT_NEAR(r.lambda[0], 2.0 * a, 1e-12);
}

TEST(Accelerations, SolveNonlinearCompliantRowsForTheirMultiplier) {
  SystemBuilder b;
  const int n = b.node("p", NodePoint{.displacement = {{0.0, -0.5, 0.0}}});
  b.object("m", point_mass(2.0), {b.marker(n)});
  b.relation("soft", Compliant{.compliance = 0.25}, {b.coordinate(n, 1)}, equality());
  const Solved r = solve(*b.finish());
  ASSERT_TRUE(r.outcome.ok) << r.outcome.cause;
  EXPECT_NEAR(r.lambda[0], 1.0, 1e-12);  // 0.25 l (1 + l^2) = 0.5
  EXPECT_NEAR(r.rates[1], 0.5, 1e-12);
}

TEST(Accelerations, FollowANonholonomicRow) {
  SystemBuilder b;
  const int n = b.node("p", NodePoint{.displacement = {{0.5, 0.0, 0.0}}, .velocity = {{2.0, 1.0, 0.0}}});
  b.object("m", point_mass(1.0), {b.marker(n)});
  b.force("push", Oscillator{.amplitude = 3.0}, {b.coordinate(n, 0)});
  b.relation("knife", Knife{}, {b.coordinate(n, 0), b.coordinate(n, 1)}, equality());
  const Solved r = solve(*b.finish());
  ASSERT_TRUE(r.outcome.ok) << r.outcome.cause;
  // a_y = x a_x + v_x^2, a = (3, 0) + lambda (-x, 1).
  EXPECT_NEAR(r.rates[1], 0.5 * r.rates[0] + 4.0, 1e-12);
  EXPECT_NEAR(r.rates[0], 3.0 - 0.5 * r.lambda[0], 1e-12);
  EXPECT_NEAR(r.rates[1], r.lambda[0], 1e-12);
}

TEST(Accelerations, FindAlgebraicUnknownsByNewtonWithJointsBeside) {
  SystemBuilder b;
  add_pendulum(b, 0.7, 1.3);
  const int n = b.node("p", NodePoint{.displacement = {{10.0, 0.0, 0.0}}});
  const int z = b.node("z", NodeAlgebraic{.start = 0.1});
  b.object("m", point_mass(2.0), {b.marker(n)});
  b.force("spring", CubicSpring{.stiffness = 3.0}, {b.coordinate(n, 0), b.coordinate(z, 0)});
  const auto s = b.finish();
  const Solved r = solve(*s);
  ASSERT_TRUE(r.outcome.ok) << r.outcome.cause;
  EXPECT_NEAR(r.y[s->layout.z_begin()], 2.0, 1e-12);  // z + z^3 = 10
  EXPECT_NEAR(r.rates[6], -3.0, 1e-12);
  EXPECT_NEAR(r.rates[5], -9.81 * std::sin(0.7) / (4.0 / 3.0), 1e-12);
}

TEST(Accelerations, NameTheCoordinateWithoutMass) {
  SystemBuilder b;
  const int n = b.node("p", NodePoint{}), bare = b.node("bare", NodePoint{});
  b.object("m", point_mass(2.0), {b.marker(n)});
  b.force("spring", SpringDamper{.stiffness = 1.0}, {b.marker(n), b.marker(bare, {{1.0, 0.0, 0.0}})});
  const Solved r = solve(*b.finish());
  EXPECT_FALSE(r.outcome.ok);
  EXPECT_NE(r.outcome.cause.find("'bare'"), std::string::npos) << r.outcome.cause;
}

TEST(Accelerations, ProjectOntoTheConstraintsInTheMassMetric) {
  SystemBuilder b;
  add_pendulum(b, 0.7, 1.3);
  const auto s = b.finish();
  Accelerations accelerations(*s);
  std::vector<double> y = s->initial_y;
  const std::vector<double> kick = {0.01, -0.02, 0.005, 0.01, 0.02, -0.03};
  s->map.retract(y.data(), kick.data());
  for (int i = 0; i < 6; ++i) y[s->layout.v_begin() + i] += kick[i];
  EXPECT_GT(accelerations.position_violation(0.0, y.data(), nullptr), 1e-3);
  const LinearOutcome position = accelerations.project_position(0.0, y.data(), nullptr, 1e-13);
  ASSERT_TRUE(position.ok) << position.cause;
  EXPECT_LE(accelerations.position_violation(0.0, y.data(), nullptr), 1e-13);
  const std::vector<double> before = y;
  ASSERT_TRUE(accelerations.project_velocity(0.0, y.data(), nullptr).ok);
  EXPECT_LE(accelerations.velocity_violation(0.0, y.data(), nullptr), 1e-13);
  // The change M dv is a reaction: it does no work on a velocity that the pin allows, turning about it.
  const double *q = y.data(), *v = y.data() + s->layout.v_begin(), *v0 = before.data() + s->layout.v_begin();
  const Vec3<double> turn = cross(Vec3<double>{{0.0, 0.0, 1.0}}, Vec3<double>{{q[0], q[1], q[2]}});
  double work = (v[5] - v0[5]) / 3.0;
  for (int i = 0; i < 3; ++i) work += turn[i] * (v[i] - v0[i]);
  EXPECT_NEAR(work, 0.0, 1e-13);
}

}  // namespace
}  // namespace saltus
