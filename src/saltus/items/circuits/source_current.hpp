// Current through a voltage source.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/node_pool.hpp"

namespace saltus {

/// Current through a source that prescribes its voltage (algebraic).
struct SourceCurrent {
  static constexpr std::string_view name = "source_current";
  static constexpr std::string_view section = "nodes";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "Current through a voltage source [A].";
  static constexpr auto fields() { return std::tuple{}; }
  static constexpr NodeUnits units{.value = "A"};
  NodeSizes sizes() const { return {.z = 1}; }
  void initial(double*, double*, double*, double* z, double*) const { z[0] = 0.0; }
};

}  // namespace saltus
