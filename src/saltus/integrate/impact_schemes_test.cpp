// The schemes D1- and Schatzman-Paoli: order between impacts, impacts by the law, rest, friction, joints, restart.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "saltus/integrate/impact_runs_testing.hpp"

namespace saltus {
namespace {

using namespace impact_runs;
using step_models::block_on_incline;
using step_models::coordinates;
using step_models::item;
using step_models::matrix;

Ran run(const std::string& name, std::shared_ptr<const System> system, double until, double step, double late = HUGE_VAL) {
  return impact_runs::run(*find_scheme(name), std::move(system), until, step, late);
}
constexpr const char* both[] = {"d1_minus", "schatzman_paoli"};

/// A mass on a spring and a damper that is pressed on a rough floor, and keeps sliding.
std::shared_ptr<const System> sliding() {
  return step_models::ModelOf()
      .node("n", "node_ode2", {{"count", 2}, {"velocities", List{3, 0}}})
      .body("m", "generic_system", {{"node", "n"}, {"mass_matrix", matrix({{1, 0}, {0, 1}})}, {"stiffness_matrix", matrix({{4, 1}, {1, 0}})}, {"force", List{"0", "-9.81"}}})
      .relation("floor", "linear_relation", {{"on", coordinates("n", 2)}, {"matrix", matrix({{0, 1}, {1, 0}})}, {"offset", List{0, 0}}, {"law", item("coulomb_impact_2d", {{"friction", 0.3}})}})
      .compiled();
}

TEST(ImpactSchemes, AreOfSecondOrderBetweenImpacts) {
  const Ran exact = run("event_driven", pendulum(0.8), 0.5, 0.0);  // before the first impact
  for (const char* name : both) {
    double last = 0.0;
    for (const double h : {4e-3, 2e-3, 1e-3}) {
      const Ran ran = run(name, pendulum(0.8), 0.5, h);
      const double error = std::hypot(ran.state.q()[0] - exact.state.q()[0], ran.state.q()[2] - exact.state.q()[2]);
      if (last > 0.0) {
        EXPECT_NEAR(std::log2(last / error), 2.0, 0.15) << name;
      }
      last = error;
    }
  }
}

TEST(ImpactSchemes, D1MinusAndNonsmoothAlphaAreOfSecondOrderWhereAFootKeepsSliding) {
  const double exact = run("event_driven", sliding(), 0.5, 0.0).state.q()[0];
  for (const char* name : {"d1_minus", "nonsmooth_generalized_alpha"}) {
    double last = 0.0;
    for (const double h : {1e-2, 5e-3, 2.5e-3}) {
      const Ran ran = run(name, sliding(), 0.5, h);
      const double error = std::abs(ran.state.q()[0] - exact);
      if (last > 0.0) {
        EXPECT_NEAR(std::log2(last / error), 2.0, 0.2) << name;
      }
      EXPECT_NEAR(ran.state.q()[1], 0.0, 1e-12) << name;
      last = error;
    }
  }
}

TEST(ImpactSchemes, BounceABallByTheLawWithErrorsThatFallWithTheStep) {
  const double exact = run("event_driven", step_models::ball(), 2.0, 0.0).state.q()[0];
  for (const char* name : both) {
    const double coarse = std::abs(run(name, step_models::ball(), 2.0, 1e-3).state.q()[0] - exact), fine = std::abs(run(name, step_models::ball(), 2.0, 1e-5).state.q()[0] - exact);
    EXPECT_LT(coarse, 5e-2) << name;
    EXPECT_LT(fine, 5e-4) << name;
    // The height after the first impact: 0.81 m.
    EXPECT_NEAR(run(name, step_models::ball(), 0.95, 1e-4, 0.5).highest_late, 0.81, 2e-3) << name;
  }
}

TEST(ImpactSchemes, LayABodyToRestAndHoldIt) {
  const auto soft = step_models::ball(0.0, 0.5, 2.0);
  for (const char* name : both) {
    const Ran rest = run(name, soft, 2.0, 1e-3);
    EXPECT_NEAR(rest.state.q()[0], 0.0, std::string_view(name) == "d1_minus" ? 5e-3 : 1e-12) << name;  // D1- leaves what it ran in at the impact
    EXPECT_NEAR(rest.state.v()[0], 0.0, 1e-10) << name;
    EXPECT_NEAR(rest.state.lambda()[0], 19.62, 1e-8) << name;
    EXPECT_NEAR(rest.state.a()[0], 0.0, 1e-8) << name;
    ASSERT_EQ(rest.events.size(), 1u) << name;
    EXPECT_EQ(rest.events[0].item, "floor");
    EXPECT_NEAR(rest.events[0].t, std::sqrt(1.0 / 9.81), 2e-3) << name;
  }
}

TEST(ImpactSchemes, HoldABlockOnAnInclineAndTurnTheOther) {
  for (const char* name : both) {
    EXPECT_NEAR(run(name, block_on_incline(0.3), 1.0, 1e-4).state.v()[0], -1.724041988830414, 1e-3) << name;
    const Ran stops = run(name, block_on_incline(0.7), 1.0, 1e-4);
    EXPECT_NEAR(stops.state.q()[0], 0.18429788561234875, 5e-4) << name;
    EXPECT_NEAR(stops.state.v()[0], 0.0, 1e-10) << name;
    EXPECT_NEAR(stops.state.lambda()[1], 4.905, 1e-7) << name;
  }
}

TEST(ImpactSchemes, StopDryFrictionByARelay) {
  for (const char* name : both) {
    const Ran ran = run(name, step_models::rubbed(), 4.0, 1e-4);
    EXPECT_NEAR(ran.state.q()[0], 0.02912, 1e-3) << name;
    EXPECT_NEAR(ran.state.v()[0], 0.0, 1e-10) << name;
  }
}

TEST(ImpactSchemes, SwingAPendulumAgainstAWallWithItsRodClosed) {
  for (const char* name : both) {
    const Ran ran = run(name, pendulum(0.5), 2.0, 2e-4), exact = run("event_driven", pendulum(0.5), 2.0, 0.0);
    const double* q = ran.state.q();
    EXPECT_NEAR(std::hypot(q[0], q[1], q[2]), 1.0, 1e-11) << name;
    EXPECT_NEAR(q[0] * ran.state.v()[0] + q[2] * ran.state.v()[2], 0.0, 1e-9) << name;
    EXPECT_NEAR(q[0], exact.state.q()[0], 2e-2) << name;
    EXPECT_LT(ran.report.energy_end, ran.report.energy_start) << name;
    EXPECT_GE(ran.lowest, -0.3 - 2e-3) << name;
  }
}

TEST(ImpactSchemes, RunTheWoodpeckerAndGoOnBitForBitFromASavedState) {
  for (const char* name : both)
    for (const auto& system : {pendulum(0.5), step_models::woodpecker()}) {
      const Scheme& scheme = *find_scheme(name);
      const auto plan = scheme.bind(system, {});
      State whole = plan->new_state(), half = whole;
      SimulateOptions control;
      control.step = 1e-4, control.until = 0.1;
      (void)simulate(scheme, *plan, half, control, {});
      State loaded(plan->layout);
      std::memcpy(loaded.bytes().data(), half.bytes().data(), half.bytes().size_bytes());
      control.until = 0.2;
      (void)simulate(scheme, *plan, whole, control, {});
      EXPECT_EQ(simulate(scheme, *plan, loaded, control, {}, true).cause, "") << name;
      EXPECT_EQ(std::memcmp(loaded.bytes().data(), whole.bytes().data(), whole.bytes().size_bytes()), 0) << name;
    }
}

/// A mass that falls on a floor, or hangs on it where gravity is upwards.
std::shared_ptr<const System> on_floor(const Value& law, double height, double force, double speed = 0.0) {
  return step_models::one_mass(1, {{"displacement", height}, {"velocity", speed}})
      .load("g", "coordinate_load", {{"on", "n"}, {"force", force}})
      .relation("floor", "coordinate_gap", {{"on", "n"}, {"law", law}})
      .compiled();
}
constexpr const char* all[] = {"d1_minus", "schatzman_paoli", "exact_modal", "zero_order_hold", "nonsmooth_generalized_alpha"};

TEST(ImpactSchemes, ReadAFrictionThatGrowsWithTheSpeedAsSuch) {
  for (const char* name : all)  // lambda = -2 v: v = 3 exp(-2 t)
    EXPECT_NEAR(run(name, on_floor(item("characteristic", {{"corners", matrix({{-1, 2}, {1, -2}})}, {"on", "rate"}}), 0.0, 0.0, 3.0), 0.5, 1e-4).state.v()[0], 3.0 * std::exp(-1.0), 3e-4) << name;
}

TEST(ImpactSchemes, HoldWhatAdheresUpToItsPullAndLetGoBeyond) {
  const Object law = item("adhesive_impact", {{"adhesion", 5}});
  for (const char* name : all) {
    const Ran hangs = run(name, on_floor(law, 0.0, 4.0), 1.0, 1e-3);
    EXPECT_NEAR(hangs.state.q()[0], 0.0, 1e-9) << name;
    EXPECT_NEAR(hangs.state.lambda()[0], -4.0, 1e-8) << name;
    EXPECT_NEAR(run(name, on_floor(law, 0.0, 6.0), 1.0, 1e-3).state.q()[0], 3.0, 1e-2) << name;  // but for the pull of its first step
  }
}

TEST(ImpactSchemes, GiveBackPoissonsShareOfTheCompression) {
  for (const char* name : all) {  // struck at t = 0.5 with 2 m/s
    const Ran ran = run(name, on_floor(item("poisson_impact", {{"restitution", 0.6}}), 1.0, 0.0, -2.0), 1.0, 1e-3);
    EXPECT_NEAR(ran.state.v()[0], 1.2, 1e-9) << name;
    EXPECT_NEAR(ran.state.q()[0], 0.6, 4e-3) << name;
    ASSERT_EQ(ran.events.size(), 1u) << name;
    EXPECT_NEAR(ran.events[0].value, 3.2, 1e-9) << name;
  }
}

TEST(D1Minus, PassesAnImpactOnThroughRatesThatAreHeld) {
  const auto pair = step_models::ModelOf()
                        .node("n", "node_ode2", {{"count", 2}, {"coordinates", List{0.1, 0}}, {"velocities", List{-1, -1}}})
                        .body("m", "generic_system", {{"node", "n"}, {"mass_matrix", matrix({{1, 0}, {0, 3}})}})
                        .relation("floor", "linear_relation", {{"on", coordinates("n", 1)}, {"matrix", matrix({{1}})}, {"offset", List{0}}, {"law", item("newton_impact", {{"restitution", 0.5}})}})
                        .relation("locked", "linear_relation", {{"on", coordinates("n", 2)}, {"matrix", matrix({{1, -1}})}, {"offset", List{0}},
                                                                {"law", item("mixed", {{"equalities", 1}, {"on", "rate"}})}})
                        .compiled();
  for (const char* name : {"d1_minus", "event_driven"}) {
    const Ran ran = run(name, pair, 0.2, 1e-3);
    EXPECT_NEAR(ran.state.v()[0], 0.5, 1e-9) << name;
    EXPECT_NEAR(ran.state.v()[1], 0.5, 1e-9) << name;
  }
}

TEST(ImpactSchemes, RefuseCircuitsByName) {
  for (const char* name : both) {
    try {
      (void)find_scheme(name)->bind(step_models::diode_bridge(), {});
      FAIL() << name;
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find("moreau_jean"), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace saltus
