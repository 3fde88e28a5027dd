// A point in the x-y plane.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/node_pool.hpp"

namespace saltus {

/// Position of a point in a plane parallel to x-y: q = (x, y), v in world axes. Its frame does not turn; z is constant.
struct NodePoint2D {
  Vec3<double> position{};
  Vec3<double> displacement{};
  Vec3<double> velocity{};

  static constexpr std::string_view name = "node_point_2d";
  static constexpr bool planar = true;
  static constexpr std::string_view section = "nodes";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "A point in the x-y plane, two coordinates.";
  static constexpr std::array moves{0, 1};
  static constexpr auto fields() {
    return std::tuple{field("position", &NodePoint2D::position, "m", "reference position, world axes; z is the height of the plane"),
                      field("displacement", &NodePoint2D::displacement, "m", "initial displacement from it, world axes, z is 0"),
                      field("velocity", &NodePoint2D::velocity, "m/s", "initial velocity, world axes, z is 0")};
  }
  std::string invalid() const {
    if (displacement[2] != 0.0) return "displacement has a z component, but the point stays in a plane parallel to x-y";
    if (velocity[2] != 0.0) return "velocity has a z component, but the point stays in a plane parallel to x-y";
    return {};
  }
  NodeSizes sizes() const { return {.q = 2, .v = 2}; }
  void reference(double* q) const { q[0] = position[0], q[1] = position[1]; }
  void initial(double* q, double* v, double*, double*, double*) const {
    for (int i = 0; i < 2; ++i) q[i] = position[i] + displacement[i], v[i] = velocity[i];
  }
  void frame(const double* q, const double* v, Frame<double>& f) const {
    f = {{{q[0], q[1], position[2]}}, identity<double>(), {{v[0], v[1], 0.0}}, {}};
  }
};

}  // namespace saltus
