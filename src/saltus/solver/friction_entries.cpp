#include "saltus/solver/friction_entries.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "saltus/solver/contradiction.hpp"
#include "saltus/solver/friction/dynamics.hpp"
#include "saltus/solver/friction/friction.hpp"
#include "saltus/solver/solve_workspace.hpp"

namespace saltus {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
using Algorithm = SolveReport (*)(const Problem&, double, std::int64_t, std::span<const double>, Threads*, const friction::Judge&);

double no_friction(const double*) { return 0.0; }
/// What a friction solver asks of a block: the coefficient. It never calls prox.
constexpr SetType frictionless_row{"frictionless_row", 1, nullptr, nullptr, nullptr, no_friction};

enum class Kind { cones, with_half_lines, with_equalities, other };

Kind kind_of(const Problem& problem) {
  Kind kind = Kind::cones;
  double bounds[2 * 16];
  std::vector<double> many;
  for (const Block& block : problem.blocks) {
    if (block.set->friction && (block.dim == 2 || block.dim == 3)) {
      if (!std::isfinite(block.set->friction(block.parameters))) return Kind::other;
      continue;
    }
    if (!block.set->bounds) return Kind::other;
    double* low = bounds;
    if (block.dim > 16) {
      many.resize(2 * static_cast<std::size_t>(block.dim));
      low = many.data();
    }
    block.set->bounds(block.parameters, block.dim, block.set_scale, low, low + block.dim);
    const bool free = std::all_of(low, low + block.dim, [](double x) { return x == -infinity; });
    if (!free && !std::all_of(low, low + block.dim, [](double x) { return x == 0.0; })) return Kind::other;
    if (!std::all_of(low + block.dim, low + 2 * block.dim, [](double x) { return x == infinity; })) return Kind::other;
    kind = free ? Kind::with_equalities : std::max(kind, Kind::with_half_lines);
  }
  return kind;
}

/// The blocks of `problem`, half-lines row by row.
std::vector<Block> contacts_of(const Problem& problem) {
  std::vector<Block> blocks;
  for (const Block& block : problem.blocks)
    if (block.set->friction) blocks.push_back(block);
    else
      for (int i = 0; i < block.dim; ++i) blocks.push_back({block.begin + i, 1, &frictionless_row, nullptr, 1.0});
  return blocks;
}

constexpr std::int64_t soon_done = 20'000;  // flops a row
constexpr double near_rest = 2e-3, at_rest = 2e-4;  // of the tolerance: ten cubes stand at 3e-11 m/s
constexpr double starts = 5.0;  // speed after over speed before

/// The error of the impulses that a problem starts with, infinite where they are no solution. What rests asks for nothing else: its impulses are those of
/// the last step. But impulses that stopped a motion are not those of the rest behind it, and under impulses that stay as they are a high wall
/// tilts by itself: where they make something move that rested, or are near to the tolerance, they are counted as larger than near_rest.
template <class Judge>
double resting(const SolveTask& task, const Problem& problem, std::span<const double> start, const Judge& judge) {
  const double before = std::inner_product(task.v.begin(), task.v.end(), task.v.begin(), 0.0);
  std::vector<double> moved;
  if (!friction::Motion(problem)(start, moved)) return infinity;
  const double error = judge(moved, start), after = std::inner_product(moved.begin(), moved.end(), moved.begin(), 0.0);
  const bool begins = error > at_rest * task.options.tolerance && after > starts * starts * before;
  return begins && error <= near_rest * task.options.tolerance ? 1.01 * near_rest * task.options.tolerance : error;
}

/// Runs `algorithm` on `problem`, which holds contacts alone. Its measure is not quite the certificate of the whole (units
/// are taken row by row there), so it is judged by that as well.
void run_on(SolveTask& task, const Problem& problem, bool reduced, Algorithm algorithm, std::int64_t budget) {
  SolverWorkspace& work = task.workspace;
  std::vector<double> start;
  if (reduced) work.reduction.restrict(task.r, start);
  else start.assign(task.r.begin(), task.r.end());
  if (std::all_of(start.begin(), start.end(), [](double x) { return x == 0.0; })) start.clear();
  std::vector<double> v(task.v.size()), r(task.r.size()), w(task.r.size());
  const auto judge = [&](std::span<const double> found_v, std::span<const double> found_r) {
    if (reduced) work.reduction.expand({found_r.begin(), found_r.end()}, v, r);
    else v.assign(found_v.begin(), found_v.end()), r.assign(found_r.begin(), found_r.end());
    const Certificate c = certificate(task.problem, v, r, w, work.residual);
    return std::max(c.residual, c.scaled_residual);
  };
  double tolerance = task.options.tolerance;
  const double rested = !reduced && !start.empty() && task.problem.unknowns() > 0 ? resting(task, problem, start, judge) : infinity;
  if (rested <= tolerance) {
    std::copy(v.begin(), v.end(), task.v.begin());
    std::copy(r.begin(), r.end(), task.r.begin());
    task.flops += 4 * (problem.H.nonZeros() + problem.M.nonZeros());
    task.arm = "warm";
    if (rested <= near_rest * tolerance) return;
    tolerance *= at_rest, budget = std::min<std::int64_t>(budget, soon_done * problem.rows());
  }
  const auto hopeless = [&](std::span<const double> found_r) {
    if (reduced) work.reduction.expand({found_r.begin(), found_r.end()}, v, r);
    work.proof = contradicting_rows(task.problem, reduced ? std::span<const double>(r) : found_r);
    return !work.proof.empty();
  };
  const SolveReport found = algorithm(problem, tolerance, budget, start, work.threads_of(task.options),
                                      {judge, hopeless, task.options.acceptable, task.options.acceptable_after});
  task.iterations += found.iterations;
  task.flops += found.flops;
  if (found.r.size() != problem.b.size()) {
    task.cause = "the friction solvers cannot take these matrices";
    return;
  }
  if (!(judge(found.v, found.r) < rested) && rested <= task.options.tolerance) return;
  std::copy(v.begin(), v.end(), task.v.begin());
  std::copy(r.begin(), r.end(), task.r.begin());
  task.arm = found.solver;
}

/// Up to a hundred contacts leave most of the budget to the other entries of the table.
constexpr int soon_over = 300;             // rows
constexpr std::int64_t for_a_row = 100'000;  // flops: an arch of 68 contacts takes 30,000

std::int64_t share(const SolveTask& task) {
  if (!task.options.solver.empty() || task.problem.rows() > soon_over) return task.flops_left;
  return std::min(std::max(task.options.flop_budget / 4, for_a_row * task.problem.rows()), task.flops_left);
}

void run_contacts(SolveTask& task, Algorithm algorithm, std::int64_t budget) {
  const Kind kind = kind_of(task.problem);
  if (kind == Kind::cones) return run_on(task, task.problem, false, algorithm, budget);
  if (kind == Kind::with_half_lines) {
    Problem contacts = task.problem;
    contacts.blocks = contacts_of(task.problem);
    return run_on(task, contacts, false, algorithm, budget);
  }
  const Problem* local = task.workspace.local(task.problem);
  if (!local || task.workspace.reduced != SolverWorkspace::Reduced::full) {
    task.cause = "the equality rows are singular with the dynamics";
    return;
  }
  Problem contacts = *local;
  contacts.blocks = contacts_of(*local);
  run_on(task, contacts, true, algorithm, budget);
}

}  // namespace

bool can_friction(const Problem& problem) {
  return problem.rows() > 0 && (problem.unknowns() > 0 || problem.D.rows() == problem.rows()) && kind_of(problem) != Kind::other;
}

bool can_friction_again(const Problem& problem) { return problem.rows() <= soon_over && can_friction(problem); }

void run_race(SolveTask& task) { run_contacts(task, friction::race, share(task)); }
void run_race_on(SolveTask& task) { run_contacts(task, friction::race, task.flops_left); }
void run_nsgs(SolveTask& task) { run_contacts(task, friction::nsgs, task.flops_left); }
void run_nsgs_accelerated(SolveTask& task) { run_contacts(task, friction::nsgs_accelerated, task.flops_left); }
void run_admm(SolveTask& task) { run_contacts(task, friction::admm, task.flops_left); }
void run_admm_anderson(SolveTask& task) { run_contacts(task, friction::admm_anderson, task.flops_left); }
void run_interior_point(SolveTask& task) { run_contacts(task, friction::interior_point, task.flops_left); }
void run_sweep_newton(SolveTask& task) { run_contacts(task, friction::sweep_newton, task.flops_left); }
void run_piles(SolveTask& task) { run_contacts(task, friction::piles, task.flops_left); }
void run_held_slips(SolveTask& task) { run_contacts(task, friction::held_slips, task.flops_left); }
void run_proximal(SolveTask& task) { run_contacts(task, friction::proximal, task.flops_left); }

}  // namespace saltus
