// A point in space.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/node_pool.hpp"

namespace saltus {

/// Position of a point in space, q = p_WN, v in world axes. Its frame does not turn.
struct NodePoint {
  Vec3<double> position{};
  Vec3<double> displacement{};
  Vec3<double> velocity{};

  static constexpr std::string_view name = "node_point";
  static constexpr std::string_view section = "nodes";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "A point in space, three coordinates.";
  static constexpr bool origin_in_q = true;
  static constexpr std::array moves{0, 1, 2};
  static constexpr auto fields() {
    return std::tuple{field("position", &NodePoint::position, "m", "reference position, world axes"),
                      field("displacement", &NodePoint::displacement, "m", "initial displacement from it, world axes"),
                      field("velocity", &NodePoint::velocity, "m/s", "initial velocity, world axes")};
  }
  NodeSizes sizes() const { return {.q = 3, .v = 3}; }
  void reference(double* q) const {
    for (int i = 0; i < 3; ++i) q[i] = position[i];
  }
  void initial(double* q, double* v, double*, double*, double*) const {
    for (int i = 0; i < 3; ++i) q[i] = position[i] + displacement[i], v[i] = velocity[i];
  }
  void frame(const double* q, const double* v, Frame<double>& f) const {
    f = {{{q[0], q[1], q[2]}}, identity<double>(), {{v[0], v[1], v[2]}}, {}};
  }
};

}  // namespace saltus
