// Prescribes the rate of the difference of two coordinates, or of one.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = v_B - v_A - speed(t). A or B may be ground. lambda: force on B [N or N m].
struct CoordinateSpeedDrive {
  Function speed;

  using port = CoordPair;
  static constexpr int rows = 1;
  static constexpr bool uses_time = true;
  static constexpr std::string_view drive_unit = "N or N m";
  static constexpr Level written = Level::rate;
  static constexpr CoordinateKind coordinates = CoordinateKind::ode2;
  static constexpr std::string_view name = "coordinate_speed_drive";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view doc = "Prescribes the rate of the difference of two coordinates, or of one.";
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() {
    return std::tuple{field("speed", &CoordinateSpeedDrive::speed, "", "prescribed value, a function of t", required(function_of("t")))};
  }
  bool parallel() const { return speed.parallel(); }

  template <class S>
  Vec<S, 1> h(const CoordPair::View<S>& r, const Context<S, 1>& context) const {
    S prescribed;
    speed(&context.t, &prescribed);
    return {{r.v - prescribed}};
  }
};

}  // namespace saltus
