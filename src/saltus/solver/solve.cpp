#include "saltus/solver/solve.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <limits>

#include "saltus/base/errors.hpp"
#include "saltus/problem/sets.hpp"
#include "saltus/problem/validate.hpp"
#include "saltus/solver/all_modes.hpp"
#include "saltus/solver/bounded_entries.hpp"
#include "saltus/solver/contradiction.hpp"
#include "saltus/solver/friction_entries.hpp"
#include "saltus/solver/solve_workspace.hpp"

namespace saltus {
namespace {

double cpu_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Within the tolerance of the task, judged by the certificate of the given problem.
Certificate judged(SolveTask& task, std::span<const double> v, std::span<const double> r) {
  task.workspace.w.resize(task.problem.b.size());
  return certificate(task.problem, v, r, task.workspace.w, task.workspace.residual);
}
/// Where masses are of milligrams, impulses are as small beside velocities, and the rounding of these is large in `residual`, in which both count alike.
double error_of(const Certificate& c) {
  constexpr double rounding = 1e-14;
  const double free_of_units = std::max(c.scaled_residual, c.velocity_residual);
  return free_of_units <= rounding ? free_of_units : std::max(c.residual, c.scaled_residual);
}

// --- pivoting ---------------------------------------------------------------------------------------------------------

constexpr int pivoting_first = 500;  // unknowns up to which pivoting goes first
constexpr int pivoting_most = 2500;  // dense table of 50 MB

bool can_pivot_small(const Problem& p) { return MlcpForm::can(p) && MlcpForm::size(p) <= pivoting_first; }
bool can_pivot(const Problem& p) { return MlcpForm::can(p) && MlcpForm::size(p) <= pivoting_most; }

/// Dynamics of many unknowns are factored sparse before the dense table is made.
constexpr int dense_dynamics = 60;

void run_pivoting(SolveTask& task) {
  SolverWorkspace& work = task.workspace;
  const Problem* local = task.problem.unknowns() > dense_dynamics ? work.local(task.problem) : nullptr;
  const Problem& problem = local ? *local : task.problem;
  work.form.build(problem);
  const MixedLcp& mlcp = work.form.mlcp();
  const std::size_t n = mlcp.n;
  work.z.resize(n);
  work.warm_z.clear();
  if (std::any_of(task.r.begin(), task.r.end(), [](double x) { return x != 0.0; })) {
    if (local) {
      work.reduction.restrict(task.r, work.local_r);
      work.form.warm(problem, {}, work.local_r, work.warm_z);
    } else {
      work.form.warm(problem, task.v, task.r, work.warm_z);
    }
  }
  const MlcpStatus status = work.mlcp.solve(mlcp, work.warm_z, work.z);
  task.iterations = work.mlcp.pivots();
  task.flops = (2 * static_cast<std::int64_t>(task.iterations) + mlcp.n) * mlcp.n * mlcp.n;
  task.infeasible = status == MlcpStatus::infeasible;
  task.ray = status == MlcpStatus::ray;
  task.not_unique = work.mlcp.not_unique();
  task.rank_deficient = work.mlcp.rank_deficient();
  if (local) {
    work.local_r.resize(problem.b.size());
    work.form.solution(problem, work.z, {}, work.local_r);
    work.reduction.expand(work.local_r, task.v, task.r);
  } else {
    work.form.solution(problem, work.z, task.v, task.r);
  }
}

/// States of the rows that are not free, multiplied.
std::int64_t combinations(const Problem& p) {
  std::int64_t states = 1;
  std::vector<double> bounds;
  for (const Block& block : p.blocks) {
    if (!block.set->bounds || block.dim > 12) return std::numeric_limits<std::int64_t>::max();
    bounds.resize(2 * static_cast<std::size_t>(block.dim));
    block.set->bounds(block.parameters, block.dim, block.set_scale, bounds.data(), bounds.data() + block.dim);
    for (int i = 0; i < block.dim && states < 1'000'000; ++i) {
      const double low = bounds[i], high = bounds[block.dim + i];
      if (low < high) states *= 1 + std::isfinite(low) + std::isfinite(high);
    }
  }
  return states;
}
bool can_try_all(const Problem& p) { return p.rows() <= 12 && AllModes::can(p.rows() + p.unknowns(), combinations(p)); }

void run_all_modes(SolveTask& task) {
  SolverWorkspace& work = task.workspace;
  work.form.build(task.problem);
  const MixedLcp& mlcp = work.form.mlcp();
  work.form.warm(task.problem, task.v, task.r, work.z);
  AllModes modes;
  task.nothing_found = !modes.solve(mlcp, work.z);
  if (!task.nothing_found) work.form.solution(task.problem, work.z, task.v, task.r);
  task.iterations = modes.tried();
  task.flops = static_cast<std::int64_t>(task.iterations) * mlcp.n * mlcp.n * (mlcp.n + 2);
}

// --- a few rows, dense ------------------------------------------------------------------------------------------------

/// Few rows beside equalities, which are taken out first with the motion; how many these are does not matter then.
bool can_few_rows(const Problem& problem) {
  if (FewRows::can(problem)) return true;
  int rows = 0;
  for (const Block& block : problem.blocks) {
    if (block.set == &equality_set) continue;
    if (!FewRows::can(block)) return false;
    rows += block.dim;
  }
  return rows <= FewRows::most_rows && problem.unknowns() > 0;
}

/// Bounds and planar friction keep what pivoting knows of them: only a solution without another one near is taken.
void run_few_rows(SolveTask& task) {
  SolverWorkspace& work = task.workspace;
  FewRows& few = work.few;
  const bool only_isolated = MlcpForm::can(task.problem);
  if (FewRows::can(task.problem)) {
    task.nothing_found = !few.solve(task.problem, only_isolated, task.v, task.r);
  } else {
    const Problem* local = work.local(task.problem);
    task.nothing_found = !local || local->rows() > FewRows::most_rows;  // the equality rows depend on each other
    if (task.nothing_found) return;
    work.reduction.restrict(task.r, work.local_r);
    task.nothing_found = local->rows() > 0 && !few.solve(*local, only_isolated, {}, work.local_r);
    if (!task.nothing_found) work.reduction.expand(work.local_r, task.v, task.r);
  }
  task.iterations = few.iterations();
  task.flops = few.flops();
}

void run_chain(SolveTask& task) {
  RowChain& chain = task.workspace.chain;
  task.nothing_found = !chain.solve(task.problem, task.v, task.r);
  task.iterations = chain.rounds();
  task.flops = 20 * static_cast<std::int64_t>(task.problem.rows()) * chain.rounds();
}

// --- sweeps and Newton, any sets ----------------------------------------------------------------------------------------

bool always(const Problem&) { return true; }

void run_newton_once(SolveTask& task, double rho_factor, int iterations) {
  SolverWorkspace& work = task.workspace;
  const Problem* local = work.local(task.problem);
  const Problem& problem = local ? *local : task.problem;
  if (local) {
    prox_steps(problem, work.rho);
  } else {  // no W: r per w from the sizes of M and H rows
    work.rho.assign(problem.blocks.size(), 1.0);
    double mass = 0;
    for (int i = 0; i < problem.unknowns(); ++i)
      for (SparseRows::InnerIterator a(problem.M, i); a; ++a) mass = std::max(mass, std::abs(a.value()));
    for (std::size_t k = 0; k < problem.blocks.size(); ++k) {
      double sum = 0;
      const Block& block = problem.blocks[k];
      for (int i = block.begin; i < block.begin + block.dim; ++i)
        for (SparseRows::InnerIterator a(problem.H, i); a; ++a) sum += a.value() * a.value();
      if (sum > 0.0 && mass > 0.0) work.rho[k] = mass / sum;
    }
  }
  for (double& rho : work.rho) rho *= rho_factor;
  if (local) {
    work.reduction.restrict(task.r, work.local_r);
    task.iterations += work.newton.run(problem, work.rho, iterations, {}, work.local_r);
    work.reduction.expand(work.local_r, task.v, task.r);
  } else {
    task.iterations += work.newton.run(problem, work.rho, iterations, task.v, task.r);
  }
  const std::int64_t size = problem.unknowns() + problem.rows();
  task.flops += iterations * (size <= 160 ? size * size * size : 200 * size + 20 * problem.D.nonZeros());
}

/// The first point is kept whatever its error is, for where an error is no number there is something to go back to.
void keep_best(SolveTask& task, double& best, bool& solved) {
  SolverWorkspace& work = task.workspace;
  const double error = error_of(judged(task, task.v, task.r));
  const bool first = work.best_r.size() != task.r.size() || work.best_v.size() != task.v.size();
  if (error < best || first) {
    best = std::isnan(error) ? best : error;
    work.best_v.assign(task.v.begin(), task.v.end());
    work.best_r.assign(task.r.begin(), task.r.end());
  }
  solved = best <= task.options.tolerance;
}

void restore_best(SolveTask& task) {
  std::copy(task.workspace.best_v.begin(), task.workspace.best_v.end(), task.v.begin());
  std::copy(task.workspace.best_r.begin(), task.workspace.best_r.end(), task.r.begin());
}

void run_newton(SolveTask& task) {
  double best = std::numeric_limits<double>::infinity();
  bool solved = false;
  keep_best(task, best, solved);
  const bool cold = std::all_of(task.r.begin(), task.r.end(), [](double x) { return x == 0.0; });
  // The map with another rho has other kinks: where one stalls the next goes on.
  for (double factor : {1.0, 10.0, 0.1, 100.0, 0.01}) {
    if (solved || task.flops > task.flops_left) break;
    restore_best(task);
    run_newton_once(task, factor, 40);
    keep_best(task, best, solved);
  }
  // A start near a solution may lead nowhere: a packing of 35 contacts is solved from zero, not from where the race ended at 7e-7.
  for (double factor : {1.0, 10.0, 0.1}) {
    if (cold || solved || task.flops > task.flops_left) break;
    std::fill(task.v.begin(), task.v.end(), 0.0);
    std::fill(task.r.begin(), task.r.end(), 0.0);
    run_newton_once(task, factor, 40);
    keep_best(task, best, solved);
  }
  restore_best(task);
}

/// Sweeps in rounds that grow; after each round Newton's method tries to finish from there. `most` flops where other entries of the table follow.
void sweep(SolveTask& task, std::int64_t most) {
  SolverWorkspace& work = task.workspace;
  const Problem* local = work.local(task.problem);
  if (!local) {
    task.cause = "the dynamics are singular: sweeps need W";
    return;
  }
  double best = std::numeric_limits<double>::infinity();
  bool solved = false;
  std::vector<double> r;
  work.reduction.restrict(task.r, r);
  work.reduction.expand(r, task.v, task.r);  // a warm point may be another step's motion: within the tolerance, and yet not moved
  keep_best(task, best, solved);
  if (solved) return;
  work.sweeps.start(*local);
  const std::int64_t sweep_flops = 4 * local->D.nonZeros() + 300 * static_cast<std::int64_t>(local->blocks.size());
  if (!task.options.solver.empty()) most = task.flops_left;
  const double tolerance = task.options.tolerance;
  for (int round = 10; !solved && task.flops < most; round *= 2) {
    double change = 1.0;
    for (int i = 0; i < round && change > 1e-17 && task.flops < most; ++i) {
      change = work.sweeps.sweep(*local, r);
      ++task.iterations;
      task.flops += sweep_flops;
      if (i % 10 == 9 && change < tolerance) {
        work.reduction.expand(r, task.v, task.r);
        keep_best(task, best, solved);
        if (solved) break;
      }
    }
    if (!std::all_of(r.begin(), r.end(), [](double x) { return std::isfinite(x); })) {
      work.reduction.restrict(work.best_r, r);
      break;
    }
    if (solved) break;
    work.reduction.expand(r, task.v, task.r);
    const double swept = error_of(judged(task, task.v, task.r));
    keep_best(task, best, solved);
    for (double factor : {1.0, 10.0, 0.1}) {  // from the sweeps' point each time
      if (solved || task.flops > most) break;
      work.reduction.expand(r, task.v, task.r);
      run_newton_once(task, factor, 15);
      keep_best(task, best, solved);
    }
    // Newton may end at a kink with all blocks right but a few: those the sweeps mend from there.
    if (best < 0.1 * swept) work.reduction.restrict(work.best_r, r);
    if (round > 20000 || (change == 0.0 && round > 100)) break;
  }
  restore_best(task);
}

void run_sweeps(SolveTask& task) { sweep(task, task.flops_left / 2); }

/// A few contacts: exact local solves end at rounding, where the race would stop at the tolerance. What they do not end soon is left to it: of eight
/// contacts the race solves in a fifth of the time what a million flops of sweeps leave open.
constexpr std::int64_t soon_of_few = 100'000;  // flops
void run_sweeps_few(SolveTask& task) { sweep(task, std::min(task.flops_left / 2, soon_of_few)); }

constexpr int few_rows = 36;
bool few(const Problem& p) { return p.rows() <= few_rows; }

/// The table. A new strategy is one line; the portfolio goes from top to bottom.
constexpr std::string_view any_sets = "any sets, any matrices";
constexpr std::string_view few_contacts = "bounds and Coulomb friction, up to 36 rows beside equalities";
constexpr std::string_view few_bounds = "bounds (equality, half-lines, boxes), up to 2187 combinations of states";
constexpr std::string_view pairs = "bounds, planar friction and polyhedra, up to 500 unknowns";
constexpr std::string_view many_pairs = "bounds, planar friction and polyhedra, up to 2500 unknowns";
constexpr std::string_view contacts = "Coulomb friction of 2 or 3 rows, half-lines, equality rows; finite friction";
constexpr std::string_view bounded = "bounds: equality, half-lines, boxes";
constexpr std::string_view chained = "bounds (equality, half-lines, boxes), M diagonal, W tridiagonal";
constexpr std::string_view quadratic = "bounds (equality, half-lines, boxes) with W symmetric: a quadratic program";
constexpr auto table = std::to_array<SolverEntry>({
    {"few_rows", "Newton's method on the laws of a few rows, dense; bounds and friction", few_contacts, can_few_rows, run_few_rows},
    {"least_norm", "equalities, also such that others hold: multipliers of least norm, dense", "equality rows alone, up to 200", can_least_norm, run_least_norm},
    {"pivoting", "Lemke's path on the mixed complementarity form; exact; bounds, planar friction, polyhedra", pairs, can_pivot_small, run_pivoting},
    {"all_modes", "every combination of the states of a few rows, judged row by row: where sizes differ by dozens of orders", few_bounds, can_try_all, run_all_modes},
    {"sweeps_few", "as sweeps, for a few rows of any sets", "up to 36 rows of any sets", few, run_sweeps_few},
    {"race", "friction: Gauss-Seidel, accelerated ADMM, interior point, Newton steps in turns; cones, half-lines, equalities",
     contacts, can_friction, run_race},
    {"sweeps", "block Gauss-Seidel by exact local solves with Newton finishes; any sets", any_sets, always, run_sweeps},
    {"newton", "semismooth Newton on the natural map; any sets, singular dynamics too", any_sets, always, run_newton},
    {"pivoting_large", "as pivoting, up to 2500 unknowns", many_pairs, can_pivot, run_pivoting},
    {"nsgs", "friction: nonsmooth Gauss-Seidel alone; by name only", contacts, can_friction, run_nsgs, false},
    {"nsgs_accelerated", "friction: Gauss-Seidel sweeps with momentum alone; by name only", contacts, can_friction, run_nsgs_accelerated, false},
    {"admm", "friction: alternating directions alone; by name only", contacts, can_friction, run_admm, false},
    {"admm_anderson", "friction: alternating directions with Anderson acceleration; by name only", contacts, can_friction, run_admm_anderson, false},
    {"interior_point", "friction: interior point with the De Saxce term inside; by name only", contacts, can_friction, run_interior_point, false},
    {"sweep_newton", "friction: Gauss-Seidel sweeps and proximal Newton steps in turns; by name only", contacts, can_friction, run_sweep_newton, false},
    {"piles", "friction: sweeps with momentum, interior point and semismooth steps from where they are; by name only", contacts, can_friction, run_piles, false},
    {"held_slips", "friction: interior points with slips held, Newton's method on the slips; by name only", contacts, can_friction, run_held_slips, false},
    {"proximal", "friction: proximal point by semismooth Newton; by name only", contacts, can_friction, run_proximal, false},
    {"newton_min", "bounds: Newton on min(z, w), active sets exchanged until they repeat; by name only", bounded, can_newton_min, run_newton_min, false},
    {"projected_gradient", "bounds, W symmetric: spectral projected gradient; by name only", quadratic, can_projected_gradient, run_projected_gradient, false},
    {"conjugate_projected_gradient", "bounds, W symmetric: conjugate gradients with proportioning (MPRGP); by name only", quadratic,
     can_projected_gradient, run_conjugate_projected_gradient, false},
    {"chain", "bounds: rows that share unknowns with the ones before and behind them alone, by exchange of modes; by name only", chained, RowChain::can, run_chain, false, true},
    // Where the others stall: contacts beside relays whose sweeps circle.
    {"extragradient", "variational inequality over any sets by two projections a step", any_sets, always, run_extragradient},
    {"race_on", "as race, with all that is left of the budget: last, for contacts that the others do not solve either", contacts, can_friction_again, run_race_on},
});

/// The point holds impulses that cancel in W r to a ten-thousandth or less: so grow those of a problem without a solution, until
/// they pass for one in relative measures.
bool immense(const Problem& problem, std::span<const double> r) {
  if (problem.unknowns() > 0 || MlcpForm::can(problem)) return false;
  double given = 0.0;
  for (double b : problem.b) given = std::max(given, std::abs(b));
  for (int i = 0; i < problem.rows(); ++i) {
    double terms = 0.0;
    for (SparseRows::InnerIterator a(problem.D, i); a; ++a) terms += std::abs(a.value() * r[a.col()]);
    if (terms > 1e4 * given) return true;
  }
  return false;
}

/// W given, contacts in space, cold: whether no impulse at all is the solution, before anything is taken apart.
bool zero_solves(const Problem& problem, const SolveOptions& options) {
  if (problem.unknowns() > 0 || !options.warm_r.empty() || !options.solver.empty() || MlcpForm::can(problem)) return false;
  constexpr int most = 16;
  double zero[most] = {}, prox[most];
  for (const Block& block : problem.blocks) {
    if (block.dim > most) return false;
    block.set->prox(block.parameters, block.dim, zero, problem.b.data() + block.begin, 1.0, block.set_scale, prox);
    if (std::any_of(prox, prox + block.dim, [](double x) { return x != 0.0; })) return false;
  }
  return true;
}

}  // namespace

const Problem* SolverWorkspace::local(const Problem& problem) {
  if (reduced == Reduced::not_tried) {
    reduced = reduction.reduce(problem, true)    ? Reduced::full
              : reduction.reduce(problem, false) ? Reduced::dynamics_only
                                                 : Reduced::impossible;
  }
  return reduced == Reduced::impossible ? nullptr : &reduction.local();
}

void begin_report(const Problem& problem, const SolveOptions& options, SolveReport& report) {
  const std::size_t n = problem.p0.size(), m = problem.b.size();
  report.status = SolveStatus::budget;
  report.iterations = 0;
  report.flops = 0;
  report.not_unique = report.rank_deficient = false;
  report.solver = {};
  report.cause.clear();
  report.proof.clear();
  report.v.assign(n, 0.0);
  report.r.assign(m, 0.0);
  report.w.assign(m, 0.0);
  if (options.warm_r.size() == m) std::copy(options.warm_r.begin(), options.warm_r.end(), report.r.begin());
  if (options.warm_v.size() == n) std::copy(options.warm_v.begin(), options.warm_v.end(), report.v.begin());
}

std::span<const SolverEntry> solvers() { return table; }
const SolverEntry* find_solver(std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const SolverEntry& entry) { return entry.name == name; });
  return found == table.end() ? nullptr : &*found;
}

Solver::Solver() : workspace_(std::make_unique<SolverWorkspace>()) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

void Solver::solve(const Problem& problem, const SolveOptions& options, SolveReport& report) {
  const double start = options.timed ? cpu_time() : 0.0;
  const SolverEntry* asked = options.solver.empty() ? nullptr : find_solver(options.solver);
  if (!(asked && asked->whole) && workspace_->islands.find(problem) > 1) {
    solve_islands(problem, options, report);
  } else {
    solve_one(problem, options, options.flop_budget, report);
    report.islands = 1;
  }
  report.time_s = options.timed ? cpu_time() - start : 0.0;
}

namespace {
/// Whether a point that is not solved is as good as one asks for after so many flops, or as rounding of velocities lets it be.
bool enough(const Certificate& best, std::int64_t flops, const SolveOptions& options) {
  constexpr std::int64_t at_rounding = 1'000'000;
  return (flops >= options.acceptable_after && error_of(best) <= options.acceptable) || (flops >= at_rounding && best.velocity_residual <= options.lost);
}

constexpr const char* contradict = "no point fulfils all laws: multipliers of the rows prove it";

/// A first strategy starts at the warm point; a later one at the best so far, if that is any good, else at zero.
void start_again(const SolveReport& report, double error, SolverWorkspace& work) {
  if (error < 1e-2) {
    work.trial_v = report.v;
    work.trial_r = report.r;
  } else {
    std::fill(work.trial_v.begin(), work.trial_v.end(), 0.0);
    std::fill(work.trial_r.begin(), work.trial_r.end(), 0.0);
  }
}

/// Why the strategies that ran left the problem open. ray: the last one ended on rays; cause: what the one that was asked for says.
void say_why(const SolveOptions& options, bool spent, bool ray, std::string_view cause, SolveReport& report) {
  if (ray) report.status = SolveStatus::ray;
  if (ray && !options.solver.empty()) report.cause = "Lemke's paths end on rays; no proof that there is no solution";
  else report.cause = spent ? "the budget of flops is spent" : !cause.empty() ? std::string(cause) : "all solvers stalled above the tolerance";
}
}  // namespace

void Solver::solve_one(const Problem& problem, const SolveOptions& options, std::int64_t most_flops, SolveReport& report) {
  SolverWorkspace& work = *workspace_;
  work.reduced = SolverWorkspace::Reduced::not_tried;
  work.best_v.clear();
  work.best_r.clear();
  work.proof.clear();
  const std::size_t m = problem.b.size();
  const bool spatial = !MlcpForm::can(problem);  // pivoting finds the proofs of the others
  const auto impossible = [&](std::span<const double> r) {
    if (spatial && work.proof.empty()) work.proof = contradicting_rows(problem, r);
    return !work.proof.empty();
  };
  const auto infeasible = [&report](const char* cause) {
    report.status = SolveStatus::infeasible;
    report.cause = cause;
  };
  begin_report(problem, options, report);
  if (zero_solves(problem, options)) {
    take(certificate(problem, report.v, report.r, report.w, work.residual), report);
    report.status = std::max(report.residual, report.scaled_residual) <= options.tolerance ? SolveStatus::solved : SolveStatus::budget;
    report.solver = "zero";
    report.flops = 2 * static_cast<std::int64_t>(m);
    return;
  }
  work.trial_v = report.v;
  work.trial_r = report.r;

  Certificate best;  // of the report's point, once a strategy ran
  bool ran = false, has_best = false, ray = false;
  std::string_view cause;
  for (const SolverEntry& entry : table) {
    if (options.solver.empty() ? !entry.in_portfolio : entry.name != options.solver) continue;
    if (!entry.can(problem)) continue;
    if (report.flops >= most_flops || (has_best && enough(best, report.flops, options))) break;
    ran = true;
    if (has_best) start_again(report, error_of(best), work);
    SolveTask task{problem, options, work, work.trial_v, work.trial_r, most_flops - report.flops};
    entry.run(task);
    report.iterations += task.iterations;
    report.flops += std::max<std::int64_t>(task.flops, 1);
    ray = task.ray;
    if (!options.solver.empty()) cause = task.cause;
    if (task.nothing_found && !(options.solver.empty() && impossible(work.trial_r))) continue;
    work.w.resize(m);
    const Certificate found = certificate(problem, work.trial_v, work.trial_r, work.w, work.residual);
    if (!has_best || error_of(found) < error_of(best)) {
      has_best = true;
      best = found;
      report.v = work.trial_v;
      report.r = work.trial_r;
      report.w.swap(work.w);
      report.solver = options.solver.empty() && !task.arm.empty() ? task.arm : entry.name;
      report.not_unique = task.not_unique;
      report.rank_deficient = task.rank_deficient;
    }
    if (!work.proof.empty() || (error_of(best) <= options.tolerance && immense(problem, report.r) && impossible(report.r))) {
      infeasible(contradict);
      break;
    }
    if (error_of(best) <= options.tolerance) {
      report.status = SolveStatus::solved;
      break;
    }
    if (task.infeasible) {
      infeasible("no point fulfils all laws: multipliers of the rows, or all bases, prove it");
      break;
    }
  }
  if (!has_best) best = certificate(problem, report.v, report.r, report.w, work.residual);
  take(best, report);
  if (ran && report.status == SolveStatus::budget && impossible(report.r)) infeasible(contradict);
  report.proof = work.proof;
  if (!ran) {
    report.status = SolveStatus::unsupported;
    const SolverEntry* entry = find_solver(options.solver);
    report.cause = "solver " + std::string(options.solver) + " takes " + std::string(entry ? entry->takes : "nothing");
  } else if (report.status == SolveStatus::budget) {
    say_why(options, report.flops >= most_flops, ray, cause, report);
  }
}

SolveReport solve(const Problem& problem, const SolveOptions& options) {
  Faults faults;
  validate(problem, faults);
  if (!options.solver.empty() && !find_solver(options.solver)) {
    std::string names;
    for (const SolverEntry& entry : table) names += (names.empty() ? "" : ", ") + std::string(entry.name);
    faults.error({}, "solver", "\"" + std::string(options.solver) + "\" is not there", "take one of " + names);
  }
  if (options.threads < 1 || options.threads > 1024) faults.error({}, "threads", "is " + std::to_string(options.threads) + ", must be between 1 and 1024");
  if (!(options.tolerance > 0.0)) faults.error({}, "tolerance", "is " + std::to_string(options.tolerance) + ", must be above 0");
  const auto check = [&](std::span<const double> x, std::size_t size, const char* name) {
    if (x.empty()) return;
    if (x.size() != size) faults.error({}, name, "has " + std::to_string(x.size()) + " entries, must have " + std::to_string(size));
    if (!std::all_of(x.begin(), x.end(), [](double a) { return std::isfinite(a); })) faults.error({}, name, "is not finite");
  };
  check(options.warm_r, problem.b.size(), "warm_r");
  check(options.warm_v, problem.p0.size(), "warm_v");
  faults.raise();
  SolveReport report;
  Solver().solve(problem, options, report);
  return report;
}

}  // namespace saltus
