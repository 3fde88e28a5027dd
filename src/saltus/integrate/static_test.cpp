#include "saltus/integrate/static.hpp"

#include <gtest/gtest.h>

#include "saltus/integrate/accelerations_testing.hpp"
#include "saltus/integrate/simulate.hpp"
#include "saltus/items/connectors/torsional_spring_damper.hpp"
#include "saltus/items/joints/spherical.hpp"
#include "saltus/items/loads/force.hpp"

namespace saltus {
namespace {
using namespace testing_items;

constexpr double pi = 3.14159265358979323846;

struct Rest {
  RunReport report;
  State state;
};
Rest rest(std::shared_ptr<const System> system, double load_steps = 1.0, double until = 1.0) {
  SchemeOptions options;
  options.given.set("load_steps", load_steps);
  const auto plan = static_scheme().bind(system, options);
  Rest r;
  r.state = plan->new_state();
  SimulateOptions control;
  control.until = until;
  r.report = simulate(static_scheme(), *plan, r.state, control, {});
  return r;
}
Force load(Vec3<double> f) { return {.components = Function(std::vector<double>{f[0], f[1], f[2]})}; }

std::shared_ptr<const System> truss(Vec3<double> pull) {
  SystemBuilder b;
  const int n = b.node("p", NodePoint{});
  const Endpoint p = b.marker(n);
  b.object("knot", point_mass(1.0), {p});
  const int steady = -1;
  b.force("bar_1", SpringDamper{.stiffness = 2000.0, .rest_length = 0.9}, {b.marker(steady, {{-1.0, 0.0, 0.0}}), p});
  b.force("bar_2", SpringDamper{.stiffness = 1500.0, .rest_length = 0.95}, {b.marker(steady, {{1.0, 0.2, 0.0}}), p});
  b.force("bar_3", SpringDamper{.stiffness = 800.0, .rest_length = 1.0}, {b.marker(steady, {{0.2, 0.5, 1.0}}), p});
  b.force("pull", load(pull), {p});
  return b.finish();
}

TEST(Static, FindsTheTrussOfThreeSpringsWithAnyNumberOfLoadSteps) {
  for (const double steps : {1.0, 3.0, 10.0}) {
    const Rest r = rest(truss({{30.0, -400.0, 25.0}}), steps);
    ASSERT_EQ(r.report.status, RunStatus::done) << r.report.cause;
    EXPECT_EQ(r.state.t(), 1.0);
    EXPECT_EQ(r.report.steps, 1);
    // Case spring_truss: scipy fsolve with load continuation.
    EXPECT_NEAR(r.state.q()[0], -0.0016733435180346886, 1e-12);
    EXPECT_NEAR(r.state.q()[1], -0.36961092928827916, 1e-12);
    EXPECT_NEAR(r.state.q()[2], 0.20623494796862335, 1e-12);
    EXPECT_LT(r.report.residual.equations, 1e-9);
  }
}

TEST(Static, HangsAPendulumByItsJointFromAnyStart) {
  for (const double angle : {0.0, 1.0, 0.5 * pi, 2.5}) {
    for (const int pins : {1, 2}) {  // two joints on one axis: redundant
      SystemBuilder b;
      add_pendulum(b, angle, 0.0, pins);
      const Rest r = rest(b.finish());
      ASSERT_EQ(r.report.status, RunStatus::done) << r.report.cause << " from " << angle;
      EXPECT_NEAR(r.state.q()[0], 0.0, 1e-12);
      EXPECT_NEAR(r.state.q()[1], -1.0, 1e-12) << angle;
      double weight = 0.0;  // rows 0-2 of a pin: its force on the rod
      for (int p = 0; p < pins; ++p) weight += r.state.lambda()[5 * p + 1];
      EXPECT_NEAR(weight, 9.81, 1e-9);
      EXPECT_LT(r.report.residual.constraints, 1e-12);
    }
  }
}

/// The equilibrium that one load step finds from the model's start.
void balance(SystemBuilder& b, State& state, StepReport& r) {
  const auto plan = static_scheme().bind(b.finish(), {});
  state = plan->new_state();
  const auto work = static_scheme().new_workspace(*plan);
  ASSERT_EQ(static_scheme().start(*plan, state, *work).status, StepStatus::accepted);
  r = static_scheme().step(*plan, state, *work, 1.0);
  ASSERT_EQ(r.status, StepStatus::accepted) << r.cause;
}

TEST(Static, FlagsAnUnstableEquilibriumThatItStartsAt) {
  for (const double angle : {0.0, pi}) {
    SystemBuilder b;
    add_pendulum(b, angle, 0.0);
    State state;
    StepReport r;
    ASSERT_NO_FATAL_FAILURE(balance(b, state, r));
    EXPECT_EQ(r.events.size(), angle == 0.0 ? 0u : 1u);
    EXPECT_EQ(r.warnings.size(), angle == 0.0 ? 0u : 1u);
  }
}

TEST(Static, LeavesTheUnstableBranchOfABuckledRodForTheStableOne) {
  // Rod upright on a hinge with a torsional spring of half the stiffness that would hold it, unloaded at `lean`: the equilibrium next to
  // Newton is an unstable one on the other side. k (angle - lean) = m g l sin(angle), the stable one on the side of the lean.
  const double k = 0.5 * 9.81;
  for (const double lean : {0.001, 0.05, -0.3}) {
    SystemBuilder b;
    add_pendulum(b, pi, 0.0);
    const Endpoint up = b.marker(-1, {}, {{-1, 0, 0, 0, -1, 0, 0, 0, 1}});
    b.force("spring", TorsionalSpringDamper{.stiffness = k, .rest = lean}, {up, b.marker(0)});
    State state;
    StepReport r;
    ASSERT_NO_FATAL_FAILURE(balance(b, state, r));
    const double angle = std::atan2(-state.q()[0], state.q()[1]);
    EXPECT_GT(angle * lean, 0.0);
    EXPECT_NEAR(k * (angle - lean), 9.81 * std::sin(angle), 1e-9);
    EXPECT_LT(9.81 * std::cos(angle), k);
    EXPECT_TRUE(r.events.empty()) << lean;
  }
}

/// Rigid links of length 0.1 in a row from the origin along x, hinges about z with springs of stiffness k, load P down at the tip.
TEST(Static, BendsACantileverOfHingesAsTheirMomentsSay) {
  constexpr int links = 10;
  constexpr double length = 0.1, k = 40.0, P = 30.0;
  SystemBuilder b;
  Endpoint before = b.ground();
  for (int i = 0; i < links; ++i) {
    const std::string id = std::to_string(i);
    const int n = b.node("n" + id, NodeRigid{.position = {{(i + 0.5) * length, 0.0, 0.0}}});
    b.object("link" + id, RigidBody{.mass_value = 0.1, .inertia = identity<double>() * 1e-4}, {b.marker(n)});
    const Endpoint root = b.marker(n, {{-0.5 * length, 0.0, 0.0}});
    b.relation("hinge" + id, Revolute{}, {before, root}, equality());
    b.force("spring" + id, TorsionalSpringDamper{.stiffness = k}, {before, root});
    before = b.marker(n, {{0.5 * length, 0.0, 0.0}});
  }
  b.force("tip", load({{0.0, -P, 0.0}}), {before});
  const Rest r = rest(b.finish());
  ASSERT_EQ(r.report.status, RunStatus::done) << r.report.cause;
  std::vector<double> angle(links + 1, 0.0);
  for (int i = 0; i < links; ++i) angle[i + 1] = 2.0 * std::atan2(r.state.q()[7 * i + 6], r.state.q()[7 * i + 3]);
  EXPECT_LT(angle[links], -0.5);  // large
  for (int i = 0; i < links; ++i) {
    double lever = 0.0;
    for (int j = i; j < links; ++j) lever += length * std::cos(angle[j + 1]);
    EXPECT_NEAR(k * (angle[i + 1] - angle[i]), -P * lever, 1e-10);
  }
}

TEST(Static, CarriesFirstOrderAndAlgebraicUnknownsToTheirRest) {
  SystemBuilder b;
  const int q = b.node("q", NodePoint{}), x = b.node("x", NodeFirst{{5.0}}), z = b.node("z", NodeAlgebraic{});
  const Endpoint p = b.marker(q);
  b.object("m", point_mass(1.0), {p});
  b.force("hold", SpringDamper{.stiffness = 100.0}, {b.ground(), p});
  b.force("rate", Oscillator{.stiffness = 2.0, .cubic = 1.0, .amplitude = 3.0}, {b.coordinate(x, 0)});
  b.force("cubic", CubicSpring{.stiffness = 7.0}, {b.coordinate(q, 0), b.coordinate(z, 0)});
  b.force("pull", load({{20.0, 0.0, 0.0}}), {p});
  const auto s = b.finish();
  const Rest r = rest(s);
  ASSERT_EQ(r.report.status, RunStatus::done) << r.report.cause;
  EXPECT_NEAR(r.state.x()[0], 1.0, 1e-12);  // 2 x + x^3 = 3
  const double position = r.state.q()[0], zz = r.state.z()[0];
  EXPECT_NEAR(zz + zz * zz * zz, position, 1e-13);
  EXPECT_NEAR(100.0 * position + 7.0 * zz, 20.0, 1e-11);
}

/// A mass held by springs beside one that nothing holds, with a load on that.
Rest loose_mass(Vec3<double> load_on_loose) {
  SystemBuilder b;
  const int held = b.node("held", NodePoint{}), loose = b.node("loose", NodePoint{.position = {{0.0, 3.0, 0.0}}});
  b.object("a", point_mass(1.0), {b.marker(held)});
  b.object("c", point_mass(1.0), {b.marker(loose)});
  b.force("s", SpringDamper{.stiffness = 10.0}, {b.ground(), b.marker(held)});
  b.force("g", Oscillator{.stiffness = 1.0, .shift = 0.2}, {b.coordinate(held, 0)});
  b.force("h", Oscillator{.stiffness = 1.0}, {b.coordinate(held, 1)});
  b.force("i", Oscillator{.stiffness = 1.0}, {b.coordinate(held, 2)});
  b.force("pull", load(load_on_loose), {b.marker(loose)});
  return rest(b.finish());
}

TEST(Static, NamesTheUnknownThatNothingHoldsAgainstALoad) {
  const Rest r = loose_mass({{0.0, 5.0, 0.0}});
  EXPECT_EQ(r.report.status, RunStatus::failed);
  EXPECT_NE(r.report.cause.find("of node 'loose' is free to move"), std::string::npos) << r.report.cause;
  EXPECT_EQ(r.state.t(), 0.0);
}

TEST(Static, LeavesNeutralDirectionsWhereTheyAreAndNamesEach) {
  const Rest r = loose_mass({});
  ASSERT_EQ(r.report.status, RunStatus::done) << r.report.cause;
  EXPECT_NEAR(r.state.q()[0], 0.2 / 11.0, 1e-13);
  EXPECT_NEAR(r.state.q()[4], 3.0, 1e-12);
  ASSERT_EQ(r.report.warnings.size(), 1u);
  for (const char* name : {"velocity 0 of node 'loose'", "velocity 1 of node 'loose'", "velocity 2 of node 'loose'"})
    EXPECT_NE(r.report.warnings[0].message.find(name), std::string::npos) << r.report.warnings[0].message;
  EXPECT_EQ(r.report.warnings[0].message.find("held'"), std::string::npos);
}

TEST(Static, HangsARodThatIsFreeToSpinAboutItsOwnAxis) {
  for (const double angle : {0.0, 0.7, 2.0}) {
    SystemBuilder b;
    const Mat3<double> R = rotation_exp(Vec3<double>{{0.3, 0.0, angle}});
    const Vec3<double> arm{{0.0, -1.0, 0.0}};
    const int n = b.node("rod", NodeRigid{.position = R * arm, .rotation = {{0.3, 0.0, angle}}});
    b.object("body", RigidBody{.mass_value = 1.0, .inertia = identity<double>() * (1.0 / 3.0)}, {b.marker(n)});
    b.relation("pin", Spherical{}, {b.ground(), b.marker(n, arm * -1.0)}, equality());
    b.system().gravity = {{0.0, -9.81, 0.0}};
    const Rest r = rest(b.finish());
    ASSERT_EQ(r.report.status, RunStatus::done) << r.report.cause;
    EXPECT_NEAR(r.state.q()[1], -1.0, 1e-12) << angle;
    EXPECT_NEAR(r.state.lambda()[1], 9.81, 1e-9);
    ASSERT_EQ(r.report.warnings.size(), 1u);
    EXPECT_NE(r.report.warnings[0].message.find("nothing holds velocity 4 of node 'rod'"), std::string::npos) << r.report.warnings[0].message;
    EXPECT_EQ(r.report.warnings[0].message.find(","), std::string::npos);  // one direction
  }
}

TEST(Static, RefusesWhatItCannotHold) {
  static const LawType rubs{.name = "stribeck_impact", .unilateral = true, .by_speed = true};
  const auto complaint = [](const LawRef& law, bool knife, SchemeOptions options) {
    SystemBuilder b;
    const int n = b.node("p", NodePoint{});
    b.object("m", point_mass(1.0), {b.marker(n)});
    if (knife)
      b.relation("edge", Knife{}, {b.coordinate(n, 0), b.coordinate(n, 1)}, law);
    else
      b.relation("edge", Prescribed{}, {b.coordinate(n, 0)}, law);
    try {
      (void)static_scheme().bind(b.finish(), options);
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string("bound");
  };
  const auto steps = [](double number) {
    SchemeOptions options;
    options.given.set("load_steps", number);
    return options;
  };
  EXPECT_EQ(complaint({&rubs}, false, {}), "bound");  // with its friction of rest
  EXPECT_NE(complaint(equality(), true, {}).find("relations/edge"), std::string::npos);
  EXPECT_NE(complaint(equality(), false, steps(0.5)).find("load_steps"), std::string::npos);
  EXPECT_EQ(complaint(equality(), false, steps(2.0)), "bound");
}

TEST(Static, TakesTimeAsItsLoadWhereAStepIsAsked) {
  SystemBuilder b;
  const int n = b.node("p", NodePoint{});
  b.object("m", point_mass(1.0), {b.marker(n)});
  b.force("s", Oscillator{.stiffness = 4.0, .cubic = 1.0}, {b.coordinate(n, 1)});
  b.force("s0", Oscillator{.stiffness = 4.0}, {b.coordinate(n, 2)});
  b.relation("move", Prescribed{.amplitude = 0.3, .frequency = 2.0}, {b.coordinate(n, 0)}, equality());
  b.force("t0", Oscillator{.amplitude = 5.0, .frequency = 3.0}, {b.coordinate(n, 1)});
  const auto s = b.finish();
  const auto plan = static_scheme().bind(s, {});
  State state = plan->new_state();
  SimulateOptions control;
  control.until = 1.0, control.step = 0.125;
  int seen = 0;
  const RunReport run = simulate(static_scheme(), *plan, state, control, [&](const State& at, const StepReport&) {
    if (at.t() == 0.0) return true;
    ++seen;
    EXPECT_NEAR(at.q()[0], 0.3 * std::sin(2.0 * at.t()), 1e-14);
    const double y = at.q()[1];
    EXPECT_NEAR(4.0 * y + y * y * y, 5.0 * std::cos(3.0 * at.t()), 1e-12);
    return true;
  });
  EXPECT_EQ(run.status, RunStatus::done) << run.cause;
  EXPECT_EQ(seen, 8);
}

}  // namespace
}  // namespace saltus
