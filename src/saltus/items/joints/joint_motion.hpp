// The two motions of a joint that drives, springs, stops and loads act on: twist about z and sliding along z.
#pragma once

#include <string_view>

#include "saltus/items/joints/alignment.hpp"
#include "saltus/pool/ports.hpp"

namespace saltus {

/// Angle of B about the z axis of the joint frames [rad], in (-pi, pi]. Items that compare it with a value take the difference
/// within half a turn. Effort on B: torque [N m] times the gradient of the angle, which makes springs conservative also where
/// the z axes differ. Singular where they are opposite.
struct Twist {
  static constexpr bool rotates = true;
  static constexpr std::string_view unit = "rad", rate_unit = "rad/s", effort_unit = "N m";

  template <class S>
  static S value(const FramePair::View<S>& r) { return alignment::twist(r.R); }
  template <class S>
  static S difference(const S& a, const S& b) { return alignment::wrapped(a - b); }
  template <class S>
  static S rate(const FramePair::View<S>& r) { return dot(alignment::twist_gradient(r.R), r.w); }
  /// Derivative of the value by the port's tangent.
  template <class S>
  static Vec6<S> gradient(const FramePair::View<S>& r) {
    const Vec3<S> g = alignment::twist_gradient(r.R);
    return {{S(0.0), S(0.0), S(0.0), g[0], g[1], g[2]}};
  }
};

/// Position of B along the z axis of A's joint frame [m]. Effort on B: force [N] along z.
struct Slide {
  static constexpr bool rotates = false;
  static constexpr std::string_view unit = "m", rate_unit = "m/s", effort_unit = "N";

  template <class S>
  static S value(const FramePair::View<S>& r) { return r.p[2]; }
  template <class S>
  static S difference(const S& a, const S& b) { return a - b; }
  template <class S>
  static S rate(const FramePair::View<S>& r) { return r.v[2]; }
  template <class S>
  static Vec6<S> gradient(const FramePair::View<S>&) {
    return {{S(0.0), S(0.0), S(1.0), S(0.0), S(0.0), S(0.0)}};
  }
};

}  // namespace saltus
