// Contact of convex shapes: the direction in which they are farthest apart, and the points at which they touch.
#pragma once

#include "saltus/collision/narrow_phase.hpp"

namespace saltus {

/// Unit normal from A to B along which B is farthest from A, and that distance: negative where they overlap, the shortest way out.
struct Separation {
  Vec3<double> normal;
  double gap = 0.0;
  bool within = true;  // false: farther apart than asked for; normal and gap are then some that show it
};

/// Both convex and bounded. World axes.
Separation separation(const Shape& a, const Pose& A, const Shape& b, const Pose& B, double within);

/// A convex, B too and bounded; A may be a plane. Points of both surfaces whose gap along the normal of their separation is at most `within` [m]. Named by the corners and edges that
/// meet there, in the order of these names.
ContactPoints convex_points(const Shape& a, const Pose& A, const Shape& b, const Pose& B, double within);

/// Farthest point of a convex bounded shape along u, both in its own axes.
Vec3<double> support(const Shape& shape, const Vec3<double>& u);

}  // namespace saltus
