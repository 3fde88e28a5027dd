// Impact of several contacts at once, followed along its impulse.
#pragma once

#include <tuple>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/pool/law.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

/// Without friction, energy by pair (Liu, Zhao, Brogliato 2008, 2009): each contact of an impact stores the work E that closes it and pushes with K x^n, E = K x^(n+1) / (n+1); the
/// impulses grow in the proportion of these pushes until all contacts have opened. Each gives back e^2 of the work that it took, so energy never
/// grows, and with e = 1 it stays. Only ratios of the stiffnesses of one impact matter. The step goes on from there under the law without restitution. A
/// shock runs through a chain as through one of stiff springs with these characteristics. Row n.
struct LzbImpact {
  double restitution = 1.0, stiffness = 1.0, exponent = 1.5;

  static constexpr std::string_view name = "lzb_impact";
  static constexpr std::string_view section = "laws";
  static constexpr std::string_view doc = "Frictionless impact of several contacts followed along its impulse, energy by pair (Liu, Zhao, Brogliato): waves in chains. Energy: each contact gives back restitution^2 of the work that closed it: no impact gives energy.";
  static constexpr auto fields() {
    return std::tuple{field("restitution", &LzbImpact::restitution, "", "e, square root of the work that a contact gives back over that which it took",
                            or_else(between(0.0, 1.0), "0 gives nothing back, 1 is without loss")),
                      field("stiffness", &LzbImpact::stiffness, "N/m^n", "K, of which only ratios matter, between contacts of one impact", or_else(above(0.0), "it is a stiffness: 1 where all contacts are alike")),
                      field("exponent", &LzbImpact::exponent, "", "n, of force over compression: 1 linear, 1.5 balls (Hertz)", or_else(between(1.0, 10.0), "1 is a linear spring, 1.5 a contact of balls"))};
  }
  static constexpr const SetType* set = &half_line_set;
  static constexpr int rows = 1;
  static constexpr Acts acts = Acts::rate;
  static constexpr bool unilateral = true;
  std::vector<double> set_parameters(int) const { return {}; }
  ImpulseContact along_impulse() const { return {stiffness, exponent, restitution}; }

  static constexpr int phases = 1;  // of it the contact takes what was found along the impulse, and no more
  const SetType* phase(int, const double*, double* parameters) const {
    parameters[0] = parameters[1] = 0.0;
    return &box_set;
  }
};

}  // namespace saltus
