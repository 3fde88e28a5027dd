// Columns of beads: rows that share unknowns with their neighbours only.
#include <gtest/gtest.h>

#include <cmath>

#include "saltus/integrate/moreau.hpp"
#include "saltus/integrate/step_models.hpp"

namespace saltus {
namespace {
using step_models::ModelOf;
using step_models::numbered;

/// Bead 0 stands on the floor, others on the one below; row and rate of each gap by bead.
struct Column {
  explicit Column(const System& system) : row(system.relation_entries.size()), entry(row.size()) {
    for (std::size_t k = 0; k < row.size(); ++k) {
      const RelationEntry& e = system.relation_entries[k];
      const std::size_t bead = std::stoi(e.name.substr(3));
      row[bead] = static_cast<std::size_t>(e.row), entry[bead] = k;
    }
  }
  static double rate(const double* v, std::size_t bead) { return v[bead] - (bead > 0 ? v[bead - 1] : 0.0); }
  std::vector<std::size_t> row, entry;
};

TEST(Band, AFallingColumnKeepsMomentumAndNewtonsLawInEveryContactOfEveryStep) {
  constexpr int n = 60;
  const auto system = step_models::beads(n);
  const Column column(*system);
  const auto plan = moreau_jean().bind(system, {});
  const auto work = moreau_jean().new_workspace(*plan);
  State state = plan->new_state();
  constexpr double h = 1e-3, restitution = 0.5;
  state.h() = h;
  ASSERT_EQ(moreau_jean().start(*plan, state, *work).status, StepStatus::accepted);
  int impacts = 0, together = 0;
  for (int k = 0; k < 800; ++k) {
    const State before = state;
    const StepReport report = moreau_jean().step(*plan, state, *work, h);
    ASSERT_EQ(report.status, StepStatus::accepted) << report.cause;
    int carrying = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double r = state.memory()[column.row[i]], above = i + 1 < n ? state.memory()[column.row[i + 1]] : 0.0;
      const double gained = state.v()[i] - before.v()[i];
      EXPECT_NEAR(gained, -9.81 * h + r - above, 1e-12);
      EXPECT_GE(r, 0.0);
      const double u_minus = Column::rate(before.v(), i), u_plus = Column::rate(state.v(), i);
      if (!(r > 0.0)) continue;
      ++carrying;
      // Bounces off, or stays in the contact in which it was.
      EXPECT_LT(std::min(std::abs(u_plus + restitution * std::min(u_minus, 0.0)), std::abs(u_plus)), 1e-10) << "step " << k << ", bead " << i;
    }
    impacts += carrying > 0;
    together = std::max(together, carrying);
  }
  EXPECT_GT(impacts, 100);
  EXPECT_GT(together, 30);  // many modes at once
}

/// Beads of other masses, gaps, laws and speeds in each seed: after each step the multipliers solve the complementarity problem of
/// the closed gaps, which has one solution.
TEST(Band, RandomColumnsEndEveryStepInTheSolutionOfTheirComplementarityProblem) {
  constexpr int n = 50;
  constexpr double h = 1e-3;
  int several = 0, lessened = 0;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    unsigned random = seed * 2654435761u;
    const auto next = [&](double low, double high) {
      random = random * 1664525u + 1013904223u;
      return low + (high - low) * static_cast<double>(random >> 8) / static_cast<double>(1u << 24);
    };
    std::vector<double> mass, restitution;
    for (int i = 0; i < n; ++i) mass.push_back(next(0.1, 10.0)), restitution.push_back(i % 3 ? next(0.0, 1.0) : 0.0);
    double place = 0.0;
    ModelOf model;
    for (int i = 0; i < n; ++i) {
      const std::string node = numbered("n", i);
      const Value law = test_models::item("newton_impact", {{"restitution", restitution[i]}});
      place += 0.1 + (i % 4 ? next(0.0, 2e-3) : 0.0);
      model.node(node, "node_1d", {{"coordinate", place}, {"velocity", next(-1.0, 1.0)}});
      model.body(numbered("m", i), "mass_1d", {{"mass", mass[i]}, {"node", node}});
      if (i) model.relation(numbered("gap", i), "coordinate_pair_gap", {{"A", numbered("n", i - 1)}, {"B", node}, {"at", 0.1}, {"law", law}});
      else model.relation(numbered("gap", i), "coordinate_gap", {{"on", node}, {"at", 0.1}, {"law", law}});
    }
    const auto system = model.compiled();
    const Column column(*system);
    SchemeOptions plain;
    plain.given.set("drift", "none");
    const auto plan = moreau_jean().bind(system, plain);
    const auto work = moreau_jean().new_workspace(*plan);
    State state = plan->new_state();
    state.h() = h;
    ASSERT_EQ(moreau_jean().start(*plan, state, *work).status, StepStatus::accepted);
    const auto gap = [](const State& s, std::size_t i) { return s.q()[i] - (i ? s.q()[i - 1] : 0.0) - 0.1; };
    for (int k = 0; k < 60; ++k) {
      const State before = state;
      const StepReport report = moreau_jean().step(*plan, state, *work, h);
      ASSERT_EQ(report.status, StepStatus::accepted) << report.cause;
      lessened += report.impacts.lessened;
      int carrying = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double r = state.memory()[column.row[i]], above = i + 1 < n ? state.memory()[column.row[i + 1]] : 0.0;
        EXPECT_NEAR(mass[i] * (state.v()[i] - before.v()[i]), r - above, 1e-11);
        const double u_minus = Column::rate(before.v(), i), u_plus = Column::rate(state.v(), i);
        const double status = before.memory()[plan->layout.system.rows + static_cast<int>(column.entry[i])];
        const bool stays = (status == 1.0 || status == 2.0) && gap(before, i) <= 1e-7, closed = stays || gap(before, i) + 0.5 * h * u_minus <= 0.0;
        const double w = u_plus + (stays ? 0.0 : restitution[i] * std::min(u_minus, 0.0));
        if (std::abs(gap(before, i) + 0.5 * h * u_minus) < 1e-8 || (!stays && std::abs(gap(before, i)) <= 1e-6)) continue;  // the rule's own tolerances
        EXPECT_GE(r, 0.0);
        EXPECT_TRUE(closed || r == 0.0);
        if (!closed || report.impacts.lessened > 0) continue;  // other restitutions side by side can give energy: then less of them acts
        EXPECT_GE(w, -1e-10) << "seed " << seed << ", step " << k << ", gap " << i;
        EXPECT_LE(r * w, 1e-10);
        carrying += r > 0.0;
      }
      several += carrying > 5;
    }
  }
  EXPECT_GT(several, 50);
  EXPECT_LT(lessened, 10);  // of 720 steps
}

TEST(Band, ARestingColumnCarriesTheWeightAboveEachContact) {
  constexpr int n = 40;
  const auto system = step_models::beads(n);
  const Column column(*system);
  const auto plan = moreau_jean().bind(system, {});
  const auto work = moreau_jean().new_workspace(*plan);
  State state = plan->new_state();
  constexpr double h = 1e-3;
  state.h() = h;
  ASSERT_EQ(moreau_jean().start(*plan, state, *work).status, StepStatus::accepted);
  for (int k = 0; k < 3000; ++k) ASSERT_EQ(moreau_jean().step(*plan, state, *work, h).status, StepStatus::accepted);
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(state.lambda()[column.row[i]], 9.81 * (n - static_cast<double>(i)), 1e-6 * 9.81 * n);
}

}  // namespace
}  // namespace saltus
