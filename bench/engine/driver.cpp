// saltus_bench WORKLOAD SIZE STEPS [threads] [once]: one line of JSON with the CPU time of the steps and the probes at the end.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "saltus/integrate/simulate.hpp"
#include "workload.hpp"

namespace bench {
const std::map<std::string, Make>& workloads() {
  static const std::map<std::string, Make> all{
      {"spring_chain", spring_chain}, {"coordinate_chain", coordinate_chain}, {"rigid_chain", rigid_chain},
      {"spring_chain_implicit", spring_chain_implicit}, {"oscillator", oscillator}, {"pendulum_chain", pendulum_chain},
      {"pendulum_chain_modified", pendulum_chain_modified}, {"spring_chain_modified", spring_chain_modified}, {"linear_chain_once", linear_chain_once},
      {"hinge_chain", hinge_chain}, {"hinge_chain_modified", hinge_chain_modified}, {"four_bar_2d", four_bar_2d}, {"four_bar_3d", four_bar_3d}, {"sphere_stack", sphere_stack}, {"ball", ball}, {"beads", beads}, {"woodpecker", woodpecker}, {"diode_bridge", diode_bridge},
      {"event_ball", event_ball}, {"event_beads", event_beads}, {"event_stop", event_stop}, {"schatzman_beads", schatzman_beads}};
  return all;
}
}  // namespace bench

namespace {
constexpr double shortest = 0.1;  // CPU time of all runs together [s]

double cpu() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return std::fprintf(stderr, "saltus_bench WORKLOAD SIZE STEPS [threads]\n"), 2;
  const auto found = bench::workloads().find(argv[1]);
  if (found == bench::workloads().end()) return std::fprintf(stderr, "%s is not a workload\n", argv[1]), 2;
  const double before = cpu();
  bench::Workload w = found->second(std::atoi(argv[2]));
  const int steps = std::atoi(argv[3]);
  w.options.threads = argc > 4 ? std::atoi(argv[4]) : 1;
  const bool once = argc > 5;  // for counts of instructions
  w.options.error_control = w.control;
  const saltus::Scheme& scheme = *saltus::find_scheme(w.scheme);
  const auto plan = scheme.bind(w.system, w.options);
  saltus::State state = plan->new_state();
  saltus::SimulateOptions options;
  if (!w.control) options.step = w.step;
  options.until = w.step * steps;
  saltus::RunReport report;
  double set_up = 0.0, least = 1e300;
  const double begin = cpu();
  do {  // a short run again: the least counts
    state = plan->new_state();
    double first = 0.0, last = 0.0;
    report = saltus::simulate(scheme, *plan, state, options, [&](const saltus::State& s, const saltus::StepReport&) {
      if (s.steps() == 0.0) first = cpu();
      else if (!w.control && s.steps() + 1.0 > steps) last = cpu();  // a clock is a system call: not in every step
      return true;
    });
    if (w.control) last = cpu();
    if (report.status != saltus::RunStatus::done) return std::fprintf(stderr, "%s\n", report.cause.c_str()), 1;
    if (set_up == 0.0) set_up = first - before;
    least = std::min(least, last - first);
  } while (cpu() - begin < shortest && !once);
  std::printf("{\"program\": \"saltus\", \"workload\": \"%s\", \"size\": %s, \"steps\": %lld, \"cpu\": %.9g, \"setup\": %.6g, \"iterations\": %lld, \"factorizations\": %lld, \"probes\": [", argv[1], argv[2],
              static_cast<long long>(report.steps), least, set_up,
              static_cast<long long>(report.iterations), static_cast<long long>(report.factorizations));
  for (std::size_t i = 0; i < w.probes.size(); ++i) std::printf("%s%.17g", i ? ", " : "", state.y()[w.probes[i]]);
  std::printf("]}\n");
}
