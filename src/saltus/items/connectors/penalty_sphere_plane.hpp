// A sphere that may enter a plane.
#pragma once

#include "saltus/items/connectors/penalty_force.hpp"

namespace saltus {

struct SphereOnPlane {
  double radius = 0.0;

  static constexpr std::string_view name = "penalty_sphere_plane";
  static constexpr std::string_view doc = "Contact of a sphere about B with the plane z = 0 of A, its outside at z > 0, with a force that follows from the penetration.";
  static constexpr std::string_view sample = R"({"radius": 8, "stiffness": 2, "damping": 0.3, "friction": 0.4, "slip_speed": 0.5, "pulls": true})";  // of the property tests: in contact
  static constexpr auto geometry() { return std::tuple{field("radius", &SphereOnPlane::radius, "m", "radius of the sphere about B", required(above(0.0)))}; }
  std::string wrong() const { return {}; }
  template <class S>
  Touch<S> touch(const FramePair::View<S>& r) const {
    const S depth = radius - r.p[2];
    const Vec3<S> n{{S(0.0), S(0.0), S(1.0)}};
    return {depth, n, r.p - n * (radius - 0.5 * depth), radius};
  }
};
using PenaltySpherePlane = PenaltyContact<SphereOnPlane>;

}  // namespace saltus
