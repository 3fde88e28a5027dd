// Rotations: unit quaternions (w, x, y, z), Hamilton, R_WB; exponential, logarithm and tangent of SO(3).
#pragma once

#include "saltus/math/dual.hpp"
#include "saltus/math/vec.hpp"

namespace saltus {

template <class S>
using Quaternion = Vec<S, 4>;

template <class S>
Quaternion<S> quaternion_product(const Quaternion<S>& p, const Quaternion<S>& q) {
  return {{p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
           p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]}};
}

template <class S>
Mat3<S> rotation_matrix(const Quaternion<S>& q) {
  const S w = q[0], x = q[1], y = q[2], z = q[3];
  return {{1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),
           2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
           2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)}};
}

/// sin(s)/s, cos(s) and friends as functions of s^2, smooth at 0 to double precision and free of cancellation: forces of stiff beams read them.
template <class S>
S sinc_of_square(const S& s2) {  // sin(s)/s
  using std::sin; using std::sqrt;
  if (val(s2) < 1e-4) return 1.0 - s2 * (1.0 / 6.0) * (1.0 - s2 * (1.0 / 20.0) * (1.0 - s2 * (1.0 / 42.0)));
  const S s = sqrt(s2);
  return sin(s) / s;
}
template <class S>
S cosc_of_square(const S& s2) {  // (1 - cos(s))/s^2 = 2 sin(s/2)^2/s^2
  const S half = sinc_of_square(s2 * 0.25);
  return 0.5 * (half * half);
}
template <class S>
S sinc3_of_square(const S& s2) {  // (s - sin(s))/s^3
  using std::sin; using std::sqrt;
  if (val(s2) < 1e-4) return 1.0 / 6.0 - s2 * (1.0 / 120.0) * (1.0 - s2 * (1.0 / 42.0) * (1.0 - s2 * (1.0 / 72.0)));
  if (val(s2) < 1.0) {
    constexpr double terms[] = {1.0 / 342.0, 1.0 / 272.0, 1.0 / 210.0, 1.0 / 156.0, 1.0 / 110.0, 1.0 / 72.0, 1.0 / 42.0, 1.0 / 20.0};
    S sum(1.0);
    for (const double term : terms) sum = 1.0 - s2 * term * sum;
    return (1.0 / 6.0) * sum;
  }
  const S s = sqrt(s2);
  return (s - sin(s)) / (s2 * s);
}

/// Unit quaternion of the rotation vector (axis times angle, rad).
template <class S>
Quaternion<S> quaternion_exp(const Vec3<S>& rotation_vector) {
  using std::cos; using std::sqrt;
  const S quarter = 0.25 * dot(rotation_vector, rotation_vector);  // (angle/2)^2
  const S k = 0.5 * sinc_of_square(quarter);
  const S c = val(quarter) < 1e-4 ? 1.0 - quarter * 0.5 * (1.0 - quarter * (1.0 / 12.0) * (1.0 - quarter * (1.0 / 30.0)))
                                  : cos(sqrt(quarter));
  return {{c, rotation_vector[0] * k, rotation_vector[1] * k, rotation_vector[2] * k}};
}

/// Exponential map of SO(3): I + sinc skew + cosc skew^2 (Rodrigues).
template <class S>
Mat3<S> rotation_exp(const Vec3<S>& rotation_vector) {
  const S s2 = dot(rotation_vector, rotation_vector);
  const Mat3<S> k = skew(rotation_vector);
  return identity<S>() + k * sinc_of_square(s2) + (k * k) * cosc_of_square(s2);
}

/// Rotation vector of a unit quaternion, angle in [0, pi].
template <class S>
Vec3<S> quaternion_log(const Quaternion<S>& unit) {
  using std::atan2; using std::sqrt;
  const Quaternion<S> q = val(unit[0]) < 0.0 ? -unit : unit;
  const Vec3<S> axis{{q[1], q[2], q[3]}};
  const S n2 = dot(axis, axis);
  if (val(n2) < 1e-12) return axis * (2.0 / q[0] * (1.0 - n2 / (3.0 * q[0] * q[0])));
  const S n = sqrt(n2);
  return axis * (2.0 * atan2(n, q[0]) / n);
}

/// Unit quaternion of a rotation matrix (Shepperd 1978: the largest of the four components first).
template <class S>
Quaternion<S> quaternion_of(const Mat3<S>& R) {
  using std::sqrt;
  const S trace = R(0, 0) + R(1, 1) + R(2, 2);
  if (val(trace) > 0.0) {
    const S s = sqrt(trace + 1.0) * 2.0;
    return {{0.25 * s, (R(2, 1) - R(1, 2)) / s, (R(0, 2) - R(2, 0)) / s, (R(1, 0) - R(0, 1)) / s}};
  }
  int i = 0;
  if (val(R(1, 1)) > val(R(0, 0))) i = 1;
  if (val(R(2, 2)) > val(R(i, i))) i = 2;
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  const S s = sqrt(R(i, i) - R(j, j) - R(k, k) + 1.0) * 2.0;
  Quaternion<S> q;
  q[0] = (R(k, j) - R(j, k)) / s;
  q[1 + i] = 0.25 * s;
  q[1 + j] = (R(j, i) + R(i, j)) / s;
  q[1 + k] = (R(k, i) + R(i, k)) / s;
  return q;
}

/// Right tangent of SO(3): w_body = T(rotation_vector) d(rotation_vector)/dt.
template <class S>
Mat3<S> rotation_tangent(const Vec3<S>& rotation_vector) {
  const S s2 = dot(rotation_vector, rotation_vector);
  const Mat3<S> k = skew(rotation_vector);
  return identity<S>() - k * cosc_of_square(s2) + (k * k) * sinc3_of_square(s2);
}

/// Inverse of the right tangent: I + skew / 2 + c skew^2, c = (1 - s/2 cot(s/2)) / s^2.
template <class S>
Mat3<S> rotation_tangent_inverse(const Vec3<S>& rotation_vector) {
  const S s2 = dot(rotation_vector, rotation_vector), quarter = 0.25 * s2;
  const Mat3<S> k = skew(rotation_vector);
  const S c = val(s2) < 1e-4 ? 1.0 / 12.0 + s2 * (1.0 / 720.0) * (1.0 + s2 * (1.0 / 42.0))
                             : 0.25 * ((cosc_of_square(quarter) - sinc3_of_square(quarter)) / sinc_of_square(quarter));
  return identity<S>() + k * 0.5 + (k * k) * c;
}

template <class S>
Quaternion<S> normalized(const Quaternion<S>& q) { return q * (1.0 / norm(q)); }

/// An orthonormal right-handed basis (columns) whose third column is the unit vector z (Duff et al. 2017).
inline Mat3<double> basis_with_z(const Vec3<double>& z) {
  const double sign = std::copysign(1.0, z[2]);
  const double a = -1.0 / (sign + z[2]), b = z[0] * z[1] * a;
  return {{1.0 + sign * z[0] * z[0] * a, b, z[0], sign * b, sign + z[1] * z[1] * a, z[1], -sign * z[0], -z[1], z[2]}};
}

}  // namespace saltus
