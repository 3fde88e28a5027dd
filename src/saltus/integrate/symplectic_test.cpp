// Symplectic Euler and Verlet's scheme: orders, with damping and on the rotation group, too; energies over 1e5 steps; joints.
#include <gtest/gtest.h>

#include "saltus/integrate/smooth_models_testing.hpp"
#include "saltus/system/assembly.hpp"

namespace saltus {
namespace {
using namespace smooth_models;

std::shared_ptr<const System> planet() {
  SystemBuilder b;
  const int n = b.node("planet", NodePoint{.position = {{0.4, 0.0, 0.0}}, .velocity = {{0.0, 2.0, 0.0}}});
  b.object("m", point_mass(1.0), {b.marker(n)});
  b.force("sun", Attraction{.strength = 1.0}, {b.ground(), b.marker(n)});
  return b.finish();
}
/// A gyroscopic force and a spring: energy stays, though the force depends on velocities.
std::shared_ptr<const System> gyroscopic() {
  SystemBuilder b;
  const int n = b.node("bob", NodePoint{.position = {{1.0, 0.0, 0.0}}});
  b.object("m", point_mass(1.0), {b.marker(n)});
  b.force("f", Turning{.stiffness = 1.0, .rate = 1.0}, {b.ground(), b.marker(n)});
  return b.finish();
}
/// The bob of gyroscopic(): m x'' = -k x + 2 W J x' keeps v^2 / 2 + k x^2 / 2, the spring's part of which no item stores.
double energy(const System& s, Assembly& assembly, const State& state) {
  assembly.update(state.t(), state.y(), state.lambda(), state.data());
  double e = assembly.kinetic_energy() + assembly.potential_energy();
  for (const auto& f : s.forces)
    if (s.forces.size() == 1 && s.layout.nq == 3) {
      const double* q = state.q();
      e += s.initial_y[0] == 0.4 ? -1.0 / std::hypot(q[0], q[1], q[2]) : 0.5 * (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
      (void)f;
    }
  return e;
}

TEST(VelocityVerlet, IsOfSecondOrderWithDampingRotationsJointsAndFirstOrderStates) {
  EXPECT_NEAR(slope("velocity_verlet", oscillator(40.0, 0.0), 1.0, 0.01), 2.0, 0.1);
  EXPECT_NEAR(slope("velocity_verlet", oscillator(40.0, 4.0), 1.0, 0.01), 2.0, 0.1);
  EXPECT_NEAR(slope("velocity_verlet", relaxing(), 1.0, 0.01), 2.0, 0.1);
  EXPECT_NEAR(slope("velocity_verlet", free_body(), 2.0, 0.02), 2.0, 0.1);
  EXPECT_NEAR(slope("velocity_verlet", double_pendulum(), 0.5, 0.005), 2.0, 0.1);
  EXPECT_NEAR(slope("velocity_verlet", four_bar(), 0.5, 0.005), 2.0, 0.2);
  EXPECT_NEAR(slope("velocity_verlet", heavy_top(), 0.05, 2e-4), 2.0, 0.2);
}

TEST(SymplecticEuler, IsOfFirstOrder) {
  EXPECT_NEAR(slope("symplectic_euler", oscillator(40.0, 4.0), 1.0, 0.01), 1.0, 0.1);
  EXPECT_NEAR(slope("symplectic_euler", relaxing(), 1.0, 0.01), 1.0, 0.1);
  EXPECT_NEAR(slope("symplectic_euler", free_body(), 2.0, 0.01), 1.0, 0.1);
  EXPECT_NEAR(slope("symplectic_euler", double_pendulum(), 0.5, 0.002), 1.0, 0.15);
}

TEST(Symplectic, KeepTheEnergyWithinBoundsOver1e5Steps) {
  const struct { const char* scheme; std::shared_ptr<const System> system; double h; } cases[] = {
      {"velocity_verlet", oscillator(1.0, 0.0), 0.1}, {"velocity_verlet", planet(), 0.005}, {"velocity_verlet", free_body(), 0.05}, {"velocity_verlet", gyroscopic(), 0.05},
      {"velocity_verlet", double_pendulum(), 0.002},  {"symplectic_euler", oscillator(1.0, 0.0), 0.1}, {"symplectic_euler", planet(), 0.0005}};
  for (const auto& c : cases) {
    Assembly assembly(*c.system);
    double start = 0.0, first = 0.0, last = 0.0, constraints = 0.0;
    std::int64_t steps = 0;
    const Observer see = [&](const State& state, const StepReport& report) {
      const double e = energy(*c.system, assembly, state);
      if (steps == 0) start = e;
      if (steps < 20000) first = std::max(first, std::abs(e - start));
      if (steps > 80000) last = std::max(last, std::abs(e - start));
      constraints = std::max(constraints, report.residual.constraints);
      ++steps;
      return true;
    };
    (void)run(c.scheme, c.system, 1e5 * c.h, c.h, 1e-6, {}, see);
    EXPECT_LT(last, 1.3 * first + 1e-11 * std::abs(start)) << c.scheme << " " << c.h;
    EXPECT_GT(first, 0.0);
    EXPECT_LT(constraints, 1e-11);
  }
}

TEST(VelocityVerlet, IsItsOwnInverse) {
  for (const auto& s : {oscillator(40.0, 0.0), free_body(), heavy_top(), double_pendulum(), gyroscopic()}) {
    const Scheme& scheme = *find_scheme("velocity_verlet");
    const auto plan = scheme.bind(s, {});
    const auto work = scheme.new_workspace(*plan);
    State state = plan->new_state();
    ASSERT_EQ(scheme.start(*plan, state, *work).status, StepStatus::accepted);
    const State begin = state;
    for (const double h : {1e-3, 1e-3, -1e-3, -1e-3}) ASSERT_EQ(scheme.step(*plan, state, *work, h).status, StepStatus::accepted);
    double fastest = 1.0;
    for (int i = 0; i < s->layout.nv; ++i) fastest = std::max(fastest, std::abs(begin.v()[i]));
    EXPECT_LT(distance(begin, state), 1e-12 * fastest);
  }
}

TEST(VelocityVerlet, WarnsBeyondTwiceTheFastestVibrationAndNamesAStableStep) {
  EXPECT_TRUE(run("velocity_verlet", oscillator(400.0, 0.0), 1.0, 0.098).report.warnings.empty());
  const Motion r = run("velocity_verlet", oscillator(400.0, 0.0), 1.0, 0.102);
  ASSERT_EQ(r.report.warnings.size(), 1u);
  EXPECT_NE(r.report.warnings[0].message.find("velocity_verlet"), std::string::npos) << r.report.warnings[0].message;
  EXPECT_NE(r.report.warnings[0].remedy.find("0.0899"), std::string::npos) << r.report.warnings[0].remedy;
}

TEST(Symplectic, GoOnBitForBitFromASavedState) {
  for (const char* name : {"symplectic_euler", "velocity_verlet", "half_explicit"}) {
    const Scheme& scheme = *find_scheme(name);
    const auto plan = scheme.bind(heavy_top(), {});
    const auto advance = [&](State& state, int steps, bool fresh) {
      const auto work = scheme.new_workspace(*plan);
      if (fresh) {
        state.h() = 1e-4;
        ASSERT_EQ(scheme.start(*plan, state, *work).status, StepStatus::accepted);
      }
      for (int i = 0; i < steps; ++i) ASSERT_EQ(scheme.step(*plan, state, *work, 1e-4).status, StepStatus::accepted);
    };
    State through = plan->new_state(), halves = plan->new_state();
    advance(through, 40, true);
    advance(halves, 20, true);
    advance(halves, 20, false);
    EXPECT_EQ(0, std::memcmp(through.bytes().data(), halves.bytes().data(), through.bytes().size_bytes())) << name;
  }
}

TEST(HalfExplicit, IsOfFourthOrderWithJointsAtIndexTwo) {
  EXPECT_NEAR(slope("half_explicit", relaxing(), 1.0, 0.05), 4.0, 0.3);
  EXPECT_NEAR(slope("half_explicit", free_body(), 2.0, 0.1), 4.0, 0.4);
  EXPECT_NEAR(slope("half_explicit", double_pendulum(), 0.5, 0.02), 4.0, 0.5);
  EXPECT_NEAR(slope("half_explicit", four_bar(), 0.5, 0.02), 4.0, 0.5);
  EXPECT_NEAR(slope("half_explicit", heavy_top(), 0.05, 1e-3), 4.0, 0.6);
}

TEST(Newmark, HasItsOrdersAndTheTrapezoidalRuleKeepsEnergy) {
  Object damped;
  damped.set("gamma", 0.6);
  damped.set("beta", 0.3025);
  for (const char* name : {"newmark", "trapezoidal"})
    for (const auto& [s, h] : {std::pair{oscillator(40.0, 4.0), 0.01}, {relaxing(), 0.01}, {free_body(), 0.02}, {double_pendulum(), 0.005}, {four_bar(), 0.005}})
      EXPECT_NEAR(slope(name, s, 0.5, h), 2.0, 0.2) << name << " " << s->layout.nv;
  EXPECT_NEAR(slope("newmark", oscillator(40.0, 4.0), 0.5, 0.002, damped), 1.0, 0.15);
  EXPECT_NEAR(slope("newmark", double_pendulum(), 0.5, 0.002, damped), 1.0, 0.15);
  const Motion r = run("trapezoidal", oscillator(400.0, 0.0), 100.0, 0.05);
  EXPECT_NEAR(0.5 * r.state.v()[0] * r.state.v()[0] + 200.0 * r.state.q()[0] * r.state.q()[0], 200.0, 2e-6);  // what Newton's iteration leaves in 2000 steps
}

TEST(Newmark, FollowsTheToleranceAndRefusesWhatHasNoEstimateOrGrows) {
  const auto s = double_pendulum();
  const State exact = run("dormand_prince", s, 0.5, 0.0, 1e-13).state;
  for (const double tolerance : {1e-4, 1e-6}) EXPECT_LT(distance(run("trapezoidal", s, 0.5, 0.0, tolerance).state, exact), 100.0 * tolerance);
  const auto refused = [&](Object given, bool control, const std::string& word) {
    SchemeOptions options;
    options.given = std::move(given);
    options.error_control = control;
    try {
      (void)find_scheme("newmark")->bind(s, options);
      FAIL() << word;
    } catch (const ModelError& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  Object by_position;
  by_position.set("index", 3);
  refused(by_position, false, "use index 2");
}

}  // namespace
}  // namespace saltus
