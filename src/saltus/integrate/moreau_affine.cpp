// Steps of affine systems: one linear problem, written down without a Newton iteration.
#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"

#include "saltus/integrate/moreau_step.hpp"

namespace saltus {

/// The map of the modes of the step, made where it is met first.
void MoreauStep::take_map(const State& state, double h, double theta) {
  if (kept_.take(h, theta)) return;
  rows_.entries.clear();
  for (int i = 0; i < count_of(plan_.entries); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    if (kept_.mode(e.row) < 0) continue;
    rows_.entries.push_back(i);
    for (int row = e.row; row < e.row + e.rows; ++row) solver_.modes().mode[row] = static_cast<LawMode>(kept_.mode(row));
    solver_.modes().find_bounds(i, problem_.set_scale);
  }
  if (model_.by_position) {
    model_.affine_system = {};
    model_.affine_system.build(system_, assembly_, state.t() + h, state.data());
    assembly_.input_blocks();
  }
  matrices_.update(h, theta);
  kept_.make(ended(h, theta));
}

/// The step by the map of the modes that the state remembers or, where modes may be followed, of those that the laws lead to from there.
bool MoreauStep::step_kept(State& state, double h, double theta, StepReport& report) {
  if (!kept_.wanted(state, h)) return false;
  const bool switched = positions_changed(state, state.t() + h, state.y()) && plan_.switches;
  if (switched) theta = 1.0;  // as in step()
  if (model_.by_position || !kept_.is_of(state, h, theta)) {
    kept_.begin(state, switches_.last());
    take_map(state, h, theta);
  }
  if (!kept_.step(state, report)) return kept_.follows_modes() && follow_modes(state, h, theta, switched, report);
  write_positions(state);
  if (double& implicit = state.memory()[plan_.implicit_steps()]; plan_.switches && (switched || implicit > 0.0)) implicit = switched ? 1.0 : std::max(0.0, implicit - 1.0);
  return true;
}

/// The step by the maps of the modes that the laws lead to from those of the map at hand.
bool MoreauStep::follow_modes(State& state, double h, double theta, bool switched, StepReport& report) {
  constexpr int most_changes = 8;
  for (int changes = 0; changes < most_changes; take_map(state, h, theta)) {
    const int contradicted = kept_.revise(state);
    if (contradicted < 0 && !kept_.release()) return false;
    if (contradicted != 0) {
      ++changes;
      continue;
    }
    const bool now = kept_.switches(state);
    if (now && !switched && plan_.switches && theta < 1.0) {  // as in step()
      switched = true, theta = 1.0, changes = 0;
      continue;
    }
    if (!kept_.accept(state, report)) return false;
    write_positions(state);
    double& implicit = state.memory()[plan_.implicit_steps()];
    if (plan_.switches) implicit = switched || now ? 1.0 : std::max(0.0, implicit - 1.0);
    return true;
  }
  return false;
}

MoreauKept::Ended MoreauStep::ended(double h, double theta) const {
  return {.affine = model_.affine_system, .A = problem_.A, .C = problem_.C, .G = problem_.G, .D = problem_.D, .C_begin = model_.block_begin, .active = rows_.entries, .mode = solver_.modes().mode, .low = solver_.modes().low,
          .high = solver_.modes().high, .h = h, .theta = theta};
}

/// The step that was taken may be the first of many in the same modes.
void MoreauStep::remember_modes(State& state, double h, double theta) {
  if (!solution_.in_modes || (theta != plan_.theta && !kept_.follows_modes()) || rows_.touched.size() != rows_.entries.size() || change_.impact || offsets_.any()) return kept_.forget(state);
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
