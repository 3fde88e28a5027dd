// Drives of a scalar coordinate: by value and by speed, exact as a relation.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/joint_motion.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = q_B - q_A - value(t). A or B may be ground; of a joint q_A = 0, q_B is its motion, and it stands beside the joint that leaves
/// the motion free. lambda: force or torque on B.
template <class Of>
struct ScalarDrive {
  Function value;

  using port = CoordPair;
  using of = Of;
  static constexpr int rows = 1;
  static constexpr bool uses_time = true;
  static constexpr std::string_view drive_unit = Of::effort_unit;
  static constexpr std::string_view name = word_for<Of>("coordinate_constraint", "revolute_drive", "prismatic_drive");
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view picture = word_for<Of>("joint", "none", "none");
  static constexpr std::string_view doc = word_for<Of>("Prescribes the difference of two coordinates, or one coordinate.",
                                                       "Prescribes the angle about the z axis of two joint frames.",
                                                       "Prescribes the displacement along the z axis of two joint frames.");
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() {
    return std::tuple{field(word_for<Of>("offset", "angle", "position"), &ScalarDrive::value, Of::unit, "prescribed value, a function of t", required(function_of("t")))};
  }
  bool parallel() const { return value.parallel(); }

  template <class S>
  Vec<S, 1> h(const CoordPair::View<S>& r, const Context<S, 1>& context) const {
    S prescribed;
    value(&context.t, &prescribed, context.data);
    return {{r.q - prescribed}};
  }
};

/// y = v_B - v_A - speed(t).
template <class Of>
struct ScalarSpeedDrive {
  Function speed;

  using port = CoordPair;
  using of = Of;
  static constexpr int rows = 1;
  static constexpr bool uses_time = true;
  static constexpr Level written = Level::rate;
  static constexpr bool linear_rates = true;
  static constexpr CoordinateKind coordinates = CoordinateKind::ode2;
  static constexpr std::string_view drive_unit = Of::effort_unit;
  static constexpr std::string_view name = word_for<Of>("coordinate_speed_drive", "revolute_speed_drive", "prismatic_speed_drive");
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = word_for<Of>("Prescribes the rate of the difference of two coordinates, or of one.",
                                                       "Prescribes the angular speed about the z axis of two joint frames.",
                                                       "Prescribes the speed along the z axis of two joint frames.");
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() {
    return std::tuple{field("speed", &ScalarSpeedDrive::speed, Of::rate_unit, "prescribed value, a function of t", required(function_of("t")))};
  }
  bool parallel() const { return speed.parallel(); }

  template <class S>
  Vec<S, 1> h(const CoordPair::View<S>& r, const Context<S, 1>& context) const {
    S prescribed;
    speed(&context.t, &prescribed, context.data);
    return {{r.v - prescribed}};
  }
};

}  // namespace saltus
