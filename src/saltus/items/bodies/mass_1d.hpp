// A mass on one coordinate.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// m qddot = f on a displacement. Gravity does not act: the coordinate has no direction in space; add a coordinate_load.
struct Mass1D {
  double mass_value = 0.0;

  using port = CoordPort<1>;
  static constexpr CoordinateKind coordinates = CoordinateKind::ode2;
  static constexpr bool passive = true, linear = true;
  static constexpr std::string_view name = "mass_1d";
  static constexpr std::string_view section = "bodies";
  static constexpr std::string_view picture = "point";
  static constexpr std::string_view doc = "A mass on one displacement. Gravity does not act on it.";
  static constexpr auto fields() { return std::tuple{field("mass", &Mass1D::mass_value, "kg", "mass", required(above(0.0)))}; }
  Mat<double, 1, 1> mass(const port::View<double>&) const { return {{mass_value}}; }
};

}  // namespace saltus
