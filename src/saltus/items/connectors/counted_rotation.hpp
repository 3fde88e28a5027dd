// The rotation vector of a rotation beyond half a turn, as one goes on from what is remembered of it.
#pragma once

#include <algorithm>
#include <cmath>

#include "saltus/pool/counted_angle.hpp"
#include "saltus/math/rotation.hpp"
#include "saltus/math/vec.hpp"

namespace saltus {

/// Remembers the rotation vector phi and its rate. R has the rotation vectors (theta + 2 pi k) n, n its axis: the one nearest to
/// phi + rate t is meant. At whole turns but 0 the axis of R is no more that of phi: phi passes them only along a fixed axis, and a
/// step in which it jumps to another is not taken.
struct CountedRotation {
  static constexpr int size = 6;

  template <class S, class C>
  static Vec3<S> vector(const Mat3<S>& R, const C& context) {
    const Quaternion<S> q = quaternion_of(R);
    const Vec3<S> principal = quaternion_log(q);
    if (!context.history) return principal;
    const Vec3<double> to = expected(context);
    using std::sqrt;
    const Vec3<double> plain{{val(principal[0]), val(principal[1]), val(principal[2])}};
    const double angle = norm(plain);
    // Next to a whole turn the direction is that of the way there.
    if (angle < 1e-12) {
      const double length = norm(to), turns = std::round(length / CountedAngle::turn);
      if (turns == 0.0) return principal;
      Vec3<S> phi;
      for (int i = 0; i < 3; ++i) phi[i] = principal[i] + S(to[i] * (CountedAngle::turn * turns / length));
      return phi;
    }
    const double turns = std::round((dot(to, plain) / angle - angle) / CountedAngle::turn);
    if (turns == 0.0) return principal;
    const S length = sqrt(dot(principal, principal));
    return principal * ((length + CountedAngle::turn * turns) / length);
  }
  template <class C>
  static double remember(const Mat3<double>& R, const Vec3<double>& w, const C& context, double* kept) {
    const Vec3<double> phi = vector(R, context), rate = rotation_tangent_inverse(phi) * w;
    double share = 0.0;
    if (context.history) {
      const Vec3<double> before = at(context.history), rate_before = at(context.history + 3);
      const Vec3<double> off = phi - before - rate_before * context.since, change = (rate - rate_before) * (0.5 * context.since);
      share = std::max(norm(off) / (0.375 * CountedAngle::turn), norm(off - change) / (0.25 * CountedAngle::turn));
    }
    for (int i = 0; i < 3; ++i) kept[i] = phi[i], kept[3 + i] = rate[i];
    return share;
  }

  /// The twist of (theta n) about z is within half a turn of theta, with the sign of n_z.
  template <class C>
  static double expected_angle(const C& context) {
    const Vec3<double> phi = expected(context);
    return std::copysign(norm(phi), phi[2]);
  }

 private:
  static Vec3<double> at(const double* x) { return {{x[0], x[1], x[2]}}; }
  template <class C>
  static Vec3<double> expected(const C& context) { return at(context.history) + at(context.history + 3) * context.since; }
};

}  // namespace saltus
