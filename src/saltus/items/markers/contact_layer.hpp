// Which shapes may touch which, by layers.
#pragma once

#include <array>
#include <tuple>

#include "saltus/model/read_fields.hpp"

namespace saltus {

/// Two shapes that both stand in layers touch where a layer of one meets a layer of the other; it is enough that one of them says so. What stands in no
/// layer touches all. Contacts and no_contact hold beside it. Compiled into the table of contacts.
struct ContactLayer {
  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "contact_layer";
  static constexpr std::string_view section = "relations";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "A layer of shapes, and the layers whose shapes they touch: the other shapes in layers they pass through.";
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr auto ports() {
    return std::array{PortInfo{"shapes", "marker", true, true, "shapes in this layer; a shape may be in several"},
                      PortInfo{"meets", "item", false, true, "layers whose shapes they touch; its own name: each other; left out: those that meet it"}};
  }
};

}  // namespace saltus
