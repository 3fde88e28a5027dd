// A solid cone for contact, its tip at z = 3/4 height, its base at z = -1/4 height: the origin is its centre of mass.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/collision/shape.hpp"
#include "saltus/model/read_fields.hpp"

namespace saltus {

struct ConeShape {
  Vec3<double> position{}, rotation{};
  double radius = 0.0, height = 0.0;

  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "cone";
  static constexpr std::string_view section = "markers";
  static constexpr std::string_view picture = "cone|radius|height";
  static constexpr std::string_view doc = "A solid cone for contact, its tip at z = 3/4 height, its base at z = -1/4 height: the origin is its centre of mass.";
  static constexpr auto fields() {
    return std::tuple{
        field("radius", &ConeShape::radius, "m", "of the base", required(above(0.0))),
        field("height", &ConeShape::height, "m", "from base to tip", required(above(0.0))),
        field("position", &ConeShape::position, "m", "origin of the shape in the axes of the body's frame"),
        field("rotation", &ConeShape::rotation, "rad", "rotation vector from the body's axes to the shape's")};
  }
  static constexpr auto ports() { return std::array{PortInfo{"body", "frame", true, false, "the body, node or `ground` that carries it"}}; }
  Shape shape() const { return {ShapeKind::cone, radius, {{0.25 * height, 0.0, 0.75 * height}}}; }
};

}  // namespace saltus
