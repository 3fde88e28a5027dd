// Impact by Poisson's hypothesis: compression, then expansion.
#pragma once

#include <limits>
#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

/// At the instant of an impact, compression brings u_N to 0 or above under the law without restitution; expansion gives back at least
/// e of its percussion: 0 <= u_N complementary to r_N - e c_N >= 0, c_N that of the compression. Both with Coulomb's friction of
/// their own percussion, |r_T| <= mu r_N (Glocker, Pfeiffer 1995, without tangential restitution). The step goes on from there under the
/// law without restitution. Without friction energy never grows, whatever the e of each contact: expansion gives the percussion
/// r >= e c of least energy, and c itself would give back what compression took. Rows n; (n, t) in the plane; (n, t1, t2).
template <int Rows>
struct PoissonLaw {
  static constexpr bool frictional = Rows > 1;

  double friction = 0.0, restitution = 0.0;

  static constexpr std::string_view name = Rows == 3 ? "poisson_coulomb_impact" : Rows == 2 ? "poisson_coulomb_impact_2d" : "poisson_impact";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view doc = Rows == 3   ? "Coulomb friction and impact in Poisson's two phases, rows (n, t1, t2). Energy: with one restitution for all contacts no impact gives energy."
                                          : Rows == 2 ? "Coulomb friction and impact in Poisson's two phases in the plane, rows (n, t). Energy: with one restitution for all contacts no impact gives energy."
                                                      : "Frictionless impact in Poisson's two phases: compression, then expansion. Energy: no impact gives energy, whatever the restitution of each contact.";
  static constexpr auto fields() {
    const auto rebound = std::tuple{field("restitution", &PoissonLaw::restitution, "", "e, impulse of expansion over that of compression",
                                          or_else(between(0.0, 1.0), "0 is without rebound, 1 without loss"))};
    if constexpr (frictional) return std::tuple_cat(std::tuple{field("friction", &PoissonLaw::friction, "", "mu, friction coefficient", at_least(0.0))}, rebound);
    else return rebound;
  }
  static constexpr const SetType* set = Rows == 3 ? &coulomb_3d_set : Rows == 2 ? &coulomb_2d_set : &half_line_set;
  static constexpr int rows = Rows;
  static constexpr Acts acts = Acts::rate;
  static constexpr bool unilateral = true;
  std::vector<double> set_parameters(int) const { return {friction}; }

  static constexpr int phases = 2;
  const SetType* phase(int number, const double* percussion, double* parameters) const {
    parameters[0] = friction;
    if (number == 0) return set;
    const double least = restitution * percussion[0];
    if constexpr (frictional) {
      parameters[1] = least;
      return Rows == 3 ? &truncated_coulomb_3d_set : &truncated_coulomb_2d_set;
    } else {
      parameters[0] = least, parameters[1] = std::numeric_limits<double>::infinity();
      return &box_set;
    }
  }
};

}  // namespace saltus
