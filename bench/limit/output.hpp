// What every own kernel prints: one line of JSON as saltus_bench does.
#pragma once

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

namespace limit {

inline double cpu() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Least CPU time [s] of runs that take 0.1 s together; run() starts anew each time and returns the seconds of its steps.
template <class Run>
double least(Run run) {
  double best = 1e300;
  const double begin = cpu();
  do best = std::min(best, run());
  while (cpu() - begin < 0.1);
  return best;
}

inline void print(const char* workload, int size, int steps, double seconds, const std::vector<double>& probes) {
  std::printf("{\"program\": \"limit\", \"workload\": \"%s\", \"size\": %d, \"steps\": %d, \"cpu\": %.9g, \"probes\": [", workload, size, steps, seconds);
  for (std::size_t i = 0; i < probes.size(); ++i) std::printf("%s%.17g", i ? ", " : "", probes[i]);
  std::printf("]}\n");
}

}  // namespace limit
