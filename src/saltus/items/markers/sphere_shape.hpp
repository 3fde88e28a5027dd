// A ball for contact, about its frame.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/collision/shape.hpp"
#include "saltus/model/read_fields.hpp"

namespace saltus {

struct SphereShape {
  Vec3<double> position{}, rotation{};
  double radius = 0.0;

  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "sphere";
  static constexpr std::string_view section = "markers";
  static constexpr std::string_view picture = "sphere|radius";
  static constexpr std::string_view doc = "A ball for contact, about its frame.";
  static constexpr auto fields() {
    return std::tuple{
        field("radius", &SphereShape::radius, "m", "radius; 0: a point", at_least(0.0)),
        field("position", &SphereShape::position, "m", "origin of the shape in the axes of the body's frame"),
        field("rotation", &SphereShape::rotation, "rad", "rotation vector from the body's axes to the shape's")};
  }
  static constexpr auto ports() { return std::array{PortInfo{"body", "frame", true, false, "the body, node or `ground` that carries it"}}; }
  Shape shape() const { return {ShapeKind::sphere, radius, {}}; }
};

}  // namespace saltus
