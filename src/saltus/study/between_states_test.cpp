#include "saltus/study/between_states.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "saltus/integrate/accelerations_testing.hpp"
#include "saltus/integrate/simulate.hpp"
#include "saltus/items/bodies/mass_1d.hpp"
#include "saltus/items/joints/spherical.hpp"
#include "saltus/items/nodes/node_1d.hpp"
#include "saltus/math/rotation.hpp"

namespace saltus {
namespace {
using namespace testing_items;

RecordedState view(const State& s) { return {s.t(), s.y(), s.a(), s.xdot(), s.lambda(), s.data()}; }

/// A state to write to, as large as those of a system.
struct Written {
  explicit Written(const System& s) : state(StateLayout{s.layout, 0}) {}
  StateOutput output() { return {state.y(), state.a(), state.xdot(), state.lambda(), state.data()}; }
  State state;
};

std::vector<State> run(std::string_view scheme, const std::shared_ptr<const System>& system, double until, double step) {
  SchemeOptions options;
  const Scheme& s = *find_scheme(scheme);
  const auto plan = s.bind(system, options);
  State state = plan->new_state();
  SimulateOptions control;
  control.until = until, control.step = step;
  std::vector<State> states;
  const RunReport report = simulate(s, *plan, state, control, [&](const State& now, const StepReport&) { return states.push_back(now), true; });
  EXPECT_EQ(report.status, RunStatus::done) << report.cause;
  return states;
}

/// A body that tumbles about a point off its centre of mass, under gravity.
std::shared_ptr<const System> top() {
  SystemBuilder b;
  b.system().gravity = {{0.0, 0.0, -9.81}};
  const Vec3<double> w{{1.0, 0.4, 2.5}}, arm{{0.3, 0.0, 0.4}};
  const int n = b.node("n", NodeRigid{.position = arm, .velocity = cross(w, arm), .angular_velocity = w});
  b.object("b", RigidBody{.mass_value = 1.0, .inertia = Mat3<double>{{0.3, 0.0, 0.0, 0.0, 0.2, 0.0, 0.0, 0.0, 0.25}}}, {b.marker(n)});
  b.relation("pivot", Spherical{}, {b.ground(), b.marker(n, arm * -1.0)}, equality());
  return b.finish();
}

/// Largest errors of q, v, a and lambda at the thirds of steps of length h, against a run with steps of h / 24.
std::array<double, 4> errors(std::string_view scheme, const std::shared_ptr<const System>& s, double h) {
  const std::vector<State> coarse = run(scheme, s, 0.6, h), fine = run("dormand_prince", s, 0.6, h / 24.0);
  BetweenStates curve(s, scheme);
  Written found(*s);
  std::array<double, 4> worst{};
  for (std::size_t i = 0; i + 1 < coarse.size(); ++i) {
    curve.set(view(coarse[i]), view(coarse[i + 1]), Piece::smooth);
    for (const std::size_t part : {8, 16}) {
      const State& exact = fine[24 * i + part];
      curve.evaluate(exact.t(), false, true, found.output());
      const Layout& l = s->layout;
      const auto compare = [](double& most, const double* a, const double* b, int n) {
        for (int k = 0; k < n; ++k) most = std::max(most, std::abs(a[k] - b[k]));
      };
      std::vector<double> turn(l.nv), none(l.nv, 0.0);
      s->map.difference(exact.q(), found.state.q(), turn.data());
      compare(worst[0], turn.data(), none.data(), l.nv), compare(worst[1], found.state.v(), exact.v(), l.nv);
      compare(worst[2], found.state.a(), exact.a(), l.nv), compare(worst[3], found.state.lambda(), exact.lambda(), l.rows);
    }
  }
  return worst;
}

TEST(BetweenStates, HaveTheOrderOfTheSchemeInPositionsRatesAccelerationsAndReactions) {
  const auto s = top();
  const struct { std::string_view scheme; double order; int kinds; } cases[] = {{"dormand_prince", 4.6, 4}, {"runge_kutta_4", 3.6, 4}, {"generalized_alpha", 1.7, 4}, {"moreau_jean", 1.7, 2}};
  for (const auto& c : cases) {
    const auto coarse = errors(c.scheme, s, 0.04), fine = errors(c.scheme, s, 0.02);
    for (int k = 0; k < c.kinds; ++k) EXPECT_GT(std::log2(coarse[k] / fine[k]), c.order) << c.scheme << " " << k << ": " << coarse[k];
  }
}

TEST(BetweenStates, KeepTheTurnsOfABodyThatSpinsManyTimesInAStep) {
  for (const double turns : {0.3, 0.5, 0.999, 1.0, 1.5, 7.0, 7.25, 40.0})
    for (const Vec3<double>& axis : {Vec3<double>{{0.0, 0.0, 1.0}}, Vec3<double>{{0.6, 0.0, -0.8}}}) {
      const double h = 0.5;
      const Vec3<double> w = axis * (2.0 * std::numbers::pi * turns / h);
      SystemBuilder b;
      const int n = b.node("n", NodeRigid{.rotation = {{0.2, -0.4, 0.1}}, .angular_velocity = w});
      b.object("b", RigidBody{.mass_value = 1.0, .inertia = identity<double>() * 0.2}, {b.marker(n)});
      const auto s = b.finish();
      State from(StateLayout{s->layout, 0}), to = from;
      std::copy(s->initial_y.begin(), s->initial_y.end(), from.y());
      to = from;
      to.t() = h;
      const Quaternion<double> end = quaternion_product(quaternion_exp(w * h), quaternion_exp(Vec3<double>{{0.2, -0.4, 0.1}}));
      std::copy(end.data(), end.data() + 4, to.q() + 3);
      BetweenStates curve(s, "dormand_prince");
      curve.set(view(from), view(to), Piece::smooth);
      Written found(*s);
      for (const double t : {0.01, 0.13, 0.25, 0.4, 0.499}) {
        curve.evaluate(t, false, false, found.output());
        const Quaternion<double> exact = quaternion_product(quaternion_exp(w * t), quaternion_exp(Vec3<double>{{0.2, -0.4, 0.1}}));
        double dot = 0.0;
        for (int k = 0; k < 4; ++k) dot += exact[k] * found.state.q()[3 + k];
        EXPECT_NEAR(std::abs(dot), 1.0, 1e-12) << turns << " turns, at " << t;
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(found.state.v()[3 + k], from.v()[3 + k], 1e-9 * norm(w)) << turns << " turns, at " << t;
      }
    }
}

std::shared_ptr<const System> two_masses() {
  SystemBuilder b;
  const int first = b.node("first", Node1D{}), second = b.node("second", Node1D{});
  b.object("a", Mass1D{.mass_value = 1.0}, {b.coordinate(first, 0)});
  b.object("b", Mass1D{.mass_value = 1.0}, {b.coordinate(second, 0)});
  return b.finish();
}

TEST(BetweenStates, AreTwoLinesWhereAnImpactMadeTheVelocityJumpAndSmoothWhereItDidNotReach) {
  const auto s = two_masses();
  State from(StateLayout{s->layout, 0}), to = from;
  const double h = 0.1, theta = 0.6;  // the first mass bounces, the second falls with 2 m/s^2
  from.v()[0] = -3.0, from.v()[1] = 1.0, from.a()[0] = from.a()[1] = 2.0, from.q()[0] = 0.1;
  to.t() = h, to.v()[0] = 2.4, to.v()[1] = 1.2, to.a()[0] = 54.0, to.a()[1] = 2.0;
  to.q()[0] = 0.1 + h * ((1.0 - theta) * -3.0 + theta * 2.4), to.q()[1] = 0.11;
  BetweenStates curve(s, "moreau_jean");
  curve.set(view(from), view(to), Piece::jump);
  ASSERT_TRUE(curve.jump());
  EXPECT_NEAR(*curve.jump(), (1.0 - theta) * h, 1e-15);
  Written found(*s);
  for (const double t : {0.0, 0.01, 0.039, 0.041, 0.07, 0.1}) {
    curve.evaluate(t, false, true, found.output());
    EXPECT_NEAR(found.state.q()[0], t < 0.04 ? 0.1 - 3.0 * t : to.q()[0] - (h - t) * 2.4, 1e-15);
    EXPECT_EQ(found.state.v()[0], t < 0.04 ? -3.0 : 2.4);
    EXPECT_NEAR(found.state.q()[1], t + t * t, 1e-15);
    EXPECT_NEAR(found.state.v()[1], 1.0 + 2.0 * t, 1e-14);
  }
  double sides[2];
  for (const bool before : {false, true}) curve.evaluate(*curve.jump(), before, true, found.output()), sides[before] = found.state.v()[0];
  EXPECT_EQ(sides[0], 2.4);
  EXPECT_EQ(sides[1], -3.0);
}

TEST(BetweenStates, DoNotTakeWhatBelongsToTheNextStepWhereAControllerActs) {
  const auto s = two_masses();
  State from(StateLayout{s->layout, 0}), to = from;
  from.v()[0] = 1.0, from.a()[0] = 2.0;
  to.t() = 0.5, to.q()[0] = 0.75, to.v()[0] = -7.0, to.a()[0] = 100.0;  // a drive that jumped at the end
  BetweenStates curve(s, "dormand_prince");
  curve.set(view(from), view(to), Piece::sampled);
  Written found(*s);
  curve.evaluate(0.2, false, false, found.output());
  EXPECT_NEAR(found.state.q()[0], 0.24, 1e-15);
  EXPECT_NEAR(found.state.v()[0], 1.4, 1e-14);
}

TEST(BetweenStates, JoinByALineWhatIsTooFarApartToBeOnePiece) {
  const auto s = two_masses();
  State from(StateLayout{s->layout, 0}), to = from;
  from.v()[0] = 1.0, to.t() = 10.0, to.q()[0] = 0.3, to.v()[0] = -1.0;   // vibrated in between
  from.v()[1] = 0.1, to.q()[1] = 1.0, to.v()[1] = 0.1;                   // went on
  BetweenStates curve(s, "dormand_prince");
  curve.set(view(from), view(to), Piece::skipped);
  Written found(*s);
  for (const double t : {2.0, 5.0, 9.0}) {
    curve.evaluate(t, false, false, found.output());
    EXPECT_NEAR(found.state.q()[0], 0.03 * t, 1e-15);
    EXPECT_NEAR(found.state.q()[1], 0.1 * t, 1e-15);
  }
}

}  // namespace
}  // namespace saltus
