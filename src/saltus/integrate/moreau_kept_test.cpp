// Steps by the kept map against those that solve each problem anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "saltus/integrate/moreau_step.hpp"
#include "saltus/integrate/step_models.hpp"

namespace saltus {
namespace {

struct Walk {
  State state;
  int kept = 0, events = 0, steps = 0;
  Residuals residual;
};

/// Steps of one length, or of two that differ in the last bit, of which no two on are of one map.
Walk walk(const std::shared_ptr<const System>& system, double h, int steps, bool may_keep, SchemeOptions options = {}) {
  const auto plan = bind_moreau(system, options);
  MoreauStep one(*plan);
  Walk w{plan->new_state()};
  std::vector<double> impulses;
  w.state.h() = h;
  EXPECT_EQ(one.start(w.state).status, StepStatus::accepted);
  for (int i = 0; i < steps; ++i) {
    const StepReport report = one.step(w.state, may_keep || i % 2 ? h : std::nextafter(h, 1.0));
    EXPECT_EQ(report.status, StepStatus::accepted) << report.cause;
    w.residual.worst(report.residual);
    w.kept += one.change().kept;
    for (const Event& e : report.events) impulses.push_back(std::abs(e.value));
    ++w.steps;
  }
  // An impact of beads that have come to rest is one of rounding: another machine's may have it or not.
  const double largest = impulses.empty() ? 0.0 : *std::max_element(impulses.begin(), impulses.end());
  w.events = static_cast<int>(std::count_if(impulses.begin(), impulses.end(), [&](double impulse) { return impulse > 1e-9 * largest; }));
  return w;
}

/// The same motion, multipliers and events to `tolerance` of the largest number, or of 1; at least `part` of the steps by the map.
void expect_same(const std::shared_ptr<const System>& system, double h, int steps, double part, double tolerance, SchemeOptions options = {}) {
  const Walk kept = walk(system, h, steps, true, options), solved = walk(system, h, steps, false, options);
  EXPECT_GT(kept.kept, part * steps);
  EXPECT_EQ(solved.kept, 0);
  EXPECT_EQ(kept.events, solved.events);
  EXPECT_LE(kept.residual.equations, 1e-12);
  EXPECT_LE(kept.residual.laws, 1e-10);
  const Layout& l = system->layout;
  const auto compare = [&](const double* a, const double* b, int n, const char* what) {
    double size = 1.0;
    for (int i = 0; i < n; ++i) size = std::max(size, std::abs(b[i]));
    for (int i = 0; i < n; ++i) EXPECT_NEAR(a[i], b[i], tolerance * size) << what << " " << i;
  };
  compare(kept.state.y(), solved.state.y(), l.y_size(), "y");
  compare(kept.state.a(), solved.state.a(), l.nv, "a");
  compare(kept.state.xdot(), solved.state.xdot(), l.nx, "xdot");
  compare(kept.state.lambda(), solved.state.lambda(), l.rows, "lambda");
}

TEST(Kept, ABallBouncesAsWithoutTheMap) { expect_same(step_models::ball(), 1e-3, 3000, 0.95, 1e-11); }
TEST(Kept, AColumnOfBeadsCollapsesAndRestsAsWithoutTheMap) {
  SchemeOptions plain;
  plain.given.set("drift", "none");
  expect_same(step_models::beads(8), 1e-3, 1500, 0.5, 1e-11);
  expect_same(step_models::beads(8), 1e-3, 1500, 0.5, 1e-11, plain);
}
// The toy's impacts multiply differences: 5e3 steps pass some twenty.
TEST(Kept, AWoodpeckerPecksAsWithoutTheMap) { expect_same(step_models::woodpecker(), 2e-5, 5000, 0.8, 1e-8); }
TEST(Kept, ADiodeBridgeRectifiesAsWithoutTheMap) { expect_same(step_models::diode_bridge(), 1e-6, 2000, 0.9, 1e-10); }

TEST(Kept, ABuckConverterSwitchesAsWithoutTheMaps) {
  SchemeOptions implicit;
  implicit.given.set("theta", 1.0);
  for (const double resistance : {0.0, 0.01}) {
    expect_same(step_models::buck(resistance), 1e-5, 2000, 0.99, 1e-12);
    expect_same(step_models::buck(resistance), 1e-5, 2000, 0.99, 1e-12, implicit);
  }
}

TEST(Kept, ALoadedStateGoesOnBitForBit) {
  struct Case { std::shared_ptr<const System> system; double h; };
  for (const Case& c : {Case{step_models::ball(), 1e-3}, {step_models::beads(8), 1e-3}, {step_models::woodpecker(), 2e-5}, {step_models::diode_bridge(), 1e-6}, {step_models::buck(), 1e-5}}) {
    const auto plan = bind_moreau(c.system, {});
    MoreauStep one(*plan);
    State state = plan->new_state();
    state.h() = c.h;
    ASSERT_EQ(one.start(state).status, StepStatus::accepted);
    int kept = 0;
    for (int load = 0; load < 40; ++load) {
      State loaded = state;
      MoreauStep fresh(*plan);  // knows nothing but the state
      for (int i = 0; i < 37; ++i) {
        ASSERT_EQ(one.step(state, c.h).status, StepStatus::accepted);
        ASSERT_EQ(fresh.step(loaded, c.h).status, StepStatus::accepted);
        ASSERT_EQ(one.change().kept, fresh.change().kept);
        kept += fresh.change().kept;
        ASSERT_EQ(std::memcmp(state.bytes().data(), loaded.bytes().data(), state.bytes().size_bytes()), 0) << "step " << i << " after load " << load;
      }
    }
    EXPECT_GT(kept, 200);
  }
}

TEST(Kept, AMapIsNotTakenForAStateInWhichALawLeavesItsMode) {
  const auto system = step_models::ball();
  const auto plan = bind_moreau(system, {});
  MoreauStep one(*plan);
  State state = plan->new_state();
  state.h() = 1e-3;
  ASSERT_EQ(one.start(state).status, StepStatus::accepted);
  for (int i = 0; i < 10; ++i) ASSERT_EQ(one.step(state, 1e-3).status, StepStatus::accepted);
  ASSERT_TRUE(one.change().kept);  // in flight
  State low = state;
  low.q()[0] = 1e-4, low.v()[0] = -1.0;  // reaches the floor within this step
  ASSERT_EQ(one.step(low, 1e-3).status, StepStatus::accepted);
  EXPECT_FALSE(one.change().kept);
  EXPECT_NEAR(low.v()[0], 0.9, 1e-12);
  ASSERT_EQ(one.step(state, 1e-3).status, StepStatus::accepted);
  EXPECT_TRUE(one.change().kept);  // the map is still there
  State carried = state;  // what another state left of a contact is cleared
  carried.lambda()[0] = 5.0;
  ASSERT_EQ(one.step(carried, 1e-3).status, StepStatus::accepted);
  EXPECT_FALSE(one.change().kept);
  EXPECT_EQ(carried.lambda()[0], 0.0);
}

TEST(Kept, AStateThatIsNoNumberIsNotAccepted) {
  const auto system = step_models::diode_bridge();
  const auto plan = bind_moreau(system, {});
  MoreauStep one(*plan);
  State state = plan->new_state();
  state.h() = 1e-6;
  ASSERT_EQ(one.start(state).status, StepStatus::accepted);
  for (int i = 0; i < 10; ++i) ASSERT_EQ(one.step(state, 1e-6).status, StepStatus::accepted);
  ASSERT_TRUE(one.change().kept);
  state.x()[0] = std::nan("");
  const std::vector<double> before(state.bytes().begin(), state.bytes().end());
  EXPECT_NE(one.step(state, 1e-6).status, StepStatus::accepted);
  EXPECT_EQ(std::memcmp(before.data(), state.bytes().data(), state.bytes().size_bytes()), 0);
}

}  // namespace
}  // namespace saltus
