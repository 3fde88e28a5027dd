// Direct-current motor between a circuit and a shaft.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// L di/dt = v_A - v_B - R i - k w, torque k i on the rotor B about the common z axis, w its speed against the stator A.
/// Endpoints: terminals A and B, CurrentState; then frames of stator and rotor.
struct DcMotor {
  double inductance = 0.0, resistance = 0.0, constant = 0.0;

  using port = Ports<CoordPort<3>, FramePair>;
  static constexpr bool is_load = true;
  static constexpr auto branches = one_branch(BranchKind::inductor, 2);
  static constexpr std::string_view name = "dc_motor";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "motor";
  static constexpr std::string_view doc = "Direct-current motor between two terminals and the frames of a shaft: v_A - v_B = L di/dt + R i + k w, torque k i on the rotor.";
  static constexpr auto fields() {
    return std::tuple{field("inductance", &DcMotor::inductance, "H", "L of the winding", required(above(0.0))),
                      field("resistance", &DcMotor::resistance, "Ohm", "R of the winding", at_least(0.0)),
                      field("constant", &DcMotor::constant, "N m/A", "k, torque per current and voltage per speed", required())};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"A", "coordinate", true, false, "terminal, current leaves it into the element"},
                      PortInfo{"B", "coordinate", true, false, "terminal, current enters it"},
                      PortInfo{"current_of", "coordinate", true, false, "its current_state"},
                      PortInfo{"stator", "frame", true, false, "frame whose z axis is the shaft"},
                      PortInfo{"rotor", "frame", true, false, "frame that turns"}};
  }
  template <class S>
  Vec<S, 9> rhs(const CoordPort<3>::View<S>& x, const FramePair::View<S>& shaft, const Context<S>&) const {
    const S& i = x.q[2];
    Vec<S, 9> f;
    f[0] = -i, f[1] = i;
    f[2] = (x.q[0] - x.q[1] - resistance * i - constant * shaft.w[2]) * (1.0 / inductance);
    f[8] = constant * i;
    return f;
  }
  double potential_energy(const port::View<double>& ends, const Context<double>&) const {
    const double i = std::get<0>(ends).q[2];
    return 0.5 * inductance * i * i;
  }
};

}  // namespace saltus
