// Multipliers whose common size is bounded: dry friction of given strength in several directions.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

/// |lambda| <= b over all rows together; lambda = -b w / |w| where the rows w do not vanish, any such lambda where they do; w is y or ydot
/// by the word `on`. It takes the power b |w| (on: rate). With one row it is a relay between -b and b.
struct NormBound {
  double bound = 1.0;
  std::string on;

  static constexpr std::string_view name = "norm_bound";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view doc = "The norm of the multipliers is bounded; where the rows do not vanish it is at the bound and the multipliers act against the rows. Energy: on a rate it takes the power bound |w|.";
  static constexpr auto fields() {
    return std::tuple{field("bound", &NormBound::bound, "N", "b, largest norm of the multipliers, in their force unit", required(at_least(0.0))),
                      field("on", &NormBound::on, "", "acts on the rows' values or on their rates (dry friction: rate)", required(one_of("value|rate")))};
  }
  static constexpr const SetType* set = &ball_set;
  static constexpr bool force_bounded = true;
  std::vector<double> set_parameters(int) const { return {bound}; }
  int written() const { return on == "rate" ? 1 : 0; }
};

}  // namespace saltus
