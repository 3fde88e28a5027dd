// One scalar coordinate of a node.
#pragma once

#include <array>
#include <tuple>

#include "saltus/model/read_fields.hpp"

namespace saltus {

/// One coordinate of a node by its number: mechanical coordinates first, then first-order states, then algebraic unknowns.
struct MarkerCoordinate {
  int coordinate = 0;

  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "coordinate";
  static constexpr std::string_view section = "markers";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "One scalar coordinate of a node.";
  static constexpr auto fields() {
    return std::tuple{field("coordinate", &MarkerCoordinate::coordinate, "", "number of the coordinate in the node, from 0", at_least(0.0))};
  }
  static constexpr auto ports() { return std::array{PortInfo{"node", "node", true, false, "the node"}}; }
};

}  // namespace saltus
