#include "saltus/integrate/history.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>

#include "saltus/integrate/accelerations_testing.hpp"
#include "saltus/integrate/simulate.hpp"
#include "saltus/integrate/step_models.hpp"

namespace saltus {
namespace {
using namespace testing_items;
constexpr double turn = 2.0 * std::numbers::pi;

/// A wheel of 0.7 kg m^2 on a hinge with a spring of 0.4 N m/rad, a bushing and a torque of the angle.
std::shared_ptr<const System> wheel(double speed) {
  List stiffness(6, List(6, 0.0));
  for (const auto& [i, k] : {std::pair{3, 0.9}, {4, 0.9}, {5, 0.06}}) (*stiffness[i].list())[i] = k;
  return step_models::ModelOf()
      .node("n", "node_rigid", {{"angular_velocity", List{0, 0, speed}}})
      .body("wheel", "rigid_body", {{"node", "n"}, {"mass", 2}, {"inertia", List{0.5, 0.5, 0.7}}})
      .connector("spring", "torsional_spring_damper", {{"A", "ground"}, {"B", "wheel"}, {"stiffness", 0.3}})
      .connector("rubber", "bushing", {{"A", "ground"}, {"B", "wheel"}, {"stiffness", stiffness}})
      .joint("hinge", "revolute", {{"A", "ground"}, {"B", "wheel"}})
      .load("torque", "joint_torque", {{"A", "ground"}, {"B", "wheel"}, {"torque", "-0.04*angle"}})
      .compiled();
}

struct Way {
  const char* scheme;
  std::optional<double> step;
};
const Way ways[] = {{"dormand_prince", {}}, {"dormand_prince", 0.01}, {"runge_kutta_4", 0.01}, {"generalized_alpha", {}}, {"generalized_alpha", 0.01},
                    {"moreau_jean", {}}, {"moreau_jean", 0.01}};

std::unique_ptr<Plan> plan_of(const Way& way, std::shared_ptr<const System> system) {
  SchemeOptions o;
  o.error_control = !way.step;
  o.tolerance = 1e-7;
  return find_scheme(way.scheme)->bind(std::move(system), o);
}

TEST(History, StopsAndGoesOnBitForBitOverManyTurns) {
  for (const Way& way : ways) {
    const auto plan = plan_of(way, wheel(300.0));
    const Scheme& scheme = *find_scheme(way.scheme);
    State through = plan->new_state();
    std::vector<double> kept;
    SimulateOptions options;
    options.until = 1.0, options.step = way.step;
    int steps = 0;
    const Observer keep = [&](const State& s, const StepReport&) {
      if (++steps == 10) kept.assign(s.bytes().begin(), s.bytes().end());
      return true;
    };
    ASSERT_EQ(simulate(scheme, *plan, through, options, keep).status, RunStatus::done) << way.scheme;
    ASSERT_FALSE(kept.empty()) << way.scheme;
    State second = plan->new_state();
    std::copy(kept.begin(), kept.end(), second.bytes().begin());
    ASSERT_EQ(simulate(scheme, *plan, second, options, {}, true).status, RunStatus::done) << way.scheme;
    EXPECT_EQ(0, std::memcmp(through.bytes().data(), second.bytes().data(), through.bytes().size_bytes())) << way.scheme << (way.step ? " fixed" : "");
  }
}

/// A load that counts the accepted states and sums the lengths of the steps between them.
struct Tally {
  using port = CoordPort<1>;
  static constexpr bool is_load = true;
  static constexpr int history = 2;
  static constexpr std::string_view name = "tally", section = "loads", doc = "";
  static constexpr auto fields() { return std::tuple{}; }
  template <class S>
  Vec<S, 1> rhs(const port::View<S>&, const Context<S>&) const { return {}; }
  double remember(const port::View<double>&, const Context<double>& context, double* kept) const {
    kept[0] = context.history ? context.history[0] + 1.0 : 0.0;
    kept[1] = context.history ? context.history[1] + context.since : 0.0;
    return 0.0;
  }
};

TEST(History, IsUpdatedOnceForEachAcceptedStepWithEveryScheme) {
  for (const Way& way : ways) {
    SystemBuilder b;
    const int n = b.node("p", NodePoint{.displacement = {{1.0, 0.0, 0.0}}});
    b.object("m", point_mass(1.0), {b.marker(n)});
    b.force("spring", Oscillator{.stiffness = 9.0}, {b.coordinate(n, 0)});
    b.force("tally", Tally{}, {b.coordinate(n, 0)});
    const auto plan = plan_of(way, b.finish());
    State state = plan->new_state();
    const double* tally = state.data() + plan->system->history + HistoryBlock::head;
    const double before = tally[0];
    double at_start = 0.0;
    SimulateOptions options;
    options.until = 1.5, options.step = way.step;
    const RunReport run = simulate(*find_scheme(way.scheme), *plan, state, options, [&](const State& s, const StepReport&) {
      if (s.steps() == 0.0) at_start = s.data()[plan->system->history + HistoryBlock::head];
      return true;
    });
    ASSERT_EQ(run.status, RunStatus::done) << way.scheme;
    EXPECT_EQ(tally[0] - at_start, static_cast<double>(run.steps)) << way.scheme;
    EXPECT_EQ(at_start - before, 1.0);
    EXPECT_NEAR(tally[1], 1.5 + 1.0, 1e-12);  // and the 1 from the reference to the initial position
  }
}

TEST(History, RejectsAStepInWhichATurnCouldBeLostAndRestoresTheState) {
  const auto system = wheel(0.0);
  History history(*system);
  const auto plan = plan_of({"dormand_prince", {}}, system);
  State state = plan->new_state();
  history.start(state);
  const double angle = 1.2;  // within 0.1 s from rest, at rest again: nothing says which way it went
  const auto q = quaternion_exp(Vec3<double>{{0.0, 0.0, angle}});
  StepReport report;
  state.t() = 0.1;
  std::copy(q.data(), q.data() + 4, state.q() + 3);
  state.v()[5] = 2.0 * angle / 0.1;  // uniformly faster: certain
  EXPECT_TRUE(history.accept(state, 0.1, 0.1, report));
  State before = state;
  state.t() = 0.2;
  const auto back = quaternion_exp(Vec3<double>{{0.0, 0.0, angle + 0.5 * turn}});
  std::copy(back.data(), back.data() + 4, state.q() + 3);
  state.v()[5] = 24.0 + 80.0;
  EXPECT_FALSE(history.accept(state, 0.1, 0.1, report));
  EXPECT_EQ(report.status, StepStatus::rejected);
  EXPECT_NE(report.cause.find("an angle changes by more than a quarter turn"), std::string::npos) << report.cause;
  EXPECT_NE(report.cause.find("/"), std::string::npos) << report.cause;
}

TEST(History, ASystemWithoutItKeepsNothing) {
  const auto system = step_models::ball();
  EXPECT_EQ(system->history, -1);
  EXPECT_TRUE(History(*system).empty());
}

}  // namespace
}  // namespace saltus
