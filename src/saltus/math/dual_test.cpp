#include "saltus/math/dual.hpp"

#include <gtest/gtest.h>

#include "saltus/math/rotation.hpp"

namespace saltus {
namespace {

TEST(Dual, NestedGivesTheSecondDerivative) {
  using Inner = Dual<1>;
  using Outer = Dual<1, Inner>;
  const double x0 = 0.7;
  Outer x(Inner::variable(x0, 0));
  x.d[0] = Inner(1.0);
  const Outer f = sin(x) * exp(x) / sqrt(x);
  auto exact = [](double t) { return std::sin(t) * std::exp(t) / std::sqrt(t); };
  const double h = 1e-4;
  EXPECT_NEAR(f.d[0].d[0], (exact(x0 + h) - 2 * exact(x0) + exact(x0 - h)) / (h * h), 1e-6);
}

TEST(Rotation, TangentIsTheDerivativeOfTheExponential) {
  const Vec3<double> phi{{0.3, -1.1, 0.6}}, rate{{0.2, 0.5, -0.4}};
  Vec3<Dual<1>> moved;
  for (int i = 0; i < 3; ++i) moved[i] = Dual<1>(phi[i], {rate[i]});
  const Mat3<Dual<1>> R = rotation_exp(moved);
  Mat3<double> R0, dR;
  for (int i = 0; i < 9; ++i) R0.a[i] = R.a[i].value, dR.a[i] = R.a[i].d[0];
  const Mat3<double> w_hat = transposed(R0) * dR;  // = skew of the body angular velocity
  const Vec3<double> w = rotation_tangent(phi) * rate;
  EXPECT_NEAR(w_hat(2, 1), w[0], 1e-14);
  EXPECT_NEAR(w_hat(0, 2), w[1], 1e-14);
  EXPECT_NEAR(w_hat(1, 0), w[2], 1e-14);
  const Vec3<double> back = rotation_tangent_inverse(phi) * w;
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(back[i], rate[i], 1e-14);
}

TEST(Rotation, LogarithmInvertsTheExponentialFromTinyToNearlyPi) {
  for (double angle : {1e-9, 1e-5, 0.3, 2.0, 3.1}) {
    const Vec3<double> phi{{angle * 0.6, 0.0, angle * 0.8}};
    const Vec3<double> back = quaternion_log(quaternion_exp(phi));
    const Vec3<double> by_matrix = quaternion_log(quaternion_of(rotation_exp(phi)));
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(back[i], phi[i], 1e-15 + 1e-14 * angle);
      EXPECT_NEAR(by_matrix[i], phi[i], 1e-14);
    }
  }
}

}  // namespace
}  // namespace saltus
