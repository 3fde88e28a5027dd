// What shapes are made of, for the laws of their contacts.
#pragma once

#include <array>
#include <tuple>

#include "saltus/model/read_fields.hpp"

namespace saltus {

/// Compiled into the table of contacts.
struct Material {
  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "material";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "What shapes are made of: pairs of materials have the laws of contacts that have none of their own.";
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr auto ports() { return std::array{PortInfo{"shapes", "marker", true, true, "shapes of this material"}}; }
};

}  // namespace saltus
