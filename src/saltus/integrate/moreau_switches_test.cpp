// Switches in steps that the error control chooses: a law that goes from one bound to the other within a step.
#include "saltus/integrate/moreau_release.hpp"
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

struct Swing {  // xdot = cos t
  using port = CoordPort<1>;
  static constexpr bool is_load = true;
  static constexpr std::string_view name = "swing";
  template <class S>
  Vec<S, 1> rhs(const CoordPort<1>::View<S>&, const Context<S>& c) const {
    using std::cos;
    return {{cos(c.t)}};
  }
};

TEST(MoreauSwitches, MultiplierOfWhatRestsFollowsASourceThatMoves) {
  // x rests in the sliding mode: the multiplier is the equivalent control -cos t (Filippov), of second order with the step.
  const Law law(Relay{.low = -2.0, .high = 2.0, .on = "value"});
  for (const double tolerance : {1e-4, 1e-6}) {
    SystemBuilder b;
    const int n = b.node("n", State1{.value = 1.0});
    b.force("f", Swing{}, {b.coordinate(n)});
    b.relation("relay", Switch{}, {b.coordinate(n)}, law.ref());
    const Trial r = run_controlled(b.finish(), tolerance, 10.0, {}, [&](const State& s) {
      if (s.t() < 2.0) return;
      EXPECT_NEAR(s.lambda()[0], -std::cos(s.t()), 4.0 * std::pow(tolerance, 2.0 / 3.0)) << s.t();  // of the bound, 2; twice that where it turns
    });
    EXPECT_LT(r.report.steps, 400) << tolerance;
  }
}

TEST(MoreauSwitches, FootThatSticksCarriesWhatPushesItAtTheEndOfEachStep) {
  const Law law(Relay{.low = -2.0, .high = 2.0, .on = "rate"});
  SystemBuilder b;
  const int n = b.node("n", Axis{});
  b.object("m", Mass{.drive = 1.0, .frequency = 3.0}, {b.coordinate(n)});
  b.relation("friction", CoordinateGap{}, {b.coordinate(n)}, law.ref());
  const Trial r = run_controlled(b.finish(), 1e-6, 10.0, {}, [&](const State& s) { EXPECT_NEAR(s.lambda()[0], std::cos(3.0 * s.t()), 1e-3) << s.t(); });
  EXPECT_EQ(r.state.q()[0], 0.0);
}

TEST(MoreauSwitches, CurrentThatDiesAwayHoldsNoStepBack) {
  // xdot = -1e5 x behind a law that holds x at 0 from below: 1 s is 1e5 times the time of decay, x falls to nothing.
  const Law law(Complementarity{});
  SystemBuilder b;
  const int n = b.node("n", State1{.value = 1.0});
  b.force("f", Decay{.rate = 1e5}, {b.coordinate(n)});
  b.relation("diode", Switch{}, {b.coordinate(n)}, law.ref());
  const Trial r = run_controlled(b.finish(), 1e-6, 1.0);
  EXPECT_NEAR(r.state.x()[0], 0.0, 1e-9);
  EXPECT_LT(r.report.steps, 2000);
}

TEST(MoreauSwitches, AContactHasAllItsFrictionAtTheConeAndNoneWithoutACoefficient) {
  const auto all = [](double coefficient, std::initializer_list<double> multipliers) {
    const Law law(CoulombImpact{.friction = coefficient});
    LawRef ref = law.ref();
    const std::vector<double> parameters = law.law.set_parameters(3);
    ref.parameters = parameters.data();
    return all_friction(ref, 3, multipliers.begin());
  };
  EXPECT_TRUE(all(0.5, {2.0, 0.6, 0.8}));
  EXPECT_FALSE(all(0.5, {2.0, 0.6, 0.7}));
  EXPECT_FALSE(all(0.0, {2.0, 0.0, 0.0}));
  EXPECT_FALSE(all(0.0, {0.0, 0.0, 0.0}));
}

}  // namespace
}  // namespace saltus
