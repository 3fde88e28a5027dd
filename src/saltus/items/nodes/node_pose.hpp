// Displacement and rotation of a link on a free joint, without a frame of its own.
#pragma once

#include <array>
#include <tuple>

#include "saltus/items/nodes/node_rotation.hpp"

namespace saltus {

/// Where a link on a free joint stands against the joint: q = (displacement in the axes of the joint, quaternion w x y z), v = (its rate, w in the axes of the link).
struct NodePose {
  Vec3<double> displacement{}, rotation{}, velocity{}, angular_velocity{};  // in the axes of the joint

  static constexpr std::string_view name = "node_pose";
  static constexpr std::string_view section = "nodes";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "Where a link on a free joint stands: displacement and rotation on SO(3), six velocities.";
  static constexpr int quaternion_in_q = 3, rates_in_v = 3;
  static constexpr std::array moves{0, 1, 2, 3, 4, 5};
  static constexpr auto fields() {
    return std::tuple{field("displacement", &NodePose::displacement, "m", "initial displacement from the reference position, axes of the joint"),
                      field("rotation", &NodePose::rotation, "rad", "initial rotation vector (axis times angle) from the reference position, axes of the joint"),
                      field("velocity", &NodePose::velocity, "m/s", "initial velocity as seen from the parent, axes of the joint"),
                      field("angular_velocity", &NodePose::angular_velocity, "rad/s", "initial angular velocity against the parent, axes of the joint")};
  }
  NodeSizes sizes() const { return {.q = 7, .v = 6}; }
  void reference(double* q) const {
    q[0] = q[1] = q[2] = 0.0;
    NodeRotation{}.reference(q + 3);
  }
  void initial(double* q, double* v, double*, double*, double*) const {
    for (int i = 0; i < 3; ++i) q[i] = displacement[i], v[i] = velocity[i];
    NodeRotation{rotation, angular_velocity}.initial(q + 3, v + 3, nullptr, nullptr, nullptr);
  }
};

}  // namespace saltus
