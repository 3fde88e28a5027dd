// The inside of a sphere or of a cylinder without end, as a surface.
#pragma once

#include "saltus/collision/on_surface.hpp"

namespace saltus {

/// The distance to it is r - |x|, for a cylinder without the part along z.
class HollowSurface {
 public:
  static constexpr bool bowl = true;

  explicit HollowSurface(const Shape& a) : radius_(a.radius), long_(a.kind == ShapeKind::hollow_cylinder) {}

  double size() const { return radius_; }
  SurfaceValue at(const Vec3<double>& x, int) const {
    const Vec3<double> n = outward(x);
    const double far = norm(arm(x)), bent = far > 0.0 ? 1.0 / far : 0.0;
    SurfaceValue value{.d = radius_ - far, .gradient = -n};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) value.curvature(i, j) = bent * (n[i] * n[j] - (i == j && !(long_ && i == 2) ? 1.0 : 0.0));
    return value;
  }
  std::optional<SurfaceFoot> foot(const Vec3<double>& p, const Vec3<double>&) const {
    const Vec3<double> n = outward(p);
    const double gap = radius_ - norm(arm(p));
    return SurfaceFoot{p + n * gap, -n, gap};
  }
  bool clear(const Vec3<double>& x, double reach) const { return radius_ - norm(arm(x)) > reach; }

 private:
  Vec3<double> arm(const Vec3<double>& x) const { return {{x[0], x[1], long_ ? 0.0 : x[2]}}; }
  Vec3<double> outward(const Vec3<double>& x) const {
    const double far = norm(arm(x));
    return far > 0.0 ? arm(x) * (1.0 / far) : Vec3<double>{{1.0, 0.0, 0.0}};
  }

  double radius_;
  bool long_;
};

}  // namespace saltus
