// The force that contacts between groups put on some shapes.
#pragma once

#include <array>
#include <tuple>

#include "saltus/model/read_fields.hpp"

namespace saltus {

/// Force on shapes of B by shapes of A, summed over their contacts in whatever groups. Compiled into the table of contacts: the scheme writes it.
struct ContactForceItem {
  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "contact_force";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "The force that shapes of A put on shapes of B by contacts of groups, mean over the step, and the number of points.";
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr auto ports() {
    return std::array{PortInfo{"A", "marker", true, true, "shapes"}, PortInfo{"B", "marker", true, true, "shapes, on which the force acts"}};
  }
};

}  // namespace saltus
