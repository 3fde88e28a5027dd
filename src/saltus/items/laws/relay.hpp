// A multiplier between two bounds: relay, dry friction of given strength, saturated drive.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

/// lambda = low while w > 0, high while w < 0, anything between where w = 0; w is y or ydot by the word `on`. Row by row.
struct Relay {
  double low = -1.0, high = 1.0;
  std::string on;

  static constexpr std::string_view name = "relay";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view doc = "The multiplier is at its bound against the sign of the row, between the bounds where it vanishes. Energy: on a rate it takes high |w| or -low |w|: no energy is given where low <= 0 <= high.";
  static constexpr auto fields() {
    return std::tuple{field("low", &Relay::low, "N", "multiplier while the row is positive, in its force unit"),
                      field("high", &Relay::high, "N", "multiplier while the row is negative, in its force unit"),
                      field("on", &Relay::on, "", "acts on the row's value or on its rate (dry friction: rate)", required(one_of("value|rate")))};
  }
  std::string invalid() const { return low <= high ? "" : "`low` is above `high`"; }
  static constexpr const SetType* set = &box_set;
  static constexpr bool force_bounded = true;
  std::vector<double> set_parameters(int rows) const {
    std::vector<double> bounds(rows, low);
    bounds.resize(2 * rows, high);
    return bounds;
  }
  int written() const { return on == "rate" ? 1 : 0; }
};

}  // namespace saltus
