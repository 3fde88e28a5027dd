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

namespace {
constexpr double flight = 0.90304394;  // of a ball from 1 m back to it [s]

/// Events located: so many impacts of a ball without loss as there are steps.
Workload events(std::shared_ptr<const System> system, double step, std::vector<int> probes) {
  return {.system = std::move(system), .scheme = "event_driven", .options = {}, .step = step, .probes = std::move(probes), .control = true};
}
}  // namespace

Workload event_ball(int) { return events(step_models::ball(1.0), flight, {0, 1}); }
Workload event_beads(int size) { return events(step_models::beads(size), 0.01, {0, size - 1}); }
/// A mass on a spring that strikes a stop at its rest without loss.
Workload event_stop(int) {
  const auto system = step_models::one_mass(1, {{"coordinate", 0.5}})
                          .connector("k", "coordinate_spring_damper", {{"stiffness", 9.8696044}, {"A", "ground"}, {"B", "n"}})
                          .relation("stop", "coordinate_gap", {{"on", "n"}, {"law", test_models::item("newton_impact", {{"restitution", 1}})}})
                          .compiled();
  return events(system, 1.0, {0, 1});
}
Workload schatzman_beads(int size) {
  Workload beads = of(step_models::beads(size), 1e-3, {0, size / 2, size - 1});
  beads.scheme = "schatzman_paoli", beads.options = {};
  return beads;
}

/// Spheres of radius 0.1 above each other, 1 mm apart, that fall on the floor and each other, with friction; projected, as by default.
Workload sphere_stack(int size) {
  using step_models::numbered;
  step_models::ModelOf model;
  for (int i = 0; i < size; ++i) {
    const std::string body = numbered("m", i);
    const Value law = test_models::item("coulomb_impact", {{"friction", 0.5}});
    model.node(numbered("n", i), "node_rigid", {{"position", List{0, 0, (101 + 201 * i) / 1000.0}}});
    model.body(body, "rigid_body", {{"mass", 1}, {"inertia", List{0.004, 0.004, 0.004}}, {"node", numbered("n", i)}});
    if (i) model.relation(numbered("c", i), "sphere_contact", {{"radius_A", 0.1}, {"radius_B", 0.1}, {"A", numbered("m", i - 1)}, {"B", body}, {"law", law}});
    else model.relation(numbered("c", i), "plane_contact", {{"radius", 0.1}, {"A", "ground"}, {"B", body}, {"law", law}});
  }
  auto system = model.compiled();
  return {.system = std::move(system), .scheme = "moreau_jean", .options = {}, .step = 1e-3, .probes = {2, 7 * (size - 1) + 2}};
}

}  // namespace bench
