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
      Rows == 3 ? "Coulomb friction and Newton impact, rows (n, t1, t2). Energy: friction takes friction times normal force times slip; impacts with friction and restitution at once may give energy (Kane, Levinson), and the run says so." : "Coulomb friction and Newton impact in the plane, rows (n, t). Energy: friction takes friction times normal force times slip; impacts with friction and restitution at once may give energy (Kane, Levinson), and the run says so.";
  static constexpr auto fields() {
    return std::tuple{
        field("friction", &CoulombLaw::friction, "", "mu, friction coefficient", at_least(0.0)),
        field("restitution", &CoulombLaw::restitution, "", "e_n, normal speed after over before", or_else(between(0.0, 1.0), "0 is without rebound, 1 without loss")),
        field("tangential_restitution", &CoulombLaw::tangential_restitution, "", "e_t, of the sliding speed", between(-1.0, 1.0))};
  }
  static constexpr const SetType* set = Rows == 3 ? &coulomb_3d_set : &coulomb_2d_set;
  static constexpr Acts acts = Acts::rate;
  static constexpr bool unilateral = true;
  std::vector<double> set_parameters(int) const { return {friction}; }
  void bias(int rows, const double* u_minus, double* bias) const {
    bias[0] = restitution * std::min(u_minus[0], 0.0);
    for (int i = 1; i < rows; ++i) bias[i] = tangential_restitution * u_minus[i];
  }
};

}  // namespace saltus
