// CPU time of a 3D pendulum chain with joints, generalized-alpha, a body and step.
//   saltus_chain BODIES STEPS [revolute|spherical] [full|modified] [3|2] [h]
// Prints sizes, time, iterations and what makes the answer trustworthy: drift of the constraints and of the energy.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "saltus/integrate/scheme.hpp"
#include "saltus/items/bodies/rigid_body.hpp"
#include "saltus/items/joints/revolute.hpp"
#include "saltus/items/joints/spherical.hpp"
#include "saltus/items/laws/equality.hpp"
#include "saltus/items/nodes/node_rigid.hpp"
#include "saltus/system/builder.hpp"

using namespace saltus;

namespace {

double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Rods of length 1, mass 1, along x at rest; axes of revolutes turn by 90 degrees from joint to joint.
std::shared_ptr<const System> chain(int n, bool ball) {
  SystemBuilder b;
  const LawRef law{&equality_law()};
  for (int i = 0; i < n; ++i) {
    const Vec3<double> place{{i + 0.5, 0.0, 0.0}};
    const int node = b.node("rod_" + std::to_string(i), NodeRigid{.position = place});
    if (node != i) std::abort();
    b.object("body_" + std::to_string(i), RigidBody{.mass_value = 1.0, .inertia = Mat3<double>{{0.01, 0.0, 0.0, 0.0, 1.0 / 12.0, 0.0, 0.0, 0.0, 1.0 / 12.0}}}, {b.marker(node)});
  }
  for (int i = 0; i < n; ++i) {
    const Mat3<double> turn = rotation_exp(Vec3<double>{{(i % 2 ? 0.5 : 0.0) * 3.14159265358979, 0.0, 0.0}});
    const Endpoint before = i > 0 ? b.marker(i - 1, {{0.5, 0.0, 0.0}}, turn) : b.marker(-1, {}, turn);
    const Endpoint after = b.marker(i, {{-0.5, 0.0, 0.0}}, turn);
    const std::string name = "joint_" + std::to_string(i);
    if (ball) b.relation(name, Spherical{}, {before, after}, law);
    else b.relation(name, Revolute{}, {before, after}, law);
  }
  b.system().gravity = {{0.0, -9.81, -1.0}};
  return b.finish();
}

}  // namespace

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 100, steps = argc > 2 ? std::atoi(argv[2]) : 100;
  const std::string joint = argc > 3 ? argv[3] : "revolute", newton = argc > 4 ? argv[4] : "full";
  const double index = argc > 5 ? std::atof(argv[5]) : 3.0, h = argc > 6 ? std::atof(argv[6]) : 1e-3;
  const auto system = chain(n, joint == "spherical");
  SchemeOptions options;
  if (newton != "full") options.words["newton"] = newton;
  if (index != 3.0) options.numbers["index"] = index;
  const Scheme& scheme = *find_scheme("generalized_alpha");
  const auto plan = scheme.bind(system, options);
  double before = seconds();
  const auto work = scheme.new_workspace(*plan);
  State state = plan->new_state();
  state.h() = h;
  const StepReport start = scheme.start(*plan, state, *work);
  if (start.status != StepStatus::accepted) return std::printf("start: %s\n", start.cause.c_str()), 1;
  const double set_up = seconds() - before;
  Assembly assembly(*system);
  const auto energy = [&] {
    assembly.update(state.t(), state.y());
    return assembly.kinetic_energy() + assembly.potential_energy();
  };
  const double energy_before = energy();
  int iterations = 0;
  double constraints = 0.0, equations = 0.0;
  before = seconds();
  for (int i = 0; i < steps; ++i) {
    const StepReport r = scheme.step(*plan, state, *work, h);
    if (r.status != StepStatus::accepted) return std::printf("step %d: %s\n", i, r.cause.c_str()), 1;
    iterations += r.iterations;
    constraints = std::max(constraints, r.residual.constraints), equations = std::max(equations, r.residual.equations);
  }
  const double time = seconds() - before;
  std::printf("%d bodies, %s, %s, index %g: set-up %.3f s, %.2f us a body and step, %.2f iterations a step, constraints %.1e, equations %.1e, energy %.2e J of %g J kinetic\n", n,
              joint.c_str(), newton.c_str(), index, set_up, 1e6 * time / steps / n, static_cast<double>(iterations) / steps, constraints, equations, energy() - energy_before,
              (assembly.update(state.t(), state.y()), assembly.kinetic_energy()));
}
