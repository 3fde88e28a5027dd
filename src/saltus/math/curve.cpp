#include "saltus/math/curve.hpp"

namespace saltus {

namespace {
Vec3<double> row(const Matrix& points, int i) { return {{points(i, 0), points(i, 1), points(i, 2)}}; }

/// Solves diagonal and side entries by elimination: side[i] couples i and i + 1.
std::vector<double> tridiagonal(std::vector<double> diagonal, const std::vector<double>& side, std::vector<double> right) {
  const std::size_t n = diagonal.size();
  for (std::size_t i = 1; i < n; ++i) {
    const double factor = side[i - 1] / diagonal[i - 1];
    diagonal[i] -= factor * side[i - 1], right[i] -= factor * right[i - 1];
  }
  for (std::size_t i = n; i-- > 0;) right[i] = (right[i] - (i + 1 < n ? side[i] * right[i + 1] : 0.0)) / diagonal[i];
  return right;
}

/// The second derivatives at the nodes: h_{k-1} m_{k-1} + 2 (h_{k-1} + h_k) m_k + h_k m_{k+1} = 6 (slope_k - slope_{k-1}).
std::vector<double> moments(const std::vector<double>& width, const std::vector<double>& y, bool closed) {
  const std::size_t pieces = width.size();
  const auto slope = [&](std::size_t k) { return (y[k + 1] - y[k]) / width[k]; };
  if (!closed) {
    std::vector<double> out(pieces + 1, 0.0);
    if (pieces < 2) return out;
    std::vector<double> diagonal, side, right;
    for (std::size_t k = 1; k < pieces; ++k) {
      diagonal.push_back(2.0 * (width[k - 1] + width[k])), right.push_back(6.0 * (slope(k) - slope(k - 1)));
      if (k + 1 < pieces) side.push_back(width[k]);
    }
    const std::vector<double> inner = tridiagonal(diagonal, side, right);
    std::copy(inner.begin(), inner.end(), out.begin() + 1);
    return out;
  }
  // The corner entries w of the cyclic matrix by Sherman and Morrison: T + w e e^T, e the first and last unit vectors.
  std::vector<double> diagonal, side(width.begin(), width.end() - 1), right, corner(pieces, 0.0);
  for (std::size_t k = 0; k < pieces; ++k) {
    const std::size_t before = (k + pieces - 1) % pieces;
    diagonal.push_back(2.0 * (width[before] + width[k])), right.push_back(6.0 * (slope(k) - slope(before)));
  }
  const double w = width.back();
  diagonal.front() -= w, diagonal.back() -= w;
  corner.front() = corner.back() = 1.0;
  std::vector<double> x = tridiagonal(diagonal, side, right);
  const std::vector<double> z = tridiagonal(diagonal, side, corner);
  const double factor = w * (x.front() + x.back()) / (1.0 + w * (z.front() + z.back()));
  for (std::size_t i = 0; i < pieces; ++i) x[i] -= factor * z[i];
  x.push_back(x.front());
  return x;
}
}  // namespace

std::string SplineCurve::wrong(const Matrix& points, bool closed) {
  const int least = closed ? 3 : 2;
  if (points.cols != 3) return "points have " + std::to_string(points.cols) + " numbers each, must have x, y, z";
  if (points.rows < least) return "has " + std::to_string(points.rows) + " points, needs at least " + std::to_string(least);
  double size = 0.0;
  for (int i = 1; i < points.rows; ++i) size = std::max(size, norm(row(points, i) - row(points, 0)));
  for (int i = 0; i < points.rows - (closed ? 0 : 1); ++i) {
    const int next = (i + 1) % points.rows;
    if (!(norm(row(points, next) - row(points, i)) > 1e-9 * size))
      return "point " + std::to_string(i) + " and the one after it are at the same place" + (next == 0 ? ": a closed curve returns to the first point by itself, leave the last one out" : "; leave one of them out");
  }
  return {};
}

SplineCurve::SplineCurve(const Matrix& points, bool closed) : closed_(closed) {
  const int n = points.rows, pieces = closed ? n : n - 1;
  std::vector<double> width;
  for (int k = 0; k < pieces; ++k) width.push_back(norm(row(points, (k + 1) % n) - row(points, k)));
  piece_.resize(pieces);
  for (int i = 0; i < 3; ++i) {
    std::vector<double> y;
    for (int k = 0; k <= pieces; ++k) y.push_back(points(k % n, i));
    const std::vector<double> m = moments(width, y, closed);
    for (int k = 0; k < pieces; ++k) {
      Piece& p = piece_[k];
      const double h = width[k];
      p.width = h, p.a[i] = y[k], p.b[i] = (y[k + 1] - y[k]) / h - h * (2.0 * m[k] + m[k + 1]) / 6.0;
      p.c[i] = 0.5 * m[k], p.d[i] = (m[k + 1] - m[k]) / (6.0 * h);
    }
  }
  arc_.push_back(0.0);
  for (int k = 0; k < pieces; ++k) arc_.push_back(arc_.back() + length_to(k, piece_[k].width));
}

/// Gauss's rule of ten points on four parts of the piece: 1e-14 of the length unless the speed nearly vanishes.
double SplineCurve::length_to(int k, double u) const {
  static constexpr double node[] = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244, 0.8650633666889845, 0.9739065285171717};
  static constexpr double weight[] = {0.2955242247147529, 0.2692667193099963, 0.2190863625159820, 0.1494513491505806, 0.0666713443086881};
  constexpr int parts = 4;
  double sum = 0.0;
  const double half = 0.5 * u / parts;
  for (int part = 0; part < parts; ++part)
    for (int i = 0; i < 5; ++i)
      for (const double side : {-1.0, 1.0}) sum += weight[i] * norm(piece_[k].slope(half * (2 * part + 1 + side * node[i])));
  return sum * half;
}

/// Of places along each piece the nearest one, then Newton's method on the way from p along the tangent.
double SplineCurve::nearest(const Vec3<double>& p) const {
  constexpr int samples = 64, iterations = 50;
  double best = 0.0, least = HUGE_VAL;
  for (int k = 0; k < pieces(); ++k)
    for (int i = 0; i <= samples; ++i) {
      const double s = arc_[k] + (arc_[k + 1] - arc_[k]) * i / samples;
      const Vec3<double> away = (*this)(s) - p;
      if (dot(away, away) < least) least = dot(away, away), best = s;
    }
  for (int i = 0; i < iterations; ++i) {
    const auto c = (*this)(Taylor2<>(best, 1.0, 0.0));
    Vec3<double> away, slope, bend;
    for (int j = 0; j < 3; ++j) away[j] = c[j].value - p[j], slope[j] = c[j].first, bend[j] = c[j].second;
    const double second = dot(slope, slope) + dot(away, bend), step = dot(away, slope) / (second > 0.0 ? second : dot(slope, slope));
    const double next = closed_ ? best - step : std::clamp(best - step, 0.0, length());
    const bool done = std::abs(next - best) <= 1e-15 * length();
    best = next;
    if (done) break;
  }
  return closed_ ? best - length() * std::floor(best / length()) : best;
}

/// Where the arc length s lies in piece k, by Newton's method within the piece.
double SplineCurve::parameter(int k, double s) const {
  const double width = piece_[k].width, target = s - arc_[k], whole = arc_[k + 1] - arc_[k];
  double low = 0.0, high = width, u = width * target / whole;
  for (int i = 0; i < 60; ++i) {
    const double open = length_to(k, u) - target;
    (open > 0.0 ? high : low) = u;
    if (std::abs(open) <= 1e-15 * length()) break;
    const double next = u - open / norm(piece_[k].slope(u));
    const double moved = next > low && next < high ? next : 0.5 * (low + high);
    if (moved == u) break;
    u = moved;
  }
  return u;
}

}  // namespace saltus
