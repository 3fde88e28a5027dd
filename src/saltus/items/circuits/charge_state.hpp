// Voltage and current of a capacitor.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/node_pool.hpp"

namespace saltus {

/// Voltage that a capacitor keeps (first-order state) and the current that changes it (algebraic).
struct ChargeState {
  double voltage = 0.0;

  static constexpr std::string_view name = "charge_state";
  static constexpr std::string_view section = "nodes";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "Voltage of a capacitor [V], a state, and its current [A].";
  static constexpr auto fields() { return std::tuple{field("voltage", &ChargeState::voltage, "V", "v_A - v_B at the start")}; }
  static constexpr NodeUnits units{.state = "V", .value = "A"};
  NodeSizes sizes() const { return {.x = 1, .z = 1}; }
  void initial(double*, double*, double* x, double* z, double*) const { x[0] = voltage, z[0] = 0.0; }
};

}  // namespace saltus
