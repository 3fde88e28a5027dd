// Beads above each other on a wire, restitution 0.5: Moreau-Jean; impulses of the closed gaps by an active set from the last step,
// each guess solved exactly: the matrix is tridiagonal.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "output.hpp"

namespace {
constexpr double g = 9.81, e = 0.5, spacing = 0.1, gap = 1e-3;
double h = 1e-3;

struct Column {
  int n;
  std::vector<double> q, v, next, r, bias, pivot, w;
  std::vector<char> closed, active;
  explicit Column(int n) : n(n), q(n), v(n), next(n), r(n), bias(n), pivot(n), w(n), closed(n), active(n) {
    for (int i = 0; i < n; ++i) q[i] = (spacing + gap) * (i + 1);
  }
  double over(const std::vector<double>& x, int i) const { return x[i] - (i ? x[i - 1] : 0.0); }

  /// W r = -w over runs of active gaps, W tridiagonal (2; 1 at the floor; -1 beside).
  void solve() {
    for (int i = 0; i < n;) {
      if (!active[i]) { r[i++] = 0.0; continue; }
      const int first = i;
      for (; i < n && active[i]; ++i) {
        const double before = i > first ? 1.0 / pivot[i - 1] : 0.0;
        pivot[i] = (i ? 2.0 : 1.0) - before;
        r[i] = -w[i] + (i > first ? before * r[i - 1] : 0.0);
      }
      for (int k = i; k-- > first;) r[k] = (r[k] + (k + 1 < i ? r[k + 1] : 0.0)) / pivot[k];
    }
  }
  /// u = w + W r at gap i.
  double speed(int i) const { return w[i] + (i ? 2.0 : 1.0) * r[i] - (i ? r[i - 1] : 0.0) - (i + 1 < n ? r[i + 1] : 0.0); }

  void step() {
    bool any = false;
    for (int i = 0; i < n; ++i) {
      const double u = over(v, i), y = over(q, i) - spacing;
      closed[i] = y + 0.5 * h * u <= 0.0;
      any |= closed[i];
      bias[i] = e * std::min(u, 0.0);
    }
    for (int i = 0; i < n; ++i) next[i] = v[i] - g * h;
    if (any) {
      for (int i = 0; i < n; ++i) w[i] = (i ? 0.0 : -g * h) + over(v, i) + bias[i], active[i] = closed[i] && (r[i] > 0.0 || w[i] < 0.0);
      for (int k = 0; k < 100; ++k) {  // active set
        solve();
        bool changed = false;
        for (int i = 0; i < n; ++i) {
          if (active[i] && r[i] < 0.0) active[i] = false, changed = true;
          else if (closed[i] && !active[i] && speed(i) < -1e-14) active[i] = true, changed = true;
        }
        if (!changed) break;
      }
      for (int i = 0; i < n; ++i) next[i] += r[i] - (i + 1 < n ? r[i + 1] : 0.0);
    }
    for (int i = 0; i < n; ++i) q[i] += 0.5 * h * (v[i] + next[i]);
    v.swap(next);
  }
};
}  // namespace

int main(int argc, char** argv) {
  const int n = std::atoi(argv[1]), steps = std::atoi(argv[2]);
  if (argc > 3) h /= std::atoi(argv[3]);
  Column c(n);
  const double seconds = limit::least([&] {
    c = Column(n);
    const double start = limit::cpu();
    for (int s = 0; s < steps; ++s) c.step();
    return limit::cpu() - start;
  });
  limit::print("beads", n, steps, seconds, {c.q[0], c.q[n / 2], c.q[n - 1]});
}
