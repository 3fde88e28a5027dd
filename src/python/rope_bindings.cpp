// The taut rope and the spline of a rail as geometry alone: what a program needs before there is a system.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "saltus/math/curve.hpp"
#include "saltus/math/taut_path.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace saltus::python {

namespace {
/// Kind, radius, turns; position; rotation matrix by rows.
using Element = std::tuple<std::string, double, int, std::array<double, 3>, std::array<double, 9>>;

/// Its length, and its corners with the number of the element that each is on.
std::pair<double, std::vector<std::pair<int, std::array<double, 3>>>> rope_way(const std::vector<Element>& elements) {
  std::vector<RopeElement> over;
  std::vector<RigidMotion<double>> at;
  for (const auto& [kind, radius, turns, p, R] : elements) {
    over.push_back({kind == "sheave" ? RopeOver::sheave : kind == "cylinder" ? RopeOver::cylinder : kind == "sphere" ? RopeOver::sphere : RopeOver::point, radius, turns});
    at.emplace_back();
    std::copy(p.begin(), p.end(), at.back().p.data());
    std::copy(R.begin(), R.end(), at.back().R.data());
  }
  const TautPath path(std::move(over));
  std::vector<std::pair<int, std::array<double, 3>>> corners;
  for (const auto& [element, p] : path.line(at)) corners.emplace_back(element, std::array{p[0], p[1], p[2]});
  return {path.length(at), std::move(corners)};
}

using Point = std::array<double, 3>;

SplineCurve curve_through(const std::vector<Point>& points, bool closed) {
  Matrix nodes{static_cast<int>(points.size()), 3, {}};
  for (const Point& p : points) nodes.values.insert(nodes.values.end(), p.begin(), p.end());
  if (const std::string wrong = SplineCurve::wrong(nodes, closed); !wrong.empty()) throw std::invalid_argument(wrong);
  return SplineCurve(nodes, closed);
}
double curve_nearest(const std::vector<Point>& points, bool closed, const Point& to) { return curve_through(points, closed).nearest({{to[0], to[1], to[2]}}); }

std::vector<Point> curve_line(const std::vector<Point>& points, bool closed, int pieces) {
  const SplineCurve curve = curve_through(points, closed);
  std::vector<Point> out;
  for (int i = 0; i <= pieces; ++i) {
    const Vec3<double> p = curve(curve.length() * i / pieces);
    out.push_back({p[0], p[1], p[2]});
  }
  return out;
}
}  // namespace

void bind_rope(nb::module_& m) {
  m.def("rope_way", &rope_way, "elements"_a,
        "Length [m] of a taut rope over elements (kind, radius, turns, position (3), rotation matrix (9)), kind one of point, sheave, cylinder, sphere, and its corners (element, position); not a number and none where there is no way.");
  m.def("curve_nearest", &curve_nearest, "points"_a, "closed"_a, "to"_a, "Length [m] along the spline through points (n, 3) to its place that is nearest to a point (3).");
  m.def("curve_line", &curve_line, "points"_a, "closed"_a, "pieces"_a, "The spline through points (n, 3) as a line of so many pieces of equal length.");
}

}  // namespace saltus::python
