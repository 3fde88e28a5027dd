// Axes of a contact from its normal.
#pragma once

#include <cmath>

#include "saltus/math/dual.hpp"
#include "saltus/math/vec.hpp"

namespace saltus {

/// Right-handed (n, t1, t2), unit vectors.
template <class S>
struct ContactAxes {
  Vec3<S> n, t1, t2;
};

/// Axes whose normal points along d (z where d is zero). The tangents depend on the normal alone (Duff et al. 2017, Building an orthonormal basis,
/// revisited) and jump only at n_z = -0.9: at 0, as there, rounding would turn them about on every upright wall.
template <class S>
ContactAxes<S> contact_axes(const Vec3<S>& d) {
  ContactAxes<S> axes;
  const S length = norm(d);
  axes.n = val(length) > 0.0 ? d * (1.0 / length) : Vec3<S>{{S(0.0), S(0.0), S(1.0)}};
  const Vec3<S>& n = axes.n;
  const double sign = val(n[2]) < -0.9 ? -1.0 : 1.0;
  const S a = -1.0 / (sign + n[2]), b = n[0] * n[1] * a;
  axes.t1 = {{1.0 + sign * (n[0] * n[0] * a), sign * b, -sign * n[0]}};
  axes.t2 = {{b, sign + n[1] * n[1] * a, -n[1]}};
  return axes;
}

/// The same of a d in the x-y plane: t1 = z x n, t2 = z. x where d is zero.
template <class S>
ContactAxes<S> plane_axes(const Vec3<S>& d) {
  using std::sqrt;
  const S across = sqrt(d[0] * d[0] + d[1] * d[1]);
  if (!(val(across) > 0.0)) return {{{S(1.0), S(0.0), S(0.0)}}, {{S(0.0), S(1.0), S(0.0)}}, {{S(0.0), S(0.0), S(1.0)}}};
  ContactAxes<S> axes;
  axes.n = d * (1.0 / norm(d));
  axes.t1 = {{-1.0 * d[1] / across, d[0] / across, S(0.0)}};
  axes.t2 = {{S(0.0), S(0.0), S(1.0)}};
  return axes;
}

}  // namespace saltus
