// Rolling and spinning resistance of a contact, beside its friction and impact.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

/// |r_T| <= mu r_N, |m_R| <= mu_r r_N, |m_n| <= mu_s r_N, each with maximal dissipation, on u+ + e min(u_N-, 0) n (Acary, Bourrier 2021).
/// Rows (n, t1, t2, about t1, about t2, about n), or (n, t, about the plane's normal) in the plane. No moment does work on what
/// turns: each is against its rate, or the rate vanishes.
template <int Rows>
struct RollingLaw {
  static constexpr bool planar = Rows == 3;

  double friction = 0.0, rolling = 0.0, spinning = 0.0, restitution = 0.0;

  static constexpr std::string_view name = planar ? "rolling_impact_2d" : "rolling_impact";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view doc = planar ? "Friction, rolling resistance and Newton impact in the plane, rows (n, t, roll). Energy: each resistance takes its coefficient times the normal force times its rate. Without restitution impacts give no energy; with it as of coulomb_impact."
                                                 : "Friction, rolling and spinning resistance and Newton impact, rows (n, t1, t2, roll about t1, t2, spin about n). Energy: each resistance takes its coefficient times the normal force times its rate. Without restitution impacts give no energy; with it as of coulomb_impact.";
  static constexpr auto fields() {
    constexpr auto impact = or_else(between(0.0, 1.0), "0 is without rebound, 1 without loss");
    constexpr auto length = or_else(at_least(0.0), "it is a length: largest moment over normal force");
    const auto common = std::tuple{field("friction", &RollingLaw::friction, "", "mu, friction coefficient", at_least(0.0)),
                                   field("rolling", &RollingLaw::rolling, "m", "mu_r, largest rolling moment over normal force: a length", length)};
    const auto rebound = std::tuple{field("restitution", &RollingLaw::restitution, "", "e_n, normal speed after over before", impact)};
    if constexpr (planar) return std::tuple_cat(common, rebound);
    else return std::tuple_cat(common, std::tuple{field("spinning", &RollingLaw::spinning, "m", "mu_s, largest spinning moment over normal force: a length", length)}, rebound);
  }
  static constexpr const SetType* set = planar ? &rolling_2d_set : &rolling_spinning_3d_set;
  static constexpr Acts acts = Acts::rate;
  static constexpr bool unilateral = true;
  std::vector<double> set_parameters(int) const {
    if constexpr (planar) return {friction, rolling};
    else return {friction, rolling, spinning};
  }
  void bias(int rows, const double* u_minus, double* bias) const {
    bias[0] = restitution * std::min(u_minus[0], 0.0);
    std::fill(bias + 1, bias + rows, 0.0);
  }
};

}  // namespace saltus
