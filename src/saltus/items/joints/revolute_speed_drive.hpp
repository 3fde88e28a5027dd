// Prescribes the angular speed about the z axis of two joint frames.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/alignment.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = rate of the twist of R_AB - speed(t) [rad/s]. Stands beside a revolute or cylindrical joint; lambda is the torque about
/// z on B [N m].
struct RevoluteSpeedDrive {
  Function speed;

  using port = FramePair;
  static constexpr int rows = 1;
  static constexpr bool uses_time = true;
  static constexpr Level written = Level::rate;
  static constexpr std::string_view name = "revolute_speed_drive";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view doc = "Prescribes the angular speed about the z axis of two joint frames.";
  static constexpr bool located = true;
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() {
    return std::tuple{field("speed", &RevoluteSpeedDrive::speed, "rad/s", "prescribed value, a function of t", required(function_of("t")))};
  }
  bool parallel() const { return speed.parallel(); }

  template <class S>
  Vec<S, 1> h(const FramePair::View<S>& r, const Context<S, 1>& context) const {
    S prescribed;
    speed(&context.t, &prescribed);
    return {{dot(alignment::twist_gradient(r.R), r.w) - prescribed}};
  }
};

}  // namespace saltus
