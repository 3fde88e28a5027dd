#include "saltus/math/taylor.hpp"

#include <gtest/gtest.h>

#include "saltus/math/rotation.hpp"

namespace saltus {
namespace {

TEST(Taylor2, AgreesWithNestedDualsOnRotationKernels) {
  using Nested = Dual<1, Dual<1>>;
  const Vec3<double> p{{0.3, -0.8, 0.5}}, v{{1.1, 0.4, -0.7}}, a{{-0.2, 0.9, 0.6}};
  Vec3<Taylor2<>> path;
  Vec3<Nested> nested;  // p + v s + a s^2 / 2 with s = e1 + e2 (s^2 = 2 e1 e2)
  for (int i = 0; i < 3; ++i) {
    path[i] = {p[i], v[i], a[i]};
    nested[i] = Nested(Dual<1>(p[i], {v[i]}), {Dual<1>(v[i], {a[i]})});
  }
  auto kernel = [](const auto& x) {
    const auto R = rotation_exp(x);
    return R(0, 1) * norm(x) + dot(quaternion_log(quaternion_of(R)), x) / (1.0 + R(2, 2) * R(2, 2));
  };
  const Taylor2<> y = kernel(path);
  const Nested z = kernel(nested);
  EXPECT_NEAR(y.value, val(z), 1e-15);
  EXPECT_NEAR(y.first, z.d[0].value, 1e-13);
  EXPECT_NEAR(y.second, z.d[0].d[0], 1e-12);
}

TEST(Taylor2, GivesTheCentripetalAccelerationOfASpinningPoint) {
  const double w = 3.0;
  const Vec3<Taylor2<>> angle{{Taylor2<>(0.0), Taylor2<>(0.0), Taylor2<>(0.4, w, 0.0)}};
  const Vec3<Taylor2<>> r{{Taylor2<>(2.0), Taylor2<>(0.0), Taylor2<>(0.0)}};
  const Vec3<Taylor2<>> x = rotation_exp(angle) * r;
  EXPECT_NEAR(x[0].second, -w * w * 2.0 * std::cos(0.4), 1e-13);
  EXPECT_NEAR(x[1].second, -w * w * 2.0 * std::sin(0.4), 1e-13);
  EXPECT_NEAR(x[1].first, w * 2.0 * std::cos(0.4), 1e-14);
}

TEST(Taylor2, DifferentiatesQuotientsAndAtan2Twice) {
  // angle of (1 + s, s^2) at s = 1, against the closed form of atan(s^2 / (1 + s)).
  const Taylor2<> s(1.0, 1.0, 0.0);
  const Taylor2<> by_atan2 = atan2(s * s, 1.0 + s), by_atan = atan(s * s / (1.0 + s));
  EXPECT_NEAR(by_atan2.first, by_atan.first, 1e-15);
  EXPECT_NEAR(by_atan2.second, by_atan.second, 1e-15);
  EXPECT_NEAR((1.0 / s).second, 2.0, 1e-15);
}

}  // namespace
}  // namespace saltus
