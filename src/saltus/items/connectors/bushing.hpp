// Elastic connection of two frames in all six directions.
#pragma once

#include <string>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/connectors/counted_rotation.hpp"
#include "saltus/math/matrix.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// With u = (p_AB in A, rotation vector phi of R_AB) and u' = (v, T^-1 w): LHS on B is (f, T^-T m), (f, m) = K (u - u_0) + D u' + f_0, T
/// the right tangent of SO(3). Conservative and passive. Beyond half a turn phi goes on (counted_rotation.hpp); T is singular at
/// whole turns, which it passes only about a fixed axis.
struct Bushing {
  Matrix stiffness{6, 6, std::vector<double>(36)}, damping{6, 6, std::vector<double>(36)};
  std::vector<double> offset = std::vector<double>(6), preload = std::vector<double>(6);

  using port = FramePair;
  static constexpr bool passive = true;  // with positive semidefinite matrices, checked
  static constexpr bool located = true;
  static constexpr std::string_view name = "bushing";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "coil";
  static constexpr std::string_view doc = "Elastic connection of two frames: stiffness and damping in six directions, axes of A.";
  static constexpr auto fields() {
    return std::tuple{
        field("stiffness", &Bushing::stiffness, "N/m, N, N m/rad", "K (6 x 6): displacement, then rotation vector; positive semidefinite", entries(6)),
        field("damping", &Bushing::damping, "N s/m, N s, N m s/rad", "D (6 x 6), positive semidefinite", entries(6)),
        field("offset", &Bushing::offset, "m, rad", "u_0 (6): displacement and rotation vector without force of the stiffness", entries(6)),
        field("preload", &Bushing::preload, "N, N m", "f_0 (6): force and torque at the offset, positive pulls B back", entries(6))};
  }
  std::string invalid() const {
    for (const auto& [word, m] : {std::pair{"stiffness", &stiffness}, std::pair{"damping", &damping}}) {
      if (m->rows != 6 || m->cols != 6)
        return std::string(word) + " is " + std::to_string(m->rows) + " x " + std::to_string(m->cols) + ", must be 6 x 6";
      if (!positive_semidefinite(*m)) return std::string(word) + " is not symmetric positive semidefinite";
    }
    return {};
  }
  static constexpr int history = CountedRotation::size;
  static constexpr bool counts_turns = true;
  template <class C>
  static double expected_angle(const C& context) { return CountedRotation::expected_angle(context); }
  template <class C>
  double remember(const FramePair::View<double>& r, const C& context, double* kept) const { return CountedRotation::remember(r.R, r.w, context, kept); }
  template <class S>
  Vec6<S> lhs(const FramePair::View<S>& r, const Context<S>& context) const {
    const Vec3<S> phi = CountedRotation::vector(r.R, context);
    const Mat3<S> rate = rotation_tangent_inverse(phi);
    const Vec3<S> phi_rate = rate * r.w;
    Vec6<S> u, du, f;
    for (int i = 0; i < 3; ++i) u[i] = r.p[i], u[3 + i] = phi[i], du[i] = r.v[i], du[3 + i] = phi_rate[i];
    for (int i = 0; i < 6; ++i) u[i] -= offset[i], f[i] = S(preload[i]);
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) f[i] += stiffness(i, j) * u[j] + damping(i, j) * du[j];
    const Vec3<S> torque = transposed_times(rate, Vec3<S>{{f[3], f[4], f[5]}});
    return {{f[0], f[1], f[2], torque[0], torque[1], torque[2]}};
  }
  double potential_energy(const FramePair::View<double>& r, const Context<double>& context) const {
    const Vec3<double> phi = CountedRotation::vector(r.R, context);
    double u[] = {r.p[0], r.p[1], r.p[2], phi[0], phi[1], phi[2]}, energy = 0.0;
    for (int i = 0; i < 6; ++i) u[i] -= offset[i], energy += preload[i] * u[i];
    for (int i = 0; i < 6; ++i)
      for (int j = 0; j < 6; ++j) energy += 0.5 * u[i] * stiffness(i, j) * u[j];
    return energy;
  }
};

}  // namespace saltus
