// Which of many points of a pair are its contacts.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "saltus/collision/narrow_phase.hpp"

namespace saltus {

/// Leaves as many points as a pair may have, by name. Of those that overlap, or touch within `together` of the deepest, the ones that are farthest from
/// each other and the deepest, so that what lies does not tilt; then the nearest. place(p), name(p) of a point p with a gap.
template <class Point, class Place, class Name>
void keep_apart(std::vector<Point>& points, double together, const Place& place, const Name& name) {
  constexpr std::size_t most = ContactPoints::most;
  const auto by_name = [&](const Point& x, const Point& y) { return name(x) < name(y); };
  if (points.size() > most) {
    std::sort(points.begin(), points.end(), [&](const Point& x, const Point& y) { return x.gap != y.gap ? x.gap < y.gap : name(x) < name(y); });
    const double limit = std::max(points.front().gap + together, 0.0);
    const auto end = std::partition_point(points.begin(), points.end(), [&](const Point& p) { return p.gap <= limit; });
    const std::size_t touching = end - points.begin();
    if (touching > most) {
      if (points.front().gap > -together) std::sort(points.begin(), end, by_name);  // none is the deepest but by rounding
      static thread_local std::vector<double> away;  // from the nearest of those that are kept, squared
      away.assign(touching, std::numeric_limits<double>::infinity());
      for (std::size_t k = 1; k < most; ++k) {
        std::size_t best = k;
        for (std::size_t i = k; i < touching; ++i) {
          const Vec3<double> way = place(points[i]) - place(points[k - 1]);
          away[i] = std::min(away[i], dot(way, way));
          if (away[i] > away[best] * (1.0 + 1e-6)) best = i;
        }
        std::swap(points[k], points[best]), std::swap(away[k], away[best]);
      }
    }
    points.resize(most);
  }
  std::sort(points.begin(), points.end(), by_name);
}

}  // namespace saltus
