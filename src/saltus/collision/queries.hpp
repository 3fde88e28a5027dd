// Questions about shapes: nearest points, rays.
#pragma once

#include <optional>

#include "saltus/collision/narrow_phase.hpp"

namespace saltus {

/// The pair of points that shows the distance of two shapes, or how deep they overlap. Two planes have none: their gap is not a number.
ContactPoint nearest_points(const Shape& a, const Pose& A, const Shape& b, const Pose& B);

struct RayHit {
  double distance = 0.0;
  Vec3<double> normal;  // of the shape, outwards
};

/// Where a ray from `start` along the unit vector first meets the shape; distance 0 and the nearest way out from inside. Planes between ray and
/// shape bound it from below (van den Bergen 2004): each step ends on the last such plane.
std::optional<RayHit> cast_ray(const Shape& shape, const Pose& pose, const Vec3<double>& start, const Vec3<double>& along);

}  // namespace saltus
