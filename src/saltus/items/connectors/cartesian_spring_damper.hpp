// Three springs and dampers along the world's axes between two points.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// LHS on B, world axes, component by component: k (p_B - p_A - offset) + d (v_B - v_A). Its directions do not turn with A:
/// for those of A use a bushing.
struct CartesianSpringDamper {
  Vec3<double> stiffness{}, damping{}, offset{};

  using port = PointPair;
  static constexpr bool passive = true;
  static constexpr bool world_axes = true;  // not invariant under a rotation of the world
  static constexpr std::string_view name = "cartesian_spring_damper";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "coil";
  static constexpr std::string_view doc = "Springs and dampers along the three world axes between two points.";
  static constexpr auto fields() {
    return std::tuple{
        field("stiffness", &CartesianSpringDamper::stiffness, "N/m", "k along x, y, z of the world", at_least(0.0)),
        field("damping", &CartesianSpringDamper::damping, "N s/m", "d along x, y, z of the world", at_least(0.0)),
        field("offset", &CartesianSpringDamper::offset, "m", "p_B - p_A without force, world axes")};
  }
  template <class S>
  Vec3<S> lhs(const PointPair::View<S>& r, const Context<S>&) const {
    Vec3<S> f;
    for (int i = 0; i < 3; ++i) f[i] = stiffness[i] * (r.p[i] - offset[i]) + damping[i] * r.v[i];
    return f;
  }
  double potential_energy(const PointPair::View<double>& r, const Context<double>&) const {
    double energy = 0.0;
    for (int i = 0; i < 3; ++i) energy += 0.5 * stiffness[i] * (r.p[i] - offset[i]) * (r.p[i] - offset[i]);
    return energy;
  }
};

}  // namespace saltus
