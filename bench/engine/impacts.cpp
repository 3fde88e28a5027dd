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
  using namespace step_models;
  const std::string law = R"("law": {"type": "coulomb_impact", "friction": 0.5}})";
  auto system = compiled(list("nodes", size, [](int i) { return numbered("n", i) + R"(: {"type": "node_rigid", "position": [0, 0, )" + std::to_string(0.101 + 0.201 * i) + "]}"; }) + ", " +
                         list("bodies", size, [](int i) { return numbered("m", i) + R"(: {"type": "rigid_body", "mass": 1, "inertia": [[0.004, 0, 0], [0, 0.004, 0], [0, 0, 0.004]], "node": )" + numbered("n", i) + "}"; }) + ", " +
                         list("relations", size, [&](int i) {
                           return numbered("c", i) + (i ? R"(: {"type": "sphere_contact", "radius_A": 0.1, "radius_B": 0.1, "A": )" + numbered("m", i - 1) : std::string(R"(: {"type": "plane_contact", "radius": 0.1, "A": "ground")")) +
                                  R"(, "B": )" + numbered("m", i) + ", " + law;
                         }));
  return {.system = std::move(system), .scheme = "moreau_jean", .options = {}, .step = 1e-3, .probes = {2, 7 * (size - 1) + 2}};
}

}  // namespace bench
