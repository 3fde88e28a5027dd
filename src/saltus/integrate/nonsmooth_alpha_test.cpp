// Nonsmooth generalized-alpha: second order between impacts, gaps and laws exactly at the end of each step.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <ctime>

#include "saltus/integrate/impact_runs_testing.hpp"

namespace saltus {
const Scheme& nonsmooth_generalized_alpha();
const Scheme& generalized_alpha_scheme();
const Scheme& event_driven();
namespace {

using namespace impact_runs;

Ran run(std::shared_ptr<const System> system, double until, double step, const Scheme& scheme = nonsmooth_generalized_alpha()) {
  return impact_runs::run(scheme, std::move(system), until, step);
}

TEST(NonsmoothAlpha, IsOfSecondOrderBetweenImpacts) {
  const Ran exact = run(pendulum(0.8), 0.5, 0.0, event_driven());  // before the first impact
  double last = 0.0;
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    const Ran ran = run(pendulum(0.8), 0.5, h);
    const double error = std::hypot(ran.state.q()[0] - exact.state.q()[0], ran.state.q()[2] - exact.state.q()[2]);
    if (last > 0.0) { EXPECT_NEAR(std::log2(last / error), 2.0, 0.15); }
    last = error;
  }
}

TEST(NonsmoothAlpha, FollowsTheToleranceUnderErrorControlAndRestsAfterAnAccumulation) {
  // Before the fourth impact, whose time the event-driven scheme has to 1e-12.
  const double exact = run(step_models::ball(), 3.0, 0.0, event_driven()).state.q()[0];
  for (const double tolerance : {1e-4, 1e-6}) {
    SchemeOptions options;
    options.error_control = true, options.tolerance = tolerance;
    const auto plan = nonsmooth_generalized_alpha().bind(step_models::ball(), options);
    State state = plan->new_state();
    SimulateOptions control;
    control.until = 3.0;
    EXPECT_EQ(simulate(nonsmooth_generalized_alpha(), *plan, state, control, {}).cause, "");
    EXPECT_NEAR(state.q()[0], exact, 10.0 * tolerance);
    EXPECT_GT(std::abs(state.q()[0] - exact), 1e-3 * tolerance);
  }
  const auto dead = step_models::ball(0.5, 1.0, 2.0);
  SchemeOptions options;
  options.error_control = true;
  const auto plan = nonsmooth_generalized_alpha().bind(dead, options);
  State state = plan->new_state();
  SimulateOptions control;
  control.until = 3.0, control.most_steps = 2000;
  EXPECT_EQ(simulate(nonsmooth_generalized_alpha(), *plan, state, control, {}).cause, "");
  EXPECT_NEAR(state.q()[0], 0.0, 1e-9);
  EXPECT_NEAR(state.v()[0], 0.0, 1e-9);
  EXPECT_NEAR(state.lambda()[0], 19.62, 1e-6);
}

TEST(NonsmoothAlpha, GoesOnBitForBitUnderErrorControl) {
  for (const auto& system : {pendulum(0.5), step_models::ball()}) {
    SchemeOptions options;
    options.error_control = true, options.tolerance = 1e-5;
    const auto plan = nonsmooth_generalized_alpha().bind(system, options);
    State whole = plan->new_state(), loaded(plan->layout);
    SimulateOptions control;
    control.until = 1.0;
    (void)simulate(nonsmooth_generalized_alpha(), *plan, whole, control, {});
    std::memcpy(loaded.bytes().data(), whole.bytes().data(), whole.bytes().size_bytes());
    control.until = 2.0;
    EXPECT_EQ(simulate(nonsmooth_generalized_alpha(), *plan, whole, control, {}, true).cause, "");
    const auto again = nonsmooth_generalized_alpha().bind(system, options);
    EXPECT_EQ(simulate(nonsmooth_generalized_alpha(), *again, loaded, control, {}, true).cause, "");
    EXPECT_EQ(std::memcmp(loaded.bytes().data(), whole.bytes().data(), whole.bytes().size_bytes()), 0);
  }
}

TEST(NonsmoothAlpha, HoldsRodAndWallExactlyAndLosesTheEnergyOfTheLaw) {
  const Ran ran = run(pendulum(0.5), 2.0, 1e-3);
  const double* q = ran.state.q();
  EXPECT_NEAR(std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), 1.0, 1e-12);
  EXPECT_NEAR(q[0] * ran.state.v()[0] + q[2] * ran.state.v()[2], 0.0, 1e-11);
  EXPECT_GE(ran.lowest, -0.3 - 1e-9);
  const Ran exact = run(pendulum(0.5), 2.0, 0.0, event_driven());
  EXPECT_NEAR(q[0], exact.state.q()[0], 2e-2);
  EXPECT_LT(ran.report.energy_end, ran.report.energy_start);
}

TEST(NonsmoothAlpha, BouncesABallAndLaysItToRest) {
  const Ran ran = run(step_models::ball(), 2.0, 1e-4);
  const Ran exact = run(step_models::ball(), 2.0, 0.0, event_driven());
  EXPECT_NEAR(ran.state.q()[0], exact.state.q()[0], 1e-2);
  const auto soft = step_models::ball(0.0, 0.5, 2.0);
  const Ran rest = run(soft, 2.0, 1e-3);
  EXPECT_NEAR(rest.state.q()[0], 0.0, 1e-12);
  EXPECT_NEAR(rest.state.v()[0], 0.0, 1e-12);
  EXPECT_NEAR(rest.state.lambda()[0], 19.62, 1e-9);
  EXPECT_NEAR(rest.state.a()[0], 0.0, 1e-9);
}

TEST(NonsmoothAlpha, HoldsABlockOnAnInclineAndTurnsTheOther) {
  EXPECT_NEAR(run(step_models::block_on_incline(0.3), 1.0, 1e-4).state.v()[0], -1.724041988830414, 5e-4);
  const Ran stops = run(step_models::block_on_incline(0.7), 1.0, 1e-4);
  EXPECT_NEAR(stops.state.q()[0], 0.18429788561234875, 5e-4);
  EXPECT_NEAR(stops.state.v()[0], 0.0, 1e-12);
  EXPECT_NEAR(stops.state.lambda()[1], 4.905, 1e-8);
}

TEST(NonsmoothAlpha, StopsDryFrictionByARelay) {
  const Ran ran = run(step_models::rubbed(), 4.0, 1e-4);
  EXPECT_NEAR(ran.state.q()[0], 0.02912, 1e-3);
  EXPECT_NEAR(ran.state.v()[0], 0.0, 1e-10);
}

TEST(NonsmoothAlpha, GoesOnBitForBitFromASavedState) {
  for (const auto& system : {pendulum(0.5), step_models::woodpecker()}) {
    const auto plan = nonsmooth_generalized_alpha().bind(system, {});
    State whole = plan->new_state(), half = whole;
    SimulateOptions control;
    control.step = 1e-3, control.until = 0.5;
    (void)simulate(nonsmooth_generalized_alpha(), *plan, half, control, {});
    State loaded(plan->layout);
    std::memcpy(loaded.bytes().data(), half.bytes().data(), half.bytes().size_bytes());
    control.until = 1.0;
    (void)simulate(nonsmooth_generalized_alpha(), *plan, whole, control, {});
    EXPECT_EQ(simulate(nonsmooth_generalized_alpha(), *plan, loaded, control, {}, true).cause, "");
    EXPECT_EQ(std::memcmp(loaded.bytes().data(), whole.bytes().data(), whole.bytes().size_bytes()), 0);
  }
}

TEST(NonsmoothAlpha, RefusesAllDampingOffBesideImpacts) {
  SchemeOptions options;
  options.given.set("spectral_radius", 1.0);
  try {
    (void)nonsmooth_generalized_alpha().bind(step_models::ball(), options);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("spectral_radius"), std::string::npos);
  }
  EXPECT_NO_THROW((void)nonsmooth_generalized_alpha().bind(step_models::spring_chain(3), options));
}

TEST(NonsmoothAlpha, IsGeneralizedAlphaAtIndexTwoWhereThereAreNoContacts) {
  const auto chain = step_models::spring_chain(8);
  EXPECT_EQ(run(chain, 1.0, 1e-3).state.q()[3], run(chain, 1.0, 1e-3, generalized_alpha_scheme()).state.q()[3]);
}

}  // namespace
}  // namespace saltus
