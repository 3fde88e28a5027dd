// Capacitor between two terminals.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// C dv/dt = i, v = v_A - v_B. Endpoints A, B, voltage and current of its ChargeState.
struct Capacitor {
  double capacitance = 0.0;

  using port = CoordPort<4>;
  static constexpr bool linear = true;
  static constexpr bool is_load = true;
  static constexpr auto branches = one_branch(BranchKind::capacitor, 2);
  static constexpr std::string_view name = "capacitor";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "capacitor";
  static constexpr std::string_view doc = "Capacitor between two terminals: current C d(v_A - v_B)/dt from A to B; its voltage is a state.";
  static constexpr auto fields() { return std::tuple{field("capacitance", &Capacitor::capacitance, "F", "C", required(above(0.0)))}; }
  static constexpr auto ports() {
    return std::array{PortInfo{"A", "coordinate", true, false, "terminal, current leaves it into the element"},
                      PortInfo{"B", "coordinate", true, false, "terminal, current enters it"},
                      PortInfo{"voltage_of", "coordinate", true, false, "coordinate 0 of its charge_state"},
                      PortInfo{"current_of", "coordinate", true, false, "coordinate 1 of its charge_state"}};
  }
  template <class S>
  Vec<S, 4> rhs(const CoordPort<4>::View<S>& x, const Context<S>&) const {
    const S& i = x.q[3];
    return {{-i, i, i * (1.0 / capacitance), x.q[0] - x.q[1] - x.q[2]}};
  }
  double potential_energy(const CoordPort<4>::View<double>& x, const Context<double>&) const { return 0.5 * capacitance * x.q[2] * x.q[2]; }
};

}  // namespace saltus
