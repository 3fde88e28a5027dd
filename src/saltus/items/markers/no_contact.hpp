// Shapes that do not touch each other whatever groups they are in.
#pragma once

#include <array>
#include <tuple>

#include "saltus/model/read_fields.hpp"

namespace saltus {

/// Goes before all contacts between groups. Compiled into the table of contacts.
struct NoContact {
  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "no_contact";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "Shapes of A and of B do not touch each other, whatever groups they are in.";
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr auto ports() {
    return std::array{PortInfo{"A", "marker", true, true, "shapes"}, PortInfo{"B", "marker", false, true, "shapes; left out: those of A among themselves"}};
  }
};

}  // namespace saltus
