// Points with axial springs and dampers, hanging from the origin: classical Runge-Kutta, nothing but this chain.
#include <cmath>
#include <cstdlib>

#include "output.hpp"

namespace {
constexpr double m = 1.0, k = 1000.0, c = 1.0, L0 = 0.1, g = 9.81, h = 1e-3;

void accelerations(int n, const double* p, const double* v, double* a) {
  for (int i = 0; i < n; ++i) a[3 * i] = a[3 * i + 1] = 0.0, a[3 * i + 2] = -g;
  double A[6] = {};  // the point before: position, velocity
  double* before = nullptr;
  for (int i = 0; i < n; ++i) {
    double d[3], w[3];
    for (int j = 0; j < 3; ++j) d[j] = p[3 * i + j] - A[j], w[j] = v[3 * i + j] - A[3 + j];
    const double length = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), over = 1.0 / length;
    const double rate = (d[0] * w[0] + d[1] * w[1] + d[2] * w[2]) * over;
    const double f = (k * (length - L0) + c * rate) * over * (1.0 / m);
    for (int j = 0; j < 3; ++j) {
      a[3 * i + j] -= f * d[j];
      if (before) before[j] += f * d[j];
      A[j] = p[3 * i + j], A[3 + j] = v[3 * i + j];
    }
    before = a + 3 * i;
  }
}
}  // namespace

int main(int, char** argv) {
  const int n = std::atoi(argv[1]), steps = std::atoi(argv[2]), dof = 3 * n;
  std::vector<double> p(dof), v(dof), a(dof), P(dof), V(dof), dp(dof), dv(dof);
  for (int i = 0; i < n; ++i) p[3 * i] = L0 * (i + 1), v[3 * i + 1] = 0.1 * std::sin(i + 1);
  const double start = limit::cpu();
  for (int s = 0; s < steps; ++s) {
    accelerations(n, p.data(), v.data(), a.data());
    for (int i = 0; i < dof; ++i) dp[i] = v[i], dv[i] = a[i], P[i] = p[i] + 0.5 * h * v[i], V[i] = v[i] + 0.5 * h * a[i];
    for (const double to : {0.5 * h, h}) {
      accelerations(n, P.data(), V.data(), a.data());
      for (int i = 0; i < dof; ++i) dp[i] += 2 * V[i], dv[i] += 2 * a[i], P[i] = p[i] + to * V[i], V[i] = v[i] + to * a[i];
    }
    accelerations(n, P.data(), V.data(), a.data());
    for (int i = 0; i < dof; ++i) p[i] += h / 6 * (dp[i] + V[i]), v[i] += h / 6 * (dv[i] + a[i]);
  }
  const double seconds = limit::cpu() - start;
  std::vector<double> probes(p.begin() + 3 * (n / 2), p.begin() + 3 * (n / 2) + 3);
  probes.insert(probes.end(), p.end() - 3, p.end());
  limit::print("spring_chain", n, steps, seconds, probes);
}
