// A solid box for contact, edges along its axes.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/collision/shape.hpp"
#include "saltus/model/read_fields.hpp"

namespace saltus {

struct BoxShape {
  Vec3<double> position{}, rotation{};
  Vec3<double> size{};

  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "box";
  static constexpr std::string_view section = "markers";
  static constexpr std::string_view picture = "box|size";
  static constexpr std::string_view doc = "A solid box for contact, edges along its axes.";
  static constexpr auto fields() {
    return std::tuple{
        field("size", &BoxShape::size, "m", "edges along x, y, z", required(above(0.0))),
        field("position", &BoxShape::position, "m", "origin of the shape in the axes of the body's frame"),
        field("rotation", &BoxShape::rotation, "rad", "rotation vector from the body's axes to the shape's")};
  }
  static constexpr auto ports() { return std::array{PortInfo{"body", "frame", true, false, "the body, node or `ground` that carries it"}}; }
  Shape shape() const { return {ShapeKind::box, 0.0, size * 0.5}; }
};

}  // namespace saltus
