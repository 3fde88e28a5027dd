// A drive force along the z axis of two joint frames, given as a function.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// RHS on B: F(t, p_z, v_z) along z of A, p and v seen from A; A gets the opposite.
struct JointForce {
  Function force;

  using port = FramePair;
  static constexpr bool is_load = true;
  static constexpr bool located = true;
  static constexpr std::string_view name = "joint_force";
  static constexpr std::string_view section = "loads";
  static constexpr std::string_view doc = "A drive force along the z axis of two joint frames, given as a function.";
  static constexpr auto fields() {
    return std::tuple{field("force", &JointForce::force, "N", "F(t, position, speed) on B along z of A", required(function_of("t|position|speed")))};
  }
  bool parallel() const { return force.parallel(); }
  template <class S>
  Vec6<S> rhs(const FramePair::View<S>& r, const Context<S>& context) const {
    const S in[] = {context.t, r.p[2], r.v[2]};
    S F;
    force(in, &F);
    return {{S(0.0), S(0.0), F, S(0.0), S(0.0), S(0.0)}};
  }
};

}  // namespace saltus
