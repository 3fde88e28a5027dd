// Cylindrical joint: translation along and rotation about the z axis of the joint frames are free.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/alignment.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = (x, y of p_AB in A [m]; x, y components in A of B's z axis). lambda: force on B in the axes of A at B's point [N],
/// then the moments that keep the axes parallel [N m].
struct Cylindrical {
  using port = FramePair;
  static constexpr int rows = 4;
  static constexpr std::string_view name = "cylindrical";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view picture = "cylindrical";
  static constexpr std::string_view doc = "Cylindrical joint: translation along and rotation about the z axis of the joint frames are free.";
  static constexpr bool located = true;
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr std::string_view free_motions() { return "angle|position"; }

  template <class S>
  Vec<S, 4> h(const FramePair::View<S>& r, const Context<S, 4>&) const {
    return {{r.p[0], r.p[1], r.R(0, 2), r.R(1, 2)}};
  }
  template <class S>
  Mat<S, 4, 6> jacobian(const FramePair::View<S>& r, const Context<S, 4>&) const {
    Mat<S, 4, 6> H;
    H(0, 0) = H(1, 1) = S(1.0);
    for (int i = 0; i < 2; ++i) alignment::component_row(r.R, i, 2, H, 2 + i);
    return H;
  }
};

}  // namespace saltus
