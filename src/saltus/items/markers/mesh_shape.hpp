// A surface of triangles for contact.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/collision/mesh.hpp"
#include "saltus/collision/shape.hpp"
#include "saltus/math/matrix.hpp"
#include "saltus/model/read_fields.hpp"

namespace saltus {

struct MeshShape {
  Vec3<double> position{}, rotation{};
  Matrix points, triangles;

  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "mesh";
  static constexpr std::string_view section = "markers";
  static constexpr std::string_view picture = "mesh|points|triangles";
  static constexpr std::string_view doc = "A surface of triangles for contact, open or closed: the side from which their corners run counter-clockwise is free.";
  static constexpr std::string_view sample = R"json({"points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], "triangles": [[0, 1, 2], [1, 3, 2]]})json";
  static constexpr auto fields() {
    return std::tuple{
        field("points", &MeshShape::points, "m", "points (n x 3) in the axes of the shape", required()),
        field("triangles", &MeshShape::triangles, "", "numbers of their points (m x 3), from 0, counter-clockwise as seen from the free side", required()),
        field("position", &MeshShape::position, "m", "origin of the shape in the axes of the body's frame"),
        field("rotation", &MeshShape::rotation, "rad", "rotation vector from the body's axes to the shape's")};
  }
  static constexpr auto ports() { return std::array{PortInfo{"body", "frame", true, false, "the body, node or `ground` that carries it"}}; }

  /// Makes the mesh as well.
  std::string invalid() {
    if (points.cols != 3 || triangles.cols != 3) return "has points n x " + std::to_string(points.cols) + " and triangles m x " + std::to_string(triangles.cols) + ", expected n x 3 and m x 3";
    std::vector<Vec3<double>> at(points.rows);
    for (int i = 0; i < points.rows; ++i) at[i] = {{points(i, 0), points(i, 1), points(i, 2)}};
    std::vector<int> corners;
    for (const double x : triangles.values) {
      if (x != std::floor(x) || std::abs(x) > 1e9) return "has a triangle with the number " + std::to_string(x) + ", which is not whole";
      corners.push_back(static_cast<int>(x));
    }
    std::string wrong;
    std::optional<TriangleMesh> made = triangle_mesh(at, corners, wrong);
    if (made) mesh_ = std::make_shared<const TriangleMesh>(std::move(*made));
    return wrong;
  }
  Shape shape() const { return {ShapeKind::mesh, 0.0, {}, {}, mesh_}; }

 private:
  std::shared_ptr<const TriangleMesh> mesh_;
};

}  // namespace saltus
