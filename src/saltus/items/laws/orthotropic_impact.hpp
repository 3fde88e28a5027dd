// Dry friction that differs along two directions of a body, and impact.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

/// Elliptic cone |(r_1 / mu_1, r_2 / mu_2)| <= r_N with maximal dissipation (Michalowski, Mroz 1978), along the tangents t1, t2 of A: x and y
/// of a plane. Newton's impact on u+ + e min(u_N-, 0) n. Friction is against the slip, and takes mu_i^2 u_i / |(mu_1 u_1, mu_2 u_2)| of the normal force.
struct OrthotropicImpact {
  double friction_1 = 0.5, friction_2 = 0.5, restitution = 0.0;

  static constexpr std::string_view name = "orthotropic_impact";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view doc = "Friction of two coefficients along two directions of A, and Newton impact, rows (n, t1, t2). Energy: friction takes the normal force times |(friction_1 u_1, friction_2 u_2)|, u the slip. Impacts as of coulomb_impact.";
  static constexpr auto fields() {
    return std::tuple{field("friction_1", &OrthotropicImpact::friction_1, "", "mu_1, friction coefficient along t1: x of a plane", or_else(above(0.0), "use `coulomb_impact` without friction")),
                      field("friction_2", &OrthotropicImpact::friction_2, "", "mu_2, friction coefficient along t2: y of a plane", or_else(above(0.0), "use `coulomb_impact` without friction")),
                      field("restitution", &OrthotropicImpact::restitution, "", "e_n, normal speed after over before", or_else(between(0.0, 1.0), "0 is without rebound, 1 without loss"))};
  }
  static constexpr const SetType* set = &orthotropic_set;
  static constexpr Acts acts = Acts::rate;
  static constexpr bool unilateral = true, oriented = true;
  std::vector<double> set_parameters(int) const { return {friction_1, friction_2}; }
  void bias(int rows, const double* u_minus, double* bias) const {
    bias[0] = restitution * std::min(u_minus[0], 0.0);
    std::fill(bias + 1, bias + rows, 0.0);
  }
};

}  // namespace saltus
