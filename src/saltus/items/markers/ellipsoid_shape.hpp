// A solid ellipsoid for contact.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/collision/shape.hpp"
#include "saltus/model/read_fields.hpp"

namespace saltus {

struct EllipsoidShape {
  Vec3<double> position{}, rotation{};
  Vec3<double> size{};

  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "ellipsoid";
  static constexpr std::string_view section = "markers";
  static constexpr std::string_view picture = "ellipsoid|size";
  static constexpr std::string_view doc = "A solid ellipsoid for contact.";
  static constexpr auto fields() {
    return std::tuple{
        field("size", &EllipsoidShape::size, "m", "diameters along x, y, z", required(above(0.0))),
        field("position", &EllipsoidShape::position, "m", "origin of the shape in the axes of the body's frame"),
        field("rotation", &EllipsoidShape::rotation, "rad", "rotation vector from the body's axes to the shape's")};
  }
  static constexpr auto ports() { return std::array{PortInfo{"body", "frame", true, false, "the body, node or `ground` that carries it"}}; }
  Shape shape() const { return {ShapeKind::ellipsoid, 0.0, size * 0.5}; }
};

}  // namespace saltus
