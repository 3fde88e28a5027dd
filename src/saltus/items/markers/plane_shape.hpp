// A plane for contact: the half-space z <= 0 of its frame is solid.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/collision/shape.hpp"
#include "saltus/model/read_fields.hpp"

namespace saltus {

struct PlaneShape {
  Vec3<double> position{}, rotation{};

  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "plane";
  static constexpr std::string_view section = "markers";
  static constexpr std::string_view picture = "plane";
  static constexpr std::string_view doc = "A plane for contact: the half-space z <= 0 of its frame is solid.";
  static constexpr auto fields() {
    return std::tuple{
        field("position", &PlaneShape::position, "m", "origin of the shape in the axes of the body's frame"),
        field("rotation", &PlaneShape::rotation, "rad", "rotation vector from the body's axes to the shape's")};
  }
  static constexpr auto ports() { return std::array{PortInfo{"body", "frame", true, false, "the body, node or `ground` that carries it"}}; }
  Shape shape() const { return {ShapeKind::plane, 0.0, {}}; }
};

}  // namespace saltus
