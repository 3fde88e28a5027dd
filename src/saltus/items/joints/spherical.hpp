// Spherical joint: the origins of the joint frames coincide.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = p_AB in A [m]. lambda: force on B in the axes of A [N].
struct Spherical {
  using port = FramePair;
  static constexpr int rows = 3;
  static constexpr std::string_view name = "spherical";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view picture = "joint";
  static constexpr std::string_view doc = "Spherical joint: the origins of the joint frames coincide.";
  static constexpr bool located = true;
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() { return std::tuple{}; }

  template <class S>
  Vec<S, 3> h(const FramePair::View<S>& r, const Context<S, 3>&) const {
    return {{r.p[0], r.p[1], r.p[2]}};
  }
  template <class S>
  Mat<S, 3, 6> jacobian(const FramePair::View<S>& r, const Context<S, 3>&) const {
    Mat<S, 3, 6> H;
    (void)r;
    for (int i = 0; i < 3; ++i) H(i, i) = S(1.0);
    return H;
  }
  Mat6<double> stiffness(const FramePair::View<double>&, const Context<double, 3>&) const { return {}; }
};

}  // namespace saltus
