// Spring and damper on a scalar coordinate.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/joints/joint_motion.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// LHS on B: k (q_B - q_A - rest) + d (v_B - v_A). A or B may be ground; of a joint q_A = 0 and q_B is its motion.
template <class Of>
struct ScalarSpringDamper {
  double stiffness = 0.0, damping = 0.0, rest = 0.0;

  using port = CoordPair;
  using of = Of;
  static constexpr bool passive = true, linear = true;
  static constexpr CoordinateKind coordinates = CoordinateKind::ode2;
  static constexpr std::string_view name = word_for<Of>("coordinate_spring_damper", "torsional_spring_damper", "sliding_spring_damper");
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = word_for<Of>("coil", "strut", "coil");
  static constexpr std::string_view doc = word_for<Of>("Spring and damper between two coordinates, or one and the ground.",
                                                       "Spring and damper on the angle about the z axis of two frames.",
                                                       "Spring and damper on the position of B along the z axis of A.");
  static constexpr auto fields() {
    return std::tuple{
        field("stiffness", &ScalarSpringDamper::stiffness, word_for<Of>("", "N m/rad", "N/m"), of_node<Of> ? "k, N/m or N m/rad" : "k", at_least(0.0)),
        field("damping", &ScalarSpringDamper::damping, word_for<Of>("", "N m s/rad", "N s/m"), of_node<Of> ? "d, N s/m or N m s/rad" : "d", at_least(0.0)),
        field(word_for<Of>("offset", "rest_angle", "rest_position"), &ScalarSpringDamper::rest, Of::unit,
              word_for<Of>("q_B - q_A without force, m or rad", "angle without torque, of any number of turns", "position without force"))};
  }
  template <class S>
  S lhs(const CoordPair::View<S>& x, const Context<S>&) const { return stiffness * (x.q - rest) + damping * x.v; }
  double potential_energy(const CoordPair::View<double>& x, const Context<double>&) const { return 0.5 * stiffness * (x.q - rest) * (x.q - rest); }
};

}  // namespace saltus
