// A wheel or drum that a rope runs over.
#pragma once

#include <array>
#include <tuple>

#include "saltus/math/taut_path.hpp"
#include "saltus/model/read_fields.hpp"

namespace saltus {

/// Stands in the list of a rope (markers/rope.hpp). The rope slips on it without friction, so that its turning does not matter.
struct Sheave {
  Vec3<double> position{}, rotation{};
  double radius = 0.0;
  int turns = 0;

  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "sheave";
  static constexpr std::string_view section = "markers";
  static constexpr std::string_view picture = "sheave|radius";
  static constexpr std::string_view doc = "A wheel or drum that a rope runs over: about z by the right hand, in the plane of its groove.";
  static constexpr auto fields() {
    return std::tuple{
        field("radius", &Sheave::radius, "m", "to the middle of the rope", required(above(0.0))),
        field("turns", &Sheave::turns, "", "whole turns of the rope beside a wrap from -90 to 270 degrees", at_least(0.0)),
        field("position", &Sheave::position, "m", "centre in the axes of the body's frame"),
        field("rotation", &Sheave::rotation, "rad", "rotation vector from the body's axes to those of the sheave, z the axis")};
  }
  static constexpr auto ports() { return std::array{PortInfo{"body", "frame", true, false, "the body, node or `ground` that carries it"}}; }
  RopeElement element() const { return {RopeOver::sheave, radius, turns}; }
};

}  // namespace saltus
