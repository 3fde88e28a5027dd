// A surface of heights on a grid for contact.
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

struct HeightFieldShape {
  Vec3<double> position{}, rotation{};
  Matrix heights;
  std::vector<double> size;

  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "height_field";
  static constexpr std::string_view section = "markers";
  static constexpr std::string_view picture = "height_field|heights|size";
  static constexpr std::string_view doc = "A surface of heights on a grid for contact, free above, two triangles between four of them.";
  static constexpr std::string_view sample = R"json({"heights": [[0, 0.1, 0], [0, 0.2, 0.1]], "size": [1, 2]})json";
  static constexpr auto fields() {
    return std::tuple{
        field("heights", &HeightFieldShape::heights, "m", "z (n x m) at n places along x and m along y", required()),
        field("size", &HeightFieldShape::size, "m", "lengths (2) along x and y, the origin in the middle", required({.low = 0.0, .low_open = true, .size = 2})),
        field("position", &HeightFieldShape::position, "m", "origin of the shape in the axes of the body's frame"),
        field("rotation", &HeightFieldShape::rotation, "rad", "rotation vector from the body's axes to the shape's")};
  }
  static constexpr auto ports() { return std::array{PortInfo{"body", "frame", true, false, "the body, node or `ground` that carries it"}}; }

  /// Makes the mesh as well.
  std::string invalid() {
    if (heights.rows < 2 || heights.cols < 2) return "has " + std::to_string(heights.rows) + " x " + std::to_string(heights.cols) + " heights, expected at least 2 x 2";
    std::vector<Vec3<double>> at;
    std::vector<int> corners;
    for (int i = 0; i < heights.rows; ++i)
      for (int j = 0; j < heights.cols; ++j) {
        at.push_back({{size[0] * (static_cast<double>(i) / (heights.rows - 1) - 0.5), size[1] * (static_cast<double>(j) / (heights.cols - 1) - 0.5), heights(i, j)}});
        if (i + 1 == heights.rows || j + 1 == heights.cols) continue;
        const int a = i * heights.cols + j, b = a + heights.cols;
        corners.insert(corners.end(), {a, b, b + 1, a, b + 1, a + 1});
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
