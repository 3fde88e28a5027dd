// What the strategies share within one solve.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "saltus/base/threads.hpp"
#include "saltus/problem/residual.hpp"
#include "saltus/solver/few_rows.hpp"
#include "saltus/solver/islands.hpp"
#include "saltus/solver/linear_reduction.hpp"
#include "saltus/solver/mlcp.hpp"
#include "saltus/solver/mlcp_form.hpp"
#include "saltus/solver/projected_newton.hpp"
#include "saltus/solver/projected_sweeps.hpp"
#include "saltus/solver/report.hpp"
#include "saltus/solver/row_chain.hpp"
#include "saltus/solver/solve.hpp"

namespace saltus {

struct SolverWorkspace {
  ResidualScratch residual;
  FewRows few;
  MlcpForm form;
  MlcpSolver mlcp;
  LinearReduction reduction;
  enum class Reduced { not_tried, full, dynamics_only, impossible } reduced = Reduced::not_tried;
  ProjectedSweeps sweeps;
  ProjectedNewton newton;
  RowChain chain;
  std::vector<double> proof;  // of the solve that goes on: multipliers of contradicting rows
  std::vector<double> z, warm_z, w, local_r, best_r, rho, trial_v, trial_r, best_v;

  Islands islands;
  /// What one thread needs to solve an island, kept from solve to solve.
  struct IslandWorkspace {
    Problem island;
    SolveReport report;
    std::vector<double> warm_r, warm_v;
    Solver solver;
  };
  /// What the whole needs to know of an island.
  struct IslandOutcome {
    SolveStatus status = SolveStatus::budget;
    int iterations = 0;
    std::int64_t flops = 0;
    bool not_unique = false, rank_deficient = false;
    std::string_view solver;
    std::string cause;
    std::vector<double> proof;  // of its rows
  };
  std::vector<std::unique_ptr<IslandWorkspace>> workspaces;
  std::vector<IslandOutcome> outcomes;
  std::vector<int> open_islands;

  std::optional<Threads> threads;
  /// Started when first asked for; null for one.
  Threads* threads_of(const SolveOptions& options) {
    if (options.threads <= 1) return nullptr;
    if (!threads || threads->count() != options.threads) threads.emplace(options.threads);
    return &*threads;
  }

  /// The problem with dynamics and equalities taken out, or null where that is not possible; made once a solve.
  const Problem* local(const Problem& problem);
};

/// The measures of the report are those of `found`.
inline void take(const Certificate& found, SolveReport& report) {
  report.residual = found.residual;
  report.scaled_residual = found.scaled_residual;
  report.velocity_residual = found.velocity_residual;
  report.siconos_error = found.siconos_error;
  report.worst_block = found.worst_block;
}

/// An empty report that stands at the warm point.
void begin_report(const Problem& problem, const SolveOptions& options, SolveReport& report);

}  // namespace saltus
