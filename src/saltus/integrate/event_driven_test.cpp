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

std::shared_ptr<const System> ball(double restitution, double offset = 0.0, double height = 1.0) {
  const auto text = [](double x) { char out[32]; std::snprintf(out, sizeof out, "%.17g", x); return std::string(out); };
  return step_models::compiled(R"("nodes": {"n": {"type": "node_1d", "coordinate": )" + text(offset + height) + R"(}}, "bodies": {"m": {"type": "mass_1d", "node": "n", "mass": 1}},
    "loads": {"g": {"type": "coordinate_load", "on": "n", "force": -9.81}},
    "relations": {"floor": {"type": "coordinate_gap", "on": "n", "at": )" + text(offset) + R"(, "law": {"type": "newton_impact", "restitution": )" + text(restitution) + "}}}");
}

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
  const std::vector<double> impacts = run(ball(0.9, 1e4), 5.0).times("impact");
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
  const Ran ran = run(ball(0.0, 0.0, 0.5), 2.0);
  const std::vector<double> impacts = ran.times("impact");
  ASSERT_EQ(impacts.size(), 1u);
  EXPECT_NEAR(impacts[0], 0.3192754284070505, 1e-12);
  EXPECT_NEAR(ran.state.lambda()[0], g, 1e-12);
  EXPECT_NEAR(ran.state.q()[0], 0.0, 1e-15);
}

TEST(EventDriven, LeavesAContactWhereItsForceVanishes) {
  // Pressed down by 1 - t from rest on the floor: leaves at t = 1, then q = (t - 1)^3 / 6.
  const Ran ran = run(step_models::compiled(R"("nodes": {"n": {"type": "node_1d"}}, "bodies": {"m": {"type": "mass_1d", "node": "n", "mass": 1}},
    "loads": {"g": {"type": "coordinate_load", "on": "n", "force": "t - 1"}}, "relations": {"floor": {"type": "coordinate_gap", "on": "n", "law": {"type": "newton_impact", "restitution": 0.5}}})"), 3.0);
  ASSERT_EQ(ran.times("detach").size(), 1u);
  EXPECT_NEAR(ran.times("detach")[0], 1.0, 1e-9);
  EXPECT_NEAR(ran.state.q()[0], 8.0 / 6.0, 1e-8);
}

TEST(EventDriven, StopsADryFrictionOscillatorInItsDeadZone) {
  const Ran ran = run(step_models::compiled(R"("nodes": {"n": {"type": "node_1d", "displacement": 0.5}}, "bodies": {"m": {"type": "mass_1d", "node": "n", "mass": 1}},
    "connectors": {"k": {"type": "coordinate_spring_damper", "A": "ground", "B": "n", "stiffness": 100}},
    "relations": {"rub": {"type": "coordinate_gap", "on": "n", "law": {"type": "relay", "low": -2.943, "high": 2.943, "on": "rate"}}})"), 4.0, 0.0, 1e-9);
  const std::vector<double> sticks = ran.times("stick");
  ASSERT_FALSE(sticks.empty());
  EXPECT_NEAR(sticks.back(), 2.5132741228718345, 1e-7);
  EXPECT_NEAR(ran.state.q()[0], 0.02912, 1e-7);
  EXPECT_EQ(ran.state.v()[0], 0.0);
}

TEST(EventDriven, TurnsABlockOnAnInclineAndHoldsIt) {
  const auto block = [](double friction) {
    return step_models::compiled(R"("nodes": {"n": {"type": "node_ode2", "count": 2, "velocities": [2, 0]}},
      "bodies": {"m": {"type": "generic_system", "node": "n", "mass_matrix": [[1, 0], [0, 1]], "force": ["-4.905", "-8.495709210992"]}},
      "relations": {"floor": {"type": "linear_relation", "on": [{"node": "n", "coordinate": 0}, {"node": "n", "coordinate": 1}], "matrix": [[0, 1], [1, 0]], "offset": [0, 0],
        "law": {"type": "coulomb_impact_2d", "friction": )" + std::to_string(friction) + "}}}");
  };
  const Ran slides = run(block(0.3), 1.0);
  EXPECT_NEAR(slides.state.q()[0], -0.3623985770948389, 1e-9);
  EXPECT_NEAR(slides.state.v()[0], -1.724041988830414, 1e-9);
  const Ran stops = run(block(0.7), 1.0);
  ASSERT_EQ(stops.times("stick").size(), 1u);
  EXPECT_NEAR(stops.times("stick")[0], 0.18429788561234875, 1e-10);
  EXPECT_NEAR(stops.state.q()[0], 0.18429788561234875, 1e-10);
  EXPECT_EQ(stops.state.v()[0], 0.0);
  EXPECT_NEAR(stops.state.lambda()[1], 4.905, 1e-9);
}

/// A mass with rows (n, t1, t2, -, -, turn) pressed on a floor with 9.81 N; its inertia of turning is J.
std::shared_ptr<const System> pressed(int rows, const std::string& law, const std::string& velocities, double J) {
  std::string mass, matrix, coordinates, force;
  for (int i = 0; i < 6; ++i) {
    std::string row;
    for (int j = 0; j < 6; ++j) row += (j ? ", " : "") + (i == j ? std::to_string(i < 3 ? 1.0 : J) : "0");
    mass += (i ? ", [" : "[") + row + "]";
    coordinates += std::string(i ? ", " : "") + R"({"node": "n", "coordinate": )" + std::to_string(i) + "}";
    if (i < rows) matrix += (i ? ", [" : "[") + row.replace(row.find(i < 3 ? "1." : std::to_string(J)), 8, "1") + "]";
    force += i ? R"(, "0")" : R"("-9.81")";
  }
  std::string offset = "0";
  for (int i = 1; i < rows; ++i) offset += ", 0";
  return step_models::compiled(R"("nodes": {"n": {"type": "node_ode2", "count": 6, "velocities": )" + velocities + R"(}}, "bodies": {"m": {"type": "generic_system", "node": "n", "mass_matrix": [)" + mass +
                               R"(], "force": [)" + force + R"(]}}, "relations": {"floor": {"type": "linear_relation", "on": [)" + coordinates + R"(], "matrix": [)" + matrix + R"(], "offset": [)" + offset +
                               R"(], "law": )" + law + "}}");
}

TEST(EventDriven, StopsWhatSlidesUnderFrictionThatGrowsWithTheSpeedAtItsInstant) {
  // v' = -(mu + d v) g: stops at ln(1 + d v0 / mu) / (d g).
  const Ran ran = run(pressed(3, R"({"type": "stribeck_impact", "friction_at_rest": 0.3, "friction_sliding": 0.3, "speed": 1, "growth": 0.2})", "[0, 1.2, 1.6, 0, 0, 0]", 1.0), 2.0, 0.0, 1e-10);
  ASSERT_EQ(ran.times("stick").size(), 1u);
  EXPECT_NEAR(ran.times("stick")[0], std::log(1.0 + 0.2 * 2.0 / 0.3) / (0.2 * g), 1e-8);
  EXPECT_NEAR(ran.state.q()[2] / ran.state.q()[1], 1.6 / 1.2, 1e-9);
}

TEST(EventDriven, HoldsAFootUpToItsFrictionAtRestAndLetsItSlipBelow) {
  // Pushed with 4 t N: slips at 0.5 g / 4, then under 0.3 g and a part that falls within 1e-3 m/s.
  const auto foot = step_models::compiled(R"("nodes": {"n": {"type": "node_ode2", "count": 2}},
    "bodies": {"m": {"type": "generic_system", "node": "n", "mass_matrix": [[1, 0], [0, 1]], "force": ["-9.81", "4*t"]}},
    "relations": {"floor": {"type": "linear_relation", "on": [{"node": "n", "coordinate": 0}, {"node": "n", "coordinate": 1}], "matrix": [[1, 0], [0, 1]], "offset": [0, 0],
      "law": {"type": "stribeck_impact_2d", "friction_at_rest": 0.5, "friction_sliding": 0.3, "speed": 1e-3}}})");
  const double begins = 0.5 * g / 4.0, end = begins + 0.2;
  const Ran ran = run(foot, end);
  ASSERT_EQ(ran.times("slip").size(), 1u);
  EXPECT_NEAR(ran.times("slip")[0], begins, 1e-6);
  EXPECT_NEAR(ran.state.v()[1], 2.0 * (end * end - begins * begins) - 0.3 * g * 0.2, 2e-2);
}

TEST(EventDriven, EndsSlidingAndSpinTogether) {
  // With J = m (mu_s / mu)^2 both shrink alike: |(u, mu_s/mu w)| falls with mu g.
  const double mu = 0.4, mu_s = 0.02, J = mu_s / mu * (mu_s / mu);
  const Ran ran = run(pressed(6, R"({"type": "contensou_impact", "friction": 0.4, "spinning": 0.02})", "[0, 0.6, 0, 0, 0, 16]", J), 1.0);  // 0.6 and 0.8 m/s
  ASSERT_EQ(ran.times("stick").size(), 1u);
  EXPECT_NEAR(ran.times("stick")[0], 1.0 / (mu * g), 1e-6);
  EXPECT_NEAR(ran.state.q()[1], 0.6 * 0.5 / (mu * g), 1e-6);
  EXPECT_NEAR(ran.state.q()[5], 16.0 * 0.5 / (mu * g), 2e-5);
}

TEST(EventDriven, RefusesFrictionOfTheSpeedAloneByName) {
  try {
    (void)event_driven().bind(pressed(3, R"({"type": "stribeck_impact", "friction_at_rest": 0, "friction_sliding": 0, "growth": 0.2})", "[0, 1, 0, 0, 0, 0]", 1.0), {});
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
