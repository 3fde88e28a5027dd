// Slide of a planar mechanism: one line of each of two bodies in the x-y plane stays on the other.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/alignment.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = (y of p_AB in A [m]; twice the x part of R_AB's quaternion), for bodies on planar nodes: z of the joint frames lies along the slide, x is the normal
/// of the plane. Two rows where the prismatic joint in space would have three that no planar coordinate moves. The turn is regular up to half a turn.
struct PlanarPrismatic {
  using port = FramePair;
  static constexpr int rows = 2;
  static constexpr std::string_view name = "planar_prismatic";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view picture = "joint";
  static constexpr std::string_view doc = "Slide of a planar mechanism: translation along z of the joint frames is free, whose x is the normal of the x-y plane.";
  static constexpr bool located = true;
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr std::string_view free_motions() { return "position"; }

  template <class S>
  Vec<S, 2> h(const FramePair::View<S>& r, const Context<S, 2>&) const {
    return {{r.p[1], alignment::lock(r.R)[0]}};
  }
  template <class S>
  Mat<S, 2, 6> jacobian(const FramePair::View<S>& r, const Context<S, 2>&) const {
    Mat<S, 3, 6> turn;
    alignment::lock_rows(r.R, turn, 0);
    Mat<S, 2, 6> H;
    H(0, 1) = S(1.0);
    for (int c = 3; c < 6; ++c) H(1, c) = turn(0, c);
    return H;
  }
};

}  // namespace saltus
