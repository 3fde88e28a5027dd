// A multiplier over its row by corners: threshold, dead zone, backlash, stop, saturation, each exact.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/math/matrix.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/graph.hpp"

namespace saltus {

/// (w, lambda) lies on the line through the corners, w never falling and lambda never rising along it; upright and level parts are
/// exact, the first and the last part go on without end. w is y or ydot by the word `on`. Row by row. On a rate it takes the
/// power -w lambda >= 0 where the line passes from the second to the fourth quadrant; on a value it stores what it takes.
struct Characteristic {
  Matrix corners;
  std::string on;

  static constexpr std::string_view name = "characteristic";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view sample = R"({"corners": [[-1, 2], [0, 2], [0, -1], [1, -3]], "on": "rate"})";  // of the property tests
  static constexpr std::string_view doc = "The multiplier over the row is a line through corners, with level and upright parts: threshold, dead zone, stop, saturation. Energy: on a rate it takes the power -w multiplier: at least 0 where the line runs in the second and fourth quadrants alone. On a value it stores what it takes.";
  static constexpr auto fields() {
    return std::tuple{field("corners", &Characteristic::corners, "", "(row, multiplier) of each corner: the row never falls, the multiplier, in its force unit, never rises; both ends go on", required()),
                      field("on", &Characteristic::on, "", "acts on the row's value or on its rate (friction: rate)", required(one_of("value|rate")))};
  }
  std::string invalid() const {
    if (corners.cols != 2) return "`corners` has " + std::to_string(corners.cols) + " columns, must have 2: row, multiplier";
    const std::string wrong = wrong_corners(corners.rows, corners.values.data());
    return wrong.empty() ? "" : "`corners`: " + wrong;
  }
  static constexpr const SetType* set = &graph_set;
  static constexpr bool force_bounded = true;
  std::vector<double> set_parameters(int) const {
    std::vector<double> parameters{static_cast<double>(corners.rows)};
    parameters.insert(parameters.end(), corners.values.begin(), corners.values.end());
    return parameters;
  }
  int written() const { return on == "rate" ? 1 : 0; }
};

}  // namespace saltus
