// Parts of the surfaces of cylinders, cones and ellipsoids by two parameters, for the places of them that are nearest to something.
#pragma once

#include <algorithm>
#include <cmath>

#include "saltus/collision/contact_frame.hpp"
#include "saltus/collision/narrow_phase.hpp"

namespace saltus {

/// A place of a piece and its derivatives by two lengths along it; u x v looks outwards.
struct PieceChart { Vec3<double> x, u, v, uu, uv, vv; };

/// About the z axis of `at` from low to high, its radius straight between those of its ends.
struct SidePiece {
  static constexpr bool closed = false;
  Pose at;
  double low, high, r_low, r_high;

  struct Place { double angle, z; };
  double size() const { return std::max({r_low, r_high, high - low}); }
  Vec3<double> middle() const { return at.p + Vec3<double>{{at.R(0, 2), at.R(1, 2), at.R(2, 2)}} * (0.5 * (low + high)); }
  double reach() const { return std::hypot(std::max(r_low, r_high), 0.5 * (high - low)); }
  Place start(double turn, double share) const { return {2.0 * M_PI * turn, low + (high - low) * share}; }
  Place moved(const Place& p, double u, double v) const { return {p.angle + u / std::max(r_low, r_high), p.z + v}; }
  bool holds(const Place& p) const { return p.z > low && p.z < high; }
  PieceChart chart(const Place& p) const {
    const Vec3<double> out = at.R * Vec3<double>{{std::cos(p.angle), std::sin(p.angle), 0.0}}, along = at.R * Vec3<double>{{-std::sin(p.angle), std::cos(p.angle), 0.0}};
    const Vec3<double> z{{at.R(0, 2), at.R(1, 2), at.R(2, 2)}};
    const double slope = (r_high - r_low) / (high - low), r = r_low + slope * (p.z - low), unit = 1.0 / std::max(r_low, r_high);
    return {at.p + z * p.z + out * r, along * (r * unit), z + out * slope, out * (-r * unit * unit), along * (slope * unit), {}};
  }
};

/// A disc about the z axis of `at`, the lower or the upper end of a body.
struct DiscPiece {
  static constexpr bool closed = false;
  Pose at;
  double z, r;

  struct Place { double x, y; };
  double size() const { return r; }
  Vec3<double> middle() const { return at.p + Vec3<double>{{at.R(0, 2), at.R(1, 2), at.R(2, 2)}} * z; }
  double reach() const { return r; }
  Place start(double turn, double share) const { return {r * share * std::cos(2.0 * M_PI * turn), r * share * std::sin(2.0 * M_PI * turn)}; }
  double side() const { return z < 0.0 ? -1.0 : 1.0; }
  Place moved(const Place& p, double u, double v) const { return {p.x + u, p.y + side() * v}; }
  bool holds(const Place& p) const { return std::hypot(p.x, p.y) < r; }
  PieceChart chart(const Place& p) const {
    return {at.p + at.R * Vec3<double>{{p.x, p.y, z}}, {{at.R(0, 0), at.R(1, 0), at.R(2, 0)}}, Vec3<double>{{at.R(0, 1), at.R(1, 1), at.R(2, 1)}} * side(), {}, {}, {}};
  }
};

/// An ellipsoid in the axes of `at`: half axes times a unit vector, which moves along its sphere.
struct EllipsoidPiece {
  static constexpr bool closed = true;
  Pose at;
  Vec3<double> half;

  using Place = Vec3<double>;
  double size() const { return std::max({half[0], half[1], half[2]}); }
  Vec3<double> middle() const { return at.p; }
  double reach() const { return size(); }
  double unit() const { return 1.0 / std::min({half[0], half[1], half[2]}); }
  Place start(double turn, double share) const {
    const double a = 2.0 * M_PI * turn, b = M_PI * share;
    return {{std::sin(b) * std::cos(a), std::sin(b) * std::sin(a), std::cos(b)}};
  }
  Place moved(const Place& p, double u, double v) const {
    const ContactAxes<double> axes = contact_axes(p);
    const Vec3<double> to = p + (axes.t1 * u + axes.t2 * v) * unit();
    return to * (1.0 / norm(to));
  }
  bool holds(const Place&) const { return true; }
  PieceChart chart(const Place& p) const {
    const ContactAxes<double> axes = contact_axes(p);
    const auto of = [&](const Vec3<double>& m) { return at.R * Vec3<double>{{half[0] * m[0], half[1] * m[1], half[2] * m[2]}}; };
    const Vec3<double> x = of(p), bent = x * (-unit() * unit());
    return {at.p + x, of(axes.t1) * unit(), of(axes.t2) * unit(), bent, {}, bent};
  }
};

}  // namespace saltus
