// When two moving shapes first meet: conservative advancement.
#pragma once

#include "saltus/collision/narrow_phase.hpp"

namespace saltus {

/// A shape that goes on as it moves: velocity of its frame's origin and angular velocity, world axes.
struct Moving {
  const Shape* shape = nullptr;
  Pose pose;
  Vec3<double> v{}, w{};

  Pose after(double t) const;
  /// How fast, at most, turning moves its surface along the unit vector n, at any time. Spin about an axis of the shape moves nothing.
  double turning(const Vec3<double>& n) const;
  /// The same in all directions.
  double turning() const;

 private:
  Vec3<double> tumbling() const;
};

struct Meeting {
  double t = 0.0;        // they are not nearer than `within` before; `until` if they do not come so near
  double closing = 0.0;  // how fast they approach there, at most; not positive: they part
};

/// Between two planes that hold the shapes apart the gap falls no faster than they approach along the planes' normal (Mirtich 1996): time goes
/// on by the gap over that speed. Of a mesh, which no plane holds, the speed in all directions counts.
Meeting meeting(const Moving& a, const Moving& b, double within, double until);

}  // namespace saltus
