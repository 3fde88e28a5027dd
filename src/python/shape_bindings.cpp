// Shapes for contact as geometry alone: hulls, distances, rays.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "saltus/collision/mesh.hpp"
#include "saltus/collision/mesh_crossings.hpp"
#include "saltus/collision/queries.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace saltus::python {

namespace {
using Point = std::array<double, 3>;
/// Kind, radius, three sizes as Shape has them, points of a hull or mesh, triangles; position; rotation matrix by rows.
using Placed = std::tuple<std::string, double, Point, std::vector<Point>, std::vector<int>, Point, std::array<double, 9>>;

Vec3<double> vec(const Point& p) { return {{p[0], p[1], p[2]}}; }
Point point(const Vec3<double>& p) { return {p[0], p[1], p[2]}; }

std::optional<Hull> hull_of(const std::vector<Point>& points) {
  std::vector<Vec3<double>> all;
  for (const Point& p : points) all.push_back(vec(p));
  return convex_hull(all);
}

/// Corners and faces, counter-clockwise as seen from outside; none where the points lie in a plane.
std::optional<std::pair<std::vector<Point>, std::vector<std::vector<int>>>> hull_faces(const std::vector<Point>& points) {
  const std::optional<Hull> hull = hull_of(points);
  if (!hull) return std::nullopt;
  std::vector<Point> corners;
  for (const Vec3<double>& c : hull->corners) corners.push_back(point(c));
  std::vector<std::vector<int>> faces;
  for (const HullForm::Face& f : hull->form.faces) faces.emplace_back(hull->form.loop.begin() + f.begin, hull->form.loop.begin() + f.begin + f.count);
  return std::pair{std::move(corners), std::move(faces)};
}

std::pair<Shape, Pose> placed(const Placed& given) {
  static constexpr std::array kinds{"plane", "sphere", "capsule", "cylinder", "box", "cone", "ellipsoid", "hull", "mesh", "hollow_sphere", "hollow_cylinder"};
  const auto& [kind, radius, half, points, triangles, p, R] = given;
  std::pair<Shape, Pose> out;
  out.first = {static_cast<ShapeKind>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin()), radius, vec(half), {}};
  if (out.first.kind == ShapeKind::hull) out.first.hull = std::make_shared<const Hull>(hull_of(points).value());
  if (out.first.kind == ShapeKind::mesh) {
    std::vector<Vec3<double>> all;
    for (const Point& x : points) all.push_back(vec(x));
    std::string wrong;
    out.first.mesh = std::make_shared<const TriangleMesh>(triangle_mesh(all, triangles, wrong).value());
  }
  out.second.p = vec(p);
  std::copy(R.begin(), R.end(), out.second.R.data());
  return out;
}

/// Gap, normal from A to B, nearest points of A and B.
std::tuple<double, Point, Point, Point> shape_distance(const Placed& a, const Placed& b) {
  const auto [A, at_A] = placed(a);
  const auto [B, at_B] = placed(b);
  const ContactPoint p = nearest_points(A, at_A, B, at_B);
  return {p.gap, point(p.normal), point(p.on_A), point(p.on_B)};
}

/// Points whose gap is at most `within`: name, point of A, of B, normal from A to B, gap.
std::vector<std::tuple<int, Point, Point, Point, double>> shape_contacts(const Placed& a, const Placed& b, double within) {
  const auto [A, at_A] = placed(a);
  const auto [B, at_B] = placed(b);
  const ContactPoints found = contact_points(A, at_A, B, at_B, within);
  std::vector<std::tuple<int, Point, Point, Point, double>> out;
  for (int i = 0; i < found.count; ++i) {
    const ContactPoint& c = found.point[i];
    out.emplace_back(c.feature, point(c.on_A), point(c.on_B), point(c.normal), c.gap);
  }
  return out;
}

/// Way along the direction to the shape, and its outward normal there; none where the ray misses it.
std::optional<std::pair<double, Point>> shape_ray(const Placed& shape, const Point& from, const Point& along) {
  const auto [S, at] = placed(shape);
  const std::optional<RayHit> hit = cast_ray(S, at, vec(from), vec(along));
  if (!hit) return std::nullopt;
  return std::pair{hit->distance, point(hit->normal)};
}
/// Two triangles that go through each other, and where: (first, second, place).
std::vector<std::tuple<int, int, Point>> mesh_crossings(const std::vector<Point>& points, const std::vector<std::array<int, 3>>& triangles) {
  std::vector<Vec3<double>> all;
  for (const Point& x : points) all.push_back(vec(x));
  std::vector<int> corners;
  for (const std::array<int, 3>& t : triangles) corners.insert(corners.end(), t.begin(), t.end());
  std::vector<std::tuple<int, int, Point>> out;
  for (const Crossing& c : crossings(all, corners)) out.emplace_back(c.a, c.b, point(c.at));
  return out;
}
}  // namespace

void bind_shapes(nb::module_& m) {
  m.def("hull_faces", &hull_faces, "points"_a, "Corners (n, 3) and faces, counter-clockwise from outside, of the convex hull of points (3); None where they lie in a plane.");
  m.def("shape_distance", &shape_distance, "A"_a, "B"_a,
        "Gap [m], normal from A to B, nearest points of A and of B; each (kind, radius, half sizes (3), points of a hull or mesh, triangles (3 numbers each), position (3), rotation matrix (9)).");
  m.def("shape_contacts", &shape_contacts, "A"_a, "B"_a, "within"_a, "Points of two shapes whose gap is at most `within` [m]: name, point of A, point of B, normal from A to B, gap [m].");
  m.def("mesh_crossings", &mesh_crossings, "points"_a, "triangles"_a, "Pairs of triangles (3 numbers of points each) of which an edge of one goes through the other, and where: (first, second, place (3)).");
  m.def("shape_ray", &shape_ray, "shape"_a, "start"_a, "along"_a, "Distance [m] along a unit direction (3) from a point (3) to a shape, and its outward normal; None where it is missed.");
}

}  // namespace saltus::python
