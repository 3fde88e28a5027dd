// Contact between two groups of shapes.
#pragma once

#include <array>
#include <tuple>

#include "saltus/model/read_fields.hpp"

namespace saltus {

/// Each shape of A may touch each of B; without B those of A touch each other. Compiled into the table of contacts, not into a
/// pool: the scheme finds in each step which points are closed.
struct ContactGroupItem {
  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "contact";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "group";
  static constexpr std::string_view doc = "Contact between two groups of shapes, found in each step: each of A with each of B.";
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr auto ports() {
    return std::array{PortInfo{"A", "marker", true, true, "shapes"},
                      PortInfo{"B", "marker", false, true, "shapes; left out: those of A among themselves. The force is what acts on B"},
                      PortInfo{"law", "law", false, false,
                               "newton_impact, coulomb_impact, rolling_impact or another that acts on a gap in space; left out: by the materials of the shapes"}};
  }
};

}  // namespace saltus
