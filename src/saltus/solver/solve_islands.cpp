#include <algorithm>

#include "saltus/solver/solve.hpp"
#include "saltus/solver/solve_workspace.hpp"

namespace saltus {

/// Each island on its own, as if there were no other: equal bits, whatever stands beside it. Two exceptions. An island that
/// is still open when half of the budget divided by the islands is spent is taken again, from its start, when all others are
/// through, and only if the whole is not within the tolerance. Where all are solved by their own units but the whole is not
/// by its units, all go on from there to half the tolerance, then to a tenth.
void Solver::solve_islands(const Problem& problem, const SolveOptions& options, SolveReport& report) {
  SolverWorkspace& work = *workspace_;
  Islands& islands = work.islands;
  const int count = islands.count();
  const std::size_t n = problem.p0.size(), m = problem.b.size();
  report.status = SolveStatus::budget;
  report.iterations = 0;
  report.flops = 0;
  report.not_unique = report.rank_deficient = false;
  report.solver = {};
  report.cause.clear();
  report.v.assign(n, 0.0);
  report.r.assign(m, 0.0);
  report.w.assign(m, 0.0);
  if (options.warm_r.size() == m) std::copy(options.warm_r.begin(), options.warm_r.end(), report.r.begin());
  if (options.warm_v.size() == n) std::copy(options.warm_v.begin(), options.warm_v.end(), report.v.begin());
  work.island_status.assign(static_cast<std::size_t>(count), SolveStatus::budget);
  std::int64_t longest = -1;
  SolveReport& own = work.island_report;

  const auto solve_island = [&](int k, double tolerance, std::int64_t cap, bool from_report) {
    const std::span<const int> rows = islands.rows(k), velocities = islands.velocities(k);
    SolveOptions part = options;
    part.tolerance = tolerance;
    const auto start = [&](std::span<const int> list, std::span<const double> warm, const std::vector<double>& found, std::vector<double>& out) {
      const bool given = from_report || warm.size() == found.size();
      out.resize(given ? list.size() : 0);
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = (from_report ? found.data() : warm.data())[list[i]];
    };
    start(rows, options.warm_r, report.r, work.island_r);
    start(velocities, options.warm_v, report.v, work.island_v);
    part.warm_r = work.island_r;
    part.warm_v = work.island_v;
    if (rows.empty()) part.solver = {};  // motion alone: no law that an arm could refuse
    islands.extract(problem, k, work.island);
    solve_one(work.island, part, cap, own);
    for (std::size_t i = 0; i < rows.size(); ++i) report.r[static_cast<std::size_t>(rows[i])] = own.r[i];
    for (std::size_t i = 0; i < velocities.size(); ++i) report.v[static_cast<std::size_t>(velocities[i])] = own.v[i];
    work.island_status[static_cast<std::size_t>(k)] = own.status;
    report.iterations += own.iterations;
    report.flops += own.flops;
    report.not_unique |= own.not_unique;
    report.rank_deficient |= own.rank_deficient;
    if (own.status != SolveStatus::solved && report.cause.empty() && !rows.empty())
      report.cause = "island " + std::to_string(k) + " (row " + std::to_string(rows.front()) + " and on): " + own.cause;
    if (!rows.empty() && own.flops > longest) {
      longest = own.flops;
      report.solver = own.solver;
    }
  };
  const auto whole = [&] {
    const Certificate found = certificate(problem, report.v, report.r, report.w, work.residual);
    report.residual = found.residual;
    report.scaled_residual = found.scaled_residual;
    report.velocity_residual = found.velocity_residual;
    report.worst_block = found.worst_block;
    return std::max(found.residual, found.scaled_residual) <= options.tolerance;
  };
  const auto any = [&](SolveStatus status) {
    return std::find(work.island_status.begin(), work.island_status.end(), status) != work.island_status.end();
  };

  const std::int64_t share = std::max<std::int64_t>(options.flop_budget / (2 * count), 1);
  for (int k = 0; k < count; ++k) solve_island(k, options.tolerance, share, false);
  bool good = whole();
  if (!good && !any(SolveStatus::infeasible)) {
    report.cause.clear();
    for (int k = 0; k < count && report.flops < options.flop_budget; ++k)
      if (work.island_status[static_cast<std::size_t>(k)] != SolveStatus::solved)
        solve_island(k, options.tolerance, options.flop_budget - report.flops, false);
    good = whole();
  }
  for (const double factor : {0.5, 0.1}) {
    if (good || any(SolveStatus::budget) || any(SolveStatus::ray) || any(SolveStatus::infeasible) || any(SolveStatus::unsupported)) break;
    for (int k = 0; k < count; ++k) solve_island(k, factor * options.tolerance, share, true);
    good = whole();
  }
  if (any(SolveStatus::infeasible)) report.status = SolveStatus::infeasible;
  else if (good) report.status = SolveStatus::solved;
  else if (any(SolveStatus::unsupported)) report.status = SolveStatus::unsupported;
  else if (any(SolveStatus::ray)) report.status = SolveStatus::ray;
  if (good && report.status == SolveStatus::solved) report.cause.clear();
  else if (report.cause.empty()) report.cause = "the islands are solved in their own units, the whole is not in its units";
  report.islands = count;
}

}  // namespace saltus
