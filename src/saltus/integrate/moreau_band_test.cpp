// Columns of beads: rows that share unknowns with their neighbours only.
#include <gtest/gtest.h>

#include <cmath>

#include "saltus/integrate/moreau.hpp"
#include "saltus/integrate/step_models.hpp"

namespace saltus {
namespace {

/// Bead 0 stands on the floor, others on the one below; row and rate of each gap by bead.
struct Column {
  explicit Column(const System& system) : row(system.relation_entries.size()) {
    for (const RelationEntry& e : system.relation_entries) row[static_cast<std::size_t>(std::stoi(e.name.substr(3)))] = static_cast<std::size_t>(e.row);
  }
  static double rate(const double* v, std::size_t bead) { return v[bead] - (bead > 0 ? v[bead - 1] : 0.0); }
  std::vector<std::size_t> row;
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
