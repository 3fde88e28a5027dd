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

namespace {
/// Closed form: the axes divided by their halves make a unit ball of it.
std::optional<RayHit> ray_on_ellipsoid(const Shape& shape, const Pose& pose, const Vec3<double>& start, const Vec3<double>& along) {
  Vec3<double> from = transposed_times(pose.R, start - pose.p), way = transposed_times(pose.R, along);
  for (int k = 0; k < 3; ++k) from[k] /= shape.half[k], way[k] /= shape.half[k];
  const double a = dot(way, way), b = dot(from, way);
  const Vec3<double> beside = from - way * (b / a);  // from the centre to the line
  const double inside = 1.0 - dot(beside, beside);
  if (!(inside >= 0.0)) return std::nullopt;
  const double distance = -b / a - std::sqrt(inside / a);
  if (!(distance >= 0.0)) return std::nullopt;
  Vec3<double> n = from + way * distance;
  for (int k = 0; k < 3; ++k) n[k] /= shape.half[k];
  return RayHit{distance, pose.R * (n * (1.0 / norm(n)))};
}
}  // namespace

std::optional<RayHit> cast_ray(const Shape& shape, const Pose& pose, const Vec3<double>& start, const Vec3<double>& along) {
  const Shape point{ShapeKind::sphere, 0.0, {}, {}};
  const double size = std::isfinite(shape.bound()) ? norm(start - pose.p) + shape.bound() : norm(start - pose.p);
  if (shape.kind == ShapeKind::ellipsoid)  // a ray that begins inside goes on below
    if (const Vec3<double> from = transposed_times(pose.R, start - pose.p); std::hypot(from[0] / shape.half[0], from[1] / shape.half[1], from[2] / shape.half[2]) > 1.0)
      return ray_on_ellipsoid(shape, pose, start, along);
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
