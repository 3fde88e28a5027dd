// Where a disc touches the edge of a kerb, a step, a sill: a rounded convex outline in the plane of the ground's x and z axes.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "saltus/base/field.hpp"
#include "saltus/base/index.hpp"
#include "saltus/base/text.hpp"
#include "saltus/math/matrix.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/frame_ports.hpp"

namespace saltus {

/// Ground that goes on along y of A, below a line through `points` (x, z), whose first and last stretches go on; it turns down at each corner, which is rounded
/// by a circle of radius `rounding` that touches both stretches. Against it a disc about z of B as in disc_on_plane.hpp: its rim, a circle of `radius` rounded by `edge`.
/// Distances are those of the rim to the outline drawn inward by `rounding`, less both radii: of stretches the place is a closed form, of corners, lines along y, it is
/// found by Newton's method.
struct DiscOnOutline {
  double radius = 0.0, edge = 0.0, rounding = 0.0;
  Matrix points;

  static constexpr double flat = 1e-4;  // sine of the tilt against a stretch below which no point of the rim is the nearest

  template <class S>
  struct Nearest {
    S gap;
    Vec3<S> n, arm;  // out of the ground; from the centre to the place on the disc; axes of A
  };

  static constexpr auto geometry() {
    using D = DiscOnOutline;
    return std::tuple{field("radius", &D::radius, "m", "radius of the disc; 0: a sphere of radius `edge`", at_least(0.0)),
                      field("edge", &D::edge, "m", "radius of the rounding of the rim, added to `radius`", at_least(0.0)),
                      field("points", &D::points, "m", "corners (n x 2) of the ground, x and z in the axes of A, the ground is on the right of the path through them; the first and the last edge go on"),
                      field("rounding", &D::rounding, "m", "radius of the corners", at_least(0.0))};
  }

  /// Makes the outline that is drawn inward, too.
  std::string wrong() {
    if (points.rows < 2 || points.cols != 2) return "has `points` of " + std::to_string(points.rows) + " x " + std::to_string(points.cols) + ", must be 2 x 2 or more rows (x, z)";
    if (!(radius + edge > 0.0)) return "has no size: give `radius` of a disc, or `edge` alone of a sphere";
    if (points.rows > 2 && !(edge + rounding > 0.0)) return "has a sharp disc on sharp corners, which has no direction of contact: give `rounding` of the corners or `edge` of the disc";
    stretches_.clear(), corners_.clear();
    for (int i = 0; i + 1 < points.rows; ++i) {
      const Point from = point(i), to = point(i + 1), d{to.x - from.x, to.z - from.z};
      const double length = std::hypot(d.x, d.z);
      if (!(length > 0.0)) return "has the point " + std::to_string(i + 1) + " twice";
      const Point t{d.x / length, d.z / length};
      stretches_.push_back({t, -t.z * from.x + t.x * from.z - rounding});
    }
    for (std::size_t i = 0; i + 1 < stretches_.size(); ++i) {
      const Stretch &a = stretches_[i], &b = stretches_[i + 1];
      const double turn = a.t.z * b.t.x - a.t.x * b.t.z;  // sine of the turn down
      const std::string corner = "corner " + std::to_string(i + 1);
      if (!(turn > 0.0)) return "does not turn down at " + corner + ": give the pieces of ground on each side of it to contacts of their own, and list points with the ground on the right";
      const Point na = a.normal(), nb = b.normal();
      corners_.push_back({(a.offset * nb.z - b.offset * na.z) / (na.x * nb.z - nb.x * na.z), (na.x * b.offset - nb.x * a.offset) / (na.x * nb.z - nb.x * na.z)});
      if (i > 0 && !(a.along(corners_[i]) > a.along(corners_[i - 1]))) return "has a stretch before " + corner + " that is shorter than its `rounding` of " + short_text(rounding) + " m takes";
    }
    return {};
  }

  template <class S>
  Nearest<S> nearest(const FramePair::View<S>& r) const {
    const Vec3<double> o{{val(r.p[0]), val(r.p[1]), val(r.p[2])}};
    Mat3<double> R;
    for (int i = 0; i < 9; ++i) R.a[i] = val(r.R.a[i]);
    const Place at = place(o, R);
    return at.corner >= 0 ? on_corner(corners_[at.corner], at, r) : on_stretch(stretches_[at.stretch], r);
  }
  std::string trouble(const FramePair::View<double>& r) const {
    if (std::isfinite(nearest(r).gap)) return {};
    return "its disc lies flat on the ground, where no point of the rim is the nearest; end the run before, or give the body the shape of a cylinder";
  }

 private:
  struct Point {
    double x, z;
  };
  /// n . p = offset, n on the left of the way.
  struct Stretch {
    Point t;
    double offset;
    Point normal() const { return {-t.z, t.x}; }
    double off(const Point& p) const { return -t.z * p.x + t.x * p.z - offset; }
    double along(const Point& p) const { return t.x * p.x + t.z * p.z; }
  };
  /// The stretch or corner that is nearest, and of a corner the direction in the disc from its centre.
  struct Place {
    int stretch = -1, corner = -1;
    Vec3<double> d{};
  };
  Point point(int i) const { return {points(i, 0), points(i, 1)}; }

  /// Signed distance from the outline that is drawn inward.
  double off(const Point& p) const {
    double inside = -HUGE_VAL;
    for (const Stretch& s : stretches_) inside = std::max(inside, s.off(p));
    if (inside <= 0.0) return inside;
    for (std::size_t i = 0; i < stretches_.size(); ++i) {
      const Stretch& s = stretches_[i];
      if (i > 0 && s.along(p) < s.along(corners_[i - 1])) return std::hypot(p.x - corners_[i - 1].x, p.z - corners_[i - 1].z);
      if (i == corners_.size() || s.along(p) <= s.along(corners_[i])) return s.off(p);
    }
    return inside;
  }
  /// Of the places that each stretch and corner would have the nearest one.
  Place place(const Vec3<double>& o, const Mat3<double>& R) const {
    const Vec3<double> a{{R(0, 2), R(1, 2), R(2, 2)}};
    Place best;
    double least = HUGE_VAL;
    const auto take = [&](const Vec3<double>& d, const Place& p) {
      const double at = off({o[0] + radius * d[0], o[2] + radius * d[2]});
      if (at < least || best.stretch + best.corner == -2) least = at, best = p;
    };
    for (int i = 0; i < count_of(stretches_); ++i) {
      const Point n = stretches_[i].normal();
      const Vec3<double> down = a * (a[0] * n.x + a[2] * n.z) - Vec3<double>{{n.x, 0.0, n.z}};
      const double tilt = norm(down);
      take(tilt > flat ? down * (1.0 / tilt) : Vec3<double>{}, {i, -1, {}});
    }
    for (int i = 0; i < count_of(corners_); ++i) {
      const Vec3<double> d = towards(corners_[i], o, a);
      take(d, {-1, i, d});
    }
    return best;
  }
  /// The direction in the disc in which its rim is nearest to a corner.
  Vec3<double> towards(const Point& corner, const Vec3<double>& o, const Vec3<double>& a) const {
    Vec3<double> d = Vec3<double>{{corner.x - o[0], 0.0, corner.z - o[2]}};
    d -= a * dot(a, d);
    const double reach = norm(d);
    if (!(reach > 0.0)) return cross(a, Vec3<double>{{0.0, 1.0, 0.0}});
    d = d * (1.0 / reach);
    for (int i = 0; radius > 0.0 && i < 30; ++i) {
      const auto [along, slope] = slope_at(corner, o, a, d);
      const double step = -along / std::max(slope, 0.1 * radius * radius), by = std::clamp(step, -0.3, 0.3);
      d = d * std::cos(by) + cross(a, d) * std::sin(by);
      if (std::abs(step) < 1e-14) break;
    }
    return d;
  }
  /// w . p' and its derivative by the angle, w from the corner to the place p on the rim.
  template <class S>
  std::pair<S, S> slope_at(const Point& corner, const Vec3<S>& o, const Vec3<S>& a, const Vec3<S>& d) const {
    const Vec3<S> t = cross(a, d);
    const S x = o[0] + radius * d[0] - corner.x, z = o[2] + radius * d[2] - corner.z;
    return {radius * (x * t[0] + z * t[2]), radius * radius * (t[0] * t[0] + t[2] * t[2]) - radius * (x * d[0] + z * d[2])};
  }

  template <class S>
  Nearest<S> on_stretch(const Stretch& s, const FramePair::View<S>& r) const {
    using std::sqrt;
    const Point n = s.normal();
    const Vec3<S> out{{S(n.x), S(0.0), S(n.z)}}, a{{r.R(0, 2), r.R(1, 2), r.R(2, 2)}};
    Vec3<S> d{};
    if (radius > 0.0) {
      const S lean = a[0] * n.x + a[2] * n.z, square = 1.0 - lean * lean;
      const S share = val(square) > flat * flat ? 1.0 / sqrt(square) : S(std::numeric_limits<double>::quiet_NaN());
      d = (a * lean - out) * share;
    }
    const S gap = n.x * (r.p[0] + radius * d[0]) + n.z * (r.p[2] + radius * d[2]) - (s.offset + rounding + edge);
    return {gap, out, d * S(radius) - out * S(edge)};
  }
  /// Two steps of Newton's method on the scalar carry the derivatives of the place.
  template <class S>
  Nearest<S> on_corner(const Point& corner, const Place& at, const FramePair::View<S>& r) const {
    using std::sqrt;
    const Vec3<S> a{{r.R(0, 2), r.R(1, 2), r.R(2, 2)}};
    Vec3<S> d{{S(at.d[0]), S(at.d[1]), S(at.d[2])}};
    d = d - a * dot(a, d), d = d * (1.0 / sqrt(dot(d, d)));
    for (int i = 0; radius > 0.0 && i < 2; ++i) {
      const auto [along, slope] = slope_at(corner, r.p, a, d);
      d = d - cross(a, d) * (along * (1.0 / val(slope)));
      d = d * (1.0 / sqrt(dot(d, d)));
    }
    const S x = r.p[0] + radius * d[0] - corner.x, z = r.p[2] + radius * d[2] - corner.z, away = sqrt(x * x + z * z);
    const S off = val(x) * val(d[0]) + val(z) * val(d[2]) > 0.0 ? S(-1.0 * away) : away;  // the corner is inside the disc
    const Vec3<S> out{{x / off, S(0.0), z / off}};
    return {off - (rounding + edge), out, d * S(radius) - out * S(edge)};
  }

  std::vector<Stretch> stretches_;
  std::vector<Point> corners_;
};

}  // namespace saltus
