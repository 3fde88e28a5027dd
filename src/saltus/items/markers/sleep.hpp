// Bodies that fall asleep where they rest.
#pragma once

#include <array>
#include <tuple>

#include "saltus/model/read_fields.hpp"

namespace saltus {

/// Bodies that touch each other and have been slower than `speed` for the time `after` fall asleep together: they stand still, and contacts among them and with what
/// stands fixed are no rows. They wake together when something that moves touches one of them, when a body comes or goes, and when a parameter of the run changes.
/// Compiled into System::sleepers.
struct Sleep {
  double speed = 1e-3, after = 0.5;

  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "sleep";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "Bodies that rest on each other fall asleep, and wake when they are touched.";
  static constexpr auto fields() {
    return std::tuple{field("speed", &Sleep::speed, "m/s", "a body is slow while no point of its shapes is faster", above(0.0)),
                      field("after", &Sleep::after, "s", "time for which all bodies that touch have to be slow", above(0.0))};
  }
  static constexpr auto ports() { return std::array{PortInfo{"bodies", "item", true, true, "bodies that have no forces but their weight and contacts of groups"}}; }
};

}  // namespace saltus
