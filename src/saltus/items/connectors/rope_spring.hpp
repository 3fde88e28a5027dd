// Elastic rope on the length of its way.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// Tension T = max(0, k e + d de/dt) where e = L - L_0 - r phi is above 0, else none: a rope does not push. -T on the length L, r T on the drum's angle phi,
/// from which the rope comes.
struct RopeSpring {
  double stiffness = 0.0, damping = 0.0, length = 0.0, radius = 0.0;

  using port = CoordPort<2>;
  static constexpr bool lets_go = true;
  static constexpr CoordinateKind coordinates = CoordinateKind::ode2;
  static constexpr bool passive = true;
  static constexpr std::string_view name = "rope_spring";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "strut";
  static constexpr std::string_view doc = "An elastic rope: it pulls where its path is longer than the rope, and does not push. A drum may pay it out.";
  static constexpr std::string_view sample = R"({"stiffness": 3, "damping": 0.1, "length": -20, "radius": 0.3})";  // of the property tests: taut
  static constexpr auto fields() {
    return std::tuple{field("stiffness", &RopeSpring::stiffness, "N/m", "k = E A / L_0 of the whole rope", required(above(0.0))),
                      field("damping", &RopeSpring::damping, "N s/m", "d", at_least(0.0)),
                      field("length", &RopeSpring::length, "m", "L_0 of the rope without tension, where the drum's angle is 0", required()),
                      field("radius", &RopeSpring::radius, "m", "r of the drum: rope paid out by its angle")};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"drum", "coordinate", true, false, "the angle of the drum from which it comes; ground: none"},
                      PortInfo{"on", "coordinate", true, false, "the length of its way: a marker of type rope, or a distance"}};
  }
  template <class S>
  Vec<S, 2> lhs(const port::View<S>& x, const Context<S>&) const {
    const S e = x.q[1] - length - radius * x.q[0], pull = stiffness * e + damping * (x.v[1] - radius * x.v[0]);
    const S tension = val(e) > 0.0 && val(pull) > 0.0 ? pull : S(0.0) * e;
    return {{-radius * tension, tension}};
  }
  double potential_energy(const port::View<double>& x, const Context<double>&) const {
    const double e = x.q[1] - length - radius * x.q[0];
    return e > 0.0 ? 0.5 * stiffness * e * e : 0.0;
  }
};

}  // namespace saltus
