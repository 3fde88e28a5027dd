// A mass concentrated in a point.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// m a = m g + f at the origin of any frame. On a node that turns it has no inertia about its own origin.
struct PointMass {
  double mass_value = 0.0, gravity_share = 1.0;

  using port = PointPort;
  static constexpr bool linear = true;
  static constexpr std::string_view name = "point_mass";
  static constexpr std::string_view section = "bodies";
  static constexpr std::string_view picture = "point";
  static constexpr std::string_view doc = "A mass concentrated in a point, on a node that carries a frame.";
  static constexpr auto fields() {
    return std::tuple{field("mass", &PointMass::mass_value, "kg", "mass", required(above(0.0))),
                      field("gravity_share", &PointMass::gravity_share, "", "share of the model's gravity that it feels: 0 floats, 1 falls")};
  }

  template <class S>
  Vec3<S> lhs(const PointPort::View<S>&, const Context<S>& context) const {
    Vec3<S> f;
    for (int i = 0; i < 3; ++i) f[i] = S(-gravity_share * mass_value * context.gravity[i]);
    return f;
  }
  Mat3<double> mass(const PointPort::View<double>&) const { return identity<double>() * mass_value; }
  double potential_energy(const PointPort::View<double>& x, const Context<double>& context) const {
    return -gravity_share * mass_value * dot(context.gravity, x.p);
  }
};

}  // namespace saltus
