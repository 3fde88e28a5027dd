// Curves in space by arc length: a cubic spline through points.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/math/dual.hpp"
#include "saltus/math/matrix.hpp"
#include "saltus/math/taylor.hpp"
#include "saltus/math/vec.hpp"

namespace saltus {

/// Cubic spline through points with continuous curvature, natural at its ends or closed, as a function of its arc length s from the first
/// point. Beyond the ends it goes on straight; closed, it repeats. Nodes at chord lengths (Ahlberg, Nilson, Walsh 1967).
class SplineCurve {
 public:
  /// points: n x 3. wrong(points, closed) must be empty.
  SplineCurve(const Matrix& points, bool closed);
  /// What does not make a curve: too few points, a point twice in turn.
  static std::string wrong(const Matrix& points, bool closed);

  double length() const { return arc_.back(); }
  int pieces() const { return count_of(piece_); }
  /// Arc length at the start of a piece.
  double arc(int piece) const { return arc_[piece]; }
  /// Arc length of the place that is nearest to p.
  double nearest(const Vec3<double>& p) const;

  /// Point at s, with two derivatives of whatever S carries.
  template <class S>
  Vec3<S> operator()(const S& s) const {
    const Place<S> at = place(s);
    Vec3<S> out;
    for (int i = 0; i < 3; ++i) out[i] = piece_[at.piece].value(i, at.u) + at.direction[i] * at.beyond;
    return out;
  }
  /// Unit vector along the curve at s, likewise.
  template <class S>
  Vec3<S> tangent(const S& s) const {
    const Place<S> at = place(s);
    Vec3<S> out;
    for (int i = 0; i < 3; ++i) out[i] = piece_[at.piece].slope(i, at.u);
    return out * (S(1.0) / norm(out));
  }

 private:
  /// c = a + b u + c u^2 + d u^3 from its start, u up to `width`.
  struct Piece {
    Vec3<double> a, b, c, d;
    double width;
    template <class S>
    S value(int i, const S& u) const { return a[i] + u * (b[i] + u * (c[i] + u * d[i])); }
    template <class S>
    S slope(int i, const S& u) const { return b[i] + u * (2.0 * c[i] + u * (3.0 * d[i])); }
    Vec3<double> slope(double u) const { return {{slope(0, u), slope(1, u), slope(2, u)}}; }
    Vec3<double> bend(double u) const { return c * 2.0 + d * (6.0 * u); }
  };
  /// The piece at s and the parameter in it; how far beyond an open end, where the direction stays.
  template <class S>
  struct Place {
    int piece;
    S u, beyond;
    Vec3<double> direction;
  };
  template <class S>
  Place<S> place(const S& s) const {
    const double at = val(s), inside = closed_ ? at - length() * std::floor(at / length()) : std::clamp(at, 0.0, length());
    const int k = piece(inside);
    const double u = parameter(k, inside);
    const Vec3<double> slope = piece_[k].slope(u);
    const double speed = norm(slope);
    if (!closed_ && inside != at) return {k, S(u), s - inside, slope * (1.0 / speed)};
    // Of the arc length by the parameter, |c'| (delta + kappa delta^2 / 2 + ...), turned over.
    const S share = (s - at) * (1.0 / speed);
    const double kappa = dot(slope, piece_[k].bend(u)) / (speed * speed);
    return {k, u + share - (0.5 * kappa) * (share * share), S(0.0), {}};
  }
  int piece(double s) const {
    const auto after = std::upper_bound(arc_.begin(), arc_.end(), s) - arc_.begin();
    return std::clamp(static_cast<int>(after) - 1, 0, pieces() - 1);
  }
  double length_to(int k, double u) const;
  double parameter(int k, double s) const;

  bool closed_;
  std::vector<Piece> piece_;
  std::vector<double> arc_;  // at the starts of the pieces and at the end
};

}  // namespace saltus
