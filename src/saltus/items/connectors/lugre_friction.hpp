// Friction of bristles, on a scalar coordinate.
#pragma once

#include <array>
#include <cmath>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// dz/dt = v - sigma_0 |v| z / g(v), g = F_c + (F_s - F_c) exp(-(v / v_s)^2); force -(sigma_0 z + sigma_1 dz/dt + sigma_2 v) on the
/// coordinate (Canudas de Wit, Olsson, Astrom, Lischinsky 1995).
struct LugreFriction {
  double stiffness = 0.0, damping = 0.0, viscosity = 0.0, coulomb = 0.0, breakaway = 0.0, stribeck_speed = 0.0;

  using port = CoordPort<2>;
  static constexpr bool is_load = true;
  static constexpr std::array coordinate_kinds{CoordinateKind::ode1, CoordinateKind::ode2};
  static constexpr std::string_view name = "lugre_friction";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "strut";
  static constexpr std::string_view doc = "Friction of bristles on a coordinate (LuGre): presliding, break-away, Stribeck effect, memory; the deflection of the bristles is a first-order state.";
  static constexpr std::string_view sample =
      R"({"stiffness": 40, "damping": 3, "viscosity": 0.4, "coulomb": 1, "breakaway": 1.5, "stribeck_speed": 0.3})";  // of the property tests: breakaway >= coulomb
  static constexpr auto fields() {
    return std::tuple{field("stiffness", &LugreFriction::stiffness, "", "sigma_0 of the bristles, N/m or N m/rad", required(above(0.0))),
                      field("damping", &LugreFriction::damping, "", "sigma_1 of the bristles, N s/m or N m s/rad", at_least(0.0)),
                      field("viscosity", &LugreFriction::viscosity, "", "sigma_2, N s/m or N m s/rad", at_least(0.0)),
                      field("coulomb", &LugreFriction::coulomb, "", "F_c, friction at high speed, N or N m", required(above(0.0))),
                      field("breakaway", &LugreFriction::breakaway, "", "F_s, friction at rest, N or N m; at least F_c", required(above(0.0))),
                      field("stribeck_speed", &LugreFriction::stribeck_speed, "", "v_s, speed scale over which friction falls from F_s to F_c, m/s or rad/s", required(above(0.0)))};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"bristles", "coordinate", true, false, "a first-order state: the deflection z [m or rad]"},
                      PortInfo{"on", "coordinate", true, false, "the coordinate that it brakes, such as the angle of a hinge"}};
  }
  std::string invalid() const { return breakaway >= coulomb ? "" : "`breakaway` is less than `coulomb`"; }
  template <class S>
  Vec<S, 2> rhs(const port::View<S>& x, const Context<S>&) const {
    using std::abs, std::exp;
    const S& z = x.q[0];
    const S v = x.v[1], s = v * (1.0 / stribeck_speed);
    const S rate = v - stiffness * abs(v) * z / (coulomb + (breakaway - coulomb) * exp(-1.0 * s * s));
    return {{rate, -1.0 * (stiffness * z + damping * rate + viscosity * v)}};
  }
};

}  // namespace saltus
