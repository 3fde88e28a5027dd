// Contact of the rim of a disc with ground that has an outline: a kerb, a step, a sill.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/contacts/disc_on_outline.hpp"
#include "saltus/items/contacts/disc_on_plane.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// Rows (n, t1, t2), n out of the ground, t2 = y of A, t1 = y x n; otherwise as on a plane (disc_rows.hpp).
template <int Rows, int Turns = 0>
struct DiscOutlineContact : DiscOnOutline {
  using port = FramePair;
  static constexpr int rows = Rows + Turns, sliding = Rows - 1;
  static constexpr std::string_view name = Turns == 3 ? "disc_outline_rolling_contact" : Rows == 3 ? "disc_outline_contact" : "disc_outline_gap";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = Turns == 3  ? "Contact of the rim of a disc about z of B with a kerb or step of A, rows (n, t1, t2, roll about t1, t2, spin about n)."
                                          : Rows == 3 ? "Contact of the rim of a disc about z of B with a kerb or step of A, rows (n, t1, t2)."
                                                      : "Gap between the rim of a disc about z of B and a kerb or step of A, without friction.";
  static constexpr std::string_view sample = R"({"radius": 0.3, "edge": 0.05, "points": [[-3, -1], [-0.2, 0.5], [0.5, 0.3], [2, -3]], "rounding": 0.1})";
  static constexpr auto fields() { return geometry(); }
  std::string invalid() { return wrong(); }

  template <class S>
  Vec<S, rows> h(const FramePair::View<S>& r, const Context<S, rows>&) const {
    Vec<S, rows> y;
    y[0] = nearest(r).gap;
    return y;
  }
  template <class S>
  Mat<S, rows, 6> jacobian(const FramePair::View<S>& r, const Context<S, rows>&) const {
    const Nearest<S> at = nearest(r);
    const Vec3<S> &n = at.n, y{{S(0.0), S(1.0), S(0.0)}}, axes[] = {n, cross(y, n), y};
    Mat<S, rows, 6> H;
    for (int i = 0; i < Rows; ++i) {
      const Vec3<S> turn = transposed_times(r.R, cross(at.arm, axes[i]));
      for (int k = 0; k < 3; ++k) H(i, k) = axes[i][k], H(i, 3 + k) = turn[k];
    }
    for (int i = 0; i < Turns; ++i) {  // about t1, t2, n
      const Vec3<S> along = transposed_times(r.R, axes[(i + 1) % 3]);
      for (int k = 0; k < 3; ++k) H(Rows + i, 3 + k) = along[k];
    }
    return H;
  }
};

}  // namespace saltus
