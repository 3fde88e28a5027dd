// A point of a circuit.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/node_pool.hpp"

namespace saltus {

/// A terminal: its potential is an algebraic unknown, its equation is Kirchhoff's: the currents into it sum to zero.
struct Terminal {
  double voltage = 0.0;

  static constexpr std::string_view name = "terminal";
  static constexpr std::string_view section = "nodes";
  static constexpr std::string_view picture = "net";
  static constexpr std::string_view doc = "Terminal of a circuit: one potential against ground [V].";
  static constexpr auto fields() { return std::tuple{field("voltage", &Terminal::voltage, "V", "guess of the first potential")}; }
  static constexpr NodeUnits units{.value = "V", .input = "A"};
  NodeSizes sizes() const { return {.z = 1}; }
  void initial(double*, double*, double*, double* z, double*) const { z[0] = voltage; }
};

}  // namespace saltus
