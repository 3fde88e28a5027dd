// Friction that is a function of the speed, on a scalar coordinate.
#pragma once

#include <cmath>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// RHS -(F_c + (F_s - F_c) exp(-(v / v_s)^2)) tanh(v / v_0) - sigma v (Stribeck 1902; Armstrong-Helouvry, Dupont, Canudas de Wit 1994).
/// Within v_0 it is viscous: what rests under a load creeps.
struct StribeckFriction {
  double coulomb = 0.0, breakaway = 0.0, stribeck_speed = 0.0, viscosity = 0.0, slip_speed = 1e-3;

  using port = CoordPort<1>;
  static constexpr bool is_load = true;
  static constexpr CoordinateKind coordinates = CoordinateKind::ode2;
  static constexpr std::string_view name = "stribeck_friction";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "strut";
  static constexpr std::string_view doc = "Friction as a function of the speed on a coordinate: Coulomb, Stribeck, viscous; smooth at zero speed, so that it creeps under load.";
  static constexpr std::string_view sample =
      R"({"coulomb": 1, "breakaway": 1.5, "stribeck_speed": 0.3, "viscosity": 0.4, "slip_speed": 0.2})";  // of the property tests: breakaway >= coulomb
  static constexpr auto fields() {
    return std::tuple{field("coulomb", &StribeckFriction::coulomb, "", "F_c, friction at high speed, N or N m", required(at_least(0.0))),
                      field("breakaway", &StribeckFriction::breakaway, "", "F_s, friction at low speed, N or N m; at least F_c; 0: F_c", at_least(0.0)),
                      field("stribeck_speed", &StribeckFriction::stribeck_speed, "", "v_s, speed scale over which friction falls from F_s to F_c, m/s or rad/s; needed if F_s is given", at_least(0.0)),
                      field("viscosity", &StribeckFriction::viscosity, "", "sigma, N s/m or N m s/rad", at_least(0.0)),
                      field("slip_speed", &StribeckFriction::slip_speed, "", "v_0, below which friction goes to 0, m/s or rad/s", or_else(above(0.0), "for exact sticking use a relay law, or lugre_friction"))};
  }
  std::string invalid() const {
    if (breakaway == 0.0) return "";
    if (breakaway < coulomb) return "`breakaway` is less than `coulomb`";
    return stribeck_speed > 0.0 ? "" : "`stribeck_speed` is 0 and `breakaway` is given";
  }
  template <class S>
  S rhs(const port::View<S>& x, const Context<S>&) const {
    using std::exp, std::tanh;
    const S& v = x.v[0];
    S level(coulomb);
    if (breakaway > coulomb) {
      const S s = v * (1.0 / stribeck_speed);
      level += (breakaway - coulomb) * exp(-1.0 * s * s);
    }
    return -1.0 * (level * tanh(v * (1.0 / slip_speed)) + viscosity * v);
  }
};

}  // namespace saltus
