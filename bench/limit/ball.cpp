// A ball on the floor, restitution 0.9: Moreau-Jean, theta = 1/2.
#include <algorithm>
#include <cstdlib>

#include "output.hpp"

int main(int, char** argv) {
  constexpr double g = 9.81, e = 0.9, h = 1e-3;
  const int steps = std::atoi(argv[2]);
  double q = 0.0, v = 0.0;
  const double seconds = limit::least([&] {
    const double start = limit::cpu();
    q = 1.0, v = 0.0;
    for (int s = 0; s < steps; ++s) {
      double next = v - g * h;
      if (q + 0.5 * h * v <= 0.0) next = std::max(next, -e * std::min(v, 0.0));
      q += 0.5 * h * (v + next);
      v = next;
    }
    return limit::cpu() - start;
  });
  limit::print("ball", 1, steps, seconds, {q, v});
}
