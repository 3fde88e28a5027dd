#include "saltus/integrate/moreau_solver.hpp"

#include <algorithm>

namespace saltus {

MoreauSolver::MoreauSolver(MoreauModel& model, MoreauContacts& contacts, LawOffsets& offsets)
    : model_(model), contacts_(contacts), offsets_(offsets), circuit_(model.system), modes_(model, circuit_.potentials()), proximal_(model),
      band_(model, modes_), dense_(model, modes_, proximal_), sparse_(model, modes_, proximal_), general_(model, contacts, offsets, circuit_.potentials()),
      by_modes_{&band_, &dense_, &sparse_} {}

bool MoreauSolver::solve(const ActiveRows& rows, const StepBefore& before, MoreauProblem& problem, MoreauSolution& solution, const State& state, double h, bool warm) {
  const RowTask task{.rows = rows, .before = before, .problem = problem, .solution = solution, .warm = warm};
  const bool shifted = offsets_.any() || contacts_.shifted();
  if (!shifted) return solve_in_sets(task, state, h);
  offsets_.shift(rows, problem, solution, 1.0);
  const bool solved = solve_in_sets(task, state, h);
  offsets_.shift(rows, problem, solution, -1.0);
  return solved;
}

bool MoreauSolver::solve_in_sets(const RowTask& task, const State& state, double h) {
  if (contacts_.empty() && !offsets_.in_phase()) {
    if (solve_by_modes(task)) return true;
    task.solution.cause = "the equations of the step are singular";
    if (const Circuit::Contradiction none = circuit_.contradiction(model_.assembly, state.t() + h, state.y(), state.data(), h == 0.0); none.found()) {
      task.solution.cause = none.text();
      return false;
    }
    if (task.rows.entries.empty()) return false;
  }
  return general_.solve(task);
}

bool MoreauSolver::solve_in_modes(const ActiveRows& rows, const StepBefore& before, const MoreauProblem& problem, MoreauSolution& solution) {
  return solve_by_modes({.rows = rows, .before = before, .problem = problem, .solution = solution});
}

bool MoreauSolver::solve_by_modes(RowTask task) {
  for (const int i : task.rows.entries) {
    const RelationEntry& e = model_.system.relation_entries[i];
    const SetType& set = *e.law.type->set;
    if (task.rows.across[i]) return false;
    task.bounds &= set.bounds != nullptr;
    task.planar &= set.bounds || (set.friction && e.rows == 2);
  }
  return std::any_of(by_modes_.begin(), by_modes_.end(), [&](RowStrategy* way) { return way->can(task) && way->solve(task); });
}

}  // namespace saltus
