// Contact between two groups of shapes that may enter each other.
#pragma once

#include <array>
#include <string>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/model/read_fields.hpp"

namespace saltus {

/// As a contact of groups, with forces in place of a law: they act in every scheme. Compiled into a pool of its own (system/penalty_contacts.hpp).
struct PenaltyContactItem {
  double stiffness = 0.0, exponent = 1.5, damping = 0.0, friction = 0.0, slip_speed = 1e-3;
  std::string model = "hunt_crossley";

  static constexpr bool is_marker = true;
  static constexpr std::string_view name = "penalty_contact";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "Contact between two groups of shapes that may enter each other: a force at each point, of its depth.";
  static constexpr auto fields() {
    using P = PenaltyContactItem;
    return std::tuple{field("stiffness", &P::stiffness, "N/m^n", "K, force at a depth of 1 m of each point", required(above(0.0))),
                      field("model", &P::model, "", "hunt_crossley: K d^n (1 + 3/2 a d'); hertz: K d^n + c d', which does not pull", one_of("hunt_crossley|hertz")),
                      field("exponent", &P::exponent, "", "n: 3/2 of Hertz's spheres, 1 a linear spring", or_else(at_least(1.0), "below 1 the force would begin with infinite stiffness")),
                      field("damping", &P::damping, "", "a [s/m] of hunt_crossley: restitution is 1 - a v_0 of slow impacts; c [N s/m] of hertz", at_least(0.0)),
                      field("friction", &P::friction, "", "mu, coefficient of friction", at_least(0.0)),
                      field("slip_speed", &P::slip_speed, "m/s", "s_0, below which friction goes to 0", above(0.0))};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"A", "marker", true, true, "shapes"}, PortInfo{"B", "marker", false, true, "shapes; left out: those of A among themselves. The force is what acts on B"}};
  }
};

}  // namespace saltus
