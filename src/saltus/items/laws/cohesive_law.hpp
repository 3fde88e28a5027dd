// A bond between surfaces that breaks by damage: a cohesive zone.
#pragma once

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

/// What is closed where a run begins is bonded. The bond pulls with b s, s its strength, b = 1 - max over time of sqrt((g / d)^2 + (w / d_T)^2) what is left of it: g the gap, w the way that it has
/// slipped, d and d_T openings at which it has let go (rigid at first, linear softening; Talon, Curnier 2003; Acary, Monerie 2006). Closed it is r_N >= -b s,
/// with friction |r_T| <= mu (r_N + b s); open it pulls with b s along n alone, and as much on the way back. So breaking it takes the area s d / 2, of which b s g is stored
/// while it is open and comes back; what has let go is a contact with Newton's impact and Coulomb's friction, and does not bond again. It gives no energy. Damage is remembered once
/// for each accepted step; within one it grows with the slip, at the speed with which the step begins. Rows n; (n, t) in the plane; (n, t1, t2).
template <int Rows>
struct CohesiveLaw {
  static constexpr bool frictional = Rows > 1;

  double strength = 0.0, opening = 0.0, slip = 0.0, friction = 0.0, restitution = 0.0;

  static constexpr std::string_view name = Rows == 3 ? "cohesive_coulomb_impact" : Rows == 2 ? "cohesive_coulomb_impact_2d" : "cohesive_impact";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view sample = R"({"strength": 10, "opening": 0.01})";  // of the property tests
  static constexpr std::string_view doc = Rows == 3   ? "Bond that breaks by damage, then Coulomb friction and Newton impact, rows (n, t1, t2). Energy: breaking takes strength times opening / 2; while it is open a part of that is stored and comes back. Impacts as of coulomb_impact."
                                          : Rows == 2 ? "Bond that breaks by damage, then Coulomb friction and Newton impact in the plane, rows (n, t). Energy: breaking takes strength times opening / 2; while it is open a part of that is stored and comes back. Impacts as of coulomb_impact."
                                                      : "Bond that breaks by damage, without friction; then Newton impact. Energy: breaking takes strength times opening / 2; while it is open a part of that is stored and comes back. Impacts as of coulomb_impact.";
  static constexpr auto fields() {
    const auto bond = std::tuple{field("strength", &CohesiveLaw::strength, "N", "s, pull of the whole bond", required(or_else(above(0.0), "a contact without a bond has newton_impact or coulomb_impact"))),
                                 field("opening", &CohesiveLaw::opening, "m", "d, gap at which the bond is broken; breaking it takes the energy s d / 2", required(or_else(above(0.0), "a bond that lets go at once has adhesive_impact")))};
    const auto rebound = std::tuple{field("restitution", &CohesiveLaw::restitution, "", "e_n, normal speed after over before", or_else(between(0.0, 1.0), "0 is without rebound, 1 without loss"))};
    if constexpr (frictional)
      return std::tuple_cat(bond, std::tuple{field("slip", &CohesiveLaw::slip, "m", "d_T, slip at which the bond is broken; 0: as `opening`", at_least(0.0)),
                                             field("friction", &CohesiveLaw::friction, "", "mu, friction over normal force plus pull", at_least(0.0))}, rebound);
    else return std::tuple_cat(bond, rebound);
  }
  static constexpr const SetType* set = Rows == 3 ? &coulomb_3d_set : Rows == 2 ? &coulomb_2d_set : &half_line_set;
  static constexpr int rows = Rows;
  static constexpr Acts acts = Acts::rate;
  static constexpr bool unilateral = true;
  std::vector<double> set_parameters(int) const { return {friction}; }
  void bias(int rows, const double* u_minus, double* bias) const {
    bias[0] = restitution * std::min(u_minus[0], 0.0);
    std::fill(bias + 1, bias + rows, 0.0);
  }

  static constexpr int memory = 3;  // damage, way that it slipped, speed of slip
  double reach() const { return opening; }
  bool begin(const LawSight& sight, double* memory) const {
    memory[0] = sight.gap <= sight.closed ? 0.0 : 1.0, memory[1] = 0.0, memory[2] = slip_speed(sight);
    return memory[0] < 1.0;
  }
  bool remember(const LawSight& sight, double* memory) const {
    if (memory[0] >= 1.0) return false;
    memory[0] = damage(sight, memory), memory[1] = slipped(sight, memory), memory[2] = slip_speed(sight);
    return memory[0] < 1.0;
  }
  double now(const LawSight& sight, const double* memory, double* parameters) const {
    parameters[0] = friction;
    return memory ? strength * (1.0 - damage(sight, memory)) : 0.0;
  }

 private:
  static double slip_speed(const LawSight& sight) {
    double square = 0.0;
    for (int r = 1; sight.rate && r < std::min(sight.rows, 3); ++r) square += sight.rate[r] * sight.rate[r];
    return std::sqrt(square);
  }
  /// The way that it has slipped where the law acts: by the mean of the speeds, then on at the last one.
  static double slipped(const LawSight& sight, const double* memory) {
    if (!sight.rate || sight.gap > sight.closed) return memory[1];
    const double speed = slip_speed(sight);
    return memory[1] + 0.5 * sight.since * (memory[2] + speed) + sight.ahead * speed;
  }
  double damage(const LawSight& sight, const double* memory) const {
    const double slips = slip > 0.0 ? slip : opening;
    return std::clamp(std::hypot(std::max(sight.gap, 0.0) / opening, slipped(sight, memory) / slips), memory[0], 1.0);
  }
};

}  // namespace saltus
