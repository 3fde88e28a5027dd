// Impact with friction of the mean of the velocities before and after.
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

/// Percussions that are dual to the mean of the velocities on both sides of an impact (Fremond 2002): u_N+ + e min(u_N-, 0) complementary to r_N, and Coulomb's friction
/// |r_T| <= mu r_N against (u_T+ + u_T-) / 2. An impact gives r . (u+ + u-) / 2 of energy, summed over the contacts, where each friction term is
/// at most 0, and each normal one -(1 - e) r_N |u_N-| / 2: among contacts that close or rest it never grows, whatever the friction and the restitution of each, where Newton's law with
/// Coulomb's friction of the velocity after the impact may give energy (Kane, Levinson 1985). A contact that parts as others strike may give r_N u_N- / 2.
/// While it rests or slides a contact rubs as with Coulomb's law. Rows (n, t) in the plane; (n, t1, t2).
template <int Rows>
struct FremondLaw {
  double friction = 0.0, restitution = 0.0;

  static constexpr std::string_view name = Rows == 3 ? "fremond_impact" : "fremond_impact_2d";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view doc = Rows == 3 ? "Coulomb friction and impact by the mean of the velocities before and after (Fremond), rows (n, t1, t2). Energy: where contacts close or rest no impact gives any, whatever friction and restitution each has."
                                                    : "Coulomb friction and impact by the mean of the velocities before and after (Fremond) in the plane, rows (n, t). Energy: where contacts close or rest no impact gives any, whatever friction and restitution each has.";
  static constexpr auto fields() {
    return std::tuple{field("friction", &FremondLaw::friction, "", "mu, friction coefficient", at_least(0.0)),
                      field("restitution", &FremondLaw::restitution, "", "e_n, normal speed after over before", or_else(between(0.0, 1.0), "0 is without rebound, 1 without loss"))};
  }
  static constexpr const SetType* set = Rows == 3 ? &coulomb_3d_set : &coulomb_2d_set;
  static constexpr Acts acts = Acts::rate;
  static constexpr bool unilateral = true;
  std::vector<double> set_parameters(int) const { return {friction}; }
  /// w = 2 (mean of u) in the tangents: the set sees its direction alone.
  void bias(int rows, const double* u_minus, double* bias) const {
    bias[0] = restitution * std::min(u_minus[0], 0.0);
    for (int i = 1; i < rows; ++i) bias[i] = u_minus[i];
  }
};

}  // namespace saltus
