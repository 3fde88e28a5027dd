// The taut rope as geometry alone: what a program needs before there is a system.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings.hpp"
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
}  // namespace

void bind_rope(nb::module_& m) {
  m.def("rope_way", &rope_way, "elements"_a,
        "Length [m] of a taut rope over elements (kind, radius, turns, position (3), rotation matrix (9)), kind one of point, sheave, cylinder, sphere, and its corners (element, position); not a number and none where there is no way.");
}

}  // namespace saltus::python
