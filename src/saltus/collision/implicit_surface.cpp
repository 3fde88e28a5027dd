#include "saltus/collision/implicit_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "saltus/base/value.hpp"
#include "saltus/collision/contact_frame.hpp"

namespace saltus {
namespace {
constexpr int most_steps = 50;       // of Newton's method, and of a bisection
constexpr int grid = 12;             // places along an edge of the box at which a formula is tried
constexpr double exact = 1e-14;      // of the size: where Newton's method ends
constexpr double accepted = 1e-10;   // of the size: what it may leave open
constexpr double same_place = 1e-6;  // of the size: feet of one ball that are one
constexpr int pieces = 8;            // of an edge or side: d may have a least value between its ends
constexpr int around = 8;            // places beside the nearest one from which a ball looks for others
constexpr int names = 16;            // features of one ball, corner, edge or face

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
  const std::shared_ptr<const ImplicitSurface> made(new ImplicitSurface(std::move(derivatives), half));
  bool inside = false, outside = false;
  for (int i = 0; i <= grid; ++i)
    for (int j = 0; j <= grid; ++j)
      for (int k = 0; k <= grid; ++k) {
        const auto place = [&](int n, int axis) { return half[axis] * (2.0 * n / grid - 1.0); };
        const Vec3<double> x{{place(i, 0), place(j, 1), place(k, 2)}};
        const double value = made->at(x).d;
        if (!std::isfinite(value)) return wrong = "is not a finite number at " + text_of(x), nullptr;
        (value < 0.0 ? inside : outside) = true;
      }
  if (!inside) return wrong = "is nowhere negative in its box: nothing is solid", nullptr;
  if (!outside) return wrong = "is negative in all of its box: nothing is free", nullptr;
  return made;
}

ImplicitSurface::Value ImplicitSurface::at(const Vec3<double>& x) const {
  std::array<double, most_numbers> out{};
  (*d_)(x.data(), nullptr, 2, out.data());
  Value value{.d = out[0]};
  int next = 1;
  for (const FormulaDerivatives::Slope& s : d_->slopes()) value.gradient[s.input] = out[next++];
  for (const FormulaDerivatives::Curve& c : d_->curves()) value.curvature(c.input, c.other) = value.curvature(c.other, c.input) = out[next++];
  return value;
}

bool ImplicitSurface::holds(const Vec3<double>& x) const {
  return std::abs(x[0]) <= half_[0] && std::abs(x[1]) <= half_[1] && std::abs(x[2]) <= half_[2];
}

/// Along the gradient to a place of the surface.
bool ImplicitSurface::onto(Vec3<double>& x) const {
  for (int i = 0; i < most_steps; ++i) {
    const Value v = at(x);
    const double g2 = dot(v.gradient, v.gradient);
    if (!(g2 > 0.0) || !std::isfinite(v.d)) return false;
    Vec3<double> step = v.gradient * (-v.d / g2);
    if (const double way = norm(step); way > 0.5 * size_) step = step * (0.5 * size_ / way);
    x = x + step;
    if (norm(step) < 1e-3 * size_) return true;
  }
  return false;
}

std::optional<ImplicitSurface::Foot> ImplicitSurface::foot(const Vec3<double>& p, Vec3<double> x) const {
  if (!onto(x)) return std::nullopt;
  Value v = at(x);
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
    v = at(x);
    if (!std::isfinite(v.d) || !std::isfinite(way)) return std::nullopt;
    l = share < 1.0 ? dot(p - x, v.gradient) / dot(v.gradient, v.gradient) : l + dl;
    if (way < exact * size_) break;
  }
  if (!(way < accepted * size_) || !holds(x)) return std::nullopt;
  const ContactAxes<double> axes = contact_axes(v.gradient);
  const Mat3<double> B = bent();
  const double a = dot(axes.t1, B * axes.t1), b = dot(axes.t1, B * axes.t2), c = dot(axes.t2, B * axes.t2);
  if (!(a + c > 0.0) || !(a * c - b * b > -1e-9)) return std::nullopt;  // nearer ones are beside it
  return Foot{x, axes.n, dot(axes.n, p - x)};
}

namespace {
/// What a convex shape has to touch an implicit surface with, in the axes of the surface.
class OnImplicit {
 public:
  OnImplicit(const ImplicitSurface& surface, const Pose& A, double within, ContactPoints& out) : surface_(surface), A_(A), within_(within), out_(out) {}

  /// A ball of radius r about p: at the nearest place, and at others as near to it as its surface reaches.
  void ball(const Vec3<double>& p, double r, int feature) {
    std::array<Vec3<double>, around + 1> places;
    int count = 0;
    const auto look = [&](const Vec3<double>& from, int name) {
      const std::optional<ImplicitSurface::Foot> foot = surface_.foot(p, from);
      if (!foot) return false;
      for (int i = 0; i < count; ++i)
        if (norm(places[i] - foot->x) < same_place * norm(surface_.half())) return true;
      places[count++] = foot->x;
      add(*foot, p, r, names * feature + name);
      return true;
    };
    const bool found = look(p, 0);
    if (r == 0.0 || (found && dot(places[0] - p, places[0] - p) > (r + within_) * (r + within_))) return;
    const ContactAxes<double> axes = contact_axes(surface_.at(p).gradient);
    for (int i = 0; i < around; ++i) look(p + (axes.t1 * std::cos(2.0 * M_PI * i / around) + axes.t2 * std::sin(2.0 * M_PI * i / around)) * r, i + 1);
  }

  /// Places between a and b that are nearer than those beside them.
  void edge(const Vec3<double>& a, const Vec3<double>& b, double r, int feature) {
    const Vec3<double> along = b - a;
    const auto rise = [&](double s) {  // of the distance for what is round, else of d: where a point touches, both are least at one place
      const Vec3<double> p = a + along * s;
      if (r > 0.0)
        if (const std::optional<ImplicitSurface::Foot> foot = surface_.foot(p, p)) return dot(foot->n, along);
      return dot(surface_.at(p).gradient, along);
    };
    int name = 0;
    double before = rise(0.0);
    for (int i = 0; i < pieces && name < names; ++i) {
      const double after = rise((i + 1.0) / pieces);
      if (before < 0.0 && (after > 0.0 || (after == 0.0 && i + 1 < pieces))) {
        double low = static_cast<double>(i) / pieces, high = (i + 1.0) / pieces;
        for (int k = 0; k < most_steps; ++k) (rise(0.5 * (low + high)) < 0.0 ? low : high) = 0.5 * (low + high);
        point(a + along * (0.5 * (low + high)), r, names * feature + name++);
      }
      before = after;
    }
  }

  /// A place inside a face, corners (n) counter-clockwise, where d is less than around it.
  void face(std::span<const Vec3<double>> corners, const Vec3<double>& n, int feature) {
    const ContactAxes<double> axes = contact_axes(n);
    Vec3<double> x{};
    double least = HUGE_VAL;
    for (std::size_t i = 0; i < corners.size(); ++i)  // triangles of a fan
      for (int j = 1; i >= 2 && j < pieces; ++j)
        for (int k = 1; j + k < pieces; ++k) {
          const Vec3<double> place = corners[0] + (corners[i - 1] - corners[0]) * (1.0 * j / pieces) + (corners[i] - corners[0]) * (1.0 * k / pieces);
          if (const double d = surface_.at(place).d; d < least) least = d, x = place;
        }
    double longest = 0.0, at_corners = HUGE_VAL;
    for (const Vec3<double>& c : corners) longest = std::max(longest, norm(c - x)), at_corners = std::min(at_corners, surface_.at(c).d);
    for (int i = 0; i < most_steps; ++i) {  // Newton's method; where d is straight or bent downwards, a step downhill
      const ImplicitSurface::Value v = surface_.at(x);
      const double g1 = dot(axes.t1, v.gradient), g2 = dot(axes.t2, v.gradient), slope = std::hypot(g1, g2);
      if (!(slope > 1e-15 * norm(v.gradient))) break;
      double a = dot(axes.t1, v.curvature * axes.t1), c = dot(axes.t2, v.curvature * axes.t2);
      const double b = dot(axes.t1, v.curvature * axes.t2);
      if (!(a > 0.0 && a * c - b * b > 1e-12 * (a + c) * (a + c))) {
        const double stiffer = slope / longest + std::hypot(a - c, 2.0 * b) + std::abs(a + c);
        a += stiffer, c += stiffer;
      }
      const double det = a * c - b * b;
      const Vec3<double> step = axes.t1 * ((b * g2 - c * g1) / det) + axes.t2 * ((b * g1 - a * g2) / det);
      if (!(norm(step) < 2.0 * longest)) return;
      x = x + step;
      if (norm(step) < 1e-14 * longest) break;
    }
    if (!(surface_.at(x).d < at_corners - 1e-9 * longest * norm(surface_.at(x).gradient))) return;  // its corners touch first
    for (std::size_t i = 0; i < corners.size(); ++i)
      if (const Vec3<double>&a = corners[i], &b = corners[(i + 1) % corners.size()]; !(dot(cross(b - a, x - a), n) > 0.0)) return;
    point(x, 0.0, names * feature);
  }

 private:
  void point(const Vec3<double>& p, double r, int name) {
    if (const std::optional<ImplicitSurface::Foot> foot = surface_.foot(p, p)) add(*foot, p, r, name);
  }
  void add(const ImplicitSurface::Foot& foot, const Vec3<double>& p, double r, int name) {
    const Vec3<double> n = A_.R * foot.n;
    out_.add({A_.p + A_.R * foot.x, A_.p + A_.R * p - n * r, n, foot.gap - r, name}, within_);
  }

  const ImplicitSurface& surface_;
  const Pose& A_;
  double within_;
  ContactPoints& out_;
};
}  // namespace

ContactPoints implicit_points(const ImplicitSurface& surface, const Pose& A, const Shape& b, const Pose& B, double within) {
  ContactPoints out;
  const auto place = [&](const Vec3<double>& local) { return transposed_times(A.R, B.p + B.R * local - A.p); };
  OnImplicit on(surface, A, within, out);
  if (b.kind == ShapeKind::sphere) return on.ball(place({}), b.radius, 0), out;
  if (b.kind == ShapeKind::capsule) {
    const Vec3<double> low = place({{0.0, 0.0, -b.half[2]}}), high = place({{0.0, 0.0, b.half[2]}});
    on.ball(low, b.radius, 0), on.ball(high, b.radius, 1), on.edge(low, high, b.radius, 2);
    return out;
  }
  std::array<Vec3<double>, 8> of_box;
  for (int i = 0; i < 8; ++i) of_box[i] = {{i & 1 ? b.half[0] : -b.half[0], i & 2 ? b.half[1] : -b.half[1], i & 4 ? b.half[2] : -b.half[2]}};
  const std::span<const Vec3<double>> local = b.hull ? std::span<const Vec3<double>>(b.hull->corners) : of_box;
  const HullForm& form = b.hull ? b.hull->form : box_form();
  const auto corner = [&](int i) { return place(local[i]); };
  int feature = 0;
  for (std::size_t i = 0; i < local.size(); ++i) on.ball(corner(static_cast<int>(i)), 0.0, feature++);
  for (const HullForm::Edge& e : form.edges) on.edge(corner(e.a), corner(e.b), 0.0, feature++);
  std::array<Vec3<double>, Hull::most_corners> corners;
  for (const HullForm::Face& f : form.faces) {
    for (int i = 0; i < f.count; ++i) corners[i] = corner(form.loop[f.begin + i]);
    on.face({corners.data(), static_cast<std::size_t>(f.count)}, transposed_times(A.R, B.R * f.n), feature++);
  }
  return out;
}

}  // namespace saltus
