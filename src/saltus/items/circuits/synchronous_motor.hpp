// Synchronous machine with permanent magnets between three terminals and a motion.
#pragma once

#include <array>
#include <cmath>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// Park (1929), currents of the phases by their amplitudes, e = p x the angle of the field against phase A, star point not led out:
///   L_d di_d/dt = v_d - R i_d + e' L_q i_q,   L_q di_q/dt = v_q - R i_q - e' (L_d i_d + psi),
/// torque 3/2 p (psi i_q + (L_d - L_q) i_d i_q) on the motion. Endpoints: terminals, CurrentStates of d and q, the motion.
struct SynchronousMotor {
  int pole_pairs = 1;
  double flux = 0.0, inductance_d = 0.0, inductance_q = 0.0, resistance = 0.0;

  using port = CoordPort<6>;
  static constexpr bool is_load = true;
  static constexpr std::array<BranchInfo, 2> branches{{{BranchKind::any, 0, 1, -1}, {BranchKind::any, 1, 2, -1}}};
  static constexpr std::array coordinate_kinds{CoordinateKind::algebraic, CoordinateKind::algebraic, CoordinateKind::algebraic,
                                               CoordinateKind::ode1,      CoordinateKind::ode1,      CoordinateKind::ode2};
  static constexpr std::string_view name = "synchronous_motor";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "motor";
  static constexpr std::string_view doc = "Three-phase synchronous machine with permanent magnets, in the coordinates d, q of its rotor.";
  static constexpr std::string_view sample = R"({"pole_pairs": 2, "flux": 0.4, "inductance_d": 0.7, "inductance_q": 1.1, "resistance": 0.3})";  // of the property tests
  static constexpr auto fields() {
    return std::tuple{field("pole_pairs", &SynchronousMotor::pole_pairs, "", "p", at_least(1.0)),
                      field("flux", &SynchronousMotor::flux, "V s", "psi of the magnets in a phase", required()),
                      field("inductance_d", &SynchronousMotor::inductance_d, "H", "L_d along the magnets", required(above(0.0))),
                      field("inductance_q", &SynchronousMotor::inductance_q, "H", "L_q across the magnets", required(above(0.0))),
                      field("resistance", &SynchronousMotor::resistance, "Ohm", "R of a phase", at_least(0.0))};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"A", "coordinate", true, false, "terminal of the first phase"}, PortInfo{"B", "coordinate", true, false, "terminal of the second"},
                      PortInfo{"C", "coordinate", true, false, "terminal of the third"}, PortInfo{"current_d", "coordinate", true, false, "current_state"},
                      PortInfo{"current_q", "coordinate", true, false, "current_state"}, PortInfo{"on", "coordinate", true, false, "the motion of its rotor, such as the angle of a hinge"}};
  }
  static constexpr std::array quantities{ItemQuantity{"currents", "A", "from the terminals A, B, C into it"}};
  Vec3<double> quantity(int, const port::View<double>& x) const {
    Vec3<double> i;
    for (int k = 0; k < 3; ++k) {
      const double phase = pole_pairs * x.q[5] - 2.0 * M_PI / 3.0 * k;
      i[k] = std::cos(phase) * x.q[3] - std::sin(phase) * x.q[4];
    }
    return i;
  }
  template <class S>
  Vec<S, 6> rhs(const port::View<S>& x, const Context<S>&) const {
    using std::cos, std::sin;
    const S &d = x.q[3], &q = x.q[4];
    const S angle = static_cast<double>(pole_pairs) * x.q[5], speed = static_cast<double>(pole_pairs) * x.v[5];
    Vec<S, 6> f;
    S v_d(0.0), v_q(0.0);
    for (int k = 0; k < 3; ++k) {
      const S phase = angle - 2.0 * M_PI / 3.0 * k, c = cos(phase), s = sin(phase);
      v_d += 2.0 / 3.0 * c * x.q[k], v_q -= 2.0 / 3.0 * s * x.q[k];
      f[k] = s * q - c * d;
    }
    f[3] = (1.0 / inductance_d) * (v_d - resistance * d + inductance_q * speed * q);
    f[4] = (1.0 / inductance_q) * (v_q - resistance * q - speed * (inductance_d * d + flux));
    f[5] = 1.5 * pole_pairs * (flux + (inductance_d - inductance_q) * d) * q;
    return f;
  }
  double potential_energy(const port::View<double>& x, const Context<double>&) const {
    return 0.75 * (inductance_d * x.q[3] * x.q[3] + inductance_q * x.q[4] * x.q[4]);
  }
};

}  // namespace saltus
