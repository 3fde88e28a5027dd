#include "saltus/collision/advance.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/math/rotation.hpp"

namespace saltus {
namespace {
constexpr int most_advances = 64;

/// The nearest of the points within a reach; null: there is none.
const ContactPoint* nearest(const ContactPoints& points) {
  const ContactPoint* least = nullptr;
  for (int i = 0; i < points.count; ++i)
    if (!least || points.point[i].gap < least->gap) least = &points.point[i];
  return least;
}
}  // namespace

Pose Moving::after(double t) const { return {pose.p + v * t, rotation_exp(w * t) * pose.R}; }

double Moving::turning() const {
  const double bound = shape->bound(), inner = shape->inner();
  if (!(bound > inner)) return 0.0;
  // A point of the surface is at most bound from the middle, of which at least inner lies along the normal.
  return std::sqrt((bound - inner) * (bound + inner)) * norm(tumbling());
}

double Moving::turning(const Vec3<double>& n) const {
  const double bound = shape->bound(), inner = shape->inner();
  if (!(bound > inner)) return 0.0;
  return std::sqrt((bound - inner) * (bound + inner)) * std::min(norm(cross(n, w)), norm(tumbling()));
}

/// What turns the axis of a shape that is round about it, else all.
Vec3<double> Moving::tumbling() const {
  const ShapeKind kind = shape->kind;
  if (kind != ShapeKind::capsule && kind != ShapeKind::cylinder && kind != ShapeKind::cone) return w;
  const Vec3<double> axis{{pose.R(0, 2), pose.R(1, 2), pose.R(2, 2)}};
  return w - axis * dot(w, axis);
}

Meeting meeting(const Moving& a, const Moving& b, double within, double until) {
  const bool open = a.shape->surface() || b.shape->surface();
  const double most = norm(b.v - a.v) + a.turning() + b.turning();
  double t = 0.0;
  for (int i = 0; i < most_advances; ++i) {
    const ContactPoints points = contact_points(*a.shape, a.after(t), *b.shape, b.after(t), within + most * (until - t));
    const ContactPoint* p = nearest(points);
    if (!p) return {until, 0.0};
    const double along = dot(p->normal, a.v - b.v) + a.turning(p->normal) + b.turning(p->normal);
    if (p->gap <= within) return {t, along};
    const double closing = open ? most : along;
    if (!(closing > 0.0)) return {until, closing};
    t += (p->gap - 0.5 * within) / closing;
    if (!(t < until)) return {until, closing};
  }
  return {t, most};
}

}  // namespace saltus
