// Steps of affine systems: one linear problem, written down without a Newton iteration.
#include <algorithm>
#include <cmath>

#include "saltus/integrate/moreau_step.hpp"

namespace saltus {

/// The step as one of the map of the modes that the state remembers.
bool MoreauStep::step_kept(State& state, double h, double theta, StepReport& report) {
  if (!kept_.wanted(state, h)) return false;
  if (!kept_.is_of(state, h, theta)) {
    const double* mode = state.memory() + plan_.kept() + 2;
    rows_.entries.clear();
    for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
      const RelationEntry& e = system_.relation_entries[i];
      if (mode[e.row] == 0.0) continue;
      rows_.entries.push_back(static_cast<int>(i));
      for (int row = e.row; row < e.row + e.rows; ++row) solver_.modes().mode[row] = static_cast<LawMode>(static_cast<int>(mode[row]) - 1);
      solver_.modes().find_bounds(i, problem_.set_scale);
    }
    matrices_.update(h, theta);
    kept_.make(ended(h, theta));
  }
  return kept_.step(state, h, theta, report);
}

MoreauKept::Ended MoreauStep::ended(double h, double theta) const {
  return {.affine = model_.affine_system, .A = problem_.A, .C = problem_.C, .G = problem_.G, .D = problem_.D, .C_begin = model_.block_begin, .active = rows_.entries, .mode = solver_.modes().mode, .low = solver_.modes().low,
          .high = solver_.modes().high, .h = h, .theta = theta};
}

/// The step that was taken may be the first of many in the same modes.
void MoreauStep::remember_modes(State& state, double h, double theta) {
  if (!solution_.in_modes || theta != plan_.theta || rows_.touched.size() != rows_.entries.size() || change_.impact || offsets_.any()) return kept_.forget(state);
  kept_.remember(ended(h, theta), state);
}

/// The step's linear problem. False where its solution leaves a residual: Newton's iteration refines it then.
bool MoreauStep::solve_affine(const State& state, double h, double theta, Outcome& out) {
  solution_.in_modes = false;
  matrices_.update(h, theta);
  equations_.pose_affine(state, h, theta);
  if (rows_.entries.empty() && problem_.diagonal) {
    const int n = system_.layout.unknowns();
    for (int i = 0; i < n; ++i) solution_.xi[i] = problem_.p0[i] * problem_.inverse[i];
    solution_.laws = 0.0;  // no law acts
    solution_.in_modes = true;
  } else if (!solver_.solve(rows_, before_, problem_, solution_, state, h, true)) {
    return false;
  }
  out.iterations = 1;
  out.laws = solution_.laws;
  equations_.advance_affine(state, h, theta);
  out.equations = equations_.dynamics_error();
  out.rows = equations_.rows_error();
  return out.converged = std::max(out.equations, out.rows) <= plan_.newton_tolerance && !std::isnan(out.equations) && !std::isnan(out.rows);
}

}  // namespace saltus
