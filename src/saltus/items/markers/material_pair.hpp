// The law of contacts between shapes of two materials.
#pragma once

#include <array>
#include <tuple>

#include "saltus/model/read_fields.hpp"

namespace saltus {

/// Of contacts between groups that have no law of their own. Compiled into the table of contacts.
struct MaterialPair {
  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "material_pair";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "The law of contacts between shapes of two materials, in groups without a law of their own.";
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr auto ports() {
    return std::array{PortInfo{"materials", "item", true, true, "two of them; one alone: where it touches itself"},
                      PortInfo{"law", "law", true, false, "newton_impact, coulomb_impact, rolling_impact or another that acts on a gap in space"}};
  }
};

}  // namespace saltus
