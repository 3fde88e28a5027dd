// Any number of mechanical coordinates without a frame.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/nodes/node_lists.hpp"
#include "saltus/pool/node_pool.hpp"

namespace saltus {

/// `count` generic coordinates of second order: q, v = qdot. Units are those of what is put on them.
struct NodeOde2 {
  int count = 1;
  std::vector<double> reference_values, displacements, velocities;

  static constexpr std::string_view name = "node_ode2";
  static constexpr std::string_view section = "nodes";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "Generic coordinates of a second-order system.";
  static constexpr auto fields() {
    return std::tuple{field("count", &NodeOde2::count, "", "number of coordinates", required(at_least(1.0))),
                      field("coordinates", &NodeOde2::reference_values, "", "reference values of q; default 0"),
                      field("displacements", &NodeOde2::displacements, "", "initial displacements from them; default 0"),
                      field("velocities", &NodeOde2::velocities, "", "initial velocities; default 0")};
  }
  std::string invalid() const {
    if (auto m = wrong_length("coordinates", reference_values, count); !m.empty()) return m;
    if (auto m = wrong_length("displacements", displacements, count); !m.empty()) return m;
    return wrong_length("velocities", velocities, count);
  }
  NodeSizes sizes() const { return {.q = count, .v = count}; }
  void reference(double* q) const { write_initial(reference_values, count, q); }
  void initial(double* q, double* v, double*, double*, double*) const {
    reference(q);
    for (std::size_t i = 0; i < displacements.size(); ++i) q[i] += displacements[i];
    write_initial(velocities, count, v);
  }
};

}  // namespace saltus
