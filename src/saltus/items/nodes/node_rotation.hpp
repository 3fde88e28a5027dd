// A rotation on SO(3) without a frame of its own: quaternion, velocities about the axes of what turns; no singularity.
#pragma once

#include <algorithm>
#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/node_pool.hpp"

namespace saltus {

/// How a link on a ball joint is turned against the axes of the joint, q = quaternion w x y z, v = w in the axes of the link; identity in the reference position.
struct NodeRotation {
  Vec3<double> rotation{};          // rotation vector
  Vec3<double> angular_velocity{};  // in the axes of the joint

  static constexpr std::string_view name = "node_rotation";
  static constexpr std::string_view section = "nodes";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "How a link on a ball joint is turned: a rotation on SO(3), three velocities.";
  static constexpr int quaternion_in_q = 0, rates_in_v = 0;
  static constexpr std::array moves{3, 4, 5};
  static constexpr auto fields() {
    return std::tuple{field("rotation", &NodeRotation::rotation, "rad", "initial rotation vector (axis times angle) from the reference position, axes of the joint"),
                      field("angular_velocity", &NodeRotation::angular_velocity, "rad/s", "initial angular velocity against the parent, axes of the joint")};
  }
  NodeSizes sizes() const { return {.q = 4, .v = 3}; }
  void reference(double* q) const { q[0] = 1.0, q[1] = q[2] = q[3] = 0.0; }
  void initial(double* q, double* v, double*, double*, double*) const {
    const Quaternion<double> e = quaternion_exp(rotation);
    const Vec3<double> w = transposed_times(rotation_matrix(e), angular_velocity);
    for (int i = 0; i < 4; ++i) q[i] = e[i];
    std::copy(w.data(), w.data() + 3, v);
  }
};

}  // namespace saltus
