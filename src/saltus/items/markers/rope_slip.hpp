// What a rope passes over one of its sheaves towards its last end.
#pragma once

#include <array>
#include <tuple>

#include "saltus/model/read_fields.hpp"

namespace saltus {

/// Zero where the rope's middle on the sheave lies along its x axis; friction and brakes act on it. A force on it pulls the rope over the sheave.
struct RopeSlip {
  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "rope_slip";
  static constexpr std::string_view section = "markers";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "Length of rope that slips over one of its sheaves towards its last end, against the rim of the sheave, as a scalar coordinate.";
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr auto ports() {
    return std::array{PortInfo{"rope", "marker", true, false, "a marker of type rope"},
                      PortInfo{"sheave", "marker", true, false, "one of its sheaves: no wrap lies between it and the next points of the rope"}};
  }
};

}  // namespace saltus
