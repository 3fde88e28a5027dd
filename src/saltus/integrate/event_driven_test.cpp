// Events one by one: impact times, accumulations, rest, friction and relays against closed forms.
#include "saltus/integrate/event_driven.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>

#include "saltus/integrate/simulate.hpp"
#include "saltus/integrate/step_models.hpp"

namespace saltus {
const Scheme& event_driven();
namespace {
constexpr double g = 9.81;

struct Ran {
  RunReport report;
  std::vector<Event> events;
  State state;
  std::unique_ptr<Plan> plan;
  int states = 0;
  std::vector<double> times(const std::string& kind) const {
    std::vector<double> out;
    for (const Event& e : events)
      if (e.kind == kind) out.push_back(e.t);
    return out;
  }
};
Ran run(std::shared_ptr<const System> system, double until, double step = 0.0, double tolerance = 1e-6) {
  Ran ran;
  SchemeOptions options;
  options.tolerance = tolerance;
  options.error_control = step == 0.0;
  ran.plan = event_driven().bind(std::move(system), options);
  ran.state = ran.plan->new_state();
  SimulateOptions control;
  control.until = until;
  if (step > 0.0) control.step = step;
  control.most_steps = 200'000;
  ran.report = simulate(event_driven(), *ran.plan, ran.state, control, [&](const State& state, const StepReport& step) {
    ++ran.states;
    EXPECT_EQ(step.reached, state.t());
    ran.events.insert(ran.events.end(), step.events.begin(), step.events.end());
    return true;
  });
  EXPECT_EQ(ran.report.cause, "");
  return ran;
}

using step_models::ball;
using step_models::item;
using step_models::matrix;

TEST(EventDriven, LocatesTheImpactsOfABallToTwelveDigits) {
  for (const double step : {0.0, 0.01, 0.3}) {
    const Ran ran = run(ball(0.9), 5.0, step);
    const std::vector<double> impacts = ran.times("impact");
    const double exact[] = {0.4515236409857309, 1.2642661947600464, 1.9957344931569305, 2.654055961714126};
    ASSERT_EQ(impacts.size(), 8u) << step;
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(impacts[i], exact[i], 1e-12) << step;
    EXPECT_NEAR(ran.state.q()[0], 0.12154865483912447, 1e-11) << step;
    EXPECT_NEAR(ran.state.v()[0], -1.1184100332989206, 1e-10) << step;
  }
}

TEST(EventDriven, LocatesThemFarFromTheOriginAsFarAsItsDigitsGo) {
  const std::vector<double> impacts = run(ball(0.9, 1.0, 1.0, 1e4), 5.0).times("impact");
  ASSERT_EQ(impacts.size(), 8u);
  EXPECT_NEAR(impacts[3], 2.654055961714126, 1e-10);
}

TEST(EventDriven, FollowsAnAccumulationOfImpactsToItsEndAndSaysWhenItIs) {
  const Ran ran = run(ball(0.8), 6.0);
  const std::vector<double> impacts = ran.times("impact");
  ASSERT_GT(impacts.size(), 50u);
  EXPECT_NEAR(impacts[49], 4.063648325264098, 1e-9);
  EXPECT_EQ(ran.state.v()[0], 0.0);
  EXPECT_NEAR(ran.state.q()[0], 0.0, 1e-12);
  EXPECT_NEAR(ran.state.lambda()[0], g, 1e-9);
  ASSERT_EQ(ran.report.warnings.size(), 1u);
  EXPECT_NE(ran.report.warnings[0].message.find("accumulate at t = 4.06371277"), std::string::npos) << ran.report.warnings[0].message;
}

TEST(EventDriven, RestsOnAContactWithTheForceOfTheAccelerations) {
  const Ran ran = run(ball(0.0, 0.5), 2.0);
  const std::vector<double> impacts = ran.times("impact");
  ASSERT_EQ(impacts.size(), 1u);
  EXPECT_NEAR(impacts[0], 0.3192754284070505, 1e-12);
  EXPECT_NEAR(ran.state.lambda()[0], g, 1e-12);
  EXPECT_NEAR(ran.state.q()[0], 0.0, 1e-15);
}

TEST(EventDriven, LeavesAContactWhereItsForceVanishes) {
  // Pressed down by 1 - t from rest on the floor: leaves at t = 1, then q = (t - 1)^3 / 6.
  const Ran ran = run(step_models::one_mass(1)
                          .load("g", "coordinate_load", {{"on", "n"}, {"force", "t - 1"}})
                          .relation("floor", "coordinate_gap", {{"on", "n"}, {"law", item("newton_impact", {{"restitution", 0.5}})}})
                          .compiled(),
                      3.0);
  ASSERT_EQ(ran.times("detach").size(), 1u);
  EXPECT_NEAR(ran.times("detach")[0], 1.0, 1e-9);
  EXPECT_NEAR(ran.state.q()[0], 8.0 / 6.0, 1e-8);
}

TEST(EventDriven, StopsADryFrictionOscillatorInItsDeadZone) {
  const Ran ran = run(step_models::rubbed(), 4.0, 0.0, 1e-9);
  const std::vector<double> sticks = ran.times("stick");
  ASSERT_FALSE(sticks.empty());
  EXPECT_NEAR(sticks.back(), 2.5132741228718345, 1e-7);
  EXPECT_NEAR(ran.state.q()[0], 0.02912, 1e-7);
  EXPECT_EQ(ran.state.v()[0], 0.0);
}

TEST(EventDriven, TurnsABlockOnAnInclineAndHoldsIt) {
  const Ran slides = run(step_models::block_on_incline(0.3), 1.0);
  EXPECT_NEAR(slides.state.q()[0], -0.3623985770948389, 1e-9);
  EXPECT_NEAR(slides.state.v()[0], -1.724041988830414, 1e-9);
  const Ran stops = run(step_models::block_on_incline(0.7), 1.0);
  ASSERT_EQ(stops.times("stick").size(), 1u);
  EXPECT_NEAR(stops.times("stick")[0], 0.18429788561234875, 1e-10);
  EXPECT_NEAR(stops.state.q()[0], 0.18429788561234875, 1e-10);
  EXPECT_EQ(stops.state.v()[0], 0.0);
  EXPECT_NEAR(stops.state.lambda()[1], 4.905, 1e-9);
}

/// A mass with rows (n, t1, t2, -, -, turn) pressed on a floor with 9.81 N; its inertia of turning is J.
std::shared_ptr<const System> pressed(int rows, const Value& law, List velocities, double J) {
  List mass, on_floor;
  for (int i = 0; i < 6; ++i) {
    List row(6, 0.0);
    row[i] = 1.0;
    if (i < rows) on_floor.push_back(row);
    row[i] = i < 3 ? 1.0 : J;
    mass.push_back(std::move(row));
  }
  return step_models::ModelOf()
      .node("n", "node_ode2", {{"count", 6}, {"velocities", std::move(velocities)}})
      .body("m", "generic_system", {{"node", "n"}, {"mass_matrix", mass}, {"force", List{"-9.81", "0", "0", "0", "0", "0"}}})
      .relation("floor", "linear_relation", {{"on", step_models::coordinates("n", 6)}, {"matrix", on_floor}, {"offset", List(rows, 0.0)}, {"law", law}})
      .compiled();
}

TEST(EventDriven, StopsWhatSlidesUnderFrictionThatGrowsWithTheSpeedAtItsInstant) {
  // v' = -(mu + d v) g: stops at ln(1 + d v0 / mu) / (d g).
  const Ran ran = run(pressed(3, item("stribeck_impact", {{"friction_at_rest", 0.3}, {"friction_sliding", 0.3}, {"speed", 1}, {"growth", 0.2}}), {0, 1.2, 1.6, 0, 0, 0}, 1.0), 2.0, 0.0, 1e-10);
  ASSERT_EQ(ran.times("stick").size(), 1u);
  EXPECT_NEAR(ran.times("stick")[0], std::log(1.0 + 0.2 * 2.0 / 0.3) / (0.2 * g), 1e-8);
  EXPECT_NEAR(ran.state.q()[2] / ran.state.q()[1], 1.6 / 1.2, 1e-9);
}

TEST(EventDriven, HoldsAFootUpToItsFrictionAtRestAndLetsItSlipBelow) {
  // Pushed with 4 t N: slips at 0.5 g / 4, then under 0.3 g and a part that falls within 1e-3 m/s.
  const auto foot = step_models::ModelOf()
                        .node("n", "node_ode2", {{"count", 2}})
                        .body("m", "generic_system", {{"node", "n"}, {"mass_matrix", matrix({{1, 0}, {0, 1}})}, {"force", List{"-9.81", "4*t"}}})
                        .relation("floor", "linear_relation", {{"on", step_models::coordinates("n", 2)}, {"matrix", matrix({{1, 0}, {0, 1}})}, {"offset", List{0, 0}},
                                                               {"law", item("stribeck_impact_2d", {{"friction_at_rest", 0.5}, {"friction_sliding", 0.3}, {"speed", 1e-3}})}})
                        .compiled();
  const double begins = 0.5 * g / 4.0, end = begins + 0.2;
  const Ran ran = run(foot, end);
  ASSERT_EQ(ran.times("slip").size(), 1u);
  EXPECT_NEAR(ran.times("slip")[0], begins, 1e-6);
  EXPECT_NEAR(ran.state.v()[1], 2.0 * (end * end - begins * begins) - 0.3 * g * 0.2, 2e-2);
}

TEST(EventDriven, EndsSlidingAndSpinTogether) {
  // With J = m (mu_s / mu)^2 both shrink alike: |(u, mu_s/mu w)| falls with mu g.
  const double mu = 0.4, mu_s = 0.02, J = mu_s / mu * (mu_s / mu);
  const Ran ran = run(pressed(6, item("contensou_impact", {{"friction", 0.4}, {"spinning", 0.02}}), {0, 0.6, 0, 0, 0, 16}, J), 1.0);  // 0.6 and 0.8 m/s
  ASSERT_EQ(ran.times("stick").size(), 1u);
  EXPECT_NEAR(ran.times("stick")[0], 1.0 / (mu * g), 1e-6);
  EXPECT_NEAR(ran.state.q()[1], 0.6 * 0.5 / (mu * g), 1e-6);
  EXPECT_NEAR(ran.state.q()[5], 16.0 * 0.5 / (mu * g), 2e-5);
}

TEST(EventDriven, RefusesFrictionOfTheSpeedAloneByName) {
  try {
    (void)event_driven().bind(pressed(3, item("stribeck_impact", {{"friction_at_rest", 0}, {"friction_sliding", 0}, {"growth", 0.2}}), {0, 1, 0, 0, 0, 0}, 1.0), {});
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("moreau_jean"), std::string::npos) << error.what();
  }
}

TEST(EventDriven, GoesOnBitForBitFromASavedState) {
  for (const auto& system : {ball(0.8), step_models::woodpecker()}) {
    SchemeOptions options;
    const auto plan = event_driven().bind(system, options);
    State whole = plan->new_state(), half = whole;
    SimulateOptions control;
    control.step = 1e-3, control.until = 0.2;
    (void)simulate(event_driven(), *plan, half, control, {});
    State loaded(plan->layout);
    std::memcpy(loaded.bytes().data(), half.bytes().data(), half.bytes().size_bytes());
    control.until = 0.4;
    (void)simulate(event_driven(), *plan, whole, control, {});
    EXPECT_EQ(simulate(event_driven(), *plan, loaded, control, {}, true).cause, "");
    EXPECT_EQ(std::memcmp(loaded.bytes().data(), whole.bytes().data(), whole.bytes().size_bytes()), 0);
  }
}

TEST(EventDriven, TakesTwoStepsAnImpactAndItsOwnOneOfLengthZero) {
  const auto system = ball(1.0);
  const std::clock_t begin = std::clock();
  const Ran ran = run(system, 90.0);
  const double ms = 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  ASSERT_EQ(ran.times("impact").size(), 100u);
  EXPECT_NEAR(ran.times("impact")[99], 199.0 * 0.4515236409857309, 1e-10);
  EXPECT_LE(ran.report.steps, 320);
  RecordProperty("cpu_ms", std::to_string(ms));
}

}  // namespace
}  // namespace saltus
