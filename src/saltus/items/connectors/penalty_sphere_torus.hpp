// A sphere that may enter a torus from outside of its tube.
#pragma once

#include <algorithm>
#include <cmath>

#include "saltus/items/connectors/penalty_force.hpp"

namespace saltus {

struct SphereOnTorus {
  double ring_radius = 0.0, tube_radius = 0.0, radius = 0.0;

  static constexpr std::string_view name = "penalty_sphere_torus";
  static constexpr std::string_view doc = "Contact of a sphere about B with a torus about the z axis of A with a force that follows from the penetration.";
  static constexpr std::string_view sample =
      R"({"ring_radius": 4, "tube_radius": 1, "radius": 9, "stiffness": 2, "damping": 0.3, "friction": 0.4, "slip_speed": 0.5, "pulls": true})";  // of the property tests: in contact
  static constexpr auto geometry() {
    return std::tuple{field("ring_radius", &SphereOnTorus::ring_radius, "m", "radius of the tube's middle line", required(above(0.0))),
                      field("tube_radius", &SphereOnTorus::tube_radius, "m", "radius of the tube", required(above(0.0))),
                      field("radius", &SphereOnTorus::radius, "m", "radius of the sphere about B", required(above(0.0)))};
  }
  std::string wrong() const { return tube_radius < ring_radius ? "" : "`tube_radius` is not less than `ring_radius`: the torus has no hole"; }
  template <class S>
  Touch<S> touch(const FramePair::View<S>& r) const {
    using std::sqrt;
    const S off = sqrt(r.p[0] * r.p[0] + r.p[1] * r.p[1]);
    const double plain = val(off);
    // On the axis the nearest point of the ring is any.
    const Vec3<S> ring = plain > 0.0 ? Vec3<S>{{r.p[0] * (ring_radius / off), r.p[1] * (ring_radius / off), S(0.0)}} : Vec3<S>{{S(ring_radius), S(0.0), S(0.0)}};
    const Vec3<S> from = r.p - ring;
    const S length = norm(from);
    const Vec3<S> n = val(length) > 0.0 ? from * (1.0 / length) : Vec3<S>{{S(0.0), S(0.0), S(1.0)}};
    const S depth = tube_radius + radius - length;
    // Curvatures of both surfaces along the tube's circle and along the ring; below 0: hollow.
    const double outward = plain > 0.0 ? (val(n[0]) * val(r.p[0]) + val(n[1]) * val(r.p[1])) / plain : -1.0;
    const double along = outward / (ring_radius + tube_radius * outward), sum = std::max(1.0 / radius + along, 1e-6 / radius);
    return {depth, n, ring + n * (tube_radius - 0.5 * depth), 1.0 / std::sqrt((1.0 / radius + 1.0 / tube_radius) * sum)};
  }
};
using PenaltySphereTorus = PenaltyContact<SphereOnTorus>;

}  // namespace saltus
