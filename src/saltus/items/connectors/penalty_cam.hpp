// A roller on a cam.
#pragma once

#include <cmath>
#include <numbers>

#include "saltus/items/connectors/penalty_force.hpp"
#include "saltus/math/function.hpp"

namespace saltus {

/// f and f' of a function of one input.
template <class S>
std::pair<S, S> with_slope(const Function& f, const S& at) {
  const Dual<1, S> x = Dual<1, S>::variable(at, 0);
  Dual<1, S> y;
  f(&x, &y, nullptr);
  return {y.value, y.d[0]};
}

/// The foot of the roller's centre q on the cam c(phi) = r(phi) (cos phi, sin phi): (q - c) . c' = 0, nearest of all; found among 64 angles, then by
/// Newton's method, last on the scalar itself.
struct RollerOnCam {
  static constexpr int guesses = 64;

  double radius = 0.0;
  Function profile;

  static constexpr std::string_view name = "penalty_cam";
  static constexpr std::string_view doc = "Contact of a roller about the z axis of B with a cam, a closed curve in the plane of A, with a force that follows from their penetration.";
  static constexpr std::string_view sample =
      R"json({"radius": 6, "profile": "1 + 0.1*cos(angle)", "stiffness": 2, "damping": 0.3, "friction": 0.4, "slip_speed": 0.5, "pulls": true})json";  // of the property tests: in contact
  static constexpr auto geometry() {
    return std::tuple{field("radius", &RollerOnCam::radius, "m", "radius of the roller about B", required(above(0.0))),
                      field("profile", &RollerOnCam::profile, "m", "distance of the cam's surface from the z axis of A at an angle from its x axis: a formula in `angle`, or a periodic table",
                            required(function_of("angle")))};
  }
  std::string wrong() const { return profile.reads_data() ? "has a `profile` that changes in a run: a shape is one of fixed numbers" : ""; }
  bool parallel() const { return profile.parallel(); }
  template <class S>
  Touch<S> touch(const FramePair::View<S>& r) const {
    using std::sqrt;
    const double x = val(r.p[0]), y = val(r.p[1]);
    double phi = std::atan2(y, x), nearest = HUGE_VAL;
    for (int i = 0; i < guesses; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / guesses - std::numbers::pi, c = profile(angle);
      const double off = std::hypot(x - c * std::cos(angle), y - c * std::sin(angle));
      if (off < nearest) nearest = off, phi = angle;
    }
    double slope = -1.0;
    for (int i = 0; i < 30; ++i) {
      const Foot foot = of(phi, x, y);
      slope = foot.slope < 0.0 ? foot.slope : -foot.speed;  // towards the nearest place, not the farthest
      const double step = foot.along / slope;
      phi -= std::copysign(std::min(std::abs(step), 0.1), step);
      if (std::abs(step) < 1e-15) break;
    }
    S angle(phi);
    for (int i = 0; i < 2; ++i) angle = angle - along(angle, r) * (1.0 / slope);
    const auto [c, rate] = with_slope(profile, angle);
    using std::cos, std::sin;
    const S co = cos(angle), si = sin(angle);
    // The outward normal, which does not vanish where the centre is on the curve.
    const S nx = rate * si + c * co, ny = c * si - rate * co, length = sqrt(nx * nx + ny * ny);
    const Vec3<S> n{{nx / length, ny / length, S(0.0)}}, place{{c * co, c * si, r.p[2]}};
    const S depth = radius - dot(n, r.p - place);
    return {depth, n, place - n * (0.5 * depth), curvature_radius(phi)};
  }

 private:
  /// (q - c) . c', its slope by phi, and |c'|^2.
  struct Foot {
    double along, slope, speed;
  };
  Foot of(double phi, double x, double y) const {
    const Dual<1, Dual<1>> at = Dual<1, Dual<1>>::variable(Dual<1>::variable(phi, 0), 0);
    Dual<1, Dual<1>> r;
    profile(&at, &r, nullptr);
    const double c = r.value.value, d = r.value.d[0], dd = r.d[0].d[0], co = std::cos(phi), si = std::sin(phi);
    const double off_x = x - c * co, off_y = y - c * si, tx = d * co - c * si, ty = d * si + c * co, speed = tx * tx + ty * ty;
    return {off_x * tx + off_y * ty, off_x * (dd * co - 2.0 * d * si - c * co) + off_y * (dd * si + 2.0 * d * co - c * si) - speed, speed};
  }
  template <class S>
  S along(const S& angle, const FramePair::View<S>& r) const {
    using std::cos, std::sin;
    const auto [c, d] = with_slope(profile, angle);
    const S co = cos(angle), si = sin(angle);
    return (r.p[0] - c * co) * (d * co - c * si) + (r.p[1] - c * si) * (d * si + c * co);
  }
  double curvature_radius(double phi) const {
    const Dual<1, Dual<1>> at = Dual<1, Dual<1>>::variable(Dual<1>::variable(phi, 0), 0);
    Dual<1, Dual<1>> r;
    profile(&at, &r, nullptr);
    const double c = r.value.value, d = r.value.d[0], dd = r.d[0].d[0];
    const double curvature = (c * c + 2.0 * d * d - c * dd) / std::pow(c * c + d * d, 1.5);
    return 1.0 / std::max(curvature + 1.0 / radius, 1e-6 / radius);
  }
};
using PenaltyCam = PenaltyContact<RollerOnCam>;

}  // namespace saltus
