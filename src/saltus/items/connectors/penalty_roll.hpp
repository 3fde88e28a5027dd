// A convex roll on a plane.
#pragma once

#include <algorithm>
#include <cmath>

#include "saltus/items/connectors/penalty_cam.hpp"

namespace saltus {

/// A body of revolution about the y axis of B, of radius r(s) at s along it, |s| <= l/2: its lowest point over the plane z = 0 of A is where
/// r'(s) = a_z / sqrt(1 - a_z^2), a the axis; at an end where that is not on it.
struct ConvexRoll {
  double length = 0.0;
  Function profile;

  static constexpr std::string_view name = "penalty_roll";
  static constexpr std::string_view doc = "Contact of a convex roll about the y axis of B with the plane z = 0 of A with a force that follows from the penetration.";
  static constexpr std::string_view sample =
      R"({"length": 20, "profile": "9 - 0.05*s^2", "stiffness": 2, "damping": 0.3, "friction": 0.4, "slip_speed": 0.5, "pulls": true})";  // of the property tests: in contact
  static constexpr auto geometry() {
    return std::tuple{field("length", &ConvexRoll::length, "m", "l", required(above(0.0))),
                      field("profile", &ConvexRoll::profile, "m", "radius at s along the axis, from -l/2 to l/2, convex outward: a formula of `s`, or a table", required(function_of("s")))};
  }
  std::string wrong() const { return profile.reads_data() ? "has a `profile` that changes in a run: a shape is one of fixed numbers" : ""; }
  bool parallel() const { return profile.parallel(); }
  template <class S>
  Touch<S> touch(const FramePair::View<S>& r) const {
    using std::sqrt;
    const Vec3<S> z{{S(0.0), S(0.0), S(1.0)}}, axis{{r.R(0, 1), r.R(1, 1), r.R(2, 1)}};
    const S flat = sqrt(1.0 - axis[2] * axis[2]);
    if (!(val(flat) > 1e-9)) return {S(-length), z, r.p, length};  // it stands on its face: no line of its surface is below
    const S tilt = axis[2] / flat;
    const double half = 0.5 * length, wanted = val(tilt);
    const auto steep = [&](double s) { return with_slope(profile, s).second - wanted; };  // falls with s
    double low = -half, high = half, bend = 0.0;
    S s(0.0);
    if (steep(low) <= 0.0) s = S(low);
    else if (steep(high) >= 0.0) s = S(high);
    else {
      double at = 0.0;
      for (int i = 0; i < 80; ++i) {  // Newton's method within the interval, else halving
        const double value = steep(at);
        bend = second(at);
        (value > 0.0 ? low : high) = at;
        double next = bend < 0.0 ? at - value / bend : low;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (std::abs(next - at) <= 1e-15 * length) break;
        at = next;
      }
      s = S(at);
      if (bend < 0.0)
        for (int i = 0; i < 2; ++i) s = s - (with_slope(profile, s).second - tilt) * (1.0 / bend);
    }
    S radius;
    profile(&s, &radius, nullptr);
    const Vec3<S> place = r.p + axis * s + (axis * axis[2] - z) * (radius / flat);
    const S depth = -1.0 * place[2];
    return {depth, z, place + z * (0.5 * depth), val(radius)};
  }

 private:
  double second(double s) const {
    const Dual<1, Dual<1>> at = Dual<1, Dual<1>>::variable(Dual<1>::variable(s, 0), 0);
    Dual<1, Dual<1>> r;
    profile(&at, &r, nullptr);
    return r.d[0].d[0];
  }
};
using PenaltyRoll = PenaltyContact<ConvexRoll>;

}  // namespace saltus
