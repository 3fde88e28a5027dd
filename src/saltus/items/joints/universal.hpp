// Universal joint: the x axis of A's joint frame stays normal to the y axis of B's.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/alignment.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// Cardan cross with one arm along x fixed in A, the other along y fixed in B. y = (p_AB in A [m]; x_A . y_B). lambda: force
/// on B in the axes of A [N], moment along x_A x y_B [N m].
struct Universal {
  using port = FramePair;
  static constexpr int rows = 4;
  static constexpr std::string_view name = "universal";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view picture = "universal";
  static constexpr std::string_view doc = "Universal joint: the x axis of A's joint frame stays normal to the y axis of B's.";
  static constexpr bool located = true;
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() { return std::tuple{}; }

  template <class S>
  Vec<S, 4> h(const FramePair::View<S>& r, const Context<S, 4>&) const {
    return {{r.p[0], r.p[1], r.p[2], r.R(0, 1)}};
  }
  template <class S>
  Mat<S, 4, 6> jacobian(const FramePair::View<S>& r, const Context<S, 4>&) const {
    Mat<S, 4, 6> H;
    for (int i = 0; i < 3; ++i) H(i, i) = S(1.0);
    alignment::component_row(r.R, 0, 1, H, 3);
    return H;
  }
};

}  // namespace saltus
