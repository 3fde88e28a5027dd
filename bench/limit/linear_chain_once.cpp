// Masses on one line with springs and dampers: generalized-alpha, the tridiagonal matrix factored once; a forward and a backward sweep
// a step, which are also the step's other work.
#include <cmath>
#include <cstdlib>

#include "alpha.hpp"
#include "output.hpp"

namespace {
constexpr double k = 1000.0, d = 1.0;

/// -(K q + D v) of a unit mass i.
double force(const std::vector<double>& q, const std::vector<double>& v, int i) {
  const int n = static_cast<int>(q.size());
  const double left = k * (q[i] - (i ? q[i - 1] : 0.0)) + d * (v[i] - (i ? v[i - 1] : 0.0));
  return i + 1 < n ? k * (q[i + 1] - q[i]) + d * (v[i + 1] - v[i]) - left : -left;
}
}  // namespace

int main(int argc, char** argv) {
  const int n = std::atoi(argv[1]), steps = std::atoi(argv[2]);
  const limit::Alpha w{1e-3 / (argc > 3 ? std::atoi(argv[3]) : 1)};
  std::vector<double> q(n), v(n), a(n), vdot(n), rate(n), y(n), over(n);
  const double side = w.b0 * k + w.b1 * d;
  const double seconds = limit::least([&] {
    for (int i = 0; i < n; ++i) q[i] = 0.0, v[i] = 0.1 * std::sin(i + 1);
    for (int i = 0; i < n; ++i) vdot[i] = force(q, v, i);
    for (int i = 0; i < n; ++i) rate[i] = force(v, vdot, i), a[i] = w.start(vdot[i], rate[i]);
    for (int i = 0; i < n; ++i) over[i] = 1.0 / (1.0 + side * (i + 1 < n ? 2 : 1) - (i ? side * side * over[i - 1] : 0.0));
    const double start = limit::cpu();
    for (int s = 0; s < steps; ++s) {
      double Q = 0.0, V = 0.0, before = 0.0, left = 0.0;  // of the mass before; the load of the spring before
      for (int i = 0; i < n; ++i) {
        const double kept = limit::Alpha::kept(vdot[i], a[i]);
        q[i] += w.step(v[i], a[i], kept), v[i] = w.speed(v[i], a[i], kept), a[i] = kept;
        const double load = k * (q[i] - Q) + d * (v[i] - V);
        if (i) y[i - 1] = before = (load - left + side * before) * over[i - 1];
        left = load, Q = q[i], V = v[i];
      }
      y[n - 1] = (-left + side * before) * over[n - 1];
      double x = 0.0;
      for (int i = n; i-- > 0;) {
        x = y[i] + side * over[i] * x;
        vdot[i] = x, a[i] += w.c * x, q[i] += w.b0 * x, v[i] += w.b1 * x;
      }
    }
    return limit::cpu() - start;
  });
  limit::print("linear_chain_once", n, steps, seconds, {q[n / 2], q[n - 1]});
}
