// Contacts between groups of shapes in Moreau's scheme: closed forms, equality with permanent contacts, restart.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "saltus/base/errors.hpp"
#include "saltus/base/value.hpp"
#include "saltus/integrate/automatic.hpp"
#include "saltus/integrate/model_checks.hpp"
#include "saltus/integrate/moreau.hpp"
#include "saltus/integrate/simulate.hpp"
#include "saltus/model/file.hpp"
#include "saltus/problem/sets.hpp"
#include "saltus/system/compile.hpp"

namespace saltus {
namespace {

std::string ball(const std::string& name, const Vec3<double>& p, double r, double m, const std::string& more = "") {
  const std::string J = number_text(0.4 * m * r * r);
  return "\"" + name + "\": {\"type\": \"rigid_body\", \"mass\": " + number_text(m) + ", \"inertia\": [" + J + "," + J + "," + J + "], \"node\": {\"type\": \"node_rigid\", \"position\": [" +
         number_text(p[0]) + "," + number_text(p[1]) + "," + number_text(p[2]) + "]" + more + "}}";
}
std::shared_ptr<const System> compiled(const std::string& bodies, const std::string& markers, const std::string& relations, const std::string& more = "") {
  Faults faults;
  const std::string text = "{\"saltus\": 1, \"bodies\": {" + bodies + "}, \"markers\": {\"floor\": {\"type\": \"plane\", \"body\": \"ground\"}" + markers + "}, \"relations\": {" + relations + "}" + more + "}";
  const Model model = read_model(text, "test", faults);
  faults.raise();
  return compile(model, {}, faults);
}
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
  const std::string body = ball("b", {{0, 0, 1.1}}, 0.1, 2.0);
  const auto system = compiled(body, ", \"s\": {\"type\": \"sphere\", \"body\": \"b\", \"radius\": 0.1}",
                               "\"c\": {\"type\": \"contact\", \"A\": [\"floor\"], \"B\": [\"s\"], \"law\": {\"type\": \"newton_impact\", \"restitution\": 0.9}}");
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
  const std::string body = ball("b", {{0, 0, 1.1}}, 0.1, 2.0, ", \"velocity\": [0.7, 0, 0], \"angular_velocity\": [0, 3, 1]");
  const std::string law = "\"law\": {\"type\": \"coulomb_impact\", \"restitution\": 0.6, \"friction\": 0.3}";
  const Trial group = run(compiled(body, ", \"s\": {\"type\": \"sphere\", \"body\": \"b\", \"radius\": 0.1}", "\"c\": {\"type\": \"contact\", \"A\": [\"floor\"], \"B\": [\"s\"], " + law + "}"), 1e-3, 1.0);
  const Trial pair = run(compiled(body, "", "\"c\": {\"type\": \"plane_contact\", \"A\": \"ground\", \"B\": \"b\", \"radius\": 0.1, " + law + "}"), 1e-3, 1.0);
  ASSERT_GT(group.events.size(), 1u);
  for (std::size_t i = 0; i < std::min(group.events.size(), pair.events.size()); ++i)
    EXPECT_NEAR(group.events[i].t, pair.events[i].t, 1.5e-3) << pair.events[i].kind << " " << group.events[i].value << " " << pair.events[i].value;
  for (int i = 0; i < 13; ++i) EXPECT_NEAR(group.state.y()[i], pair.state.y()[i], i < 7 ? 3e-3 : 2.5e-2) << i;
}

TEST(MoreauContacts, ASlidingBallStartsToRollWithFiveSeventhsOfItsSpeed) {
  // Slides with mu g until v = w r: v = 5/7 v0, at t = 2 v0 / (7 mu g) (Routh).
  const double v0 = 1.0, mu = 0.2;
  const Trial r = run(compiled(ball("b", {{0, 0, 0.1}}, 0.1, 1.0, ", \"velocity\": [1, 0, 0]"), ", \"s\": {\"type\": \"sphere\", \"body\": \"b\", \"radius\": 0.1}",
                               "\"c\": {\"type\": \"contact\", \"A\": \"floor\", \"B\": \"s\", \"law\": {\"type\": \"coulomb_impact\", \"friction\": 0.2}}"),
                      1e-3, 0.5);
  EXPECT_GT(0.5, 2.0 * v0 / (7.0 * mu * 9.81));
  EXPECT_NEAR(r.state.v()[0], 5.0 / 7.0 * v0, 1e-8);
  EXPECT_NEAR(r.state.v()[4], 5.0 / 7.0 * v0 / 0.1, 1e-6);
  EXPECT_NEAR(r.state.q()[2], 0.1, 1e-9);
}

/// Balls in a pyramid on the floor, held from rolling apart by friction with restitution 0.
std::shared_ptr<const System> pile(int layers) {
  std::string bodies, markers, names;
  int n = 0;
  const double r = 0.1;
  for (int k = 0; k < layers; ++k)
    for (int i = 0; i < layers - k; ++i)
      for (int j = 0; j < layers - k; ++j, ++n) {
        const std::string name = "b" + std::to_string(n);
        bodies += (n ? "," : "") + ball(name, {{2 * r * i + r * k, 2 * r * j + r * k, r + std::sqrt(2.0) * r * k}}, r, 1.0);
        markers += ", \"s" + std::to_string(n) + "\": {\"type\": \"sphere\", \"body\": \"" + name + "\", \"radius\": 0.1}";
        names += std::string(n ? "," : "") + "\"s" + std::to_string(n) + "\"";
      }
  const std::string law = "\"law\": {\"type\": \"coulomb_impact\", \"friction\": 0.8}";
  return compiled(bodies, markers, "\"on_floor\": {\"type\": \"contact\", \"A\": \"floor\", \"B\": [" + names + "], " + law + "}, \"balls\": {\"type\": \"contact\", \"A\": [" + names + "], " + law + "}");
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
  std::string bodies, markers, names;
  for (int n = 0; n < 27; ++n) {
    const double x = 0.3 * (n % 3), y = 0.3 * (n / 3 % 3), z = 1.0 + 0.3 * (n / 9);
    const std::string v = ", \"velocity\": [" + number_text(std::sin(7.0 * n)) + "," + number_text(std::cos(5.0 * n)) + "," + number_text(std::sin(3.0 * n + 1)) + "]";
    bodies += (n ? "," : "") + ball("b" + std::to_string(n), {{x, y, z}}, 0.1, 1.0 + n % 2, v);
    markers += ", \"s" + std::to_string(n) + "\": {\"type\": \"sphere\", \"body\": \"b" + std::to_string(n) + "\", \"radius\": 0.1}";
    names += std::string(n ? "," : "") + "\"s" + std::to_string(n) + "\"";
  }
  const auto system = compiled(bodies, markers, "\"c\": {\"type\": \"contact\", \"A\": [" + names + "], \"law\": {\"type\": \"newton_impact\", \"restitution\": 1}}", ", \"gravity\": [0, 0, 0]");
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
  const std::string relation = by_group ? "\"c\": {\"type\": \"contact\", \"A\": [\"floor\"], \"B\": [\"s\"], \"law\": \"newton_impact\"}"
                                        : "\"c\": {\"type\": \"plane_gap\", \"A\": \"ground\", \"B\": \"b\", \"radius\": 0.1, \"law\": \"newton_impact\"}";
  const auto system = std::const_pointer_cast<System>(compiled(ball("b", {{0, 0, 0.1}}, 0.1, 1.0), by_group ? ", \"s\": {\"type\": \"sphere\", \"body\": \"b\", \"radius\": 0.1}" : "",
                                                               relation, ", \"gravity\": [0, 0, " + number_text(lift) + "]"));
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
  const std::string body = ball("b", {{0, 0, 0.1}}, 0.1, 2.0, ", \"velocity\": [0.7, 0.1, -1], \"angular_velocity\": [0, 3, 1]");
  const auto end = [&](bool by_group, const std::string& law, double h, double until) {
    const std::string gap = law.find("newton") != std::string::npos ? "plane_gap" : "plane_contact";
    return run(by_group ? compiled(body, ", \"s\": {\"type\": \"sphere\", \"body\": \"b\", \"radius\": 0.1}", "\"c\": {\"type\": \"contact\", \"A\": [\"floor\"], \"B\": [\"s\"], " + law + "}")
                        : compiled(body, "", "\"c\": {\"type\": \"" + gap + "\", \"A\": \"ground\", \"B\": \"b\", \"radius\": 0.1, " + law + "}"), h, until);
  };
  for (const std::string law : {"\"law\": {\"type\": \"newton_impact\", \"restitution\": 0.5}", "\"law\": {\"type\": \"newton_impact\"}",
                                "\"law\": {\"type\": \"coulomb_impact\", \"friction\": 0.3, \"restitution\": 0.5, \"tangential_restitution\": 0.2}",
                                "\"law\": {\"type\": \"coulomb_impact\", \"friction\": 0.3}", "\"law\": {\"type\": \"coulomb_impact\"}"})
    for (const double h : {1e-2, 2e-3, 5e-4}) {
      const Trial group = end(true, law, h, 0.04), pair = end(false, law, h, 0.04);
      for (int i = 0; i < 13; ++i) EXPECT_NEAR(group.state.y()[i], pair.state.y()[i], 1e-7) << law << " h = " << h << " y" << i;
    }
}

TEST(ContactGroup, RefusesWhatCannotTouch) {
  const auto message = [](const std::string& markers, const std::string& relations) -> std::string {
    try {
      (void)compiled(ball("b", {{0, 0, 1}}, 0.1, 1.0), markers, relations);
    } catch (const ModelError& error) {
      return error.faults()[0].message;
    }
    return "";
  };
  const std::string law = ", \"law\": \"newton_impact\"}";
  EXPECT_NE(message(", \"p\": {\"type\": \"plane\", \"body\": \"b\"}", "\"c\": {\"type\": \"contact\", \"A\": \"floor\", \"B\": \"p\"" + law).find("cannot touch"), std::string::npos);
  EXPECT_NE(message(", \"f\": {\"type\": \"frame\", \"body\": \"b\"}", "\"c\": {\"type\": \"contact\", \"A\": \"floor\", \"B\": \"f\"" + law).find("expected a shape"), std::string::npos);
  EXPECT_NE(message(", \"s\": {\"type\": \"sphere\", \"body\": \"b\"}", "\"c\": {\"type\": \"contact\", \"A\": \"floor\", \"B\": \"s\", \"law\": \"equality\"}").find("no law of a contact"), std::string::npos);
}

}  // namespace
}  // namespace saltus
