// Contacts between groups of shapes in Moreau's scheme: closed forms, equality with permanent contacts, restart.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "saltus/base/errors.hpp"
#include "saltus/base/index.hpp"
#include "saltus/integrate/automatic.hpp"
#include "saltus/integrate/model_checks.hpp"
#include "saltus/integrate/moreau.hpp"
#include "saltus/integrate/simulate.hpp"
#include "saltus/problem/sets.hpp"
#include "saltus/system/models_testing.hpp"

namespace saltus {
namespace {

using test_models::item;
using test_models::ModelOf;
using test_models::numbered;

/// Balls of radius 0.1 over the plane "floor"; each has a shape, "s0" of "b0".
struct Balls {
  ModelOf model;
  List shapes;

  Balls() { model.marker("floor", "plane", {{"body", "ground"}}); }
  Balls& add(const Vec3<double>& p, double mass, List velocity = {0, 0, 0}, List angular_velocity = {0, 0, 0}) {
    const int n = count_of(shapes);
    const double J = 0.4 * mass * 0.1 * 0.1;
    const Object node = item("node_rigid", {{"position", List{p[0], p[1], p[2]}}, {"velocity", std::move(velocity)}, {"angular_velocity", std::move(angular_velocity)}});
    model.body(numbered("b", n), "rigid_body", {{"mass", mass}, {"inertia", List{J, J, J}}, {"node", node}});
    model.marker(numbered("s", n), "sphere", {{"body", numbered("b", n)}, {"radius", 0.1}});
    shapes.emplace_back(numbered("s", n));
    return *this;
  }
  Balls& on_floor(const Value& law) {
    model.relation("on_floor", "contact", {{"A", "floor"}, {"B", shapes}, {"law", law}});
    return *this;
  }
  Balls& on_each_other(const Value& law) {
    model.relation("balls", "contact", {{"A", shapes}, {"law", law}});
    return *this;
  }
  /// The first ball on the floor as a permanent contact.
  Balls& by_relation(const char* type, const Value& law) {
    model.relation("on_floor", type, {{"A", "ground"}, {"B", "b0"}, {"radius", 0.1}, {"law", law}});
    return *this;
  }
  std::shared_ptr<const System> compiled() const { return model.compiled(); }
};
struct Trial {
  std::unique_ptr<Plan> plan;
  State state;
  RunReport report;
  std::vector<Event> events;
};
Trial run(std::shared_ptr<const System> system, double h, double until, const std::function<void(const State&)>& look = {}) {
  Trial r;
  r.plan = moreau_jean().bind(std::move(system), {});
  r.state = r.plan->new_state();
  SimulateOptions options;
  options.until = until;
  options.step = h;
  r.report = simulate(moreau_jean(), *r.plan, r.state, options, [&](const State& s, const StepReport& step) {
    r.events.insert(r.events.end(), step.events.begin(), step.events.end());
    if (look) look(s);
    return true;
  });
  EXPECT_EQ(static_cast<int>(r.report.status), static_cast<int>(RunStatus::done)) << r.report.cause;
  return r;
}

TEST(MoreauContacts, ErrorControlGivesUpWhereEventsAreRationedAndSaysSoAndRestartsBitForBit) {
  const auto system = Balls().add({{0, 0, 1.1}}, 2.0).on_floor(item("newton_impact", {{"restitution", 0.9}})).compiled();
  SchemeOptions scheme;
  scheme.error_control = true;
  const auto go = [&](double coarse, double until, State* from, State& middle, double& depth) {
    scheme.coarse_step = coarse;
    const auto plan = moreau_jean().bind(system, scheme);
    State state = from ? *from : plan->new_state();
    SimulateOptions options;
    options.until = until;
    depth = 0.0;
    RunReport report = simulate(moreau_jean(), *plan, state, options, [&](const State& s, const StepReport&) {
      depth = std::max(depth, 0.1 - s.q()[2]);
      if (s.t() < 0.5 * until) middle = s;
      return true;
    }, from != nullptr);
    EXPECT_EQ(static_cast<int>(report.status), static_cast<int>(RunStatus::done)) << report.cause;
    return std::pair{std::move(report), std::move(state)};
  };
  State middle, ignored;
  double depth = 0.0;
  // A step of 1 ms: enough attempts for the impacts until 8 s.
  EXPECT_TRUE(go(1e-3, 8.0, nullptr, ignored, depth).first.warnings.empty());
  EXPECT_LT(depth, 2e-6);  // a millionth of the fall, which a rejected attempt may overestimate
  // One of 0.05 s: 128 attempts do for about ten impacts, the rest are passed as with that step, a warning says when.
  const auto [report, end] = go(0.05, 8.0, nullptr, middle, depth);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_NE(report.warnings[0].message.find("crowd from t = "), std::string::npos) << report.warnings[0].message;
  EXPECT_GT(depth, 1e-6);
  EXPECT_LT(depth, 0.05 * std::sqrt(2.0 * 9.81));
  const State again = go(0.05, 8.0, &middle, ignored, depth).second;
  EXPECT_TRUE(std::ranges::equal(end.bytes(), again.bytes()));
}

TEST(MoreauContacts, ABallBouncesAsOnAPermanentContact) {
  const Balls ball = Balls().add({{0, 0, 1.1}}, 2.0, {0.7, 0, 0}, {0, 3, 1});
  const Object law = item("coulomb_impact", {{"restitution", 0.6}, {"friction", 0.3}});
  const Trial group = run(Balls(ball).on_floor(law).compiled(), 1e-3, 1.0), pair = run(Balls(ball).by_relation("plane_contact", law).compiled(), 1e-3, 1.0);
  ASSERT_GT(group.events.size(), 1u);
  for (std::size_t i = 0; i < std::min(group.events.size(), pair.events.size()); ++i)
    EXPECT_NEAR(group.events[i].t, pair.events[i].t, 1.5e-3) << pair.events[i].kind << " " << group.events[i].value << " " << pair.events[i].value;
  for (int i = 0; i < 13; ++i) EXPECT_NEAR(group.state.y()[i], pair.state.y()[i], i < 7 ? 3e-3 : 2.5e-2) << i;
}

TEST(MoreauContacts, ASlidingBallStartsToRollWithFiveSeventhsOfItsSpeed) {
  // Slides with mu g until v = w r: v = 5/7 v0, at t = 2 v0 / (7 mu g) (Routh).
  const double v0 = 1.0, mu = 0.2;
  const Trial r = run(Balls().add({{0, 0, 0.1}}, 1.0, {v0, 0, 0}).on_floor(item("coulomb_impact", {{"friction", mu}})).compiled(), 1e-3, 0.5);
  EXPECT_GT(0.5, 2.0 * v0 / (7.0 * mu * 9.81));
  EXPECT_NEAR(r.state.v()[0], 5.0 / 7.0 * v0, 1e-8);
  EXPECT_NEAR(r.state.v()[4], 5.0 / 7.0 * v0 / 0.1, 1e-6);
  EXPECT_NEAR(r.state.q()[2], 0.1, 1e-9);
}

/// Balls in a pyramid on the floor, held from rolling apart by friction with restitution 0.
std::shared_ptr<const System> pile(int layers) {
  Balls balls;
  const double r = 0.1;
  for (int k = 0; k < layers; ++k)
    for (int i = 0; i < layers - k; ++i)
      for (int j = 0; j < layers - k; ++j) balls.add({{2 * r * i + r * k, 2 * r * j + r * k, r + std::sqrt(2.0) * r * k}}, 1.0);
  const Object law = item("coulomb_impact", {{"friction", 0.8}});
  return balls.on_floor(law).on_each_other(law).compiled();
}

TEST(MoreauContacts, APyramidOfBallsRestsAndTheFloorCarriesItsWeight) {
  const auto system = pile(3);  // 9 + 4 + 1 balls
  ASSERT_EQ(system->contacts.groups.size(), 2u);
  const ContactGroup& floor = system->contacts.groups[0];
  const Trial r = run(system, 1e-3, 0.2);
  EXPECT_NEAR(r.state.data()[floor.data + 2], 14 * 9.81, 1e-4);
  EXPECT_NEAR(r.state.data()[floor.data + 3], 9.0, 0.0);
  for (int i = 0; i < system->layout.nv; ++i) EXPECT_NEAR(r.state.v()[i], 0.0, 1e-6);
  for (int i = 0; i < system->layout.nq; ++i) EXPECT_NEAR(r.state.q()[i], system->initial_y[i], 1e-6);
}

TEST(MoreauContacts, GoOnBitForBitFromASavedState) {
  const auto system = pile(2);
  const Trial whole = run(system, 1e-3, 0.02);
  Trial half = run(system, 1e-3, 0.01);
  State copy = half.plan->new_state();
  std::copy(half.state.bytes().begin(), half.state.bytes().end(), copy.bytes().begin());
  SimulateOptions options;
  options.until = 0.02;
  options.step = 1e-3;
  ASSERT_EQ(static_cast<int>(simulate(moreau_jean(), *half.plan, copy, options, {}, true).status), static_cast<int>(RunStatus::done));
  EXPECT_TRUE(std::equal(copy.bytes().begin(), copy.bytes().end(), whole.state.bytes().begin()));
}

TEST(MoreauContacts, KeepMomentumOfAGasOfBallsAndItsEnergyWithFullRestitution) {
  Balls balls;
  for (int n = 0; n < 27; ++n)
    balls.add({{0.3 * (n % 3), 0.3 * (n / 3 % 3), 1.0 + 0.3 * (n / 9)}}, 1.0 + n % 2, {std::sin(7.0 * n), std::cos(5.0 * n), std::sin(3.0 * n + 1)});
  balls.model.gravity({0, 0, 0});
  const auto system = balls.on_each_other(item("newton_impact", {{"restitution", 1}})).compiled();
  const auto momentum = [&](const State& s) {
    Vec3<double> p{};
    for (int n = 0; n < 27; ++n)
      for (int i = 0; i < 3; ++i) p[i] += (1.0 + n % 2) * s.v()[6 * n + i];
    return p;
  };
  const Trial r = run(system, 1e-3, 0.5);
  EXPECT_GT(r.events.size(), 5u);
  State start = r.plan->new_state();
  EXPECT_LT(norm(momentum(r.state) - momentum(start)), 1e-12);
  EXPECT_NEAR(r.report.energy_end, r.report.energy_start, 1e-7 * r.report.energy_start);
}

TEST(MoreauContacts, AreRefusedByASchemeThatDoesNotFindThem) {
  const auto system = pile(2);
  EXPECT_EQ(automatic_choice(*system, {}).scheme->name(), "moreau_jean");
  ASSERT_EQ(unfound_contacts(*system, *find_scheme("runge_kutta_4")).size(), 1u);
  EXPECT_TRUE(unfound_contacts(*system, moreau_jean()).empty());
}

/// Pulls with up to 20 N, pushes with any force: bounds that are forces.
constexpr LawType adhesion{.name = "adhesion", .set = &box_set, .acts = Acts::rate, .unilateral = true, .force_bounded = true};
constexpr double adhesion_bounds[2] = {-20.0, std::numeric_limits<double>::infinity()};

/// A ball of 1 kg on the floor by a relation or by a group, pulled up by `lift`.
std::shared_ptr<const System> adhering_ball(bool by_group, double lift) {
  Balls ball;
  ball.model.gravity({0, 0, lift});
  ball.add({{0, 0, 0.1}}, 1.0);
  const Object law = item("newton_impact");
  const auto system = std::const_pointer_cast<System>((by_group ? ball.on_floor(law) : ball.by_relation("plane_gap", law)).compiled());
  (by_group ? system->contacts.laws[0].law : system->relation_entries[0].law) = {.type = &adhesion, .parameters = adhesion_bounds};
  return system;
}

TEST(MoreauContacts, AForceThatALawBoundsIsBoundedForAnyStep) {
  for (const double h : {1e-2, 1e-3, 1e-4}) {
    for (const bool by_group : {true, false}) {
      const auto held = adhering_ball(by_group, 15.0);
      const Trial stays = run(held, h, 0.02);
      EXPECT_NEAR(stays.state.q()[2], 0.1, 1e-12) << h << by_group;
      const double force = by_group ? stays.state.data()[held->contacts.groups[0].data + 2] : stays.state.lambda()[0];
      EXPECT_NEAR(force, -15.0, 1e-9) << h << by_group;
      // The first step still pulls with 20 N: v = (1000 - 20) h, then free.
      const Trial leaves = run(adhering_ball(by_group, 1000.0), h, 0.02);
      EXPECT_NEAR(leaves.state.v()[2], 1000.0 * 0.02 - 20.0 * h, 1e-9) << h << by_group;
    }
  }
}

TEST(MoreauContacts, AForceThatALawBoundsIsBoundedUnderErrorControl) {
  SchemeOptions scheme;
  scheme.error_control = true;
  for (const bool by_group : {true, false})
    for (const double lift : {15.0, 1000.0}) {
      const auto plan = moreau_jean().bind(adhering_ball(by_group, lift), scheme);
      State state = plan->new_state();
      SimulateOptions options;
      options.until = 0.02;
      ASSERT_EQ(static_cast<int>(simulate(moreau_jean(), *plan, state, options, {}).status), static_cast<int>(RunStatus::done));
      EXPECT_NEAR(state.v()[2], lift > 20.0 ? lift * 0.02 : 0.0, 2e-4) << lift << by_group;
    }
}

TEST(MoreauContacts, EachLawActsAsOnAPermanentContactWhateverTheStep) {
  // Thrown obliquely, spinning: impacts, slip, stick.
  const auto end = [](bool by_group, const Object& law, double h, double until) {
    Balls ball = Balls().add({{0, 0, 0.1}}, 2.0, {0.7, 0.1, -1}, {0, 3, 1});
    const bool frictionless = *law.find("type") == Value("newton_impact");
    return run((by_group ? ball.on_floor(law) : ball.by_relation(frictionless ? "plane_gap" : "plane_contact", law)).compiled(), h, until);
  };
  for (const Object& law : {item("newton_impact", {{"restitution", 0.5}}), item("newton_impact"), item("coulomb_impact", {{"friction", 0.3}, {"restitution", 0.5}, {"tangential_restitution", 0.2}}),
                            item("coulomb_impact", {{"friction", 0.3}}), item("coulomb_impact")})
    for (const double h : {1e-2, 2e-3, 5e-4}) {
      const Trial group = end(true, law, h, 0.04), pair = end(false, law, h, 0.04);
      for (int i = 0; i < 13; ++i) EXPECT_NEAR(group.state.y()[i], pair.state.y()[i], 1e-7) << *law.find("type")->text() << " h = " << h << " y" << i;
    }
}

/// Two boxes on each other, one tilted by 1e-5 so that the gaps of its corners differ, turn together. What a corner then seems to slip is the same at all of
/// them, so the boxes can stick.
TEST(ContactGroup, CornersOfAFaceAgreeThatTwoBodiesTurnTogether) {
  ModelOf model;
  for (int i = 0; i < 2; ++i) {
    model.body(numbered("b", i), "rigid_body", {{"mass", 1.0}, {"inertia", List{1, 1, 1}}, {"node", item("node_rigid", {{"position", List{0, 0, 0.2 * i}}, {"rotation", List{1e-5 * i, 0, 0}}})}});
    model.marker(numbered("s", i), "box", {{"body", numbered("b", i)}, {"size", List{0.2, 0.2, 0.2}}});
  }
  model.relation("c", "contact", {{"A", "s0"}, {"B", "s1"}, {"law", item("coulomb_impact", {{"friction", 0.5}})}});
  const auto system = model.compiled();
  Assembly assembly(*system);
  assembly.update(0.0, system->initial_y.data(), nullptr, system->initial_data.data());
  ContactSet set(system->contacts);
  set.find(assembly.kinematics(), 1e-4);
  ASSERT_EQ(set.contacts().size(), 4U);
  const double turning[12] = {0, 0, 0, 1, 0, 0, 0, -0.2, 0, 1, 0, 0};  // about x at 1 rad/s
  double least = 1.0, largest = -1.0;
  for (const Contact& c : set.contacts()) {
    least = std::min(least, c.gap), largest = std::max(largest, c.gap);
    EXPECT_NEAR(set.rate(c, 0, turning), 0.0, 1e-15);
    for (int row = 1; row < 3; ++row) EXPECT_NEAR(set.rate(c, row, turning), set.rate(set.contacts()[0], row, turning), 1e-15);
  }
  EXPECT_NEAR(largest - least, 2e-6, 1e-9);
}

TEST(ContactGroup, RefusesWhatCannotTouch) {
  const auto message = [](const char* type, test_models::Fields fields, const char* law) -> std::string {
    try {
      (void)Balls().add({{0, 0, 1}}, 1.0).model.marker("x", type, fields).relation("c", "contact", {{"A", "floor"}, {"B", "x"}, {"law", item(law)}}).compiled();
    } catch (const ModelError& error) {
      return error.faults()[0].message;
    }
    return "";
  };
  EXPECT_NE(message("plane", {{"body", "b0"}}, "newton_impact").find("cannot touch"), std::string::npos);
  EXPECT_NE(message("frame", {{"body", "b0"}}, "newton_impact").find("expected a shape"), std::string::npos);
  EXPECT_NE(message("sphere", {{"body", "b0"}, {"radius", 0.1}}, "equality").find("no law of a contact"), std::string::npos);
}

}  // namespace
}  // namespace saltus
