// The two motions of a joint that drives, springs, stops and loads act on: twist about z and sliding along z.
#pragma once

#include <string_view>

#include "saltus/items/joints/alignment.hpp"
#include "saltus/items/joints/counted_angle.hpp"
#include "saltus/pool/ports.hpp"

namespace saltus {

/// Angle of B about the z axis of the joint frames [rad], its turns counted (counted_angle.hpp) from the start of the model.
/// Effort on B: torque [N m] times the gradient of the angle, which makes springs conservative also where the z axes differ.
/// Singular where they are opposite.
struct Twist {
  static constexpr bool rotates = true;
  static constexpr int history = CountedAngle::size;
  static constexpr std::string_view unit = "rad", rate_unit = "rad/s", effort_unit = "N m";

  /// near: which turn is meant where nothing is remembered.
  template <class S, class C>
  static S value(const FramePair::View<S>& r, const C& context, double near = 0.0) {
    return CountedAngle::nearest(alignment::twist(r.R), CountedAngle::expected(context, near));
  }
  template <class C>
  static double expected_angle(const C& context) { return CountedAngle::expected(context, 0.0); }
  template <class C>
  static double remember(const FramePair::View<double>& r, const C& context, double* kept, double near = 0.0) {
    return CountedAngle::remember(alignment::twist(r.R), rate(r), context, kept, near);
  }
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
  static constexpr int history = 0;
  static constexpr std::string_view unit = "m", rate_unit = "m/s", effort_unit = "N";

  template <class S, class C>
  static S value(const FramePair::View<S>& r, const C&, double = 0.0) { return r.p[2]; }
  template <class C>
  static double expected_angle(const C&) { return 0.0; }
  template <class C>
  static double remember(const FramePair::View<double>&, const C&, double*, double = 0.0) { return 0.0; }
  template <class S>
  static S rate(const FramePair::View<S>& r) { return r.v[2]; }
  template <class S>
  static Vec6<S> gradient(const FramePair::View<S>&) {
    return {{S(0.0), S(0.0), S(1.0), S(0.0), S(0.0), S(0.0)}};
  }
};

}  // namespace saltus
