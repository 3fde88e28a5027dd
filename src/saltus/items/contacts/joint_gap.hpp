// Distance of a joint's motion from a value: a stop, or with a relay on rate dry friction.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/joint_motion.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = sign (u - limit), u the twist about z or the position along z. lambda: torque about, or force along, sign z on B.
template <class Motion>
struct JointGap {
  double limit = 0.0, sign = 1.0, center = 0.0;

  using port = FramePair;
  static constexpr int rows = 1;
  static constexpr std::string_view name = Motion::rotates ? "joint_angle" : "joint_position";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view sample = R"({"limit": 0.3, "sign": -1, "center": 0.2})";  // of the property tests: sign is 1 or -1
  static constexpr std::string_view doc = Motion::rotates ? "Angle about the z axis of two joint frames: a stop, or with a relay on rate dry friction."
                                                          : "Position along the z axis of two joint frames: a stop, or with a relay on rate dry friction.";
  static constexpr auto fields() {
    return std::tuple{
        field("limit", &JointGap::limit, Motion::unit, "value at which the row vanishes"),
        field("sign", &JointGap::sign, "", "1: free above, -1: free below", between(-1.0, 1.0)),
        field("center", &JointGap::center, Motion::unit,
              Motion::rotates ? "whole turns are added to the angle so that it starts within half a turn of it; 0: none" : "without meaning for a position")};
  }
  static constexpr bool located = true;
  std::string invalid() const { return sign == 1.0 || sign == -1.0 ? "" : "`sign` must be 1 or -1"; }
  static constexpr int history = Motion::history;
  static constexpr bool counts_turns = true;
  template <class C>
  static double expected_angle(const C& context) { return Motion::expected_angle(context); }
  template <class C>
  double remember(const FramePair::View<double>& r, const C& context, double* kept) const { return Motion::remember(r, context, kept, center); }
  template <class S>
  Vec<S, 1> h(const FramePair::View<S>& r, const Context<S, 1>& context) const {
    return {{sign * (Motion::value(r, context, center) - limit)}};
  }
  template <class S>
  Mat<S, 1, 6> jacobian(const FramePair::View<S>& r, const Context<S, 1>&) const { return {(Motion::gradient(r) * S(sign)).a}; }
};

}  // namespace saltus
