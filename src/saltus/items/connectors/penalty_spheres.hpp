// Two spheres that may enter each other.
#pragma once

#include "saltus/items/connectors/penalty_force.hpp"

namespace saltus {

struct TwoSpheres {
  double radius_A = 0.0, radius_B = 0.0;

  static constexpr std::string_view name = "penalty_spheres";
  static constexpr std::string_view doc = "Contact of two spheres about the origins of two frames with a force that follows from their penetration.";
  static constexpr std::string_view sample = R"({"radius_A": 3, "radius_B": 2, "stiffness": 2, "damping": 0.3, "friction": 0.4, "slip_speed": 0.5, "pulls": true})";  // of the property tests: in contact
  static constexpr auto geometry() {
    return std::tuple{field("radius_A", &TwoSpheres::radius_A, "m", "radius of the sphere about A", required(above(0.0))),
                      field("radius_B", &TwoSpheres::radius_B, "m", "radius of the sphere about B", required(above(0.0)))};
  }
  std::string wrong() const { return {}; }
  template <class S>
  Touch<S> touch(const FramePair::View<S>& r) const {
    const S length = norm(r.p);
    const Vec3<S> n = val(length) > 0.0 ? r.p * (1.0 / length) : Vec3<S>{{S(0.0), S(0.0), S(1.0)}};
    const S depth = radius_A + radius_B - length;
    return {depth, n, n * (radius_A - 0.5 * depth), radius_A * radius_B / (radius_A + radius_B)};
  }
};
using PenaltySpheres = PenaltyContact<TwoSpheres>;

}  // namespace saltus
