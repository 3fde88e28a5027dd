// Data that is kept but not integrated.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/nodes/node_lists.hpp"
#include "saltus/pool/node_pool.hpp"

namespace saltus {

/// `count` data variables: history of friction, damage, controllers.
struct NodeData {
  int count = 1;
  std::vector<double> initial_values;

  static constexpr std::string_view name = "node_data";
  static constexpr std::string_view section = "nodes";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "Numbers that are stored with the state and not integrated.";
  static constexpr auto fields() {
    return std::tuple{field("count", &NodeData::count, "", "number of data variables", required(at_least(1.0))),
                      field("initial_values", &NodeData::initial_values, "", "initial values; default 0")};
  }
  std::string invalid() const { return wrong_length("initial_values", initial_values, count); }
  NodeSizes sizes() const { return {.d = count}; }
  void initial(double*, double*, double*, double*, double* d) const {
    write_initial(initial_values, count, d);
  }
};

}  // namespace saltus
