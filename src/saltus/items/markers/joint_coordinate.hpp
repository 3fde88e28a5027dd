// A motion of a joint as a coordinate: of items that act on coordinates, such as gears between hinges.
#pragma once

#include <array>
#include <string>
#include <tuple>

#include "saltus/items/entry.hpp"

namespace saltus {

/// The angle, position or distance of frame B against frame A. Items take it wherever they take a mechanical coordinate.
struct JointCoordinate {
  std::string motion = "angle";
  double center = 0.0;

  static constexpr bool is_marker = true;
  static constexpr bool located = true;
  static constexpr std::string_view name = "joint_coordinate";
  static constexpr std::string_view section = "markers";
  static constexpr std::string_view picture = "motion";
  static constexpr std::string_view doc = "A motion of a joint as a scalar coordinate: angle about z or position along z of B against A, or their distance.";
  static constexpr auto fields() {
    return std::tuple{field("motion", &JointCoordinate::motion, "", "angle, its turns counted [rad], position [m] or distance [m]", one_of("angle|position|distance")),
                      field("center", &JointCoordinate::center, "rad", "of an angle: whole turns are added so that it starts within half a turn of it")};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"A", "frame", true, false, "first of the pair"}, PortInfo{"B", "frame", true, false, "second of the pair: the motion is that of B"}};
  }
};

}  // namespace saltus
