// Angle of a revolute joint as a row: a stop with an impact law, dry friction with a relay on rate.
#pragma once

#include <cmath>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = sign (angle - at), angle of B against A about the common z axis, in (-pi, pi]. lambda: torque on B about sign z.
struct JointAngle {
  double at = 0.0;
  double sign = 1.0;

  using port = FramePair;
  static constexpr int rows = 1;
  static constexpr std::string_view name = "joint_angle";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view sample = R"({"at": 0.3, "sign": -1})";  // of the property tests: sign is 1 or -1
  static constexpr std::string_view doc = "Angle about the z axis of two joint frames: a stop, or with a relay on rate dry friction.";
  static constexpr auto fields() {
    return std::tuple{field("at", &JointAngle::at, "rad", "angle at which the row vanishes"),
                      field("sign", &JointAngle::sign, "", "1: free above, -1: free below", between(-1.0, 1.0))};
  }
  std::string invalid() const { return sign == 1.0 || sign == -1.0 ? "" : "`sign` must be 1 or -1"; }
  template <class S>
  Vec<S, 1> h(const FramePair::View<S>& r, const Context<S, 1>&) const {
    using std::atan2;
    return {{sign * (atan2(r.R(1, 0), r.R(0, 0)) - at)}};
  }
};

}  // namespace saltus
