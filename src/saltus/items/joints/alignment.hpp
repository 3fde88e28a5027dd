// Rows of joints that align axes, with the derivative by the rotation of B in its own axes: d(R) = R skew(theta).
#pragma once

#include "saltus/math/rotation.hpp"
#include "saltus/math/vec.hpp"

namespace saltus::alignment {

/// H row of component (i, j) of R_AB in the columns 3..5 of `row`: d(R e_j) = R (theta x e_j).
template <class S, int Rows>
void component_row(const Mat3<S>& R, int i, int j, Mat<S, Rows, 6>& H, int row) {
  const int k = (j + 1) % 3, l = (j + 2) % 3;  // theta x e_j = theta_l e_k - theta_k e_l
  H(row, 3 + l) = R(i, k);
  H(row, 3 + k) = -R(i, l);
}

/// K += lambda d(component_row)/d(theta), (a . e_j) = R_ij with a = R^T e_i: a e_j^T - R_ij I on the rotations.
inline void add_component_stiffness(const Mat3<double>& R, int i, int j, double lambda, Mat6<double>& K) {
  for (int t = 0; t < 3; ++t) K(3 + t, 3 + j) += lambda * R(i, t), K(3 + t, 3 + t) -= lambda * R(i, j);
}

/// Twice the vector part of the quaternion of R, angle below half a turn: about the rotation vector where it is small, zero only
/// where the frames are parallel, regular up to half a turn.
template <class S>
Vec3<S> lock(const Mat3<S>& R) {
  const Quaternion<S> q = quaternion_of(R);
  const double sign = val(q[0]) < 0.0 ? -2.0 : 2.0;
  return {{sign * q[1], sign * q[2], sign * q[3]}};
}
/// H of the three rows: d(2 v) = (w I + [v]x) theta, q = (w, v) and q <- q (1, theta / 2).
template <class S, int Rows>
void lock_rows(const Mat3<S>& R, Mat<S, Rows, 6>& H, int row) {
  const Quaternion<S> q = quaternion_of(R);
  const double sign = val(q[0]) < 0.0 ? -1.0 : 1.0;
  const Mat3<S> v = skew(Vec3<S>{{sign * q[1], sign * q[2], sign * q[3]}});
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) H(row + i, 3 + j) = (i == j ? sign * q[0] : S(0.0)) + v(i, j);
}

/// Angle about z of the part of R_AB that is not swing, in (-pi, pi]; the angle of a revolute joint up to whole turns
/// (joint_motion.hpp counts them). Singular where the z axes are opposite.
template <class S>
S twist(const Mat3<S>& R) {
  using std::atan2;
  return atan2(R(1, 0) - R(0, 1), R(0, 0) + R(1, 1));
}
/// Its derivative by the rotation of B in its own axes: twist rate = gradient . w. (0, 0, 1) where the z axes agree.
template <class S>
Vec3<S> twist_gradient(const Mat3<S>& R) {
  const S s = R(1, 0) - R(0, 1), c = R(0, 0) + R(1, 1);
  const S inverse = 1.0 / (s * s + c * c);
  return {{-(c * R(0, 2) + s * R(1, 2)) * inverse, (s * R(0, 2) - c * R(1, 2)) * inverse, S(1.0)}};
}
/// d(twist_gradient)/d(theta), row i of its component i.
inline Mat3<double> twist_turning(const Mat3<double>& R) {
  const double s = R(1, 0) - R(0, 1), c = R(0, 0) + R(1, 1), a = R(0, 2), b = R(1, 2), inverse = 1.0 / (s * s + c * c);
  const Vec3<double> g = twist_gradient(R);
  const Vec3<double> da{{-R(0, 1), R(0, 0), 0.0}}, db{{-R(1, 1), R(1, 0), 0.0}}, ds{{-a, -b, c}}, dc{{b, -a, -s}};
  Mat3<double> out;
  for (int j = 0; j < 3; ++j) {
    const double size = 2.0 * (s * ds[j] + c * dc[j]);
    out(0, j) = -(dc[j] * a + c * da[j] + ds[j] * b + s * db[j] + g[0] * size) * inverse;
    out(1, j) = (ds[j] * a + s * da[j] - dc[j] * b - c * db[j] - g[1] * size) * inverse;
  }
  return out;
}

}  // namespace saltus::alignment
