// Rolling without slip of a disc on a plane.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/contacts/disc_on_plane.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// y = velocity along x and y of A of the disc's material point that is lowest over the plane z = 0 of A (O'Reilly 1996): nonholonomic, written for
/// the rates. What keeps the disc on the plane stands beside it: a disc_gap. lambda: force on B at the lowest point along x and y of A [N].
struct RollingDisc {
  double radius = 0.0, edge = 0.0;

  using port = FramePair;
  static constexpr int rows = 2;
  static constexpr Level written = Level::rate;
  static constexpr bool linear_rates = true;
  static constexpr std::string_view name = "rolling_disc";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view picture = "joint";
  static constexpr std::string_view doc = "The rim of a disc about z of B does not slide on the plane z = 0 of A; a disc_gap keeps it on the plane.";
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() {
    return std::tuple{field("radius", &RollingDisc::radius, "m", "radius of the disc; 0: a sphere of radius `edge`", at_least(0.0)),
                      field("edge", &RollingDisc::edge, "m", "radius of the rounding of the rim, added to `radius`", at_least(0.0))};
  }
  std::string invalid() const { return radius + edge > 0.0 ? "" : "has no size: give `radius` of a disc, or `edge` alone of a sphere"; }
  std::string trouble(const FramePair::View<double>& r) const { return DiscOnPlane{radius, edge}.trouble(r); }

  template <class S>
  Vec<S, 2> h(const FramePair::View<S>& r, const Context<S, 2>&) const {
    const Vec3<S> u = DiscOnPlane::velocity(r, DiscOnPlane{radius, edge}.arm(r.R));
    return {{u[0], u[1]}};
  }
  Mat<double, 2, 6> jacobian(const FramePair::View<double>& r, const Context<double, 2>&) const {
    const Vec3<double> c = DiscOnPlane{radius, edge}.arm(r.R);
    Mat<double, 2, 6> H;
    for (int i = 0; i < 2; ++i) DiscOnPlane::velocity_row(r.R, c, i, H, i);
    return H;
  }
  /// Of the reaction f at the arm c: the torque R^T (c x f) turns with the disc, and c with its axis a.
  Mat6<double> stiffness(const FramePair::View<double>& r, const Context<double, 2>& context) const {
    const DiscOnPlane disc{radius, edge};
    const Vec3<double> f{{context.lambda[0], context.lambda[1], 0.0}}, torque = transposed_times(r.R, cross(disc.arm(r.R), f));
    Mat6<double> K;
    for (int j = 0; j < 3; ++j) {
      Vec3<double> unit{};
      unit[j] = 1.0;
      const Vec3<double> moved = cross(torque, unit) + (j < 2 ? transposed_times(r.R, cross(disc.arm_turned(r.R, j), f)) : Vec3<double>{});
      for (int i = 0; i < 3; ++i) K(3 + i, 3 + j) = moved[i];
    }
    return K;
  }
};

}  // namespace saltus
