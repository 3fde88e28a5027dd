// Spring and damper on the angle about the z axis of two frames.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/alignment.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// LHS torque on B: (k (theta - theta0) + d dtheta/dt) grad theta, theta the twist about z of R_AB, taken within half a turn
/// of theta0. With the gradient the spring is conservative also where the z axes differ; singular where they are opposite.
struct TorsionalSpringDamper {
  double stiffness = 0.0, damping = 0.0, rest_angle = 0.0;

  using port = FramePair;
  static constexpr bool passive = true;
  static constexpr bool located = true;
  static constexpr std::string_view name = "torsional_spring_damper";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view doc = "Spring and damper on the angle about the z axis of two frames.";
  static constexpr auto fields() {
    return std::tuple{
        field("stiffness", &TorsionalSpringDamper::stiffness, "N m/rad", "k", at_least(0.0)),
        field("damping", &TorsionalSpringDamper::damping, "N m s/rad", "d", at_least(0.0)),
        field("rest_angle", &TorsionalSpringDamper::rest_angle, "rad", "angle without torque; the angle is taken within half a turn of it")};
  }
  template <class S>
  Vec6<S> lhs(const FramePair::View<S>& r, const Context<S>&) const {
    const Vec3<S> gradient = alignment::twist_gradient(r.R);
    const S torque = stiffness * alignment::wrapped(alignment::twist(r.R) - rest_angle) + damping * dot(gradient, r.w);
    return {{S(0.0), S(0.0), S(0.0), torque * gradient[0], torque * gradient[1], torque * gradient[2]}};
  }
  double potential_energy(const FramePair::View<double>& r, const Context<double>&) const {
    const double angle = alignment::wrapped(alignment::twist(r.R) - rest_angle);
    return 0.5 * stiffness * angle * angle;
  }
};

}  // namespace saltus
