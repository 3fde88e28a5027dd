// When moving shapes meet, against samples of their motion.
#include <gtest/gtest.h>

#include <random>

#include "saltus/collision/advance.hpp"
#include "saltus/collision/queries.hpp"
#include "saltus/math/rotation.hpp"

namespace saltus {
namespace {

const Shape shapes[] = {{ShapeKind::sphere, 0.3}, {ShapeKind::capsule, 0.1, {{0, 0, 0.5}}}, {ShapeKind::box, 0.0, {{0.3, 0.2, 0.02}}}, {ShapeKind::cylinder, 0.3, {{0, 0, 0.05}}}};

TEST(Advance, NoTwoShapesAreNearerBeforeTheyMeet) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto vector = [&](double size) { return Vec3<double>{{size * uniform(random), size * uniform(random), size * uniform(random)}}; };
  int met = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Shape &a = shapes[trial % 4], &b = shapes[(trial / 4) % 4];
    const Moving A{&a, {vector(1.0), rotation_exp(vector(3.0))}, vector(1.0), vector(6.0)};
    Moving B{&b, {vector(1.0), rotation_exp(vector(3.0))}, {}, vector(6.0)};
    B.pose.p[0] += 3.0, B.v = (A.pose.p - B.pose.p) * 1.5 + vector(1.0);
    const double within = 0.01, until = 1.0;
    const Meeting m = meeting(A, B, within, until);
    for (int i = 0; i < 200; ++i) {
      const double t = m.t * i / 200.0;
      ASSERT_GT(nearest_points(a, A.after(t), b, B.after(t)).gap, 0.5 * within - 1e-12) << trial << " at " << t << " of " << m.t;
    }
    if (!(m.t < until)) continue;
    ++met;
    EXPECT_LE(nearest_points(a, A.after(m.t), b, B.after(m.t)).gap, within);
  }
  EXPECT_GT(met, 50);
}

TEST(Advance, SpheresMeetWhereTheirPathsSay) {
  const Shape ball{ShapeKind::sphere, 0.1};
  const Meeting m = meeting({&ball, {}, {{100, 0, 0}}, {{0, 0, 50}}}, {&ball, {{{10.2, 0, 0}}}}, 1e-6, 1.0);
  EXPECT_NEAR(m.t, 0.1, 2e-8);
  EXPECT_NEAR(m.closing, 100.0, 1e-9);  // the spin of a ball moves nothing
  EXPECT_EQ(meeting({&ball, {}, {{100, 0, 0}}}, {&ball, {{{10.2, 0.3, 0}}}}, 1e-6, 1.0).t, 1.0);
}

}  // namespace
}  // namespace saltus
