#include "saltus/problem/graph.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace saltus {
namespace {

/// r on the characteristic where r - rho w = c, and d r / d c.
struct Point {
  double r, by_c;
};

Point point(const double* p, double c, double rho, double scale) {
  const int count = static_cast<int>(p[0]);
  const double* corner = p + 1;
  const auto height = [&](int i) { return scale * corner[2 * i + 1] - rho * corner[2 * i]; };  // falls from corner to corner
  int part = 0;
  while (part < count - 2 && height(part + 1) >= c) ++part;
  const double dw = corner[2 * part + 2] - corner[2 * part];
  const double dr = scale * (corner[2 * part + 3] - corner[2 * part + 1]);
  if (dw == 0.0) return {c + rho * corner[2 * part], 1.0};  // upright, also where the force scale is 0 (an instantaneous impact); small beside its corners, too
  const double fall = dr - rho * dw;
  const double slope = fall < 0.0 ? dr / fall : 0.0;
  return {scale * corner[2 * part + 1] + slope * (c - height(part)), slope};
}

void prox(const double* p, int dim, const double* r, const double* w, double rho, double set_scale, double* result) {
  for (int i = 0; i < dim; ++i) result[i] = point(p, r[i] - rho * w[i], rho, set_scale).r;
}

void prox_derivative(const double* p, int dim, const double* r, const double* w, double rho, double set_scale, double* by_r, double* by_w) {
  for (int i = 0; i < dim * dim; ++i) by_r[i] = by_w[i] = 0.0;
  for (int i = 0; i < dim; ++i) {
    by_r[i * dim + i] = point(p, r[i] - rho * w[i], rho, set_scale).by_c;
    by_w[i * dim + i] = -rho * by_r[i * dim + i];
  }
}

void standing(const double* p, int dim, const double* w, double set_scale, double* low, double* high) {
  constexpr double near = 1e-9;  // of the largest row of a corner: at the corner
  const int count = static_cast<int>(p[0]);
  const auto row = [&](int i) { return p[1 + 2 * i]; };
  const auto multiplier = [&](int i) { return set_scale * p[2 + 2 * i]; };
  const double rounding = near * std::max(std::abs(row(0)), std::abs(row(count - 1)));
  for (int k = 0; k < dim; ++k) {
    int first = 0;  // the corner at w, or the first behind it
    while (first < count - 1 && row(first) < w[k] - rounding) ++first;
    int last = first;
    while (last < count - 1 && row(last + 1) <= w[k] + rounding) ++last;
    const bool on_part = std::abs(row(first) - w[k]) > rounding;
    const int part = std::max(0, first - 1);  // its first corner
    const double on = on_part && row(part + 1) > row(part) ? multiplier(part) + (multiplier(part + 1) - multiplier(part)) * (w[k] - row(part)) / (row(part + 1) - row(part)) : 0.0;
    high[k] = on_part ? on : first == 0 && last > 0 ? HUGE_VAL : multiplier(first);
    low[k] = on_part ? on : last == count - 1 && first < last ? -HUGE_VAL : multiplier(last);
  }
}

}  // namespace

const SetType graph_set{.name = "graph", .dim = 0, .prox = prox, .prox_derivative = prox_derivative, .standing = standing};

std::vector<GraphCorner> graph_corners(const double* p) {
  const int count = static_cast<int>(p[0]);
  const auto w = [&](int i) { return p[1 + 2 * i]; };
  const auto r = [&](int i) { return p[2 + 2 * i]; };
  const auto slope = [&](int i) { return (r(i + 1) - r(i)) / (w(i + 1) - w(i)); };
  std::vector<GraphCorner> out;
  for (int i = 0, last = 0; i < count; i = last + 1) {
    for (last = i; last + 1 < count && w(last + 1) == w(i);) ++last;
    const bool begins = i == 0, ends = last == count - 1;
    if (last == i && (begins || ends)) continue;  // a point on the first or the last part
    const GraphCorner corner{w(i), ends ? -HUGE_VAL : r(last), begins ? HUGE_VAL : r(i), begins ? 0.0 : slope(i - 1), ends ? 0.0 : slope(last)};
    if (corner.low < corner.high || corner.before != corner.behind) out.push_back(corner);
  }
  if (out.empty()) out.push_back({w(0), r(0), r(0), slope(0), slope(0)});
  return out;
}

std::string wrong_corners(int count, const double* corners) {
  if (count < 2) return "has " + std::to_string(count) + " corners, must have at least 2";
  for (int i = 0; i < 2 * count; ++i)
    if (!std::isfinite(corners[i])) return "corner " + std::to_string(i / 2) + " is not finite";
  for (int i = 1; i < count; ++i) {
    const double dw = corners[2 * i] - corners[2 * i - 2], dr = corners[2 * i + 1] - corners[2 * i - 1];
    const std::string which = "from corner " + std::to_string(i - 1) + " to " + std::to_string(i);
    if (dw < 0.0) return "the row falls " + which + ": give the corners in the order of the row";
    if (dr > 0.0) return "the multiplier rises " + which + ": it must be against the row, as a spring's force is";
    if (dw == 0.0 && dr == 0.0) return "two corners are one " + which;
  }
  return "";
}

}  // namespace saltus
