// Rigid frame in space on SO(3) x R^3: quaternion configuration, body angular velocity; no singularity.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/node_pool.hpp"

namespace saltus {

/// Position and rotation of a frame in space. q = (p_WN, quaternion w x y z), v = (v in W, w in N).
struct NodeRigid {
  Vec3<double> position{};
  Vec3<double> rotation{};          // rotation vector of R_WN
  Vec3<double> displacement{};
  Vec3<double> velocity{};
  Vec3<double> angular_velocity{};  // in W

  static constexpr std::string_view name = "node_rigid";
  static constexpr std::string_view section = "nodes";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "A frame in space: position and rotation on SO(3), six velocities.";
  static constexpr int quaternion_in_q = 3, rates_in_v = 3;
  static constexpr bool origin_in_q = true;
  static constexpr std::array moves{0, 1, 2, 3, 4, 5};
  static constexpr auto fields() {
    return std::tuple{
        field("position", &NodeRigid::position, "m", "reference position of the frame in world axes"),
        field("rotation", &NodeRigid::rotation, "rad", "rotation vector (axis times angle) from world to the frame"),
        field("displacement", &NodeRigid::displacement, "m", "initial displacement from the reference position, world axes"),
        field("velocity", &NodeRigid::velocity, "m/s", "initial velocity of the frame's origin, world axes"),
        field("angular_velocity", &NodeRigid::angular_velocity, "rad/s", "initial angular velocity, world axes")};
  }
  NodeSizes sizes() const { return {.q = 7, .v = 6}; }
  void reference(double* q) const;
  void initial(double* q, double* v, double*, double*, double*) const;
  void frame(const double* q, const double* v, Frame<double>& f) const {
    f.p = {{q[0], q[1], q[2]}};
    f.R = rotation_matrix(Quaternion<double>{{q[3], q[4], q[5], q[6]}});
    f.v = {{v[0], v[1], v[2]}};
    f.w = {{v[3], v[4], v[5]}};
  }
};

}  // namespace saltus
