// Contact of a ball or a point with a half-space.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// Half-space z <= 0 of frame A against a sphere about frame B (radius 0: a point, the corner of a box). Rows (n, t1, t2) in
/// the axes of A, n = z; fewer rows leave the last tangents out. Row 0 is the gap; the tangential rows have a rate only, the
/// sliding velocity of B's material point: their h is the position along t, which does not roll. Turns: rows of the angular velocity
/// of B against A behind them, about t1, t2, n; about y, by which B rolls along x, where it is one. They have a rate only, too.
template <int Rows, int Turns = 0>
struct PlaneContact {
  double radius = 0.0;

  using port = FramePair;
  static constexpr int rows = Rows + Turns, sliding = Rows - 1;
  static constexpr std::string_view name = Turns == 3   ? "plane_rolling_contact"
                                           : Turns == 1 ? "plane_rolling_contact_2d"
                                           : Rows == 3  ? "plane_contact"
                                           : Rows == 2  ? "plane_contact_2d"
                                                        : "plane_gap";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "plane|radius";
  static constexpr std::string_view doc = Turns == 3   ? "Contact of a sphere B with the plane z = 0 of A, rows (n, t1, t2, roll about t1, t2, spin about n)."
                                          : Turns == 1 ? "Contact of a disc B with the plane z = 0 of A, rows (n, t along x, roll about y)."
                                          : Rows == 3  ? "Contact of a sphere or point B with the plane z = 0 of A, rows (n, t1, t2)."
                                          : Rows == 2  ? "Contact of a sphere or point B with the plane z = 0 of A, rows (n, t along x)."
                                                       : "Gap between a sphere or point B and the plane z = 0 of A, without friction.";
  static constexpr auto fields() {
    return std::tuple{field("radius", &PlaneContact::radius, "m", "radius of the sphere about B; 0: a point", at_least(0.0))};
  }
  template <class S>
  Vec<S, rows> h(const FramePair::View<S>& r, const Context<S, rows>&) const {
    Vec<S, rows> y;
    y[0] = r.p[2] - radius;
    for (int i = 1; i < Rows; ++i) y[i] = r.p[i - 1];
    return y;
  }
  /// u = v + R w x (-radius n) and R w, in axes of A.
  template <class S>
  Mat<S, rows, 6> jacobian(const FramePair::View<S>& r, const Context<S, rows>&) const {
    Mat<S, rows, 6> H;
    H(0, 2) = S(1.0);
    for (int i = 1; i < Rows; ++i) {
      H(i, i - 1) = S(1.0);
      // t . (R w x c) = (R^T (c x t)) . w with c = -radius z: c x e_x = -radius e_y, c x e_y = radius e_x
      for (int k = 0; k < 3; ++k) H(i, 3 + k) = i == 1 ? r.R(1, k) * -radius : r.R(0, k) * radius;
    }
    for (int i = 0; i < Turns; ++i)
      for (int k = 0; k < 3; ++k) H(Rows + i, 3 + k) = r.R(Turns == 1 ? 1 : i, k);
    return H;
  }
};

}  // namespace saltus
