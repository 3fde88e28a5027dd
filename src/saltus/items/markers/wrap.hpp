// What a rope or tendon lies on where it is in its way.
#pragma once

#include <array>
#include <string>
#include <tuple>

#include "saltus/math/taut_path.hpp"
#include "saltus/model/read_fields.hpp"

namespace saltus {

/// Stands in the list of a rope (markers/rope.hpp), which may lift off it: a bone, a post.
struct WrapSurface {
  Vec3<double> position{}, rotation{};
  double radius = 0.0;
  std::string shape = "sphere";

  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "wrap";
  static constexpr std::string_view section = "markers";
  static constexpr std::string_view picture = "wrap|radius";
  static constexpr std::string_view doc = "A ball or long cylinder that a rope or tendon lies on, on the shortest path, and may leave; over a cylinder about z by the right hand, up to half a turn.";
  static constexpr auto fields() {
    return std::tuple{
        field("radius", &WrapSurface::radius, "m", "to the middle of the rope", required(above(0.0))),
        field("shape", &WrapSurface::shape, "", "sphere, or cylinder about z", one_of("sphere|cylinder")),
        field("position", &WrapSurface::position, "m", "centre in the axes of the body's frame"),
        field("rotation", &WrapSurface::rotation, "rad", "rotation vector from the body's axes to those of the surface")};
  }
  static constexpr auto ports() { return std::array{PortInfo{"body", "frame", true, false, "the body, node or `ground` that carries it"}}; }
  RopeElement element() const { return {shape == "sphere" ? RopeOver::sphere : RopeOver::cylinder, radius, 0}; }
};

}  // namespace saltus
