// Inductor between two terminals.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// L di/dt = v_A - v_B - R i. Endpoints A, B and its CurrentState.
struct Inductor {
  double inductance = 0.0, resistance = 0.0;

  using port = CoordPort<3>;
  static constexpr bool linear = true;
  static constexpr bool is_load = true;
  static constexpr auto branches = one_branch(BranchKind::inductor, 2);
  static constexpr std::string_view name = "inductor";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "inductor";
  static constexpr std::string_view doc = "Inductor with the resistance of its winding: v_A - v_B = L di/dt + R i; its current i from A to B is a state.";
  static constexpr auto fields() {
    return std::tuple{field("inductance", &Inductor::inductance, "H", "L", required(above(0.0))),
                      field("resistance", &Inductor::resistance, "Ohm", "R of the winding", at_least(0.0))};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"A", "coordinate", true, false, "terminal, current leaves it into the element"},
                      PortInfo{"B", "coordinate", true, false, "terminal, current enters it"},
                      PortInfo{"current_of", "coordinate", true, false, "its current_state"}};
  }
  template <class S>
  Vec<S, 3> rhs(const CoordPort<3>::View<S>& x, const Context<S>&) const {
    const S& i = x.q[2];
    return {{-i, i, (x.q[0] - x.q[1] - resistance * i) * (1.0 / inductance)}};
  }
  double potential_energy(const CoordPort<3>::View<double>& x, const Context<double>&) const { return 0.5 * inductance * x.q[2] * x.q[2]; }
};

}  // namespace saltus
