// Elastic contact of a disc's rim with a half-space, with friction.
#pragma once

#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/items/contacts/disc_on_plane.hpp"
#include "saltus/pool/item_pool.hpp"

namespace saltus {

/// Penetration s = -gap at the lowest point of a disc (disc_on_plane.hpp): N = max(0, k s + c ds/dt) while s > 0, and against the sliding velocity u
/// of the point friction mu N u / sqrt(|u|^2 + u0^2). It creeps at rest by u0 times the share of mu N that is asked of it: u0 sets how much.
struct DiscPenaltyContact {
  double radius = 0.0, edge = 0.0, stiffness = 0.0, damping = 0.0, friction = 0.0, sliding_speed = 1e-3;

  using port = FramePair;
  static constexpr bool lets_go = true;
  static constexpr bool passive = true;
  static constexpr std::string_view name = "disc_penalty_contact";
  static constexpr std::string_view section = "connectors";
  static constexpr std::string_view picture = "strut";
  static constexpr std::string_view doc = "Elastic contact of the rim of a disc about z of B with the plane z = 0 of A, with friction that creeps.";
  static constexpr std::string_view sample = R"({"radius": 0.02, "edge": 1.5, "stiffness": 2, "damping": 0.4, "friction": 0.5, "sliding_speed": 0.3})";  // of the property tests: a disc of little tilt changes fast
  static constexpr auto fields() {
    return std::tuple{field("radius", &DiscPenaltyContact::radius, "m", "radius of the disc; 0: a sphere of radius `edge`", at_least(0.0)),
                      field("edge", &DiscPenaltyContact::edge, "m", "radius of the rounding of the rim, added to `radius`", at_least(0.0)),
                      field("stiffness", &DiscPenaltyContact::stiffness, "N/m", "k, normal force per penetration", required(above(0.0))),
                      field("damping", &DiscPenaltyContact::damping, "N s/m", "c, normal force per rate of penetration", at_least(0.0)),
                      field("friction", &DiscPenaltyContact::friction, "", "mu, friction coefficient", at_least(0.0)),
                      field("sliding_speed", &DiscPenaltyContact::sliding_speed, "m/s", "u0: above this speed friction is nearly mu N, below it is viscous", above(0.0))};
  }
  std::string trouble(const FramePair::View<double>& r) const { return DiscOnPlane{radius, edge}.trouble(r); }

  template <class S>
  Vec6<S> lhs(const FramePair::View<S>& r, const Context<S>&) const {
    using std::sqrt;
    const Vec3<S> c = DiscOnPlane{radius, edge}.arm(r.R);
    const S gap = r.p[2] + c[2];
    if (val(gap) >= 0.0) return {};
    const Vec3<S> u = DiscOnPlane::velocity(r, c);
    const S push = -(stiffness * gap + damping * u[2]);
    if (val(push) <= 0.0) return {};
    const S drag = friction * push / sqrt(u[0] * u[0] + u[1] * u[1] + sliding_speed * sliding_speed);
    const Vec3<S> f{{drag * u[0], drag * u[1], -push}};  // what the left-hand side has of it
    const Vec3<S> torque = transposed_times(r.R, cross(c, f));
    return {{f[0], f[1], f[2], torque[0], torque[1], torque[2]}};
  }
  double potential_energy(const FramePair::View<double>& r, const Context<double>&) const {
    const double gap = r.p[2] + DiscOnPlane{radius, edge}.arm(r.R)[2];
    return gap < 0.0 ? 0.5 * stiffness * gap * gap : 0.0;
  }
};

}  // namespace saltus
