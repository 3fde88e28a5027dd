// Current of a winding.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/node_pool.hpp"

namespace saltus {

/// Current of an inductor or motor winding: one first-order state.
struct CurrentState {
  double current = 0.0;

  static constexpr std::string_view name = "current_state";
  static constexpr std::string_view section = "nodes";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "Current of a winding [A], a state.";
  static constexpr auto fields() { return std::tuple{field("current", &CurrentState::current, "A", "at the start")}; }
  static constexpr NodeUnits units{.state = "A"};
  NodeSizes sizes() const { return {.x = 1}; }
  void initial(double*, double*, double* x, double*, double*) const { x[0] = current; }
};

}  // namespace saltus
