// A frame that moves in the x-y plane and turns about z.
#pragma once

#include <array>
#include <cmath>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/node_pool.hpp"

namespace saltus {

/// Frame in a plane parallel to x-y: q = (x, y, phi), v = (vx, vy, omega), world axes, phi about z.
struct NodeRigid2D {
  Vec3<double> position{};
  double angle = 0.0;
  Vec3<double> displacement{};
  double rotation = 0.0;
  Vec3<double> velocity{};
  double angular_velocity = 0.0;

  static constexpr std::string_view name = "node_rigid_2d";
  static constexpr bool planar = true;
  static constexpr std::string_view section = "nodes";
  static constexpr std::string_view picture = "none";
  static constexpr std::string_view doc = "A frame in the x-y plane, three coordinates: x, y and the angle about z.";
  static constexpr std::array moves{0, 1, 5};
  static constexpr auto fields() {
    return std::tuple{
        field("position", &NodeRigid2D::position, "m", "reference position, world axes; z is the height of the plane"),
        field("angle", &NodeRigid2D::angle, "rad", "reference angle about z"),
        field("displacement", &NodeRigid2D::displacement, "m", "initial displacement from the reference position, z is 0"),
        field("rotation", &NodeRigid2D::rotation, "rad", "initial rotation from the reference angle"),
        field("velocity", &NodeRigid2D::velocity, "m/s", "initial velocity of the frame's origin, world axes, z is 0"),
        field("angular_velocity", &NodeRigid2D::angular_velocity, "rad/s", "initial angular velocity about z")};
  }
  std::string invalid() const {
    if (displacement[2] != 0.0) return "displacement has a z component, but the frame stays in a plane parallel to x-y";
    if (velocity[2] != 0.0) return "velocity has a z component, but the frame stays in a plane parallel to x-y";
    return {};
  }
  NodeSizes sizes() const { return {.q = 3, .v = 3}; }
  void reference(double* q) const { q[0] = position[0], q[1] = position[1], q[2] = angle; }
  void initial(double* q, double* v, double*, double*, double*) const {
    for (int i = 0; i < 2; ++i) q[i] = position[i] + displacement[i], v[i] = velocity[i];
    q[2] = angle + rotation, v[2] = angular_velocity;
  }
  void frame(const double* q, const double* v, Frame<double>& f) const {
    const double c = std::cos(q[2]), s = std::sin(q[2]);
    f.p = {{q[0], q[1], position[2]}};
    f.R = {{c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0}};
    f.v = {{v[0], v[1], 0.0}};
    f.w = {{0.0, 0.0, v[2]}};
  }
};

}  // namespace saltus
