// Consistent values at the start of a run.
#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/integrate/accelerations.hpp"
#include "saltus/integrate/moreau_step.hpp"
#include "saltus/integrate/start.hpp"

namespace saltus {

StepReport MoreauStep::start(State& state) {
  StepReport report;
  const auto failed = [&](std::string cause) {
    report.status = StepStatus::failed;
    report.cause = std::move(cause);
    return report;
  };
  const bool goes_on = plan_.options.error_control && allowed_.compared && state.memory()[plan_.ranges] != 0.0;  // a start anew, as behind a sample
  const State last = goes_on ? state : State();
  std::fill(state.memory(), state.memory() + state.layout().memory_size, 0.0);
  std::fill_n(state.memory() + plan_.status(0), plan_.entries.size(), -1.0);  // not known
  if (goes_on) state.memory()[plan_.left_open()] = last.memory()[plan_.left_open()];
  if (system_.layout.nz > 0) state.memory()[plan_.implicit_steps()] = 2.0;
  (void)positions_changed(state, state.t(), state.y());
  write_positions(state);
  if (const Circuit::Contradiction none = solver_.circuit().contradiction(assembly_, state.t(), state.y(), state.data(), false); none.found())
    return failed(none.text());
  const double allowed = 1e-6 * system_.length_scale;
  const double before = projection_.violation(state.t(), state.y(), state.data(), true);
  if (!(before <= allowed)) return failed("the joints are open by " + std::to_string(before) + " at the start");
  const double size = system_.length_scale > 0.0 ? system_.length_scale : 1.0;
  if (before > start_rounding * size) {
    std::vector<double> open(system_.layout.rows);
    for (std::size_t i = 0; i < plan_.entries.size(); ++i)
      if (const MoreauEntry& p = plan_.entries[i]; p.projected >= 0 && !p.gap)
        std::copy_n(projection_.values().begin() + system_.relation_entries[i].row, p.projected_rows, open.begin() + system_.relation_entries[i].row);
    if (!plan_.options.consistent) return failed(positions_refused(system_, open, start_rounding * size));
    if (plan_.drift != Drift::none) {
      const std::vector<double> given(state.q(), state.q() + system_.layout.nq);
      report.residual.constraints = projection_.project(state.t(), state.y(), state.data(), true) / system_.length_scale;
      std::vector<double> moved(system_.layout.nv);
      system_.map.difference(given.data(), state.q(), moved.data());
      double change = 0.0;
      for (const double x : moved) change += x * x;
      report.warnings.push_back(positions_moved(system_, open, std::sqrt(change)));
    }
  } else if (plan_.drift != Drift::none) {
    report.residual.constraints = projection_.project(state.t(), state.y(), state.data(), true) / system_.length_scale;
  }
  const std::vector<double> given(state.v(), state.v() + system_.layout.nv);
  if (!consistent_rates(state)) return failed("no velocities agree with the joints at the start");
  std::vector<double> moving(system_.layout.rows), change(given.size());
  double fastest = 0.0, speed = 0.0;
  for (const double v : given) fastest = std::max(fastest, std::abs(v));
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    for (int row = e.row; row < e.row + e.rows; ++row) {
      if (std::abs(before_.u_minus[row]) <= start_rounding * before_.reach[row]) continue;  // rounding of the terms that cancel
      speed = std::max(speed, std::abs(moving[row] = before_.u_minus[row]));
    }
  }
  const double small = start_rounding * size * std::max(fastest, 1e-3);
  for (std::size_t i = 0; i < given.size(); ++i) change[i] = state.v()[i] - given[i];
  if (speed > small) {
    if (!plan_.options.consistent) return failed(velocities_refused(system_, moving, small));
    if (auto changed = velocities_changed(system_, moving, given.data(), change)) report.warnings.push_back(std::move(*changed));
  }
  for (Fault& f : redundant_rows(system_, assembly_, state.y(), state.data())) report.warnings.push_back(std::move(f));
  if (const Circuit::Contradiction none = solver_.circuit().contradiction(assembly_, state.t(), state.y(), state.data(), true); none.found())
    report.warnings.push_back({{}, "nodes", none.message + " at the start: in the first step voltages of capacitors and currents of inductors jump to values that agree",
                               none.remedy, Severity::warning});
  else if (!consistent_algebraic(state) && !algebraic_by_a_step(state))
    report.warnings.push_back({{}, "nodes", "no algebraic unknowns (potentials) solve the equations at the start; the given ones stay until the first step",
                               "check for states that contradict each other, as two charged capacitors side by side", Severity::warning});
  consistent_accelerations(state);
  multipliers_of_contacts(state, goes_on ? &last : nullptr);
  return report;
}

/// Velocities that the joints allow, by the smallest impulse.
bool MoreauStep::consistent_rates(State& state) {
  beginning_.begin(state, 0.0, Rows::equalities);
  if (rows_.entries.empty()) return true;
  if (!solve(state, 0.0, 1.0).converged) return false;
  std::copy(solution_.xi.begin(), solution_.xi.begin() + system_.layout.nv, state.v());
  return true;
}

/// Algebraic unknowns and the forces that they feel, at fixed q, v, x: one step of length zero, laws included.
bool MoreauStep::consistent_algebraic(State& state) {
  const Layout& l = system_.layout;
  beginning_.begin(state, 0.0, Rows::algebraic);
  if (l.nz == 0 && rows_.entries.empty()) return true;
  if (!solve(state, 0.0, 1.0).converged) return false;
  std::copy(solution_.xi.begin() + l.nv + l.nx, solution_.xi.begin() + l.unknowns(), state.z());
  for (int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    std::copy(solution_.mu.begin() + e.row, solution_.mu.begin() + e.row + e.rows, state.lambda() + e.row);
    std::copy(solution_.mu.begin() + e.row, solution_.mu.begin() + e.row + e.rows, state.memory() + e.row);
  }
  return true;
}

/// The same where an instant leaves them open, as the current of a capacitor beside a source: what a step a thousandth as long as the
/// first one finds.
bool MoreauStep::algebraic_by_a_step(State& state) {
  if (!(state.h() > 0.0)) return false;
  State trial = state;
  if (step(trial, 1e-3 * state.h()).status != StepStatus::accepted) return false;
  std::copy(trial.z(), trial.z() + system_.layout.nz, state.z());
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    if (!plan_.entries[i].algebraic) continue;
    std::copy(trial.lambda() + e.row, trial.lambda() + e.row + e.rows, state.lambda() + e.row);
    std::copy(trial.lambda() + e.row, trial.lambda() + e.row + e.rows, state.memory() + e.row);
  }
  return true;
}

/// M a = F + H^T lambda, H a + curvature = 0: accelerations, rates and reactions of the joints.
void MoreauStep::consistent_accelerations(State& state) {
  const Layout& l = system_.layout;
  beginning_.begin(state, 0.0, Rows::equalities);
  const std::vector<double> lambda(state.lambda(), state.lambda() + l.rows);
  std::vector<double> input(l.unknowns() + 1);
  assembly_.update(state.t(), state.y(), lambda.data(), state.data());
  assembly_.input_blocks();
  assembly_.add_inputs(lambda.data(), 1.0, input.data());  // only forces at force level are there yet
  matrices_.take_mass();
  for (int i = 0; i < l.unknowns(); ++i) {
    const bool algebraic = i >= l.nv + l.nx;
    problem_.p0[i] = algebraic ? 0.0 : before_.forces[i] + input[i];
    if (algebraic) problem_.A[system_.diagonal_slot[i]] = 1.0;
  }
  problem_.b.resize(rows_.count);
  std::fill(before_.rate.begin(), before_.rate.end(), 0.0);
  RowSink sink;
  sink.curvature = before_.rate.data();
  assembly_.relations(sink);
  for (int i : rows_.entries) {
    matrices_.update_rows(at(i), 0.0, 1.0);
    const RelationEntry& e = system_.relation_entries[i];
    for (int r = 0; r < e.rows; ++r) problem_.b[rows_.row[i] + r] = before_.rate[e.row + r];
  }
  std::fill(solution_.mu.begin(), solution_.mu.end(), 0.0);
  if (!solver_.solve_in_modes(rows_, before_, problem_, solution_)) return joint_reactions(state);
  std::copy(solution_.xi.begin(), solution_.xi.begin() + l.nv, state.a());
  std::copy(solution_.xi.begin() + l.nv, solution_.xi.begin() + l.nv + l.nx, state.xdot());
  for (int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    std::copy(solution_.mu.begin() + e.row, solution_.mu.begin() + e.row + e.rows, state.lambda() + e.row);
  }
  if (reactions_.needed()) {
    assembly_.input_blocks();
    reactions_.apply(assembly_, state.lambda());
  }
}

/// The same by the equations of motion where the rows of the step do not tell it.
void MoreauStep::joint_reactions(State& state) {
  Accelerations motion(system_, plan_.options.threads);
  std::vector<double> y(state.y(), state.y() + system_.layout.y_size()), lambda(state.lambda(), state.lambda() + system_.layout.rows), rates(at(system_.layout.unknowns() + 1));
  if (!motion.solve(state.t(), y.data(), state.data(), lambda.data(), rates.data()).ok) return;  // no unique acceleration: none is reported
  reactions_.apply(motion.assembly(), lambda.data());
  std::copy_n(rates.begin(), system_.layout.nv, state.a());
  std::copy_n(rates.begin() + system_.layout.nv, system_.layout.nx, state.xdot());
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    std::copy_n(lambda.begin() + e.row, e.rows, state.lambda() + e.row);
  }
}

/// Forces of closed contacts and of dry friction: those of a step a thousandth as long as the first, where it has no impact; of contacts between groups where the run begins, later
/// they stay as they are. Behind the step that ended in
/// `last` what was held or slid there still does: what turns or ends in the next step is found by it.
void MoreauStep::multipliers_of_contacts(State& state, const State* last) {
  const double* crowd = last ? last->memory() + plan_.contact_tail : nullptr;
  bool closed = crowd && !system_.contacts.empty() && crowd[0] > 0.0;
  beginning_.begin(state, 0.0, Rows::all);
  const bool first = state.t() == state.begun() && !contacts_.empty();
  closed |= first;
  for (int i : rows_.entries) closed |= !plan_.entries[i].equality && plan_.entries[i].impulse;
  if (!closed || !(state.h() > 0.0)) return;
  State trial = state;
  const StepReport report = step(trial, 1e-3 * state.h());
  if (report.status != StepStatus::accepted || change_.impact || std::ranges::any_of(report.events, [](const Event& e) { return e.kind == "impact"; })) return;
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    if (!plan_.entries[i].impulse) continue;
    std::copy(trial.lambda() + e.row, trial.lambda() + e.row + e.rows, state.lambda() + e.row);
    if (last) std::copy_n(last->memory() + e.row, e.rows, state.memory() + e.row);
  }
  if (first) system_.contacts.take_forces(trial.data(), state.data());
  if (last) std::copy_n(last->memory() + plan_.status(0), plan_.entries.size(), state.memory() + plan_.status(0));
  if (crowd) std::copy_n(crowd, MoreauContacts::tail_size(system_), state.memory() + plan_.contact_tail);
  // What jumped in the trial may do so at its end: the rates of before it stay.
  const State& rates = last && switched(state, trial).jumped ? *last : trial;
  std::copy(rates.a(), rates.a() + system_.layout.nv, state.a());
}

}  // namespace saltus
