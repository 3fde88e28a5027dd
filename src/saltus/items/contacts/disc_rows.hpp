// Contact of the rim of a disc with a half-space.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/contacts/disc_on_plane.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// Half-space z <= 0 of frame A against a disc about z of B (disc_on_plane.hpp). Rows (n, t1, t2) in the axes of A, n = z; row 0 is the
/// gap, the others have a rate only, the sliding velocity of the disc's material point at the lowest point. Turns: rows of the angular velocity of
/// B against A behind them, about t1, t2, n.
template <int Rows, int Turns = 0>
struct DiscContact {
  double radius = 0.0, edge = 0.0;

  using port = FramePair;
  static constexpr int rows = Rows + Turns, sliding = Rows - 1;
  static constexpr std::string_view name = Turns == 3 ? "disc_rolling_contact" : Rows == 3 ? "disc_contact" : "disc_gap";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = Turns == 3  ? "Contact of the rim of a disc about z of B with the plane z = 0 of A, rows (n, t1, t2, roll about t1, t2, spin about n)."
                                          : Rows == 3 ? "Contact of the rim of a disc about z of B with the plane z = 0 of A, rows (n, t1, t2)."
                                                      : "Gap between the rim of a disc about z of B and the plane z = 0 of A, without friction.";
  static constexpr auto fields() {
    return std::tuple{field("radius", &DiscContact::radius, "m", "radius of the disc; 0: a sphere of radius `edge`", at_least(0.0)),
                      field("edge", &DiscContact::edge, "m", "radius of the rounding of the rim, added to `radius`", at_least(0.0))};
  }
  std::string trouble(const FramePair::View<double>& r) const { return disc().trouble(r); }

  template <class S>
  Vec<S, rows> h(const FramePair::View<S>& r, const Context<S, rows>&) const {
    Vec<S, rows> y;
    y[0] = r.p[2] + disc().arm(r.R)[2];
    return y;
  }
  template <class S>
  Mat<S, rows, 6> jacobian(const FramePair::View<S>& r, const Context<S, rows>&) const {
    static constexpr int along[] = {2, 0, 1};  // n, t1, t2
    const Vec3<S> c = disc().arm(r.R);
    Mat<S, rows, 6> H;
    for (int i = 0; i < Rows; ++i) DiscOnPlane::velocity_row(r.R, c, along[i], H, i);
    for (int i = 0; i < Turns; ++i)
      for (int k = 0; k < 3; ++k) H(Rows + i, 3 + k) = r.R(i, k);
    return H;
  }

 private:
  DiscOnPlane disc() const { return {radius, edge}; }
};

}  // namespace saltus
