// The length of a taut rope as a coordinate.
#pragma once

#include <array>
#include <tuple>

#include "saltus/model/read_fields.hpp"

namespace saltus {

/// Items take it wherever they take a mechanical coordinate: springs, stops (a rope that does not stretch), actuators, winches by a linear relation with the
/// angle of their drum. The force on it pushes the ends apart; a tension is negative.
struct Rope {
  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "rope";
  static constexpr std::string_view section = "markers";
  static constexpr std::string_view picture = "rope";
  static constexpr std::string_view doc = "Length of a taut rope, belt or tendon through points, over sheaves, around cylinders and spheres, without friction, as a scalar coordinate.";
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr auto ports() {
    return std::array{PortInfo{"through", "frame", true, true,
                               "from end to end: points (frames, bodies), markers of type sheave, on which it stays, and wrap, which it may leave; first and last are points"}};
  }
};

}  // namespace saltus
