// Rigid motions, SE(3): exponential, logarithm and tangent. A vector of six is (translation, rotation), both in the axes of the frame that moves.
#pragma once

#include "saltus/math/rotation.hpp"

namespace saltus {

/// A frame against another: its origin p and its axes R.
template <class S>
struct RigidMotion {
  Vec3<S> p;
  Mat3<S> R = identity<S>();

  friend RigidMotion operator*(const RigidMotion& a, const RigidMotion& b) { return {a.p + a.R * b.p, a.R * b.R}; }
  /// The frame b as seen from a.
  friend RigidMotion between(const RigidMotion& a, const RigidMotion& b) { return {transposed_times(a.R, b.p - a.p), transposed_times(a.R, b.R)}; }
};

/// The screw of unit duration with the constant twist d: p = T(phi)^T u, T the right tangent of SO(3).
template <class S>
RigidMotion<S> motion_exp(const Vec6<S>& d) {
  const Vec3<S> u{{d[0], d[1], d[2]}}, phi{{d[3], d[4], d[5]}};
  return {transposed_times(rotation_tangent(phi), u), rotation_exp(phi)};
}

/// Its twist, turned by less than half a turn.
template <class S>
Vec6<S> motion_log(const RigidMotion<S>& x) {
  const Vec3<S> phi = quaternion_log(quaternion_of(x.R)), u = transposed_times(rotation_tangent_inverse(phi), x.p);
  return {{u[0], u[1], u[2], phi[0], phi[1], phi[2]}};
}

namespace detail {
/// The map of SE(3) whose like on SO(3) is f: that of the dual vector phi + e u, e^2 = 0 (Study's principle of transference).
template <class S, class F>
Mat6<S> transferred(const Vec6<S>& d, const F& f) {
  Vec3<Dual<1, S>> x;
  for (int i = 0; i < 3; ++i) x[i].value = d[3 + i], x[i].d[0] = d[i];
  const Mat3<Dual<1, S>> m = f(x);
  Mat6<S> out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out(i, j) = out(3 + i, 3 + j) = m(i, j).value, out(i, 3 + j) = m(i, j).d[0];
  return out;
}
}  // namespace detail

/// Right tangent T: exp(d + delta) = exp(d) exp(T delta) to first order.
template <class S>
Mat6<S> motion_tangent(const Vec6<S>& d) {
  return detail::transferred(d, [](const auto& x) { return rotation_tangent(x); });
}
template <class S>
Mat6<S> motion_tangent_inverse(const Vec6<S>& d) {
  return detail::transferred(d, [](const auto& x) { return rotation_tangent_inverse(x); });
}

/// Of a map of d made by either, the one of -d: a rotation's is its transpose.
template <class S>
Mat6<S> opposite(const Mat6<S>& map) {
  Mat6<S> out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out(i, j) = out(3 + i, 3 + j) = map(j, i), out(i, 3 + j) = map(j, 3 + i);
  return out;
}

/// Takes a twist in the axes of frame A to one in those of B, x = B as seen from A, for a body that holds both: v_B = R^T (v - p x w), w_B = R^T w.
template <class S>
Mat6<S> twist_map(const RigidMotion<S>& x) {
  const Mat3<S> turn = transposed(x.R), swing = turn * skew(x.p);
  Mat6<S> out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out(i, j) = out(3 + i, 3 + j) = turn(i, j), out(i, 3 + j) = -swing(i, j);
  return out;
}

}  // namespace saltus
