// Impact without friction.
#pragma once

#include <algorithm>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

/// 0 <= u+ + e min(u-, 0) complementary to the impulse r >= 0 while the gap is closed (Moreau 1988). A contact that is already
/// opening has no impact: without the minimum a step would turn its speed down again and a ball would never rest.
struct NewtonImpact {
  double restitution = 0.0;

  static constexpr std::string_view name = "newton_impact";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view doc = "Frictionless impact by Newton's law of restitution. Energy: an impact takes (1 - restitution^2) of that along the normal; several at once give none if they have one restitution.";
  static constexpr auto fields() {
    return std::tuple{field("restitution", &NewtonImpact::restitution, "", "e, speed after over speed before", or_else(between(0.0, 1.0), "0 is without rebound, 1 without loss"))};
  }
  static constexpr const SetType* set = &half_line_set;
  static constexpr Acts acts = Acts::rate;
  static constexpr bool unilateral = true;
  void bias(int rows, const double* u_minus, double* bias) const {
    for (int i = 0; i < rows; ++i) bias[i] = restitution * std::min(u_minus[i], 0.0);
  }
};

}  // namespace saltus
