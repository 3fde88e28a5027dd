// Rigid connection of two bodies of a planar mechanism.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/alignment.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = (x, y of p_AB in A [m]; twice the z part of R_AB's quaternion), for bodies on planar nodes: three rows where the fixed joint in space would have
/// three more that no planar coordinate moves. The turn is regular up to half a turn.
struct PlanarFixed {
  using port = FramePair;
  static constexpr int rows = 3;
  static constexpr std::string_view name = "planar_fixed";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view picture = "joint";
  static constexpr std::string_view doc = "Rigid connection of two bodies of a planar mechanism.";
  static constexpr bool located = true;
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() { return std::tuple{}; }

  template <class S>
  Vec<S, 3> h(const FramePair::View<S>& r, const Context<S, 3>&) const {
    return {{r.p[0], r.p[1], alignment::lock(r.R)[2]}};
  }
  template <class S>
  Mat<S, 3, 6> jacobian(const FramePair::View<S>& r, const Context<S, 3>&) const {
    Mat<S, 3, 6> turn, H;
    alignment::lock_rows(r.R, turn, 0);
    H(0, 0) = H(1, 1) = S(1.0);
    for (int c = 3; c < 6; ++c) H(2, c) = turn(2, c);
    return H;
  }
};

}  // namespace saltus
