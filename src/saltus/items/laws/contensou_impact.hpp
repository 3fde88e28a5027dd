// Friction of a contact that slides and spins at once, and impact.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

/// |(r_T / mu, m_n / mu_s)| <= r_N with maximal dissipation: sliding and spin share one bound, so that either is easier while the other goes
/// on, and both end together (Contensou 1963; Leine, Glocker 2003: the ellipsoid for their exact set). Of a disc of radius R
/// with even pressure mu_s = 2/3 mu R, with Hertz' pressure 3 pi/16 mu R. Newton's impact on u+ + e min(u_N-, 0) n. Power is
/// -r_N |(mu u_T, mu_s w_n)|: friction only takes energy. Rows (n, t1, t2, about t1, about t2, about n); nothing resists rolling.
struct ContensouImpact {
  double friction = 0.5, spinning = 0.0, restitution = 0.0;

  static constexpr std::string_view name = "contensou_impact";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view sample = R"({"friction": 0.4, "spinning": 0.01})";  // of the property tests
  static constexpr std::string_view doc = "Friction shared by sliding and spinning (Contensou), and Newton impact, rows (n, t1, t2, roll about t1, t2, spin about n). Energy: friction takes the normal force times |(friction u, spinning w)|, u the slip, w the spin. Impacts as of coulomb_impact.";
  static constexpr auto fields() {
    return std::tuple{field("friction", &ContensouImpact::friction, "", "mu, friction coefficient", or_else(above(0.0), "use `newton_impact` without friction")),
                      field("spinning", &ContensouImpact::spinning, "m", "mu_s, largest spinning moment over normal force: a length, 2/3 mu R of a disc with even pressure",
                            required(or_else(above(0.0), "a contact without radius has no spinning moment: use `coulomb_impact`"))),
                      field("restitution", &ContensouImpact::restitution, "", "e_n, normal speed after over before", or_else(between(0.0, 1.0), "0 is without rebound, 1 without loss"))};
  }
  static constexpr const SetType* set = &contensou_set;
  static constexpr Acts acts = Acts::rate;
  static constexpr bool unilateral = true;
  std::vector<double> set_parameters(int) const { return {friction, spinning}; }
  void bias(int rows, const double* u_minus, double* bias) const {
    bias[0] = restitution * std::min(u_minus[0], 0.0);
    std::fill(bias + 1, bias + rows, 0.0);
  }
};

}  // namespace saltus
