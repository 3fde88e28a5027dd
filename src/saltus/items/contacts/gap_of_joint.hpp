// Distance of a joint's motion from a value: a stop, or with a relay on rate dry friction.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/joint_motion.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = sign (u - limit), u the joint's motion. lambda: torque about, or force along, sign z on B.
template <class Of>
struct GapOfJoint {
  double limit = 0.0, sign = 1.0, center = 0.0;

  using port = CoordPort<1>;
  using of = Of;
  static constexpr int rows = 1;
  static constexpr bool linear = true;
  static constexpr std::string_view name = of_angle<Of> ? "joint_angle" : "joint_position";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view sample = R"({"limit": 0.3, "sign": -1, "center": 0.2})";  // of the property tests: sign is 1 or -1
  static constexpr std::string_view doc = of_angle<Of> ? "Angle about the z axis of two joint frames: a stop, or with a relay on rate dry friction."
                                                       : "Position along the z axis of two joint frames: a stop, or with a relay on rate dry friction.";
  static constexpr auto fields() {
    return std::tuple{
        field("limit", &GapOfJoint::limit, Of::unit, "value at which the row vanishes"),
        field("sign", &GapOfJoint::sign, "", "1: free above, -1: free below", between(-1.0, 1.0)),
        field("center", &GapOfJoint::center, Of::unit,
              of_angle<Of> ? "whole turns are added to the angle so that it starts within half a turn of it; 0: none" : "has no effect on a position")};
  }
  std::string invalid() const { return sign == 1.0 || sign == -1.0 ? "" : "`sign` must be 1 or -1"; }
  template <class S>
  Vec<S, 1> h(const port::View<S>& x, const Context<S, 1>&) const { return {{sign * (x.q[0] - limit)}}; }
};

}  // namespace saltus
