// Spring and damper on the motion of a joint.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/joint_motion.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// LHS on B: (k (u - u0) + d du/dt) grad u, u the twist about z, its turns counted, or the position along z.
template <class Motion>
struct JointSpringDamper {
  double stiffness = 0.0, damping = 0.0, rest = 0.0;

  using port = FramePair;
  static constexpr bool passive = true;
  static constexpr bool located = true;
  static constexpr std::string_view name = Motion::rotates ? "torsional_spring_damper" : "sliding_spring_damper";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view doc = Motion::rotates ? "Spring and damper on the angle about the z axis of two frames."
                                                          : "Spring and damper on the position of B along the z axis of A.";
  static constexpr auto fields() {
    return std::tuple{
        field("stiffness", &JointSpringDamper::stiffness, Motion::rotates ? "N m/rad" : "N/m", "k", at_least(0.0)),
        field("damping", &JointSpringDamper::damping, Motion::rotates ? "N m s/rad" : "N s/m", "d", at_least(0.0)),
        field(Motion::rotates ? "rest_angle" : "rest_position", &JointSpringDamper::rest, Motion::unit,
              Motion::rotates ? "angle without torque, of any number of turns" : "position without force")};
  }
  static constexpr int history = Motion::history;
  static constexpr bool counts_turns = true;
  template <class C>
  static double expected_angle(const C& context) { return Motion::expected_angle(context); }
  template <class C>
  double remember(const FramePair::View<double>& r, const C& context, double* kept) const { return Motion::remember(r, context, kept); }
  template <class S>
  Vec6<S> lhs(const FramePair::View<S>& r, const Context<S>& context) const {
    return Motion::gradient(r) * (stiffness * (Motion::value(r, context, rest) - rest) + damping * Motion::rate(r));
  }
  double potential_energy(const FramePair::View<double>& r, const Context<double>& context) const {
    const double u = Motion::value(r, context, rest) - rest;
    return 0.5 * stiffness * u * u;
  }
};

}  // namespace saltus
