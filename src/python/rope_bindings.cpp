// The taut rope as geometry alone: what a program needs before there is a system.
#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "saltus/math/taut_path.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace saltus::python {

namespace {
/// Kind, radius, turns; position; rotation matrix by rows.
using Element = std::tuple<std::string, double, int, std::array<double, 3>, std::array<double, 9>>;

double rope_length(const std::vector<Element>& elements) {
  std::vector<RopeElement> over;
  std::vector<RigidMotion<double>> at;
  for (const auto& [kind, radius, turns, p, R] : elements) {
    over.push_back({kind == "sheave" ? RopeOver::sheave : kind == "cylinder" ? RopeOver::cylinder : kind == "sphere" ? RopeOver::sphere : RopeOver::point, radius, turns});
    at.emplace_back();
    std::copy(p.begin(), p.end(), at.back().p.data());
    std::copy(R.begin(), R.end(), at.back().R.data());
  }
  return TautPath(std::move(over)).length(at);
}
}  // namespace

void bind_rope(nb::module_& m) {
  m.def("rope_length", &rope_length, "elements"_a,
        "Length [m] of a taut rope over elements (kind, radius, turns, position (3), rotation matrix (9)), kind one of point, sheave, cylinder, sphere; not a number where there is no way.");
}

}  // namespace saltus::python
