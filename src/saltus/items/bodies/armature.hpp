// The rotor of a geared motor, by what a coordinate feels of it.
#pragma once

#include <array>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// Kinetic energy J (n du/dt)^2 / 2: the mass J n^2 on the coordinate u, whose inertia moves the frames of a joint by J^T (n^2 J) J.
/// That the rotor's spin turns with the body that carries it (its gyroscopic moment J n du/dt w x a) is left out: it is of order 1/n of the rest.
struct Armature {
  double inertia = 0.0, ratio = 1.0;

  using port = CoordPort<1>;
  static constexpr CoordinateKind coordinates = CoordinateKind::ode2;
  static constexpr bool passive = true;
  static constexpr std::string_view name = "armature";
  static constexpr std::string_view section = "bodies";
  static constexpr std::string_view picture = "body";
  static constexpr std::string_view doc = "Inertia of a rotor that turns `ratio` times as fast as a motion of a joint or a coordinate, without its gyroscopic moment.";
  static constexpr std::string_view sample = R"({"inertia": 0.7, "ratio": -1.5})";  // of the property tests: ratio is not 0
  static constexpr auto fields() {
    return std::tuple{field("inertia", &Armature::inertia, "", "J of the rotor about its own axis, kg m^2 (of a mass that slides: kg)", required(above(0.0))),
                      field("ratio", &Armature::ratio, "", "n, motion of the rotor by that of the coordinate; rad/m on a slide")};
  }
  static constexpr auto ports() { return std::array{PortInfo{"on", "coordinate", true, false, "the motion of a joint or mechanical coordinate that it is geared to"}}; }
  std::string invalid() const { return ratio != 0.0 ? "" : "`ratio` is 0: the rotor would not move; leave the armature out, or give n of a gear with n:1"; }
  Mat<double, 1, 1> mass(const port::View<double>&) const { return {{inertia * ratio * ratio}}; }
};

}  // namespace saltus
