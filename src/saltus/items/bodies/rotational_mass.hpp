// A moment of inertia on one angle.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// J phiddot = tau on a rotation coordinate: node_1d, or coordinate 2 of a node_rigid_2d.
struct RotationalMass {
  double inertia = 0.0;

  using port = CoordPort<1>;
  static constexpr CoordinateKind coordinates = CoordinateKind::ode2;
  static constexpr bool passive = true;
  static constexpr std::string_view name = "rotational_mass";
  static constexpr std::string_view section = "bodies";
  static constexpr std::string_view picture = "body";
  static constexpr std::string_view doc = "A moment of inertia on one angle.";
  static constexpr auto fields() {
    return std::tuple{field("inertia", &RotationalMass::inertia, "kg m^2", "moment of inertia about the axis", required(above(0.0)))};
  }
  Mat<double, 1, 1> mass(const port::View<double>&) const { return {{inertia}}; }
};

}  // namespace saltus
