// A drive torque about the z axis of two joint frames, given as a function.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/alignment.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// RHS on B: M(t, theta, dtheta/dt) grad theta, theta the twist about z of R_AB; A gets the opposite.
struct JointTorque {
  Function torque;

  using port = FramePair;
  static constexpr bool is_load = true;
  static constexpr bool located = true;
  static constexpr std::string_view name = "joint_torque";
  static constexpr std::string_view section = "loads";
  static constexpr std::string_view doc = "A drive torque about the z axis of two joint frames, given as a function.";
  static constexpr auto fields() {
    return std::tuple{field("torque", &JointTorque::torque, "N m", "M(t, angle, speed) on B about z; angle in (-pi, pi]", required(function_of("t|angle|speed")))};
  }
  bool parallel() const { return torque.parallel(); }
  template <class S>
  Vec6<S> rhs(const FramePair::View<S>& r, const Context<S>& context) const {
    const Vec3<S> gradient = alignment::twist_gradient(r.R);
    const S in[] = {context.t, alignment::twist(r.R), dot(gradient, r.w)};
    S M;
    torque(in, &M);
    return {{S(0.0), S(0.0), S(0.0), M * gradient[0], M * gradient[1], M * gradient[2]}};
  }
};

}  // namespace saltus
