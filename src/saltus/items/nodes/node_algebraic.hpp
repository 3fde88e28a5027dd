// Algebraic unknowns.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/nodes/node_lists.hpp"
#include "saltus/pool/node_pool.hpp"

namespace saltus {

/// `count` unknowns z, each with an equation 0 = c(t, z, ...): the sum of what acts on it (zero current into a terminal).
struct NodeAlgebraic {
  int count = 1;
  std::vector<double> initial_guess;

  static constexpr std::string_view name = "node_algebraic";
  static constexpr std::string_view section = "nodes";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "Algebraic unknowns.";
  static constexpr auto fields() {
    return std::tuple{field("count", &NodeAlgebraic::count, "", "number of unknowns", required(at_least(1.0))),
                      field("initial_guess", &NodeAlgebraic::initial_guess, "", "where the first solution starts; default 0")};
  }
  std::string invalid() const { return wrong_length("initial_guess", initial_guess, count); }
  NodeSizes sizes() const { return {.z = count}; }
  void initial(double*, double*, double*, double* z, double*) const {
    write_initial(initial_guess, count, z);
  }
};

}  // namespace saltus
