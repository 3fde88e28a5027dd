// Drives of a joint's motion: by value and by speed, exact as a relation.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/joint_motion.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = motion - value(t). Stands beside the joint that leaves the motion free; lambda is the
/// torque about z, or the force along z, on B.
template <class Motion>
struct JointDrive {
  Function value;

  using port = FramePair;
  static constexpr int rows = 1;
  static constexpr bool uses_time = true;
  static constexpr std::string_view drive_unit = Motion::effort_unit;
  static constexpr std::string_view name = Motion::rotates ? "revolute_drive" : "prismatic_drive";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view doc = Motion::rotates ? "Prescribes the angle about the z axis of two joint frames."
                                                          : "Prescribes the displacement along the z axis of two joint frames.";
  static constexpr bool located = true;
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() {
    return std::tuple{field(Motion::rotates ? "angle" : "position", &JointDrive::value, Motion::unit, "prescribed value, a function of t",
                            required(function_of("t")))};
  }
  bool parallel() const { return value.parallel(); }
  static constexpr int history = Motion::history;
  static constexpr bool counts_turns = true;
  template <class C>
  static double expected_angle(const C& context) { return Motion::expected_angle(context); }
  template <class C>
  double remember(const FramePair::View<double>& r, const C& context, double* kept) const { return Motion::remember(r, context, kept); }

  template <class S>
  Vec<S, 1> h(const FramePair::View<S>& r, const Context<S, 1>& context) const {
    S prescribed;
    value(&context.t, &prescribed);
    return {{Motion::value(r, context, val(prescribed)) - prescribed}};
  }
  template <class S>
  Mat<S, 1, 6> jacobian(const FramePair::View<S>& r, const Context<S, 1>&) const { return {Motion::gradient(r).a}; }
};

/// y = rate of the motion - speed(t).
template <class Motion>
struct JointSpeedDrive {
  Function speed;

  using port = FramePair;
  static constexpr int rows = 1;
  static constexpr bool uses_time = true;
  static constexpr Level written = Level::rate;
  static constexpr std::string_view drive_unit = Motion::effort_unit;
  static constexpr std::string_view name = Motion::rotates ? "revolute_speed_drive" : "prismatic_speed_drive";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view doc = Motion::rotates ? "Prescribes the angular speed about the z axis of two joint frames."
                                                          : "Prescribes the speed along the z axis of two joint frames.";
  static constexpr bool located = true;
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() {
    return std::tuple{field("speed", &JointSpeedDrive::speed, Motion::rate_unit, "prescribed value, a function of t", required(function_of("t")))};
  }
  bool parallel() const { return speed.parallel(); }

  template <class S>
  Vec<S, 1> h(const FramePair::View<S>& r, const Context<S, 1>& context) const {
    S prescribed;
    speed(&context.t, &prescribed);
    return {{Motion::rate(r) - prescribed}};
  }
};

}  // namespace saltus
