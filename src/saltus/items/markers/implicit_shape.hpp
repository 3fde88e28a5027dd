// A solid given by a formula, for contact.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/collision/implicit_surface.hpp"
#include "saltus/model/read_fields.hpp"

namespace saltus {

struct ImplicitShape {
  Vec3<double> position{}, rotation{}, size{};
  Function distance;

  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "implicit_surface";
  static constexpr std::string_view section = "markers";
  static constexpr std::string_view picture = "implicit_surface|distance|size";
  static constexpr std::string_view doc = "A solid for contact where a formula d(x, y, z) is negative, such as a signed distance, in a box about its origin; all shapes touch it but planes, hollow ones and others by formula.";
  static constexpr std::string_view sample = R"json({"distance": "sqrt(x^2 + y^2) - 0.5", "size": [2, 2, 1]})json";
  static constexpr auto fields() {
    return std::tuple{
        field("distance", &ImplicitShape::distance, "m", "d(x, y, z) in the axes of the shape: negative inside, zero on the surface, smooth near it", required(function_of("x|y|z"))),
        field("size", &ImplicitShape::size, "m", "edges along x, y, z of the box in which the solid is, its middle the origin", required(above(0.0))),
        field("position", &ImplicitShape::position, "m", "origin of the shape in the axes of the body's frame"),
        field("rotation", &ImplicitShape::rotation, "rad", "rotation vector from the body's axes to the shape's")};
  }
  static constexpr auto ports() { return std::array{PortInfo{"body", "frame", true, false, "the body, node or `ground` that carries it"}}; }

  /// Makes the surface as well.
  std::string invalid() {
    std::string wrong;
    surface_ = ImplicitSurface::of(distance, size * 0.5, wrong);
    return surface_ ? "" : "has a `distance` that " + wrong;
  }
  Shape shape() const { return {.kind = ShapeKind::implicit_surface, .half = size * 0.5, .implicit = surface_}; }

 private:
  std::shared_ptr<const ImplicitSurface> surface_;
};

}  // namespace saltus
