#include "saltus/solver/friction/local.hpp"

namespace saltus::friction {
namespace {

// Sliding with impulse direction d: u_0 = 0 gives x0; the moment of u_T about d must vanish with u_T against d.
struct Slide {
  double x0, across, along, slope;  // across = dperp.u_T, along = d.u_T, slope = d across / d angle
};

inline Slide slide(const double* A, const double* c, double dx, double dy) {
  const double k = A[0] + A[1] * dx + A[2] * dy;
  if (!(k > 0.0)) return {-1.0, 0.0, 0.0, 0.0};
  const double x0 = -c[0] / k;
  const double a1 = A[3] + A[4] * dx + A[5] * dy, a2 = A[6] + A[7] * dx + A[8] * dy;
  const double u1 = x0 * a1 + c[1], u2 = x0 * a2 + c[2];
  const double rate = -x0 * (A[2] * dx - A[1] * dy) / k;  // dx0 / d angle, dperp = (-dy, dx)
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
    const double e0 = d[0] - step * d[1], e1 = d[1] + step * d[0], f = 1.0 / std::sqrt(e0 * e0 + e1 * e1);
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

bool scan(const double* A, const double* c, double scale, double* d, Slide* found) {
  constexpr int points = 48;
  const double width = 2.0 * 3.14159265358979323846 / points;
  double best = 0.0;
  bool any = false;
  Slide last = slide(A, c, 1.0, 0.0);
  for (int k = 1; k <= points; ++k) {
    double low = width * (k - 1), high = width * k;
    const Slide here = slide(A, c, std::cos(high), std::sin(high));
    const bool bracket = last.x0 > 0.0 && here.x0 > 0.0 && (last.across <= 0.0) != (here.across <= 0.0);
    const double left = last.across;
    last = here;
    if (!bracket) continue;
    Slide middle = here;
    for (int j = 0; j < 60; ++j) {
      const double angle = 0.5 * (low + high);
      middle = slide(A, c, std::cos(angle), std::sin(angle));
      ((middle.across <= 0.0) == (left <= 0.0) ? low : high) = angle;
    }
    if (middle.along <= 1e-12 * scale && (!any || middle.x0 < best)) {
      any = true, best = middle.x0, *found = middle;
      d[0] = std::cos(0.5 * (low + high)), d[1] = std::sin(0.5 * (low + high));
    }
  }
  return any;
}

}  // namespace

bool solve_contact(const double* A, const double* inverse, const double* c, double* x) {
  if (c[0] >= 0.0) {
    x[0] = x[1] = x[2] = 0.0;
    return true;
  }
  Triple stick;
  multiply(inverse, c, stick.data());
  for (double& s : stick) s = -s;
  const double tangent = tangent_norm(stick.data());
  if (tangent <= stick[0]) {
    x[0] = stick[0], x[1] = stick[1], x[2] = stick[2];
    return true;
  }
  const double old = tangent_norm(x);
  Triple d{};
  if (old > 0.0) {
    d[0] = x[1] / old, d[1] = x[2] / old;
  } else {  // first guess: the sticking impulse's direction
    d[0] = stick[1] / tangent, d[1] = stick[2] / tangent;
  }
  const double scale = std::abs(c[0]) * (std::abs(A[4]) + std::abs(A[8])) / A[0] + std::abs(c[1]) + std::abs(c[2]);
  Slide s;
  if (newton(A, c, scale, d.data(), &s) || scan(A, c, scale, d.data(), &s)) {
    x[0] = s.x0, x[1] = s.x0 * d[0], x[2] = s.x0 * d[1];
    return true;
  }
  project(stick.data(), x);
  return false;
}

}  // namespace saltus::friction
