#include <algorithm>
#include <mutex>

#include "saltus/base/index.hpp"
#include "saltus/math/dense_lu.hpp"
#include "saltus/solver/solve.hpp"
#include "saltus/solver/solve_workspace.hpp"

namespace saltus {

/// One solve in parts: every island on its own, as if there were no other.
struct IslandSolve {
  const Problem& problem;
  const SolveOptions& options;
  SolverWorkspace& work;
  SolveReport& report;
  std::mutex mutex = {};                          // of the workspaces
  std::vector<SolverWorkspace::IslandWorkspace*> free = {};

  SolverWorkspace::IslandOutcome& outcome(int k) { return work.outcomes[k]; }

  /// M v = p0 of what no law touches, part by part. False where M is singular in one of them.
  bool move_freely(int k) {
    static thread_local DenseLu factor;
    static thread_local std::vector<double> mass, motion;
    std::int64_t flops = 0;
    for (int i = 0; i < work.islands.free_parts(); ++i) {
      const std::span<const int> part = work.islands.free_part(i);
      const std::size_t n = part.size();
      mass.assign(n * n, 0.0);
      motion.resize(n);
      for (std::size_t row = 0; row < n; ++row) {
        motion[row] = problem.p0[part[row]];
        for (SparseRows::InnerIterator a(problem.M, part[row]); a; ++a)
          if (a.value() != 0.0) mass[n * row + static_cast<std::size_t>(std::lower_bound(part.begin(), part.end(), a.col()) - part.begin())] = a.value();
      }
      if (n == 1 && mass[0] != 0.0) {
        motion[0] /= mass[0];
      } else {
        if (!factor.factorize(mass, static_cast<int>(n))) return false;
        factor.solve(motion);
      }
      for (std::size_t row = 0; row < n; ++row) report.v[part[row]] = motion[row];
      flops += static_cast<std::int64_t>(n * n * n);
    }
    outcome(k) = {.status = SolveStatus::solved, .flops = flops};
    return true;
  }

  /// Solves island `k` on `workspace`; from the point of the report, or from the warm one.
  void solve_on(SolverWorkspace::IslandWorkspace& workspace, int k, double tolerance, std::int64_t cap, bool from_report, int threads) {
    if (k == work.islands.free() && move_freely(k)) return;
    const std::span<const int> rows = work.islands.rows(k), velocities = work.islands.velocities(k);
    SolveOptions part = options;
    part.tolerance = tolerance;
    part.threads = threads;
    if (options.acceptable > 0.0) part.acceptable_after = options.acceptable_after * static_cast<std::int64_t>(rows.size()) / std::max(problem.rows(), 1);
    const auto start = [&](std::span<const int> list, std::span<const double> warm, const std::vector<double>& found, std::vector<double>& out) {
      const bool given = from_report || warm.size() == found.size();
      out.resize(given ? list.size() : 0);
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = (from_report ? found.data() : warm.data())[list[i]];
    };
    start(rows, options.warm_r, report.r, workspace.warm_r);
    start(velocities, options.warm_v, report.v, workspace.warm_v);
    part.warm_r = workspace.warm_r;
    part.warm_v = workspace.warm_v;
    if (rows.empty()) part.solver = {};  // motion alone: no law that a strategy could refuse
    work.islands.extract(problem, k, workspace.island);
    const SolveReport& own = workspace.report;
    workspace.solver.solve_one(workspace.island, part, cap, workspace.report);
    for (std::size_t i = 0; i < rows.size(); ++i) report.r[rows[i]] = own.r[i];
    for (std::size_t i = 0; i < velocities.size(); ++i) report.v[velocities[i]] = own.v[i];
    outcome(k) = {own.status, own.iterations, own.flops, own.not_unique, own.rank_deficient, own.solver, own.cause, own.proof};
  }

  /// Few islands keep a workspace each, so that a solve of the same shape finds all memory; many share one a thread.
  bool own_workspaces() const { return work.islands.count() <= 64; }
  SolverWorkspace::IslandWorkspace& first_workspace(int k) { return *work.workspaces[own_workspaces() ? k : 0]; }

  /// All of `list`: large islands one after the other with all threads inside, the small ones side by side.
  void solve_all(std::span<const int> list, double tolerance, std::int64_t cap, bool from_report) {
    Threads* threads = work.threads_of(options);
    constexpr std::size_t large = 4000;  // rows; from about there on the friction solvers share their loops
    const auto alone = [&](int k) { return !threads || work.islands.rows(k).size() >= large; };
    for (int k : list)
      if (alone(k)) solve_on(first_workspace(k), k, tolerance, cap, from_report, options.threads);
    if (!threads) return;
    free.clear();
    if (!own_workspaces())
      for (auto& workspace : work.workspaces) free.push_back(workspace.get());
    threads->each(count_of(list), [&](int i) {
      const int k = list[i];
      if (alone(k)) return;
      SolverWorkspace::IslandWorkspace* workspace = own_workspaces() ? &first_workspace(k) : taken();
      solve_on(*workspace, k, tolerance, cap, from_report, 1);
      if (!own_workspaces()) give_back(workspace);
    });
  }
  SolverWorkspace::IslandWorkspace* taken() {
    std::lock_guard lock(mutex);
    SolverWorkspace::IslandWorkspace* workspace = free.back();
    free.pop_back();
    return workspace;
  }
  void give_back(SolverWorkspace::IslandWorkspace* workspace) {
    std::lock_guard lock(mutex);
    free.push_back(workspace);
  }

  /// Adds what `list` spent to the report, in its order whoever was ready first.
  void account(std::span<const int> list, std::int64_t& longest) {
    for (int k : list) {
      const SolverWorkspace::IslandOutcome& own = outcome(k);
      const std::span<const int> rows = work.islands.rows(k);
      report.iterations += own.iterations;
      report.flops += own.flops;
      report.not_unique |= own.not_unique;
      report.rank_deficient |= own.rank_deficient;
      if (own.status != SolveStatus::solved && report.cause.empty() && !rows.empty())
        report.cause = "island " + std::to_string(k) + " (row " + std::to_string(rows.front()) + " and on): " + own.cause;
      if (!own.proof.empty() && report.proof.empty()) {
        report.proof.assign(problem.b.size(), 0.0);
        for (std::size_t i = 0; i < rows.size(); ++i) report.proof[rows[i]] = own.proof[i];
      }
      if (!rows.empty() && own.flops > longest) {
        longest = own.flops;
        report.solver = own.solver;
      }
    }
  }

  bool whole_is_solved() {
    const Certificate found = certificate(problem, report.v, report.r, report.w, work.residual);
    take(found, report);
    return std::max(found.residual, found.scaled_residual) <= options.tolerance;
  }
  bool any(SolveStatus status) const {
    return std::any_of(work.outcomes.begin(), work.outcomes.end(), [status](const auto& own) { return own.status == status; });
  }
};

/// Equal bits for an island, whatever stands beside it. Two exceptions. An island that is still open when half of the budget
/// divided by the islands is spent is taken again, from its start, when all others are through, and only if the whole is not
/// within the tolerance. Where all are solved by their own units but the whole is not by its units, all go on from there to
/// half the tolerance, then to a tenth.
void Solver::solve_islands(const Problem& problem, const SolveOptions& options, SolveReport& report) {
  SolverWorkspace& work = *workspace_;
  const int count = work.islands.count();
  begin_report(problem, options, report);
  work.outcomes.resize(count);
  std::vector<int>& all = work.open_islands;
  all.resize(count);
  for (int k = 0; k < count; ++k) all[k] = k;
  IslandSolve solve{problem, options, work, report};
  const std::size_t workspaces = solve.own_workspaces() ? static_cast<std::size_t>(count) : static_cast<std::size_t>(options.threads);
  while (work.workspaces.size() < workspaces) work.workspaces.push_back(std::make_unique<SolverWorkspace::IslandWorkspace>());
  std::int64_t longest = -1;

  const std::int64_t share = std::max<std::int64_t>(options.flop_budget / (2 * count), 1);
  solve.solve_all(all, options.tolerance, share, false);
  solve.account(all, longest);
  bool good = solve.whole_is_solved();
  if (!good && !(std::max(report.residual, report.scaled_residual) <= options.acceptable) && !solve.any(SolveStatus::infeasible)) {
    report.cause.clear();
    for (int k = 0; k < count && report.flops < options.flop_budget; ++k) {
      if (solve.outcome(k).status == SolveStatus::solved) continue;
      solve.solve_on(solve.first_workspace(k), k, options.tolerance, options.flop_budget - report.flops, false, options.threads);
      solve.account({&k, 1}, longest);
    }
    good = solve.whole_is_solved();
  }
  for (const double factor : {0.5, 0.1}) {
    if (good || solve.any(SolveStatus::budget) || solve.any(SolveStatus::ray) || solve.any(SolveStatus::infeasible) || solve.any(SolveStatus::unsupported)) break;
    solve.solve_all(all, factor * options.tolerance, share, true);
    solve.account(all, longest);
    good = solve.whole_is_solved();
  }
  if (solve.any(SolveStatus::infeasible)) report.status = SolveStatus::infeasible;
  else if (good) report.status = SolveStatus::solved;
  else if (solve.any(SolveStatus::unsupported)) report.status = SolveStatus::unsupported;
  else if (solve.any(SolveStatus::ray)) report.status = SolveStatus::ray;
  if (good && report.status == SolveStatus::solved) report.cause.clear();
  else if (report.cause.empty()) report.cause = "the islands are solved in their own units, the whole is not in its units";
  report.islands = count;
}

}  // namespace saltus
