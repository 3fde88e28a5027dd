// Cohesion and friction of a closed contact, as of soil, mortar or frozen joints.
#pragma once

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

/// |r_T| <= c + tan(phi) r_N and r_N >= -t while the gap is closed, forces in place of impulses (Coulomb 1776, Mohr 1900, with Rankine's cut-off of the
/// tension): Coulomb's cone from its tip at -c / tan(phi) on, cut at -t. What slides does not dilate: friction is not associated. It gives no energy:
/// r_T acts against the slip, and tension against a gap that opens. An impact at an instant feels friction alone. Rows (n, t) in the plane; (n, t1, t2).
template <int Rows>
struct MohrCoulombLaw {
  double cohesion = 0.0, angle = 0.5, tension = 0.0, restitution = 0.0;

  static constexpr std::string_view name = Rows == 3 ? "mohr_coulomb" : "mohr_coulomb_2d";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view doc = Rows == 3 ? "Contact with cohesion, an angle of friction and a bounded tension (Mohr, Coulomb), rows (n, t1, t2). Energy: without restitution none is given: friction acts against the slip, tension against a gap that opens."
                                                    : "Contact with cohesion, an angle of friction and a bounded tension in the plane (Mohr, Coulomb), rows (n, t). Energy: without restitution none is given: friction acts against the slip, tension against a gap that opens.";
  static constexpr auto fields() {
    return std::tuple{field("cohesion", &MohrCoulombLaw::cohesion, "N", "c, shear force that a closed contact bears without pressure", at_least(0.0)),
                      field("angle", &MohrCoulombLaw::angle, "rad", "phi, angle of friction", or_else(between(1e-3, 1.57), "the friction coefficient is its tangent; without friction take adhesion, or a joint that breaks")),
                      field("tension", &MohrCoulombLaw::tension, "N", "t, largest pull of a closed contact; no more than the tip of the cone, c / tan(phi)", at_least(0.0)),
                      field("restitution", &MohrCoulombLaw::restitution, "", "e_n, normal speed after over before", or_else(between(0.0, 1.0), "0 is without rebound, 1 without loss"))};
  }
  static constexpr const SetType* set = Rows == 3 ? &cohesive_3d_set : &cohesive_2d_set;
  static constexpr int rows = Rows;
  static constexpr Acts acts = Acts::rate;
  static constexpr bool unilateral = true, force_bounded = true;
  double pull() const { return std::min(tension, cohesion / std::tan(angle)); }
  /// From the largest tension on, where so much of the cohesion is left.
  std::vector<double> set_parameters(int) const { return {std::tan(angle), std::max(cohesion - std::tan(angle) * pull(), 0.0)}; }
  void bias(int rows, const double* u_minus, double* bias) const {
    bias[0] = restitution * std::min(u_minus[0], 0.0);
    std::fill(bias + 1, bias + rows, 0.0);
  }
};

}  // namespace saltus
