// Multipliers within a convex set of the user.
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/convex_set.hpp"

namespace saltus {

/// -w in the normal cone of K = {g_i(lambda) <= 0} at lambda: lambda is the point of K furthest against w, any point where w = 0 (the greatest dissipation:
/// Moreau 1970; Hill 1948 of an ellipsoid). w is y or ydot by the word `on`. K bounds forces. On rates it takes the power -w lambda >= -w l for each l of K, so
/// at least 0 where K holds 0.
struct ConvexBound {
  Function constraints;
  std::vector<double> interior;
  std::string on;

  static constexpr std::string_view name = "convex_bound";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view sample = R"({"constraints": "lambda0^2 + lambda1^2/4 - 1", "interior": [0, 0], "on": "rate"})";  // of the property tests
  static constexpr std::string_view doc = "The multipliers stay in a convex set given by formulas; where the rows do not vanish they are on its boundary and act against the rows: the greatest dissipation. Energy: on a rate it takes the largest power that a multiplier of the set can: at least 0 where it holds 0.";
  static constexpr auto fields() {
    return std::tuple{field("constraints", &ConvexBound::constraints, "", "g(lambda0, ..., lambda5), one or more: the set is where none is above 0; each smooth, with convex level sets, the set bounded", required(function_of("lambda0|lambda1|lambda2|lambda3|lambda4|lambda5", 0))),
                      field("interior", &ConvexBound::interior, "N", "a point where all are below 0, one entry a row, in the multiplier's force unit; mostly zeros", required()),
                      field("on", &ConvexBound::on, "", "acts on the rows' values or on their rates (dry friction: rate)", required(one_of("value|rate")))};
  }
  /// Makes the set as well.
  std::string invalid() {
    const int rows = row_count();
    if (rows < 1 || rows > ConvexSet::most_rows) return "`interior` has " + std::to_string(rows) + " entries, must have 1 to " + std::to_string(ConvexSet::most_rows) + ", one a row";
    for (int i = rows; i < constraints.inputs() && !constraints.is_external(); ++i)
      if (constraints.depends_on(i)) return "`constraints` names lambda" + std::to_string(i) + " beside " + std::to_string(rows) + " entries of `interior`, one a row: lambda0 to lambda" + std::to_string(rows - 1);
    std::string wrong;
    set_ = ConvexSet::of(constraints, interior, wrong);
    return set_ ? "" : "`constraints` " + wrong;
  }
  static constexpr const SetType* set = &convex_set;
  static constexpr bool force_bounded = true;
  int row_count() const { return static_cast<int>(interior.size()); }
  std::vector<double> set_parameters(int) const { return {set_ ? set_->parameter() : 0.0}; }
  int written() const { return on == "rate" ? 1 : 0; }

 private:
  std::shared_ptr<const ConvexSet> set_;
};

}  // namespace saltus
