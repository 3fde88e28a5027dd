// A step runs millions of times: after the first ones it must not ask for memory. Steps with an event may: they write it down.
#include <gtest/gtest.h>

#include <cstdlib>

#include "saltus/integrate/moreau.hpp"
#include "saltus/integrate/simulate.hpp"
#include "saltus/integrate/step_models.hpp"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {
thread_local long allocations = 0;
}
extern "C" void* __libc_malloc(std::size_t size);
extern "C" void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}

namespace saltus {
namespace {

/// Steps with an allocation, among those without an event, after the first `warm` ones; fails where nothing was counted.
int allocating_steps(const std::shared_ptr<const System>& system, double h, int warm, int steps, const char* name = "moreau_jean",
                     SchemeOptions options = {}) {
  const Scheme& scheme = *find_scheme(name);
  const auto plan = scheme.bind(system, options);
  const auto work = scheme.new_workspace(*plan);
  State state = plan->new_state();
  state.h() = h;
  EXPECT_EQ(scheme.start(*plan, state, *work).status, StepStatus::accepted);
  EXPECT_GT(allocations, 0);  // the counter counts
  int found = 0;
  for (int i = 0; i < warm + steps; ++i) {
    const long before = allocations;
    const StepReport report = scheme.step(*plan, state, *work, h);
    EXPECT_EQ(report.status, StepStatus::accepted) << report.cause;
    if (i >= warm && report.events.empty() && allocations > before) ++found;
  }
  return found;
}

TEST(Step, AllocatesNothingForABouncingBall) {
  EXPECT_EQ(allocating_steps(step_models::ball(), 1e-3, 1000, 9000), 0);
  EXPECT_EQ(allocating_steps(step_models::ball_in_space(), 1e-3, 1000, 9000), 0);
}
TEST(Step, AllocatesNothingForADiodeBridge) { EXPECT_EQ(allocating_steps(step_models::diode_bridge(), 1e-6, 1000, 4000), 0); }
TEST(Step, AllocatesNothingForABuckConverter) { EXPECT_EQ(allocating_steps(step_models::buck(), 1e-5, 1000, 4000), 0); }
TEST(Step, AllocatesNothingForAWoodpecker) { EXPECT_EQ(allocating_steps(step_models::woodpecker(), 2e-5, 5000, 10000), 0); }
TEST(Step, AllocatesNothingForAColumnOfBeads) { EXPECT_EQ(allocating_steps(step_models::beads(10), 1e-3, 1000, 1000), 0); }
TEST(Step, AllocatesNothingForAChainByTheSmoothSchemes) {
  SchemeOptions alpha;
  alpha.given.set("spectral_radius", 0.8);
  EXPECT_EQ(allocating_steps(step_models::spring_chain(20), 1e-3, 10, 100, "runge_kutta_4"), 0);
  EXPECT_EQ(allocating_steps(step_models::spring_chain(20), 1e-3, 10, 100, "generalized_alpha", alpha), 0);
}

/// The same of a run under error control with a condition that is never met, which is looked for within each step.
int allocating_steps_beside_a_condition(const std::shared_ptr<const System>& system, const char* name, int warm) {
  const Scheme& scheme = *find_scheme(name);
  SchemeOptions control;
  control.error_control = true;
  const auto plan = scheme.bind(system, control);
  State state = plan->new_state();
  SimulateOptions options;
  options.stop.push_back({.distance = [](const State& s) { return s.q()[0] - 1e6; }, .name = "never"});
  Simulation run(scheme, *plan, options);
  int found = 0, steps = 0;
  long before = 0;
  const Observer count = [&](const State&, const StepReport&) {
    if (++steps > warm && allocations > before) ++found;
    before = allocations;
    return true;
  };
  run.begin(state, count);
  run.advance(state, 1.0, count);
  EXPECT_EQ(run.report().status, RunStatus::done) << run.report().cause;
  EXPECT_GT(steps, 2 * warm);
  return found;
}
TEST(Run, AllocatesNothingForAConditionThatIsNotMet) { EXPECT_EQ(allocating_steps_beside_a_condition(step_models::spring_chain(20), "dormand_prince", 10), 0); }

}  // namespace
}  // namespace saltus

#endif
