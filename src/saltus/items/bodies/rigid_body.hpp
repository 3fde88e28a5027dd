// Rigid body about any reference point: the frame of its node.
#pragma once

#include <string>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// Rigid body on a rigid node, in space or in the plane. Newton-Euler about the node frame N (reference point, any):
/// wrench (in W, in N) of  m (a + R (alpha x c + w x (w x c))) and J alpha + w x J w + m c x R^T a, c = p_NC,
/// J = J_C - m [c]x [c]x.
struct RigidBody {
  double mass_value = 0.0;
  Mat3<double> inertia{};
  Vec3<double> center_of_mass{};
  double gravity_share = 1.0;

  using port = FramePort;
  static constexpr std::string_view name = "rigid_body";
  static constexpr std::string_view section = "bodies";
  static constexpr std::string_view picture = "body";
  static constexpr std::string_view doc = "Rigid body about any reference point, on a rigid node in space or in the plane.";
  static constexpr auto fields() {
    return std::tuple{
        field("mass", &RigidBody::mass_value, "kg", "mass", required(above(0.0))),
        field("inertia", &RigidBody::inertia, "kg m^2", "inertia about the centre of mass, in body axes", required()),
        field("center_of_mass", &RigidBody::center_of_mass, "m", "from the node frame to the centre of mass, body axes"),
        field("gravity_share", &RigidBody::gravity_share, "", "share of the model's gravity that it feels: 0 floats, 1 falls")};
  }
  /// No mass distribution has another: symmetric, principal moments >= 0, none above the sum of the others by more than `rounding` of it.
  std::string invalid() const;
  /// What is said of moments that are allowed as rounded: the largest is above the sum of the others, by less than `rounding` of it.
  std::string rounded() const;
  /// Rounding of a drawing or a table, three digits: it keeps the mass matrix definite and moves the motion as little.
  static constexpr double rounding = 0.01;
  bool constant_mass() const { return dot(center_of_mass, center_of_mass) == 0.0; }

  template <class S>
  Vec6<S> lhs(const Frame<S>& f, const Context<S>& context) const {
    const Vec3<double>& c = center_of_mass;
    const Vec3<double> weight = weighing() * context.gravity;
    Vec3<S> force, momentum = inertia * f.w;
    for (int i = 0; i < 3; ++i) force[i] = S(-weight[i]);
    if (dot(c, c) == 0.0) {
      const Vec3<S> torque = cross(f.w, momentum);
      return {{force[0], force[1], force[2], torque[0], torque[1], torque[2]}};
    }
    const Vec3<S> swing = mass_value * cross(f.w, c);  // J w = J_C w + c x m (w x c)
    force += f.R * cross(f.w, swing);
    momentum += cross(c, swing);
    const Vec3<S> torque = cross(f.w, momentum) - cross(c, transposed_times(f.R, weight));
    return {{force[0], force[1], force[2], torque[0], torque[1], torque[2]}};
  }
  /// d(lhs) along the seeds: with F = m w x (w x c), g_N = R^T g: dF = -m ([w x c]x + [w]x [c]x) dw, d(g_N) = g_N x dtheta.
  Mat6<double> jacobian(const Frame<double>& f, const Context<double>& context, const Seeds& seeds) const {
    const Vec3<double>& c = center_of_mass;
    const bool centred = constant_mass();
    const Mat3<double> arm = skew(c), J = centred ? inertia : inertia - (arm * arm) * mass_value;
    const Mat3<double> spin = (cross(f.w, J) - skew(J * f.w)) * seeds.rate[0];
    Mat6<double> K;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) K(3 + i, 3 + j) = spin(i, j);
    if (centred) return K;
    const Vec3<double> swing = cross(f.w, c), F = mass_value * cross(f.w, swing);
    const Mat3<double> force = f.R * (skew(F) * -seeds.value[0] - (skew(swing) + skew(f.w) * arm) * (mass_value * seeds.rate[0]));
    const Mat3<double> weight = arm * skew(transposed_times(f.R, weighing() * context.gravity)) * -seeds.value[0];
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) K(i, 3 + j) = force(i, j), K(3 + i, 3 + j) += weight(i, j);
    return K;
  }
  Mat6<double> mass(const Frame<double>& f) const {
    const Mat3<double> arm = skew(center_of_mass);
    const Mat3<double> J = inertia - (arm * arm) * mass_value;
    const Mat3<double> coupling = f.R * arm * -mass_value;
    Mat6<double> M;
    for (int i = 0; i < 3; ++i) {
      M(i, i) = mass_value;
      for (int j = 0; j < 3; ++j) {
        M(i, 3 + j) = coupling(i, j);
        M(3 + j, i) = coupling(i, j);
        M(3 + i, 3 + j) = J(i, j);
      }
    }
    return M;
  }
  double potential_energy(const Frame<double>& f, const Context<double>& context) const {
    return -weighing() * dot(context.gravity, f.p + f.R * center_of_mass);
  }

 private:
  double weighing() const { return gravity_share * mass_value; }
};

}  // namespace saltus
