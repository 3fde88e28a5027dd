// A massless rigid link between two points.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = (|p|^2 - L^2) / (2 L) [m], which is |p| - L to first order on the constraint and smooth everywhere, also where the
/// points meet. H = p / L, a unit vector on the constraint: lambda is the force that pushes the points apart [N].
struct Distance {
  double length = 1.0;

  using port = PointPair;
  static constexpr int rows = 1;
  static constexpr std::string_view name = "distance";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view picture = "distance";
  static constexpr std::string_view doc = "Two points stay at a distance: a massless rigid link with spherical ends.";
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() { return std::tuple{field("length", &Distance::length, "m", "L, distance of the points", required(above(0.0)))}; }

  template <class S>
  Vec<S, 1> h(const PointPair::View<S>& r, const Context<S, 1>&) const {
    return {{(dot(r.p, r.p) - length * length) * (0.5 / length)}};
  }
  template <class S>
  Mat<S, 1, 3> jacobian(const PointPair::View<S>& r, const Context<S, 1>&) const {
    const Vec3<S> n = r.p * (1.0 / length);
    return {{n[0], n[1], n[2]}};
  }
};

}  // namespace saltus
