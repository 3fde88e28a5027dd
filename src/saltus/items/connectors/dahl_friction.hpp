// Friction of a solid contact with hysteresis, on a scalar coordinate.
#pragma once

#include <array>
#include <cmath>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// dz/dt = v - alpha(z, v) sigma |v| z / F, force -(sigma z + sigma_1 dz/dt + sigma_2 v). alpha = 1: Dahl 1968. With an elastic part b F / sigma
/// alpha is 0 while |z| is below it or the bristles are unloaded, and rises to 1 at F / sigma: below it nothing creeps
/// (Dupont, Hayward, Armstrong, Altpeter 2002).
struct DahlFriction {
  double stiffness = 0.0, coulomb = 0.0, damping = 0.0, viscosity = 0.0, elastic = 0.0;

  using port = CoordPort<2>;
  static constexpr bool is_load = true;
  static constexpr std::array coordinate_kinds{CoordinateKind::ode1, CoordinateKind::ode2};
  static constexpr std::string_view name = "dahl_friction";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "strut";
  static constexpr std::string_view doc = "Friction with hysteresis on a coordinate (Dahl), on request with an elastic part that does not creep; the deflection is a first-order state.";
  static constexpr std::string_view sample = R"({"stiffness": 4, "coulomb": 9, "damping": 0.3, "viscosity": 0.4, "elastic": 0.1})";  // of the property tests: away from the kinks
  static constexpr auto fields() {
    return std::tuple{field("stiffness", &DahlFriction::stiffness, "", "sigma of the contact at rest, N/m or N m/rad", required(above(0.0))),
                      field("coulomb", &DahlFriction::coulomb, "", "F, friction of sliding, N or N m", required(above(0.0))),
                      field("damping", &DahlFriction::damping, "", "sigma_1 of the deflection, N s/m or N m s/rad", at_least(0.0)),
                      field("viscosity", &DahlFriction::viscosity, "", "sigma_2, N s/m or N m s/rad", at_least(0.0)),
                      field("elastic", &DahlFriction::elastic, "", "b, share of F below which the contact is elastic", Range{.low = 0.0, .high = 1.0, .high_open = true})};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"bristles", "coordinate", true, false, "a first-order state: the deflection z [m or rad]"},
                      PortInfo{"on", "coordinate", true, false, "the coordinate that it brakes, such as the angle of a hinge"}};
  }
  template <class S>
  Vec<S, 2> rhs(const port::View<S>& x, const Context<S>&) const {
    using std::abs;
    const S& z = x.q[0];
    const S& v = x.v[1];
    const S rate = v - sliding(z, v) * (stiffness / coulomb) * abs(v) * z;
    return {{rate, -1.0 * (stiffness * z + damping * rate + viscosity * v)}};
  }

 private:
  /// alpha.
  template <class S>
  S sliding(const S& z, const S& v) const {
    using std::abs, std::sin;
    if (elastic == 0.0) return S(1.0);
    const S share = abs(z) * (stiffness / coulomb);
    if (val(z) * val(v) <= 0.0 || val(share) <= elastic) return S(0.0);
    if (val(share) >= 1.0) return S(1.0);
    return 0.5 + 0.5 * sin((share - 0.5 * (1.0 + elastic)) * (3.141592653589793 / (1.0 - elastic)));
  }
};

}  // namespace saltus
