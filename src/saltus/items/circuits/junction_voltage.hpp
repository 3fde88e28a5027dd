// Place on the characteristic of a junction.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/node_pool.hpp"

namespace saltus {

/// Algebraic unknown of a pn junction (junction.hpp): its voltage up to the bend of its characteristic, beyond it what grows with the current.
struct JunctionVoltage {
  static constexpr std::string_view name = "junction_voltage";
  static constexpr std::string_view section = "nodes";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "Place on the characteristic of a junction [V]: its voltage up to the bend, beyond it a line in its current.";
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr NodeUnits units{.value = "V"};
  NodeSizes sizes() const { return {.z = 1}; }
  void initial(double*, double*, double*, double* z, double*) const { z[0] = 0.0; }
};

}  // namespace saltus
