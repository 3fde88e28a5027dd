// Angle by which a rope lies on one of its sheaves.
#pragma once

#include <array>
#include <tuple>

#include "saltus/model/read_fields.hpp"

namespace saltus {

/// What friction over the sheave grows with (contacts/capstan.hpp).
struct RopeWrap {
  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "rope_wrap";
  static constexpr std::string_view section = "markers";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "Angle by which a rope lies on one of its sheaves, as a scalar coordinate.";
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr auto ports() {
    return std::array{PortInfo{"rope", "marker", true, false, "a marker of type rope"},
                      PortInfo{"sheave", "marker", true, false, "one of its sheaves: no wrap lies between it and the next points of the rope"}};
  }
};

}  // namespace saltus
