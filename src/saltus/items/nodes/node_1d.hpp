// One mechanical coordinate: a displacement or an angle.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/node_pool.hpp"

namespace saltus {

/// One coordinate q with velocity v, a length [m] or an angle [rad]: the unit is that of what is put on it. No frame.
struct Node1D {
  double coordinate = 0.0, displacement = 0.0, velocity = 0.0;

  static constexpr std::string_view name = "node_1d";
  static constexpr std::string_view section = "nodes";
  static constexpr std::string_view picture = "line";
  static constexpr std::string_view doc = "One mechanical coordinate: a displacement [m] or an angle [rad].";
  static constexpr auto fields() {
    return std::tuple{field("coordinate", &Node1D::coordinate, "", "reference value of q, m or rad"),
                      field("displacement", &Node1D::displacement, "", "initial displacement from it, m or rad"),
                      field("velocity", &Node1D::velocity, "", "initial velocity, m/s or rad/s")};
  }
  NodeSizes sizes() const { return {.q = 1, .v = 1}; }
  void reference(double* q) const { q[0] = coordinate; }
  void initial(double* q, double* v, double*, double*, double*) const { q[0] = coordinate + displacement, v[0] = velocity; }
};

}  // namespace saltus
