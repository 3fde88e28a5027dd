// A kinematic tree: links on joints, one object whose unknowns are the coordinates of its joints.
#pragma once

#include <array>
#include <tuple>

#include "saltus/model/read_fields.hpp"

namespace saltus {

/// What links stand on each other from; they say so themselves (tree_link.hpp), and pool/tree_pool.hpp moves them. A base that is free is a rigid body of its own.
struct KinematicTree {
  static constexpr bool is_tree = true;
  static constexpr std::string_view name = "kinematic_tree";
  static constexpr std::string_view section = "bodies";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "A kinematic tree: links that revolute, prismatic and fixed joints carry, in the coordinates of these joints alone, without constraints.";
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr auto ports() { return std::array{PortInfo{"base", "frame", false, false, "what its first links stand on; default: the ground"}}; }
};

}  // namespace saltus
