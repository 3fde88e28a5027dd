// Jumps: one ball, a column of beads, the woodpecker toy, a bridge of diodes. The models are those of the tests of allocation.
#include "saltus/integrate/step_models.hpp"
#include "workload.hpp"

namespace bench {
using namespace saltus;
namespace {

/// Without projection: the scheme of the own kernels and of Siconos, comparable digit by digit.
Workload of(std::shared_ptr<const System> system, double step, std::vector<int> probes) {
  SchemeOptions plain;
  plain.given.set("drift", "none");
  return {.system = std::move(system), .scheme = "moreau_jean", .options = plain, .step = step, .probes = std::move(probes)};
}

}  // namespace

Workload ball(int) { return of(step_models::ball(), 1e-3, {0, 1}); }
Workload woodpecker(int) { return of(step_models::woodpecker(), 2e-5, {0, 1, 2}); }
Workload diode_bridge(int) { return of(step_models::diode_bridge(), 1e-6, {0, 1}); }
Workload beads(int size) { return of(step_models::beads(size), 1e-3, {0, size / 2, size - 1}); }

/// Spheres of radius 0.1 above each other, 1 mm apart, that fall on the floor and each other, with friction; projected, as by default.
Workload sphere_stack(int size) {
  using step_models::numbered;
  step_models::ModelOf model;
  for (int i = 0; i < size; ++i) {
    const std::string body = numbered("m", i);
    const Value law = test_models::object({{"type", "coulomb_impact"}, {"friction", 0.5}});
    model.add("nodes", numbered("n", i), "node_rigid", {{"position", List{0, 0, (101 + 201 * i) / 1000.0}}});
    model.add("bodies", body, "rigid_body", {{"mass", 1}, {"inertia", List{0.004, 0.004, 0.004}}, {"node", numbered("n", i)}});
    if (i) model.add("relations", numbered("c", i), "sphere_contact", {{"radius_A", 0.1}, {"radius_B", 0.1}, {"A", numbered("m", i - 1)}, {"B", body}, {"law", law}});
    else model.add("relations", numbered("c", i), "plane_contact", {{"radius", 0.1}, {"A", "ground"}, {"B", body}, {"law", law}});
  }
  auto system = model.compiled();
  return {.system = std::move(system), .scheme = "moreau_jean", .options = {}, .step = 1e-3, .probes = {2, 7 * (size - 1) + 2}};
}

}  // namespace bench
