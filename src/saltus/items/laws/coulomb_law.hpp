// Dry friction and impact of a contact.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

/// Coulomb's cone |r_T| <= friction r_N with maximal dissipation, on u+ + (e_n min(u_N-, 0), e_t u_T-) (Moreau 1988). Rows (n, t1, t2),
/// or (n, t) in the plane.
template <int Rows>
struct CoulombLaw {
  double friction = 0.0, restitution = 0.0, tangential_restitution = 0.0;

  static constexpr std::string_view name = Rows == 3 ? "coulomb_impact" : "coulomb_impact_2d";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view doc =
      Rows == 3 ? "Coulomb friction and Newton impact, rows (n, t1, t2)." : "Coulomb friction and Newton impact in the plane, rows (n, t).";
  static constexpr auto fields() {
    return std::tuple{
        field("friction", &CoulombLaw::friction, "", "mu, friction coefficient", at_least(0.0)),
        field("restitution", &CoulombLaw::restitution, "", "e_n, normal speed after over before", or_else(between(0.0, 1.0), "0 is without rebound, 1 without loss")),
        field("tangential_restitution", &CoulombLaw::tangential_restitution, "", "e_t, of the sliding speed", between(-1.0, 1.0))};
  }
  static const LawType& type() {
    static const LawType type{.name = name,
                              .set = Rows == 3 ? &coulomb_3d_set : &coulomb_2d_set,
                              .acts = Acts::rate,
                              .unilateral = true,
                              .impact = true,
                              .bias = bias};
    return type;
  }
  std::vector<double> parameters() const { return {friction, restitution, tangential_restitution}; }

 private:
  static void bias(const double* parameters, int dim, const double* u_minus, double* bias) {
    bias[0] = parameters[1] * std::min(u_minus[0], 0.0);
    for (int i = 1; i < dim; ++i) bias[i] = parameters[2] * u_minus[i];
  }
};

}  // namespace saltus
