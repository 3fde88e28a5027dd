// A mass concentrated in a point.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// m a = m g + f at the origin of any frame. On a node that turns it has no inertia about its own origin.
struct PointMass {
  double mass_value = 0.0;

  using port = FramePort;
  static constexpr bool linear = true;
  static constexpr std::string_view name = "point_mass";
  static constexpr std::string_view section = "bodies";
  static constexpr std::string_view doc = "A mass concentrated in a point, on a node that carries a frame.";
  static constexpr auto fields() { return std::tuple{field("mass", &PointMass::mass_value, "kg", "mass", required(above(0.0)))}; }

  template <class S>
  Vec6<S> lhs(const Frame<S>&, const Context<S>& context) const {
    Vec6<S> f;
    for (int i = 0; i < 3; ++i) f[i] = S(-mass_value * context.gravity[i]);
    return f;
  }
  Mat6<double> mass(const Frame<double>&) const {
    Mat6<double> M;
    for (int i = 0; i < 3; ++i) M(i, i) = mass_value;
    return M;
  }
  double potential_energy(const Frame<double>& f, const Context<double>& context) const {
    return -mass_value * dot(context.gravity, f.p);
  }
};

}  // namespace saltus
