// The Tait-Bryan angles of a rotation, R = R_x(a) R_y(b) R_z(c): turns about x of A, then y, then z of B. a and c are counted.
#pragma once

#include <algorithm>
#include <cmath>

#include "saltus/math/vec.hpp"
#include "saltus/pool/counted_angle.hpp"

namespace saltus {

/// Remembers the angles and their rates. Singular at b = +-90 degrees, where a and c turn about one axis.
struct SequentialAngles {
  static constexpr int size = 6;

  template <class S, class C>
  static Vec3<S> vector(const Mat3<S>& R, const C& context) {
    using std::asin, std::atan2;
    const double sine = val(R(0, 2));
    Vec3<S> out{{atan2(-1.0 * R(1, 2), R(2, 2)), S(0.0), atan2(-1.0 * R(0, 1), R(0, 0))}};
    // asin is steep next to its ends: there the angle from both sine and cosine.
    using std::sqrt;
    out[1] = std::abs(sine) < 0.7 ? asin(R(0, 2)) : atan2(R(0, 2), sqrt(R(0, 0) * R(0, 0) + R(0, 1) * R(0, 1)));
    if (context.history)
      for (int i = 0; i < 3; i += 2) out[i] = CountedAngle::nearest(out[i], context.history[i] + context.since * context.history[3 + i]);
    return out;
  }
  /// d(angles)/dt = rates(angles) w, w of B against A in axes of B.
  template <class S>
  static Mat3<S> rates(const Vec3<S>& angle) {
    using std::cos, std::sin;
    const S cb = cos(angle[1]), sb = sin(angle[1]), cc = cos(angle[2]), sc = sin(angle[2]);
    Mat3<S> out;
    out(0, 0) = cc / cb, out(0, 1) = -1.0 * sc / cb;
    out(1, 0) = sc, out(1, 1) = cc;
    out(2, 0) = -1.0 * sb * cc / cb, out(2, 1) = sb * sc / cb, out(2, 2) = S(1.0);
    return out;
  }
  template <class C>
  static double remember(const Mat3<double>& R, const Vec3<double>& w, const C& context, double* kept) {
    const Vec3<double> angle = vector(R, context), rate = rates(angle) * w;
    double share = 0.0;
    for (int i = 0; i < 3; ++i) {
      if (context.history) {
        const double straight = context.history[i] + context.since * context.history[3 + i], change = 0.5 * context.since * (rate[i] - context.history[3 + i]);
        if (i != 1) share = std::max({share, std::abs(angle[i] - straight) / (0.375 * CountedAngle::turn), std::abs(angle[i] - straight - change) / (0.25 * CountedAngle::turn)});
      }
      kept[i] = angle[i], kept[3 + i] = rate[i];
    }
    return share;
  }
};

}  // namespace saltus
