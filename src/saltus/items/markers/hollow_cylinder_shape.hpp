// The inside of a cylinder along z, without end, for contact: a drum.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/collision/shape.hpp"
#include "saltus/model/read_fields.hpp"

namespace saltus {

struct HollowCylinderShape {
  double radius = 1.0;
  Vec3<double> position{}, rotation{};

  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "hollow_cylinder";
  static constexpr std::string_view section = "markers";
  static constexpr std::string_view picture = "hollow_cylinder|radius";
  static constexpr std::string_view doc = "The inside of a cylinder along z, without end, for contact: what is beyond its radius is solid. In a planar model the inside of a circle.";
  static constexpr auto fields() {
    return std::tuple{
        field("radius", &HollowCylinderShape::radius, "m", "of its inside", above(0.0)),
        field("position", &HollowCylinderShape::position, "m", "origin of the shape in the axes of the body's frame"),
        field("rotation", &HollowCylinderShape::rotation, "rad", "rotation vector from the body's axes to the shape's")};
  }
  static constexpr auto ports() { return std::array{PortInfo{"body", "frame", true, false, "the body, node or `ground` that carries it"}}; }
  Shape shape() const { return {ShapeKind::hollow_cylinder, radius, {}}; }
};

}  // namespace saltus
