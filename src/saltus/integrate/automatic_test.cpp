#include "saltus/integrate/automatic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "saltus/integrate/simulate.hpp"
#include "saltus/integrate/step_models.hpp"

namespace saltus {
namespace {

/// A mass on a spring that a slow force bends to u = 1 - cos 2t, nearly: damped a tenth.
std::shared_ptr<const System> bent(double stiffness) {
  const std::string force = std::to_string(stiffness) + "*(1-cos(2*t))";
  return step_models::ModelOf()
      .node("n", "node_1d")
      .body("m", "mass_1d", {{"node", "n"}, {"mass", 1}})
      .connector("s", "coordinate_spring_damper", {{"A", "ground"}, {"B", "n"}, {"stiffness", stiffness}, {"damping", 0.2 * std::sqrt(stiffness)}})
      .load("f", "coordinate_load", {{"on", "n"}, {"force", force}})
      .compiled();
}
struct Ran {
  RunReport report;
  State state;
  double steps_before = 0.0;  // the change
  std::string scheme, reason;
  std::vector<Event> events;
};
SchemeOptions controlled(double tolerance = 1e-6) {
  SchemeOptions options;
  options.error_control = true, options.tolerance = tolerance;
  return options;
}
Ran run(const Scheme& scheme, std::shared_ptr<const System> system, double until, double tolerance) {
  const auto plan = scheme.bind(system, controlled(tolerance));
  Ran r;
  r.state = plan->new_state();
  r.report = simulate(scheme, *plan, r.state, {.until = until}, [&](const State& state, const StepReport& step) {
    for (const Event& e : step.events) r.events.push_back(e), r.steps_before = state.steps();
    return true;
  });
  r.scheme = scheme_in_use(scheme, *plan, r.state), r.reason = reason_in_use(scheme, *plan, r.state);
  return r;
}

TEST(Automatic, TakesDormandPrinceForSmoothMotion) {
  const auto system = bent(100.0);
  const AutomaticChoice choice = automatic_choice(*system, controlled());
  ASSERT_EQ(choice.scheme, &watchful_pair());
  const Ran r = run(*choice.scheme, system, 10.0, 1e-6);
  EXPECT_EQ(r.scheme, "dormand_prince");
  EXPECT_NE(r.reason.find("no stiffness"), std::string::npos) << r.reason;
  EXPECT_TRUE(r.events.empty());
}

TEST(Automatic, ChangesOverWhereStiffnessBoundsTheStep) {
  for (const double k : {1e8, 1e10, 1e12}) {
    const Ran r = run(watchful_pair(), bent(k), 3.0, 1e-4);
    ASSERT_EQ(r.report.status, RunStatus::done) << r.report.cause;
    EXPECT_EQ(r.scheme, "generalized_alpha") << k;
    EXPECT_LT(r.steps_before, 1000) << k;  // Dormand-Prince would take 1e4, 1e5, 1e6 steps
    EXPECT_NEAR(r.state.q()[0], 1.0 - std::cos(6.0), 1e-3) << k;
    ASSERT_EQ(r.events.size(), 1u);
    EXPECT_EQ(r.events[0].kind, "scheme");
    EXPECT_EQ(r.events[0].item, "generalized_alpha");
    EXPECT_NE(r.reason.find("stiff from t = "), std::string::npos) << r.reason;
  }
}

TEST(Automatic, GoesOnBitForBitWhereverItIsStopped) {
  const auto system = bent(1e8);
  const auto plan = watchful_pair().bind(system, controlled(1e-4));
  State whole = plan->new_state();
  std::vector<State> passed;
  (void)simulate(watchful_pair(), *plan, whole, {.until = 0.5}, [&](const State& s, const StepReport&) { return passed.push_back(s), true; });
  for (const std::size_t at : {passed.size() / 10, passed.size() / 2, passed.size() - 5}) {
    State again = passed[at];
    (void)simulate(watchful_pair(), *plan, again, {.until = 0.5}, {}, true);
    EXPECT_EQ(std::memcmp(again.bytes().data(), whole.bytes().data(), whole.bytes().size_bytes()), 0) << at;
  }
}

TEST(Automatic, SaysWhyItTakesAnother) {
  const auto ball = step_models::ball(), bridge = step_models::diode_bridge();
  EXPECT_EQ(automatic_choice(*ball, controlled()).scheme->name(), "moreau_jean");
  EXPECT_NE(automatic_choice(*ball, controlled()).reason.find("floor"), std::string::npos);
  SchemeOptions fixed;
  EXPECT_EQ(automatic_choice(*bent(1.0), fixed).scheme->name(), "dormand_prince");
  SchemeOptions damped = controlled();
  damped.given.set("spectral_radius", 0.9);
  EXPECT_EQ(automatic_choice(*bent(1.0), damped).scheme->name(), "generalized_alpha");  // dormand_prince has no such option
}

}  // namespace
}  // namespace saltus
