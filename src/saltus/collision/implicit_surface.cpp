#include "saltus/collision/implicit_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "saltus/base/value.hpp"
#include "saltus/collision/contact_frame.hpp"
#include "saltus/collision/on_surface.hpp"

namespace saltus {
namespace {
constexpr int most_steps = 50;       // of Newton's method
constexpr int grid = 32;             // places along an edge of the box at which a formula is tried
constexpr double exact = 1e-14;      // of the size: where Newton's method ends
constexpr double accepted = 1e-10;   // of the size: what it may leave open
constexpr double reserve = 1.5;      // of the largest slope on the grid

std::string text_of(const Vec3<double>& x) { return "(" + short_text(x[0]) + ", " + short_text(x[1]) + ", " + short_text(x[2]) + ")"; }

/// x of B x = b; none where B is singular.
std::optional<Vec3<double>> solved(const Mat3<double>& B, const Vec3<double>& b) {
  const auto column = [&](int i) { return Vec3<double>{{B(0, i), B(1, i), B(2, i)}}; };
  const Vec3<double> c0 = column(0), c1 = column(1), c2 = column(2), across = cross(c1, c2);
  const double det = dot(c0, across);
  if (!(std::abs(det) > 1e-12 * norm(c0) * norm(c1) * norm(c2))) return std::nullopt;
  return Vec3<double>{{dot(b, across) / det, dot(c0, cross(b, c2)) / det, dot(c0, cross(c1, b)) / det}};
}
}  // namespace

std::shared_ptr<const ImplicitSurface> ImplicitSurface::of(const Function& d, const Vec3<double>& half, std::string& wrong) {
  if (d.is_external()) return wrong = "is no formula: contacts need its second derivatives", nullptr;
  if (d.reads_data()) return wrong = "changes in a run: a shape is one of fixed numbers", nullptr;
  std::shared_ptr<const FormulaDerivatives> derivatives = FormulaDerivatives::of(d, 2);
  if (!derivatives) return wrong = "has too many operations", nullptr;
  const std::shared_ptr<ImplicitSurface> made(new ImplicitSurface(std::move(derivatives), half));
  bool inside = false, outside = false;
  for (int i = 0; i <= grid; ++i)
    for (int j = 0; j <= grid; ++j)
      for (int k = 0; k <= grid; ++k) {
        const auto place = [&](int n, int axis) { return half[axis] * (2.0 * n / grid - 1.0); };
        const Vec3<double> x{{place(i, 0), place(j, 1), place(k, 2)}};
        const SurfaceValue value = made->at(x, 1);
        if (!std::isfinite(value.d)) return wrong = "is not a finite number at " + text_of(x), nullptr;
        (value.d < 0.0 ? inside : outside) = true;
        if (const double slope = reserve * norm(value.gradient); slope > made->steepest_) made->steepest_ = slope;
      }
  if (!inside) return wrong = "is nowhere negative in its box: nothing is solid", nullptr;
  if (!outside) return wrong = "is negative in all of its box: nothing is free", nullptr;
  return made;
}

SurfaceValue ImplicitSurface::at(const Vec3<double>& x, int order) const {
  std::array<double, most_numbers> out{};
  (*d_)(x.data(), nullptr, order, out.data());
  SurfaceValue value{.d = out[0]};
  if (order == 0) return value;
  int next = 1;
  for (const FormulaDerivatives::Slope& s : d_->slopes()) value.gradient[s.input] = out[next++];
  if (order == 1) return value;
  for (const FormulaDerivatives::Curve& c : d_->curves()) value.curvature(c.input, c.other) = value.curvature(c.other, c.input) = out[next++];
  return value;
}

bool ImplicitSurface::holds(const Vec3<double>& x) const {
  return std::abs(x[0]) <= half_[0] && std::abs(x[1]) <= half_[1] && std::abs(x[2]) <= half_[2];
}

bool ImplicitSurface::clear(const Vec3<double>& x, double reach) const {
  Vec3<double> inside;  // as near to all that is in the box, or nearer
  for (int i = 0; i < 3; ++i) inside[i] = std::clamp(x[i], -half_[i], half_[i]);
  if (!std::isfinite(reach)) return false;
  reach = std::max(reach, 0.0);  // below it: asked for what overlaps by more
  return at(inside, 0).d > reach * steepest_ || norm(x - inside) > reach;
}

/// Along the gradient to a place of the surface.
bool ImplicitSurface::onto(Vec3<double>& x) const {
  for (int i = 0; i < most_steps; ++i) {
    const SurfaceValue v = at(x, 1);
    const double g2 = dot(v.gradient, v.gradient);
    if (!(g2 > 0.0) || !std::isfinite(v.d)) return false;
    Vec3<double> step = v.gradient * (-v.d / g2);
    if (const double way = norm(step); way > 0.5 * size_) step = step * (0.5 * size_ / way);
    x = x + step;
    if (norm(step) < 1e-3 * size_) return true;
  }
  return false;
}

std::optional<SurfaceFoot> ImplicitSurface::foot(const Vec3<double>& p, Vec3<double> x) const {
  if (!onto(x)) return std::nullopt;
  SurfaceValue v = at(x, 2);
  double l = dot(p - x, v.gradient) / dot(v.gradient, v.gradient), way = 0.0;
  const auto bent = [&] {
    Mat3<double> B = v.curvature * l;
    for (int i = 0; i < 3; ++i) B(i, i) += 1.0;
    return B;
  };
  for (int i = 0; i < most_steps; ++i) {
    const Vec3<double> open = x - p + v.gradient * l;
    const Mat3<double> B = bent();
    std::optional<Vec3<double>> a = solved(B, v.gradient), b = solved(B, open);
    if (!a || !b || !(dot(*a, v.gradient) > 0.0)) a = v.gradient, b = open;  // a step of steepest descent along the surface
    const double dl = (v.d - dot(v.gradient, *b)) / dot(v.gradient, *a);
    Vec3<double> step = (*b + *a * dl) * -1.0;
    way = norm(step);
    const double share = way > 0.2 * size_ ? 0.2 * size_ / way : 1.0;
    x = x + step * share;
    v = at(x, 2);
    if (!std::isfinite(v.d) || !std::isfinite(way)) return std::nullopt;
    l = share < 1.0 ? dot(p - x, v.gradient) / dot(v.gradient, v.gradient) : l + dl;
    if (way < exact * size_) break;
  }
  if (!(way < accepted * size_) || !holds(x)) return std::nullopt;
  const ContactAxes<double> axes = contact_axes(v.gradient);
  const Mat3<double> B = bent();
  const double a = dot(axes.t1, B * axes.t1), b = dot(axes.t1, B * axes.t2), c = dot(axes.t2, B * axes.t2);
  if (!(a + c > 0.0) || !(a * c - b * b > -1e-9)) return std::nullopt;  // nearer ones are beside it
  return SurfaceFoot{x, axes.n, dot(axes.n, p - x)};
}

ContactPoints implicit_points(const ImplicitSurface& surface, const Pose& A, const Shape& b, const Pose& B, double within) { return OnSurface(surface, A, b, B, within).points(); }

}  // namespace saltus
