// States of a first-order system.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/nodes/node_lists.hpp"
#include "saltus/pool/node_pool.hpp"

namespace saltus {

/// `count` states x of first order: xdot = f(t, x, ...).
struct NodeOde1 {
  int count = 1;
  std::vector<double> initial_values;

  static constexpr std::string_view name = "node_ode1";
  static constexpr std::string_view section = "nodes";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "States of a first-order system.";
  static constexpr auto fields() {
    return std::tuple{field("count", &NodeOde1::count, "", "number of states", required(at_least(1.0))),
                      field("initial_values", &NodeOde1::initial_values, "", "initial values; default 0")};
  }
  std::string invalid() const { return wrong_length("initial_values", initial_values, count); }
  NodeSizes sizes() const { return {.x = count}; }
  void initial(double*, double*, double* x, double*, double*) const {
    write_initial(initial_values, count, x);
  }
};

}  // namespace saltus
