// CPU time of one step of moreau_jean: least of several runs, beside the least that a program for that one system needs.
// saltus_steps [NAME [RUNS]]: all systems, or one.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <vector>

#include "saltus/integrate/moreau.hpp"
#include "saltus/integrate/step_models.hpp"

namespace {
using namespace saltus;

double cpu() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Least CPU time a step [s] of `runs` runs of `steps` steps of length h.
double time_of(const std::shared_ptr<const System>& system, double h, int steps, int runs) {
  const auto plan = moreau_jean().bind(system, {});
  double least = 1e300;
  for (int i = 0; i < runs; ++i) {
    const auto work = moreau_jean().new_workspace(*plan);
    State state = plan->new_state();
    state.h() = h;
    if (moreau_jean().start(*plan, state, *work).status != StepStatus::accepted) std::abort();
    const double start = cpu();
    for (int k = 0; k < steps; ++k)
      if (moreau_jean().step(*plan, state, *work, h).status != StepStatus::accepted) std::abort();
    least = std::min(least, (cpu() - start) / steps);
  }
  return least;
}

volatile double sink;

/// The ball by hand.
double own_ball(int steps) {
  const double start = cpu();
  double q = 1.0, v = 0.0;
  const double h = 1e-3;
  for (int i = 0; i < steps; ++i) {
    double next = v - 9.81 * h;
    if (q + 0.5 * h * v <= 0.0) next = std::max(next, -0.9 * std::min(v, 0.0));
    q += 0.5 * h * (v + next);
    v = next;
  }
  sink = q;
  return (cpu() - start) / steps;
}
/// n beads by sweeps of projected Gauss-Seidel from the last impulses.
double own_beads(int n, int steps) {
  std::vector<double> q(static_cast<std::size_t>(n)), v(q), next(q), r(q), bias(q);
  std::vector<char> closed(q.size());
  for (int i = 0; i < n; ++i) q[static_cast<std::size_t>(i)] = 0.101 * (i + 1);
  const double start = cpu(), h = 1e-3;
  for (int k = 0; k < steps; ++k) {
    for (std::size_t i = 0; i < q.size(); ++i) {
      const double u = v[i] - (i ? v[i - 1] : 0.0), y = q[i] - (i ? q[i - 1] : 0.0) - 0.1;
      closed[i] = y + 0.5 * h * u <= 0.0;
      bias[i] = 0.5 * std::min(u, 0.0);
      if (!closed[i]) r[i] = 0.0;
    }
    for (std::size_t i = 0; i < q.size(); ++i) next[i] = v[i] - 9.81 * h + r[i] - (i + 1 < q.size() ? r[i + 1] : 0.0);
    for (int sweep = 0; sweep < 200; ++sweep) {
      double change = 0.0;
      for (std::size_t i = 0; i < q.size(); ++i) {
        if (!closed[i]) continue;
        const double w = next[i] - (i ? next[i - 1] : 0.0) + bias[i], old = r[i];
        r[i] = std::max(0.0, old - w / (i ? 2.0 : 1.0));
        const double d = r[i] - old;
        next[i] += d;
        if (i) next[i - 1] -= d;
        change = std::max(change, std::abs(d));
      }
      if (change < 1e-12) break;
    }
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += 0.5 * h * (v[i] + next[i]), v[i] = next[i];
  }
  sink = q[0];
  return (cpu() - start) / steps;
}
}  // namespace

int main(int argc, char** argv) {
  const char* only = argc > 1 ? argv[1] : nullptr;
  const int runs = argc > 2 ? std::atoi(argv[2]) : 5;
  const auto line = [&](const char* name, const std::function<std::shared_ptr<const System>()>& make, double h, int steps, double per, double own) {
    if (only && std::strcmp(only, name) != 0) return;
    const double t = time_of(make(), h, steps, runs);
    std::printf("%-16s %10.0f ns a step  %8.1f ns a part", name, 1e9 * t, 1e9 * t / per);
    if (own > 0.0) std::printf("  own kernel %8.1f ns, ratio %.1f", 1e9 * own, t / own);
    std::printf("\n");
    std::fflush(stdout);
  };
  namespace m = step_models;
  line("ball", m::ball, 1e-3, 20000, 1, own_ball(2000000));
  line("ball_in_space", m::ball_in_space, 1e-3, 20000, 1, 0);
  line("diode_bridge", m::diode_bridge, 1e-6, 5000, 1, 0);
  line("woodpecker", m::woodpecker, 2e-5, 15000, 1, 0);
  for (const int n : {10, 100, 1000, 10000}) {
    static char name[32];
    std::snprintf(name, sizeof name, "beads_%d", n);
    if (only ? std::strcmp(only, name) == 0 : n <= 1000) line(name, [n] { return m::beads(n); }, 1e-3, std::max(20, 20000 / n), n, own_beads(n, std::max(20, 20000 / n)));
  }
  line("spring_chain_1000", [] { return m::spring_chain(1000); }, 1e-3, 50, 1000, 0);
}
