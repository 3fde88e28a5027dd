// Schemes that are exact on linear systems: a string against a stop, vibrations, sliding modes and relays under held multipliers.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "saltus/base/index.hpp"
#include "saltus/integrate/simulate.hpp"
#include "saltus/integrate/step_models.hpp"
#include "saltus/math/dense_modes.hpp"

namespace saltus {
namespace {
using step_models::item;
using step_models::matrix;
using step_models::ModelOf;
using step_models::numbered;

struct Ran {
  RunReport report;
  std::vector<Event> events;
  State state;
  double lowest = HUGE_VAL, worst_energy = 0.0;
};
Ran run(const std::string& name, std::shared_ptr<const System> system, double until, double step, bool energies = false) {
  const Scheme& scheme = *find_scheme(name);
  Ran ran;
  const auto plan = scheme.bind(system, {});
  ran.state = plan->new_state();
  SimulateOptions control;
  control.until = until, control.step = step;
  Assembly assembly(*system);
  double begun = -1.0;
  ran.report = simulate(scheme, *plan, ran.state, control, [&](const State& state, const StepReport& report) {
    ran.events.insert(ran.events.end(), report.events.begin(), report.events.end());
    ran.lowest = std::min(ran.lowest, state.q()[0]);
    if (energies) {
      assembly.update(state.t(), state.y(), state.lambda(), state.data());
      const double e = assembly.kinetic_energy() + assembly.potential_energy();
      if (begun < 0.0) begun = e;
      ran.worst_energy = std::max(ran.worst_energy, std::abs(e / begun - 1.0));
    }
    return true;
  });
  EXPECT_EQ(ran.report.cause, "") << name;
  return ran;
}

/// n masses on a string of springs between two walls, plucked in the middle, with a stop under each third one.
std::shared_ptr<const System> string(int n, double restitution) {
  ModelOf model;
  const auto at = [&](int i) { return i < 0 || i >= n ? std::string("ground") : numbered("n", i); };
  for (int i = 0; i < n; ++i) {
    model.node(at(i), "node_1d", {{"displacement", 0.01 * std::min(i + 1, n - i) / (0.5 * n)}});
    model.body(numbered("m", i), "mass_1d", {{"mass", 0.01}, {"node", at(i)}});
  }
  for (int i = 0; i <= n; ++i) model.connector(numbered("k", i), "coordinate_spring_damper", {{"stiffness", 1e5}, {"A", at(i - 1)}, {"B", at(i)}});
  for (int i = 0; i < n / 3; ++i)
    model.relation(numbered("stop", i), "coordinate_gap", {{"on", at(3 * i + 1)}, {"at", -0.002}, {"law", item("newton_impact", {{"restitution", restitution}})}});
  return model.compiled();
}

TEST(ExactModal, KeepsTheEnergyOfAStringAgainstStopsTo1e12) {
  const Ran ran = run("exact_modal", string(30, 1.0), 0.2, 2e-5, true);  // 1e4 steps
  EXPECT_GT(ran.events.size(), 50u);
  EXPECT_LT(ran.worst_energy, 1e-12);
  EXPECT_LT(run("exact_modal", string(30, 1.0), 2.0, 2e-5, true).worst_energy, 1e-11);  // 1e5 steps: rounding of each adds up
  const Ran dead = run("exact_modal", string(30, 0.0), 0.5, 2e-5, true);
  EXPECT_LT(dead.report.energy_end, dead.report.energy_start);
}

TEST(ExactModal, FollowsAFreeStringExactlyAtAnyStep) {
  const auto free = ModelOf()
                        .node("n", "node_ode2", {{"count", 2}, {"coordinates", List{1, 0}}})
                        .body("m", "generic_system", {{"node", "n"}, {"mass_matrix", matrix({{2, 0}, {0, 1}})}, {"stiffness_matrix", matrix({{30, -10}, {-10, 20}})},
                                                      {"damping_matrix", matrix({{0.6, -0.2}, {-0.2, 0.4}})}, {"force", List{"1", "0"}}})
                        .compiled();
  const State coarse = run("exact_modal", free, 10.0, 2.5).state, fine = run("exact_modal", free, 10.0, 1e-3).state;
  const State other = run("runge_kutta_6", free, 10.0, 1e-3).state;
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(coarse.q()[i], fine.q()[i], 1e-12);  // rounding of 2e4 half steps
    EXPECT_NEAR(coarse.v()[i], fine.v()[i], 1e-11);
    EXPECT_NEAR(coarse.q()[i], other.q()[i], 1e-11);
    EXPECT_NEAR(coarse.a()[i], other.a()[i], 1e-9);
  }
}

TEST(ExactModal, HoldsAWeightOnTheFloorBouncesABallAndRubs) {
  const Ran ball = run("exact_modal", step_models::ball(), 0.95, 1e-4);
  ASSERT_EQ(ball.events.size(), 1u);
  EXPECT_NEAR(ball.events[0].t, std::sqrt(2.0 / 9.81), 2e-4);
  const double u = 0.9 * std::sqrt(2.0 * 9.81), t = 0.95 - std::sqrt(2.0 / 9.81);
  EXPECT_NEAR(ball.state.q()[0], u * t - 0.5 * 9.81 * t * t, 2e-3);
  const Ran rest = run("exact_modal", step_models::ball(), 20.0, 1e-3);
  EXPECT_NEAR(rest.state.q()[0], 0.0, 5e-3);
  EXPECT_NEAR(rest.state.v()[0], 0.0, 1e-12);
  EXPECT_NEAR(rest.state.lambda()[0], 9.81, 1e-9);
  const Ran ran = run("exact_modal", step_models::rubbed(), 4.0, 1e-3);
  EXPECT_NEAR(ran.state.q()[0], 0.02912, 1e-3);
  EXPECT_NEAR(ran.state.v()[0], 0.0, 1e-12);
}

TEST(ExactModal, GoesOnBitForBitFromASavedStateAndNamesWhatIsNotLinear) {
  const auto system = string(12, 0.7);
  const Scheme& scheme = *find_scheme("exact_modal");
  const auto plan = scheme.bind(system, {});
  State whole = plan->new_state(), half = whole;
  SimulateOptions control;
  control.step = 1e-4, control.until = 0.1;
  (void)simulate(scheme, *plan, half, control, {});
  State loaded(plan->layout);
  std::memcpy(loaded.bytes().data(), half.bytes().data(), half.bytes().size_bytes());
  control.until = 0.2;
  (void)simulate(scheme, *plan, whole, control, {});
  (void)simulate(scheme, *plan, loaded, control, {}, true);
  EXPECT_EQ(std::memcmp(loaded.bytes().data(), whole.bytes().data(), whole.bytes().size_bytes()), 0);
  const auto cubic = step_models::one_mass(1, {{"displacement", 0.5}}).connector("k", "coordinate_user_spring", {{"A", "ground"}, {"B", "n"}, {"force", "u^3"}}).compiled();
  for (const char* name : {"exact_modal", "zero_order_hold"}) {
    try {
      (void)find_scheme(name)->bind(cubic, {});
      FAIL() << name;
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find("connectors/k"), std::string::npos) << error.what();
    }
  }
}

/// x' = A x + b l, l in -Sgn(c x).
std::shared_ptr<const System> relay(const List& states, const List& A, const List& b, const List& c) {
  const int n = count_of(states);
  List column;
  for (const Value& entry : b) column.emplace_back(List{entry});
  return ModelOf()
      .node("x", "node_ode1", {{"count", n}, {"initial_values", states}})
      .body("f", "first_order_system", {{"node", "x"}, {"matrix", A}})
      .relation("r", "first_order_linear_relation", {{"on", step_models::coordinates("x", n)}, {"B", column}, {"C", matrix({c})}, {"law", item("relay", {{"low", -1}, {"high", 1}, {"on", "value"}})}})
      .compiled();
}

TEST(ZeroOrderHold, IsExactBetweenSwitchesAndSlidesWithoutChattering) {
  // x1' = x2, x2' = 2 u, u in -Sgn(x2): x2 reaches 0 at 0.5, from -1, and stays there; x1 = 0.75.
  const Ran ran = run("zero_order_hold", relay({1, -1}, {List{0, 1}, List{0, 0}}, {0, 2}, {0, 1}), 1.0, 1e-2);
  EXPECT_NEAR(ran.state.x()[0], 0.75, 1e-13);
  EXPECT_NEAR(ran.state.x()[1], 0.0, 1e-15);
  EXPECT_NEAR(ran.state.lambda()[0], 0.0, 1e-12);
  // Without a switch: the closed form at any step.
  const auto free = ModelOf().node("x", "node_ode1", {{"count", 2}, {"initial_values", List{1, 0}}}).body("f", "first_order_system", {{"node", "x"}, {"matrix", matrix({{0, 1}, {-4, 0}})}}).compiled();
  const Ran turn = run("zero_order_hold", free, 10.0, 0.7);
  EXPECT_NEAR(turn.state.x()[0], std::cos(20.0), 1e-12);
}

TEST(ZeroOrderHold, HasTheLimitCycleOfARelayInTheFeedback) {
  // x1' = x2, x2' = x3, x3' = -3 x2 - 2 x3 + l, l in -Sgn(x1): amplitude 0.215258601704 (case relay_oscillator).
  const auto amplitude = [&](double h) {
    const Scheme& scheme = *find_scheme("zero_order_hold");
    const auto plan = scheme.bind(relay({0, 0.6752372371178297, 0}, {List{0, 1, 0}, List{0, 0, 1}, List{0, -3, -2}}, {0, 0, 1}, {1, 0, 0}), {});
    State state = plan->new_state();
    SimulateOptions control;
    control.until = 100.0, control.step = h;
    double most = 0.0;
    EXPECT_EQ(simulate(scheme, *plan, state, control, [&](const State& s, const StepReport&) { return most = s.t() > 60.0 ? std::max(most, std::abs(s.x()[0])) : most, true; }).cause, "");
    return most;
  };
  EXPECT_NEAR(amplitude(1e-2), 0.21525860170377537, 5e-3);
  EXPECT_NEAR(amplitude(1e-3), 0.21525860170377537, 5e-4);
}

TEST(ZeroOrderHold, BouncesABallByTheLawAndHoldsItAtRest) {
  const Ran ball = run("zero_order_hold", step_models::ball(), 0.95, 1e-4);
  ASSERT_EQ(ball.events.size(), 1u);
  EXPECT_NEAR(ball.events[0].t, std::sqrt(2.0 / 9.81), 2e-4);
  const double u = 0.9 * std::sqrt(2.0 * 9.81), t = 0.95 - std::sqrt(2.0 / 9.81);
  EXPECT_NEAR(ball.state.q()[0], u * t - 0.5 * 9.81 * t * t, 2e-3);
  const Ran rest = run("zero_order_hold", step_models::ball(), 20.0, 1e-3);
  EXPECT_NEAR(rest.state.q()[0], 0.0, 5e-3);
  EXPECT_NEAR(rest.state.v()[0], 0.0, 1e-12);
  EXPECT_NEAR(rest.state.lambda()[0], 9.81, 1e-9);
}

TEST(ZeroOrderHold, RefusesEqualitiesNamingWhatTakesThem) {
  const auto held = step_models::one_mass(1).relation("hold", "coordinate_gap", {{"on", "n"}, {"law", item("equality")}}).compiled();
  try {
    (void)find_scheme("zero_order_hold")->bind(held, {});
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("moreau_jean"), std::string::npos) << error.what();
  }
}

TEST(Exponential, IsThatOfATurnAndOfAShear) {
  dense::Matrix A(2, 2);
  A << 0.0, 50.0, -50.0, 0.0;
  const dense::Matrix E = dense::exponential(A);
  EXPECT_NEAR(E(0, 0), std::cos(50.0), 1e-12);
  EXPECT_NEAR(E(0, 1), std::sin(50.0), 1e-12);
  A << 0.0, 3.0, 0.0, 0.0;
  EXPECT_EQ(dense::exponential(A)(0, 1), 3.0);
}

}  // namespace
}  // namespace saltus
