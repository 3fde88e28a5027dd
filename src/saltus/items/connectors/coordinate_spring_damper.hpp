// Spring and damper between two coordinates.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// LHS on B: k (q_B - q_A - offset) + d (v_B - v_A). A or B may be ground.
struct CoordinateSpringDamper {
  double stiffness = 0.0, damping = 0.0, offset = 0.0;

  using port = CoordPair;
  static constexpr bool passive = true, linear = true;
  static constexpr CoordinateKind coordinates = CoordinateKind::ode2;
  static constexpr std::string_view name = "coordinate_spring_damper";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view doc = "Spring and damper between two coordinates, or one and the ground.";
  static constexpr auto fields() {
    return std::tuple{
        field("stiffness", &CoordinateSpringDamper::stiffness, "", "k, N/m or N m/rad", at_least(0.0)),
        field("damping", &CoordinateSpringDamper::damping, "", "d, N s/m or N m s/rad", at_least(0.0)),
        field("offset", &CoordinateSpringDamper::offset, "", "q_B - q_A without force, m or rad")};
  }
  template <class S>
  S lhs(const CoordPair::View<S>& x, const Context<S>&) const { return stiffness * (x.q - offset) + damping * x.v; }
  double potential_energy(const CoordPair::View<double>& x, const Context<double>&) const {
    return 0.5 * stiffness * (x.q - offset) * (x.q - offset);
  }
};

}  // namespace saltus
