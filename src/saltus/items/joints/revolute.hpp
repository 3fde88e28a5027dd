// Revolute joint: z axes of the two joint frames coincide.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/alignment.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = (p_AB in A; components x, y in A of B's z axis), z the joint axis. lambda: force on B in axes of A at B's
/// point [N], then the moments that keep the axes aligned, [N m]; about x it is -lambda_4, about y it is lambda_3.
struct Revolute {
  using port = FramePair;
  static constexpr int rows = 5;
  static constexpr std::string_view name = "revolute";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view picture = "revolute";
  static constexpr std::string_view doc = "Revolute joint: rotation about the z axis of the joint frames is free.";
  static constexpr bool located = true;
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr std::string_view free_motions() { return "angle"; }

  template <class S>
  Vec<S, 5> h(const FramePair::View<S>& r, const Context<S, 5>&) const {
    return {{r.p[0], r.p[1], r.p[2], r.R(0, 2), r.R(1, 2)}};
  }
  template <class S>
  Mat<S, 5, 6> jacobian(const FramePair::View<S>& r, const Context<S, 5>&) const {
    Mat<S, 5, 6> H;
    for (int i = 0; i < 3; ++i) H(i, i) = S(1.0);
    for (int i = 0; i < 2; ++i) alignment::component_row(r.R, i, 2, H, 3 + i);
    return H;
  }
  Mat6<double> stiffness(const FramePair::View<double>& r, const Context<double, 5>& context) const {
    Mat6<double> K;
    for (int i = 0; i < 2; ++i) alignment::add_component_stiffness(r.R, i, 2, context.lambda[3 + i], K);
    return K;
  }
};

}  // namespace saltus
