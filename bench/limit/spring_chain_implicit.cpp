// Points with axial springs and dampers, hanging from the origin: generalized-alpha, one Newton step from the extrapolated
// accelerations (again where it changed more than rounding forgives), block tridiagonal L D L^T fused with the evaluation.
#include <cmath>
#include <cstdlib>

#include "alpha.hpp"
#include "block3.hpp"
#include "output.hpp"

namespace {
using namespace limit;
constexpr double k = 1000.0, d = 1.0, L0 = 0.1;
constexpr V3 gravity{0, 0, -9.81};

struct Point {
  V3 q, v, a, vdot, slope;
};
struct Row {
  Sym3 inverse, side;  // of the pivot; the spring below times dq/dvdot, with its damper
  V3 y;
};

/// The load of the spring from A to B, and its matrix.
V3 load(const V3& r, const V3& u, const Alpha& w, Sym3& matrix) {
  const double over = 1.0 / std::sqrt(dot(r, r));
  const V3 n = over * r;
  const double tension = k * (1.0 / over - L0) + d * dot(n, u), across = w.b0 * tension * over, along = w.b0 * k + w.b1 * d;
  matrix = diagonal(across) + square(along - across, n);
  return tension * n;
}

/// Newton's step at the points; changes vdot, a, q, v by it. Returns its largest change of q.
double improve(std::vector<Point>& p, std::vector<Row>& rows, const Alpha& w) {
  const int n = static_cast<int>(p.size());
  Sym3 S;
  V3 f = load(p[0].q, p[0].v, w, S), y{};
  Sym3 pivot = diagonal(1.0) + S;
  V3 r = gravity - p[0].vdot - f;
  for (int i = 0; i < n; ++i) {
    Sym3 next{};
    V3 g{};
    if (i + 1 < n) g = load(p[i + 1].q - p[i].q, p[i + 1].v - p[i].v, w, next);
    const Sym3 inverse = limit::inverse(pivot + next);
    y = inverse * (r + g);
    rows[i] = {inverse, next, y};
    if (i + 1 < n) {
      pivot = diagonal(1.0) + next - sandwich(next, inverse);
      r = gravity - p[i + 1].vdot - g + next * y;
    }
  }
  V3 x{};
  double largest = 0.0;
  for (int i = n; i-- > 0;) {
    x = rows[i].y + rows[i].inverse * (rows[i].side * x);
    Point& P = p[i];
    P.vdot = P.vdot + x, P.a = P.a + w.c * x, P.q = P.q + w.b0 * x, P.v = P.v + w.b1 * x;
    largest = std::max({largest, std::abs(x.x), std::abs(x.y), std::abs(x.z)});
  }
  return w.b0 * largest;
}
}  // namespace

int main(int argc, char** argv) {
  const int n = std::atoi(argv[1]), steps = std::atoi(argv[2]);
  const Alpha w{1e-3 / (argc > 3 ? std::atoi(argv[3]) : 1)};
  std::vector<Point> p(n);
  std::vector<Row> rows(n);
  std::vector<V3> f(n);
  const auto accelerations = [&](double e) {  // at q + e v, v + e vdot
    Sym3 none;
    for (int i = 0; i < n; ++i) {
      const auto q = [&](int j) { return j < 0 ? V3{} : p[j].q + e * p[j].v; };
      const auto v = [&](int j) { return j < 0 ? V3{} : p[j].v + e * p[j].vdot; };
      f[i] = gravity - load(q(i) - q(i - 1), v(i) - v(i - 1), w, none);
      if (i + 1 < n) f[i] = f[i] + load(q(i + 1) - q(i), v(i + 1) - v(i), w, none);
    }
  };
  const double seconds = least([&] {
    for (int i = 0; i < n; ++i) p[i] = {{L0 * (i + 1), 0, 0}, {0, 0.1 * std::sin(i + 1), 0}, {}, {}, {}};
    accelerations(0.0);
    for (int i = 0; i < n; ++i) p[i].vdot = f[i];
    const double e = 1e-6;
    accelerations(e);
    for (int i = 0; i < n; ++i) p[i].slope = (0.5 / e) * f[i];
    accelerations(-e);
    for (int i = 0; i < n; ++i) {
      p[i].slope = p[i].slope - (0.5 / e) * f[i];
      p[i].a = p[i].vdot + ((Alpha::alpha_m - Alpha::alpha_f) * w.h) * p[i].slope;
    }
    const double start = cpu();
    for (int s = 0; s < steps; ++s) {
      for (Point& P : p) {
        const V3 old = P.vdot, guess = old + w.h * P.slope;
        const V3 next = (1.0 / (1 - w.alpha_m)) * ((1 - w.alpha_f) * guess + w.alpha_f * old - w.alpha_m * P.a);
        P.q = P.q + w.h * P.v + (w.h * w.h) * ((0.5 - w.beta) * P.a + w.beta * next);
        P.v = P.v + w.h * ((1 - w.gamma) * P.a + w.gamma * next);
        P.a = next, P.vdot = guess, P.slope = old;
      }
      while (improve(p, rows, w) > 1e-5 * L0) {}  // the next would be its square
      for (Point& P : p) P.slope = (1.0 / w.h) * (P.vdot - P.slope);
    }
    return cpu() - start;
  });
  const V3 a = p[n / 2].q, b = p[n - 1].q;
  print("spring_chain_implicit", n, steps, seconds, {a.x, a.y, a.z, b.x, b.y, b.z});
}
