// Dry friction that depends on the sliding speed, and impact.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

/// |r_T| <= mu r_N, against the slip where it is less than mu r_N would hold, mu(s) = mu_k + (mu_s - mu_k) exp(-(s/v_s)^p) + d s of the
/// sliding speed s (Stribeck 1902; Armstrong-Helouvry, Dupont, Canudas de Wit 1994); a contact that sticks holds up to mu_s r_N. The
/// speed is that at the end of a step, under error control the mean of it. Newton's impact on u+ + e min(u_N-, 0) n. Friction only takes energy: its power is -mu s r_N.
/// Rows (n, t1, t2), or (n, t) in the plane.
template <int Rows>
struct StribeckLaw {
  double at_rest = 0.6, sliding = 0.4, speed = 0.01, exponent = 1.0, growth = 0.0, restitution = 0.0;

  static constexpr std::string_view name = Rows == 3 ? "stribeck_impact" : "stribeck_impact_2d";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view doc = Rows == 3 ? "Friction that depends on the sliding speed and Newton impact, rows (n, t1, t2). Energy: friction takes mu(s) s times the normal force, s the slip. Impacts as of coulomb_impact."
                                                    : "Friction that depends on the sliding speed and Newton impact in the plane, rows (n, t). Energy: friction takes mu(s) s times the normal force, s the slip. Impacts as of coulomb_impact.";
  static constexpr auto fields() {
    return std::tuple{
        field("friction_at_rest", &StribeckLaw::at_rest, "", "mu_s, friction coefficient while it sticks", at_least(0.0)),
        field("friction_sliding", &StribeckLaw::sliding, "", "mu_k, friction coefficient of fast sliding", at_least(0.0)),
        field("speed", &StribeckLaw::speed, "m/s", "v_s, sliding speed over which mu_s falls to mu_k", above(0.0)),
        field("exponent", &StribeckLaw::exponent, "", "p of exp(-(s/v_s)^p)", or_else(at_least(1.0), "1 (Tustin) and 2 (Gauss) are usual")),
        field("growth", &StribeckLaw::growth, "s/m", "d, growth of the coefficient by the sliding speed", at_least(0.0)),
        field("restitution", &StribeckLaw::restitution, "", "e_n, normal speed after over before", or_else(between(0.0, 1.0), "0 is without rebound, 1 without loss"))};
  }
  std::string invalid() const { return sliding <= at_rest ? "" : "`friction_sliding` is above `friction_at_rest`: let friction grow with speed by `growth`"; }
  static constexpr const SetType* set = Rows == 3 ? &stribeck_3d_set : &stribeck_2d_set;
  static constexpr Acts acts = Acts::rate;
  static constexpr bool unilateral = true, by_speed = true;
  std::vector<double> set_parameters(int) const { return {at_rest, sliding, speed, exponent, growth}; }
  void bias(int rows, const double* u_minus, double* bias) const {
    bias[0] = restitution * std::min(u_minus[0], 0.0);
    std::fill(bias + 1, bias + rows, 0.0);
  }
};

}  // namespace saltus
