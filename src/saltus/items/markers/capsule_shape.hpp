// A capsule for contact: all points within a radius of a segment along z.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/collision/shape.hpp"
#include "saltus/model/read_fields.hpp"

namespace saltus {

struct CapsuleShape {
  Vec3<double> position{}, rotation{};
  double radius = 0.0, length = 0.0;

  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "capsule";
  static constexpr std::string_view section = "markers";
  static constexpr std::string_view picture = "capsule|radius|length";
  static constexpr std::string_view doc = "A capsule for contact: all points within a radius of a segment along z.";
  static constexpr auto fields() {
    return std::tuple{
        field("radius", &CapsuleShape::radius, "m", "radius", required(above(0.0))),
        field("length", &CapsuleShape::length, "m", "length of the segment, without the caps", required(above(0.0))),
        field("position", &CapsuleShape::position, "m", "origin of the shape in the axes of the body's frame"),
        field("rotation", &CapsuleShape::rotation, "rad", "rotation vector from the body's axes to the shape's")};
  }
  static constexpr auto ports() { return std::array{PortInfo{"body", "frame", true, false, "the body, node or `ground` that carries it"}}; }
  Shape shape() const { return {ShapeKind::capsule, radius, {{0.0, 0.0, 0.5 * length}}}; }
};

}  // namespace saltus
