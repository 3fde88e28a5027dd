// Motor with electronic commutation between three terminals and a motion.
#pragma once

#include <array>
#include <cmath>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// L di_k/dt = v_k - v_n - R i_k - K g_k w, g_k = g(p x - 2 pi k / 3) a trapezoid with a top of 120 degrees (Pillay, Krishnan 1989), star point n not led
/// out, so that i_C = -i_A - i_B; torque K sum g_k i_k on the motion. Endpoints: terminals, CurrentStates of A and B, the motion.
struct BldcMotor {
  int pole_pairs = 1;
  double constant = 0.0, inductance = 0.0, resistance = 0.0;

  using port = CoordPort<6>;
  static constexpr bool is_load = true;
  static constexpr std::array<BranchInfo, 2> branches{{{BranchKind::any, 0, 1, -1}, {BranchKind::any, 1, 2, -1}}};
  static constexpr std::array coordinate_kinds{CoordinateKind::algebraic, CoordinateKind::algebraic, CoordinateKind::algebraic,
                                               CoordinateKind::ode1,      CoordinateKind::ode1,      CoordinateKind::ode2};
  static constexpr std::string_view name = "bldc_motor";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "motor";
  static constexpr std::string_view doc = "Three-phase motor with permanent magnets whose induced voltages are trapezoids of the angle.";
  static constexpr std::string_view sample = R"({"pole_pairs": 2, "constant": 0.4, "inductance": 0.7, "resistance": 0.3})";  // of the property tests
  static constexpr auto fields() {
    return std::tuple{field("pole_pairs", &BldcMotor::pole_pairs, "", "p", at_least(1.0)),
                      field("constant", &BldcMotor::constant, "N m/A", "K of a phase at the top of its trapezoid, torque per current and voltage per speed", required()),
                      field("inductance", &BldcMotor::inductance, "H", "L of a phase, less what it shares with another", required(above(0.0))),
                      field("resistance", &BldcMotor::resistance, "Ohm", "R of a phase", at_least(0.0))};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"A", "coordinate", true, false, "terminal of the first phase"}, PortInfo{"B", "coordinate", true, false, "terminal of the second"},
                      PortInfo{"C", "coordinate", true, false, "terminal of the third"}, PortInfo{"current_A", "coordinate", true, false, "current_state"},
                      PortInfo{"current_B", "coordinate", true, false, "current_state"}, PortInfo{"on", "coordinate", true, false, "the motion of its rotor, such as the angle of a hinge"}};
  }
  static constexpr std::array quantities{ItemQuantity{"currents", "A", "from the terminals A, B, C into it"}};
  Vec3<double> quantity(int, const port::View<double>& x) const { return {{x.q[3], x.q[4], -x.q[3] - x.q[4]}}; }
  template <class S>
  Vec<S, 6> rhs(const port::View<S>& x, const Context<S>&) const {
    const S current[] = {x.q[3], x.q[4], -1.0 * x.q[3] - x.q[4]}, angle = static_cast<double>(pole_pairs) * x.q[5];
    Vec<S, 6> f;
    S drive[3], mean(0.0), torque(0.0);
    for (int k = 0; k < 3; ++k) {
      const S K = constant * trapezoid(angle - 2.0 * M_PI / 3.0 * k);
      drive[k] = x.q[k] - K * x.v[5];
      mean += 1.0 / 3.0 * drive[k];
      torque += K * current[k];
      f[k] = -current[k];
    }
    for (int k = 0; k < 2; ++k) f[3 + k] = (1.0 / inductance) * (drive[k] - mean - resistance * current[k]);
    f[5] = torque;
    return f;
  }
  double potential_energy(const port::View<double>& x, const Context<double>&) const {
    const double a = x.q[3], b = x.q[4];
    return 0.5 * inductance * (a * a + b * b + (a + b) * (a + b));
  }

 private:
  /// 0 at 0, 1 from 30 to 150 degrees, odd.
  template <class S>
  static S trapezoid(const S& angle) {
    S x = angle - 2.0 * M_PI * std::round(val(angle) / (2.0 * M_PI));
    if (std::abs(val(x)) > 0.5 * M_PI) x = std::copysign(M_PI, val(x)) - x;
    return std::abs(val(x)) < M_PI / 6.0 ? (6.0 / M_PI) * x : std::copysign(1.0, val(x)) + 0.0 * x;
  }
};

}  // namespace saltus
