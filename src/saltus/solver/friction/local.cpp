#include "saltus/solver/friction/local.hpp"

#include <array>

namespace saltus::friction {
namespace {

// Sliding with impulse direction d: u_0 = 0 gives x0; the moment of u_T about d must vanish with u_T against d.
struct Slide {
  double x0, across, along, slope;  // across = dperp.u_T, along = d.u_T, slope = d across / d angle
};

inline Slide slide(const double* A, const double* c, double dx, double dy) {
  const double k = A[0] + A[1] * dx + A[2] * dy;
  if (!(k > 0.0)) return {-1.0, 0.0, 0.0, 0.0};
  const double over = 1.0 / k, x0 = -c[0] * over;
  const double a1 = A[3] + A[4] * dx + A[5] * dy, a2 = A[6] + A[7] * dx + A[8] * dy;
  const double u1 = x0 * a1 + c[1], u2 = x0 * a2 + c[2];
  const double rate = -x0 * (A[2] * dx - A[1] * dy) * over;  // dx0 / d angle, dperp = (-dy, dx)
  const double v1 = rate * a1 + x0 * (A[5] * dx - A[4] * dy), v2 = rate * a2 + x0 * (A[8] * dx - A[7] * dy);
  const double along = dx * u1 + dy * u2;
  return {x0, dx * u2 - dy * u1, along, dx * v2 - dy * v1 - along};
}

bool accept(const double* c, const Slide& s, double scale) {
  return s.x0 > 0.0 && s.along <= 1e-13 * scale && std::abs(s.across) <= 1e-14 * scale + 1e-15 * std::abs(c[0]);
}

bool newton(const double* A, const double* c, double scale, double* d, Slide* found) {
  for (int k = 0; k < 20; ++k) {
    const Slide s = slide(A, c, d[0], d[1]);
    if (s.x0 <= 0.0) return false;
    if (accept(c, s, scale)) return *found = s, true;
    if (std::abs(s.slope) < 1e-300) return false;
    const double step = std::clamp(-s.across / s.slope, -0.7, 0.7);
    const double e0 = d[0] - step * d[1], e1 = d[1] + step * d[0], square = step * step;
    const double f = square < 1e-6 ? 1.0 - square * (0.5 - 0.375 * square) : 1.0 / std::sqrt(1.0 + square);  // to rounding
    d[0] = e0 * f, d[1] = e1 * f;
    if (std::abs(step) < 1e-8) {  // quadratic: what is left is below round-off, `along` has settled
      found->x0 = -c[0] / (A[0] + A[1] * d[0] + A[2] * d[1]);
      return found->x0 > 0.0 && s.along <= 1e-12 * scale;
    }
  }
  const Slide s = slide(A, c, d[0], d[1]);
  *found = s;
  return s.x0 > 0.0 && s.along <= 1e-12 * scale && std::abs(s.across) <= 1e-12 * scale;
}

using Direction = std::array<double, 2>;
constexpr int scan_points = 48;

const std::array<Direction, scan_points>& scan_directions() {
  static const auto directions = [] {
    std::array<Direction, scan_points> d;
    for (int k = 0; k < scan_points; ++k) {
      const double angle = 2.0 * 3.14159265358979323846 * k / scan_points;
      d[k] = {std::cos(angle), std::sin(angle)};
    }
    return d;
  }();
  return directions;
}

// Between neighbours of the scan where `across` changes its sign, by halving; of several states that with the least impulse.
bool scan(const double* A, const double* c, double scale, double* d, Slide* found) {
  const auto& directions = scan_directions();
  double best = 0.0;
  bool any = false;
  Slide last = slide(A, c, 1.0, 0.0);
  for (std::size_t k = 1; k <= scan_points; ++k) {
    Direction low = directions[k - 1], high = directions[k % scan_points];
    const Slide here = slide(A, c, high[0], high[1]);
    const bool bracket = last.x0 > 0.0 && here.x0 > 0.0 && (last.across <= 0.0) != (here.across <= 0.0);
    const double left = last.across;
    last = here;
    if (!bracket) continue;
    Slide middle = here;
    Direction at = high;
    for (int j = 0; j < 56; ++j) {
      at = {low[0] + high[0], low[1] + high[1]};
      const double f = 1.0 / std::sqrt(at[0] * at[0] + at[1] * at[1]);
      at[0] *= f, at[1] *= f;
      middle = slide(A, c, at[0], at[1]);
      ((middle.across <= 0.0) == (left <= 0.0) ? low : high) = at;
    }
    if (middle.along <= 1e-12 * scale && (!any || middle.x0 < best)) {
      any = true, best = middle.x0, *found = middle;
      d[0] = at[0], d[1] = at[1];
    }
  }
  return any;
}

bool newton_from(double x, double y, const double* A, const double* c, double scale, double* d, Slide* found) {
  const double size = std::sqrt(x * x + y * y);
  if (!(size > 0.0)) return false;
  d[0] = x / size, d[1] = y / size;
  return newton(A, c, scale, d, found);
}

}  // namespace

Square regular_inverse(const Square& A) {
  Square shifted = A, inverse;
  for (double eps = 1e-14; !invert(shifted.data(), inverse.data()) && eps < 1.0; eps *= 10.0)
    for (int i = 0; i < 3; ++i) shifted[4 * i] += eps * (A[0] + A[4] + A[8] + 1.0);
  return inverse;
}

bool solve_sliding(const double* A, const double* c, const double* stick, double* x) {
  const double scale = std::abs(c[0]) * (std::abs(A[4]) + std::abs(A[8])) / A[0] + std::abs(c[1]) + std::abs(c[2]);
  double d[2];
  Slide s;
  if (newton_from(x[1], x[2], A, c, scale, d, &s) || newton_from(stick[1], stick[2], A, c, scale, d, &s) ||
      newton_from(-c[1], -c[2], A, c, scale, d, &s) || scan(A, c, scale, d, &s)) {
    x[0] = s.x0, x[1] = s.x0 * d[0], x[2] = s.x0 * d[1];
    return true;
  }
  project(stick, x);
  return false;
}

}  // namespace saltus::friction
