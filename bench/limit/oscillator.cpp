// One mass, one spring, one damper: classical Runge-Kutta.
#include <cstdlib>

#include "output.hpp"

int main(int, char** argv) {
  constexpr double k = 100.0, c = 2.0, h = 1e-3;
  const int steps = std::atoi(argv[2]);
  double q = 0.0, v = 0.0;
  const auto a = [](double q, double v) { return -k * q - c * v; };
  const double seconds = limit::least([&] {
    const double start = limit::cpu();
    q = 0.1, v = 0.0;
    for (int s = 0; s < steps; ++s) {
      const double a1 = a(q, v), v2 = v + 0.5 * h * a1, a2 = a(q + 0.5 * h * v, v2), v3 = v + 0.5 * h * a2;
      const double a3 = a(q + 0.5 * h * v2, v3), v4 = v + h * a3, a4 = a(q + h * v3, v4);
      q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
      v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    }
    return limit::cpu() - start;
  });
  limit::print("oscillator", 1, steps, seconds, {q});
}
