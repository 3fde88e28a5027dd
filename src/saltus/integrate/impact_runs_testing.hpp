// Runs of schemes with impacts, for their tests.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "saltus/integrate/simulate.hpp"
#include "saltus/integrate/step_models.hpp"

namespace saltus::impact_runs {

struct Ran {
  RunReport report;
  std::vector<Event> events;
  State state;
  double lowest = HUGE_VAL, highest_late = -HUGE_VAL;  // of the first coordinate; the second after `late`
};

/// With error control at 1e-10 where step is 0.
inline Ran run(const Scheme& scheme, std::shared_ptr<const System> system, double until, double step, double late = HUGE_VAL) {
  Ran ran;
  SchemeOptions options;
  options.error_control = step == 0.0;
  options.tolerance = 1e-10;
  const auto plan = scheme.bind(std::move(system), options);
  ran.state = plan->new_state();
  SimulateOptions control;
  control.until = until;
  if (step > 0.0) control.step = step;
  ran.report = simulate(scheme, *plan, ran.state, control, [&](const State& state, const StepReport& report) {
    ran.events.insert(ran.events.end(), report.events.begin(), report.events.end());
    ran.lowest = std::min(ran.lowest, state.q()[0]);
    if (state.t() > late) ran.highest_late = std::max(ran.highest_late, state.q()[0]);
    return true;
  });
  EXPECT_EQ(ran.report.cause, "") << scheme.name();
  return ran;
}

/// A pendulum, a point on a rod in the plane as a distance relation, that swings against a wall at x = -0.3.
inline std::shared_ptr<const System> pendulum(double restitution) {
  constexpr double quarter = 1.5707963267948966;
  return step_models::ModelOf()
      .node("n", "node_point", {{"position", List{0.8, 0, -0.6}}})
      .body("m", "point_mass", {{"node", "n"}, {"mass", 1}})
      .joint("rod", "distance", {{"A", "ground"}, {"B", "m"}, {"length", 1}})
      .relation("wall", "plane_gap", {{"A", test_models::object({{"body", "ground"}, {"at", List{-0.3, 0, 0}}, {"rotation", List{0, quarter, 0}}})}, {"B", "m"},
                                              {"law", test_models::item("newton_impact", {{"restitution", restitution}})}})
      .compiled();
}

}  // namespace saltus::impact_runs
