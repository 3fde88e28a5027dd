// Resistor between two terminals: current (v_A - v_B) / R from A to B.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/circuits/branches.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// v_A - v_B = R i. On B the current +i enters, on A -i.
struct Resistor {
  double resistance = 0.0;

  using port = CoordPair;
  static constexpr bool linear = true;
  static constexpr auto branches = one_branch(BranchKind::any);
  static constexpr std::string_view name = "resistor";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "resistor";
  static constexpr std::string_view doc = "Resistor between two terminals: current (v_A - v_B) / R from A to B.";
  static constexpr auto ports() { return std::array{leaves_at_A, enters_at_B}; }
  static constexpr auto fields() { return std::tuple{field("resistance", &Resistor::resistance, "Ohm", "R", required(above(0.0)))}; }
  template <class S>
  Vec<S, 1> lhs(const CoordPair::View<S>& x, const Context<S>&) const {
    return {{x.q * (1.0 / resistance)}};
  }
};

}  // namespace saltus
