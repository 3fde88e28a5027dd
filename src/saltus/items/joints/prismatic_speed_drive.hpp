// Prescribes the speed along the z axis of two joint frames.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/math/function.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = z of the velocity of B seen from A - speed(t) [m/s]. Stands beside a prismatic or cylindrical joint; lambda is the force
/// along z on B [N].
struct PrismaticSpeedDrive {
  Function speed;

  using port = FramePair;
  static constexpr int rows = 1;
  static constexpr bool uses_time = true;
  static constexpr Level written = Level::rate;
  static constexpr std::string_view name = "prismatic_speed_drive";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view doc = "Prescribes the speed along the z axis of two joint frames.";
  static constexpr bool located = true;
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() {
    return std::tuple{field("speed", &PrismaticSpeedDrive::speed, "m/s", "prescribed value, a function of t", required(function_of("t")))};
  }
  bool parallel() const { return speed.parallel(); }

  template <class S>
  Vec<S, 1> h(const FramePair::View<S>& r, const Context<S, 1>& context) const {
    S prescribed;
    speed(&context.t, &prescribed);
    return {{r.v[2] - prescribed}};
  }
};

}  // namespace saltus
