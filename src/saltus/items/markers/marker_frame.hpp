// A frame fixed to a body, a node with a frame, or the ground.
#pragma once

#include <array>
#include <tuple>

#include "saltus/model/read_fields.hpp"

namespace saltus {

/// A frame on a body: joints, springs and loads hold it by its name. Compiled into the marker table, not into a pool.
struct MarkerFrame {
  Vec3<double> position{};
  Vec3<double> rotation{};

  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "frame";
  static constexpr std::string_view section = "markers";
  static constexpr std::string_view picture = "frame";
  static constexpr std::string_view doc = "A frame fixed to a body, a node or the ground.";
  static constexpr auto fields() {
    return std::tuple{
        field("position", &MarkerFrame::position, "m", "origin in the axes of the body's frame"),
        field("rotation", &MarkerFrame::rotation, "rad", "rotation vector from the body's axes to the frame's")};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"body", "frame", true, false, "the body, node or `ground` that carries it"}};
  }
};

}  // namespace saltus
