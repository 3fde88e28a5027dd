// Multipliers within a polyhedron.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/base/index.hpp"
#include "saltus/math/matrix.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/polyhedron.hpp"

namespace saltus {

/// -w in the normal cone of K = {F lambda <= b} at lambda: lambda is the point of K furthest against w, any point where w = 0 (Acary,
/// Brogliato 2008). w is y or ydot by the word `on`. K bounds forces. No power is fed: w lambda <= w l for each l of K.
struct NormalCone {
  Matrix facets;
  std::vector<double> bounds;
  std::string on;

  static constexpr std::string_view name = "normal_cone";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view sample = R"({"facets": [[1, 1], [-1, 0], [0, -1]], "bounds": [1, 0.5, 0.5], "on": "value"})";  // of the property tests
  static constexpr std::string_view doc = "The multipliers stay in a polyhedron; where the rows do not vanish they are on its boundary and act against the rows: coupled relays. Energy: on a rate it takes the largest power that a multiplier of the polyhedron can: at least 0 where it holds 0.";
  static constexpr auto fields() {
    return std::tuple{field("facets", &NormalCone::facets, "", "F (facets x rows): F multiplier <= bounds", required()),
                      field("bounds", &NormalCone::bounds, "N", "b, one a facet, in the multiplier's force unit", required()),
                      field("on", &NormalCone::on, "", "acts on the rows' values or on their rates (dry friction: rate)", required(one_of("value|rate")))};
  }
  std::string invalid() const {
    const int rows = row_count();
    if (rows == 0) return "`facets` has no column";
    if (count_of(bounds) != facets.rows)
      return "`facets` has " + std::to_string(facets.rows) + " rows, `bounds` " + std::to_string(bounds.size()) + " entries";
    const std::vector<double> parameters = set_parameters(rows), origin(rows);
    std::vector<double> nearest(origin);
    std::vector<int> active;
    const Facets all{facets.rows, parameters.data() + 1, parameters.data() + 1 + facets.rows * rows};
    return nearest_point(all, rows, 1.0, origin.data(), nearest.data(), active) ? "" : "no multiplier lies within all facets";
  }
  static constexpr const SetType* set = &polyhedron_set;
  static constexpr bool force_bounded = true;
  int row_count() const { return facets.cols; }
  std::vector<double> set_parameters(int) const {
    std::vector<double> parameters{static_cast<double>(facets.rows)};
    parameters.insert(parameters.end(), facets.values.begin(), facets.values.end());
    parameters.insert(parameters.end(), bounds.begin(), bounds.end());
    return parameters;
  }
  int written() const { return on == "rate" ? 1 : 0; }
};

}  // namespace saltus
