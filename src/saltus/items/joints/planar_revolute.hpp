// Pin of a planar mechanism: two points of bodies in the x-y plane coincide.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/alignment.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = (x, y) of p_AB in A, for bodies on planar nodes: two rows where the revolute joint in space would have three that no
/// planar coordinate moves. lambda: force on B in the axes of A [N].
struct PlanarRevolute {
  using port = FramePair;
  static constexpr int rows = 2;
  static constexpr std::string_view name = "planar_revolute";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view picture = "revolute";
  static constexpr std::string_view doc = "Pin of a planar mechanism: two points of bodies in the x-y plane coincide.";
  static constexpr bool located = true;
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr std::string_view free_motions() { return "angle"; }

  template <class S>
  Vec<S, 2> h(const FramePair::View<S>& r, const Context<S, 2>&) const {
    return {{r.p[0], r.p[1]}};
  }
  template <class S>
  Mat<S, 2, 6> jacobian(const FramePair::View<S>&, const Context<S, 2>&) const {
    Mat<S, 2, 6> H;
    H(0, 0) = H(1, 1) = S(1.0);
    return H;
  }
  Mat6<double> stiffness(const FramePair::View<double>&, const Context<double, 2>&) const { return {}; }
};

}  // namespace saltus
