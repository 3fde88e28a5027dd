// A solid convex polyhedron for contact.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/collision/shape.hpp"
#include "saltus/math/matrix.hpp"
#include "saltus/model/read_fields.hpp"

namespace saltus {

struct HullShape {
  Vec3<double> position{}, rotation{};
  Matrix points;

  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "hull";
  static constexpr std::string_view section = "markers";
  static constexpr std::string_view picture = "hull|points";
  static constexpr std::string_view doc = "A solid convex polyhedron for contact: the hull of points.";
  static constexpr std::string_view sample = R"json({"points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]})json";
  static constexpr auto fields() {
    return std::tuple{
        field("points", &HullShape::points, "m", "points (n x 3) in the axes of the shape; those inside their hull do not matter", required()),
        field("position", &HullShape::position, "m", "origin of the shape in the axes of the body's frame"),
        field("rotation", &HullShape::rotation, "rad", "rotation vector from the body's axes to the shape's")};
  }
  static constexpr auto ports() { return std::array{PortInfo{"body", "frame", true, false, "the body, node or `ground` that carries it"}}; }

  /// Makes the hull as well.
  std::string invalid() {
    if (points.cols != 3 || points.rows < 4) return "has " + std::to_string(points.rows) + " x " + std::to_string(points.cols) + " points, expected n x 3 with n at least 4";
    std::vector<Vec3<double>> given(points.rows);
    for (int i = 0; i < points.rows; ++i) given[i] = {{points(i, 0), points(i, 1), points(i, 2)}};
    std::optional<Hull> made = convex_hull(given);
    if (!made) return "has points that lie in a plane: a solid needs four that do not";
    for (const HullForm::Face& face : made->form.faces)
      if (face.count > Hull::most_corners) return "has a face of " + std::to_string(face.count) + " corners, at most " + std::to_string(Hull::most_corners) + " are known: use a cylinder, or fewer points";
    hull_ = std::make_shared<const Hull>(std::move(*made));
    return {};
  }
  Shape shape() const { return {ShapeKind::hull, 0.0, {}, hull_}; }

 private:
  std::shared_ptr<const Hull> hull_;
};

}  // namespace saltus
