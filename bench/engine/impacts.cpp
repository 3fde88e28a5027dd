// Jumps: one ball, a column of beads, the woodpecker toy, a bridge of diodes. The models are those of the tests of allocation.
#include "saltus/integrate/step_models.hpp"
#include "workload.hpp"

namespace bench {
using namespace saltus;
namespace {

/// Without projection: the scheme of the own kernels and of Siconos, comparable digit by digit.
Workload of(std::shared_ptr<const System> system, double step, std::vector<int> probes) {
  SchemeOptions plain;
  plain.words["drift"] = "none";
  return {.system = std::move(system), .scheme = "moreau_jean", .options = plain, .step = step, .probes = std::move(probes)};
}

}  // namespace

Workload ball(int) { return of(step_models::ball(), 1e-3, {0, 1}); }
Workload woodpecker(int) { return of(step_models::woodpecker(), 2e-5, {0, 1, 2}); }
Workload diode_bridge(int) { return of(step_models::diode_bridge(), 1e-6, {0, 1}); }
Workload beads(int size) { return of(step_models::beads(size), 1e-3, {0, size / 2, size - 1}); }

}  // namespace bench
