// A frame that slides along a curve.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <tuple>

#include "saltus/base/field.hpp"
#include "saltus/math/curve.hpp"
#include "saltus/math/function.hpp"
#include "saltus/model/read_fields.hpp"
#include "saltus/pool/relation_pool.hpp"

namespace saltus {

/// The curve c(s) is fixed to A; s is a mechanical coordinate without mass, which these rows determine. y = p_AB - c(s) in A [m], then what
/// `holds` says of the axes of B: along: its x axis stays along c'; upright: its y axis stays normal to `up` as well. lambda: force on B along the axes
/// of A [N], moments on B [N m]. A force on s acts along the curve: springs, drives, stops and friction stand on that coordinate.
struct Rail {
  Matrix points;
  bool closed = false;
  Function curve{std::vector<double>(3)};
  double start = 0.0, end = 0.0;
  std::string holds = "point";
  Vec3<double> up{{0.0, 0.0, 1.0}};

  using port = Ports<FramePair, CoordPort<1>>;
  static constexpr int rows = 6;
  static constexpr std::array coordinate_kinds{CoordinateKind::none, CoordinateKind::none, CoordinateKind::ode2};
  static constexpr std::string_view name = "rail";
  static constexpr std::string_view section = "joints";
  static constexpr std::string_view picture = "rail";
  static constexpr std::string_view doc = "A point of B, or a carriage, slides along a curve of A: a spline through points, closed or not, or a formula.";
  static constexpr std::string_view sample = R"json({"points": [[0, 0, 0], [1, 0.3, 0.2], [2, -0.4, 0.5], [1, -1.5, 0.1]], "closed": true, "holds": "upright"})json";
  static constexpr std::string_view default_law = "equality";
  static constexpr auto fields() {
    return std::tuple{field("points", &Rail::points, "m", "points (n x 3) of a spline, axes of A; s is its length from the first point"),
                      field("closed", &Rail::closed, "", "it returns to its first point"),
                      field("curve", &Rail::curve, "m", "x, y, z of the curve as functions of s, instead of points; s is its length where |dc/ds| = 1", function_of("s", 3)),
                      field("start", &Rail::start, "", "least s of a curve by functions: where it is shown and checked"),
                      field("end", &Rail::end, "", "largest s of a curve by functions"),
                      field("holds", &Rail::holds, "", "what B keeps to the curve: its point; its x axis along it; its y axis normal to `up` too", one_of("point|along|upright")),
                      field("up", &Rail::up, "", "direction in A, never along the curve", direction())};
  }
  static constexpr auto ports() {
    return std::array{PortInfo{"A", "frame", true, false, "frame of the curve"}, PortInfo{"B", "frame", true, false, "frame that slides along it: forces and motion are those of B"},
                      PortInfo{"position", "coordinate", true, false, "s: a mechanical coordinate without mass"}};
  }
  int row_count() const { return holds == "point" ? 3 : holds == "along" ? 5 : 6; }
  bool parallel() const { return curve.parallel(); }

  /// Makes the spline of the points as well.
  std::string invalid() {
    const bool by_points = points.rows > 0;
    if (by_points && !curve.is_constant()) return "has `points` and a `curve`: give one of them";
    if (!by_points && curve.is_constant()) return "has no curve: give `points`, or `curve` as functions of s";
    if (by_points) {
      if (std::string wrong = SplineCurve::wrong(points, closed); !wrong.empty()) return wrong;
      spline_ = std::make_shared<const SplineCurve>(points, closed);
      return kink(0.0, spline_->length());
    }
    if (holds != "point") return "holds '" + holds + "', which a curve by functions cannot: give `points`, a spline has the tangent that turns B";
    if (curve.reads_data()) return {};  // what it is, a run says
    const double open = norm(at(end) - at(start)), size = norm(at(0.5 * (start + end)) - at(start));
    if (closed && !(open <= 1e-9 * size)) return "is closed, and its end lies at another place than its start";
    return start < end ? kink(start, end) : "its `start` is not below its `end`: say from which to which s the curve goes";
  }

  template <class S>
  Vec<S, 6> h(const FramePair::View<S>& r, const CoordPort<1>::View<S>& along, const Context<S, 6>& context) const {
    const Vec3<S> c = at(along.q[0], context.data);
    Vec<S, 6> y;
    for (int i = 0; i < 3; ++i) y[i] = r.p[i] - c[i];
    if (holds == "point") return y;
    const Vec3<S> tangent = transposed_times(r.R, spline_->tangent(along.q[0]));
    y[3] = -tangent[2], y[4] = tangent[1];  // turns of B about its y and z axes
    if (holds == "upright")
      for (int i = 0; i < 3; ++i) y[5] += r.R(i, 1) * up[i];
    return y;
  }

 private:
  template <class S>
  Vec3<S> at(const S& s, const double* data = nullptr) const {
    if (spline_) return (*spline_)(s);
    Vec3<S> c;
    curve(&s, c.data(), data);
    return c;
  }
  Vec3<double> direction_at(double s) const {
    if (spline_) return spline_->tangent(s);
    const auto c = at(Dual<1>::variable(s, 0));
    const Vec3<double> slope{{c[0].d[0], c[1].d[0], c[2].d[0]}};
    return slope * (1.0 / norm(slope));
  }
  /// The place of a jump of the tangent, or where the curve stands still.
  std::string kink(double from, double to) const {
    constexpr int parts = 400;
    constexpr double most = 0.3;  // rad, in a 400th of the curve, and still in 1e-12 of it
    const auto turned = [&](double a, double b) { return std::acos(std::clamp(dot(direction_at(a), direction_at(b)), -1.0, 1.0)); };
    for (int i = 0; i < parts; ++i) {
      double a = from + (to - from) * i / parts, b = from + (to - from) * (i + 1) / parts;
      if (!std::isfinite(turned(a, b))) return "stands still near s = " + short_text(a) + ", where it has no direction";
      while (turned(a, b) > most && b - a > 1e-12 * (to - from)) {
        const double middle = 0.5 * (a + b);
        (turned(a, middle) > turned(middle, b) ? b : a) = middle;
      }
      if (turned(a, b) <= most) continue;
      const Vec3<double> p = at(a);
      return "has a kink at s = " + short_text(a) + ", (" + short_text(p[0]) + ", " + short_text(p[1]) + ", " + short_text(p[2]) + "); round it there";
    }
    return {};
  }
  std::shared_ptr<const SplineCurve> spline_;
};

}  // namespace saltus
