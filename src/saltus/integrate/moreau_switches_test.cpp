// Switches in steps that the error control chooses: a law that goes from one bound to the other within a step.
#include "saltus/integrate/moreau_testing.hpp"

namespace saltus {
namespace {

TEST(MoreauSwitches, ForceThatChangesItsSignWithTheSideKeepsItsEnergy) {
  const Law law(Relay{.low = -1.0, .high = 1.0, .on = "value"});
  for (const double tolerance : {1e-4, 1e-6}) {
    SystemBuilder b;
    const int n = b.node("n", Axis{.position = 1.0});
    b.object("m", Mass{}, {b.coordinate(n)});
    b.relation("relay", CoordinateGap{}, {b.coordinate(n)}, law.ref());
    const Trial r = run_controlled(b.finish(), tolerance, 20.0 * std::sqrt(2.0));  // five periods of 4 sqrt(2): ten switches, each passed at sqrt(2)
    EXPECT_NEAR(std::abs(r.state.q()[0]) + 0.5 * std::pow(r.state.v()[0], 2), 1.0, 30.0 * tolerance) << tolerance;
    EXPECT_NEAR(r.state.q()[0], 1.0, 200.0 * tolerance) << tolerance;
    EXPECT_LT(r.report.steps, 1500) << tolerance;
  }
}

TEST(MoreauSwitches, DryFrictionTurnsRoundWithTheVelocity) {
  // 1 kg pushed back by 2 N against 1 N of friction: stops at 1/3 s, comes back at -1 m/s^2.
  const Law law(Relay{.low = -1.0, .high = 1.0, .on = "rate"});
  for (const double tolerance : {1e-4, 1e-6}) {
    SystemBuilder b;
    const int n = b.node("n", Axis{.velocity = 1.0});
    b.object("m", Mass{.gravity = 2.0}, {b.coordinate(n)});
    b.relation("friction", CoordinateGap{}, {b.coordinate(n)}, law.ref());
    const Trial r = run_controlled(b.finish(), tolerance, 1.0);
    EXPECT_NEAR(r.state.q()[0], 1.0 / 6.0 - 0.5 * 4.0 / 9.0, 3.0 * tolerance) << tolerance;
    EXPECT_NEAR(r.state.v()[0], -2.0 / 3.0, 3.0 * tolerance) << tolerance;
  }
}

TEST(MoreauSwitches, RelayThatSwitchesAtTheStartOfAStepIsNotLookedFor) {
  // The drive turns round at once: behind the first step the relay stays.
  const Law law(Relay{.low = -1.0, .high = 1.0, .on = "value"});
  SystemBuilder b;
  const int n = b.node("n", State1{.value = 0.0});
  b.force("f", Decay{.rate = 0.0, .source = 3.0}, {b.coordinate(n)});
  b.relation("relay", Switch{}, {b.coordinate(n)}, law.ref());
  const Trial r = run_controlled(b.finish(), 1e-6, 1.0);
  EXPECT_NEAR(r.state.x()[0], 2.0, 1e-9);
  EXPECT_LT(r.report.steps + r.report.rejected, 30);
}

}  // namespace
}  // namespace saltus
