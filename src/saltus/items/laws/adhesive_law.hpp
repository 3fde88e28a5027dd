// Contact that pulls back with a force of its own before it opens.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

/// A closed gap pulls with up to `adhesion` [N], an open one does not: r_N >= -h a in a step of length h, friction |r_T| <= mu (r_N + h a)
/// (Radjai, Richefeu 2009), Newton's impact on u+ + e min(u_N-, 0) n. An impact at an instant feels nothing of it. It gives no
/// energy: it pulls against a gap that opens. Rows n; (n, t) in the plane; (n, t1, t2).
template <int Rows>
struct AdhesiveLaw {
  static constexpr bool frictional = Rows > 1;

  double adhesion = 0.0, friction = 0.0, restitution = 0.0;

  static constexpr std::string_view name = Rows == 3 ? "adhesive_coulomb_impact" : Rows == 2 ? "adhesive_coulomb_impact_2d" : "adhesive_impact";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view doc = Rows == 3   ? "Contact that pulls with a bounded force, Coulomb friction and Newton impact, rows (n, t1, t2). Energy: it pulls against a gap that opens, and friction takes friction (normal force + adhesion) slip; impacts as of coulomb_impact."
                                          : Rows == 2 ? "Contact that pulls with a bounded force, Coulomb friction and Newton impact in the plane, rows (n, t). Energy: it pulls against a gap that opens, and friction takes friction (normal force + adhesion) slip; impacts as of coulomb_impact."
                                                      : "Contact that pulls with a bounded force, without friction; Newton impact. Energy: it pulls against a gap that opens, and friction takes friction (normal force + adhesion) slip; impacts as of coulomb_impact.";
  static constexpr auto fields() {
    const auto pull = std::tuple{field("adhesion", &AdhesiveLaw::adhesion, "N", "a, largest pull of a closed contact", at_least(0.0))};
    const auto rebound = std::tuple{field("restitution", &AdhesiveLaw::restitution, "", "e_n, normal speed after over before",
                                          or_else(between(0.0, 1.0), "0 is without rebound, 1 without loss"))};
    if constexpr (frictional)
      return std::tuple_cat(pull, std::tuple{field("friction", &AdhesiveLaw::friction, "", "mu, friction over normal force plus adhesion", at_least(0.0))}, rebound);
    else return std::tuple_cat(pull, rebound);
  }
  static constexpr const SetType* set = Rows == 3 ? &coulomb_3d_set : Rows == 2 ? &coulomb_2d_set : &half_line_set;
  static constexpr int rows = Rows;
  static constexpr Acts acts = Acts::rate;
  static constexpr bool unilateral = true;
  std::vector<double> set_parameters(int) const { return {friction}; }
  double pull() const { return adhesion; }
  void bias(int rows, const double* u_minus, double* bias) const {
    bias[0] = restitution * std::min(u_minus[0], 0.0);
    std::fill(bias + 1, bias + rows, 0.0);
  }
};

}  // namespace saltus
