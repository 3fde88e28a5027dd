#include "saltus/collision/queries.hpp"

#include <cmath>
#include <limits>

namespace saltus {

ContactPoint nearest_points(const Shape& a, const Pose& A, const Shape& b, const Pose& B) {
  const ContactPoints points = contact_points(a, A, b, B, std::numeric_limits<double>::infinity());
  if (points.count == 0) return {{}, {}, {}, std::numeric_limits<double>::quiet_NaN(), 0};
  const ContactPoint* least = &points.point[0];
  for (int i = 1; i < points.count; ++i)
    if (points.point[i].gap < least->gap) least = &points.point[i];
  return *least;
}

std::optional<RayHit> cast_ray(const Shape& shape, const Pose& pose, const Vec3<double>& start, const Vec3<double>& along) {
  const Shape point{ShapeKind::sphere, 0.0, {}, {}};
  const double size = std::isfinite(shape.bound()) ? norm(start - pose.p) + shape.bound() : norm(start - pose.p);
  RayHit hit;
  for (int k = 0; k < 200; ++k) {
    const ContactPoint p = nearest_points(shape, pose, point, {start + along * hit.distance});
    hit.normal = p.normal;
    if (p.gap <= 1e-14 * size) return hit;
    const double closing = -dot(p.normal, along);
    if (!(closing > 0.0)) return std::nullopt;
    const double step = p.gap / closing;
    if (!(hit.distance + step > hit.distance)) return hit;
    hit.distance += step;
    if (std::isfinite(shape.bound()) && hit.distance > 2.0 * size) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace saltus
