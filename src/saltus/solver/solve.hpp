// The one entry: problem in, report with certificate out.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "saltus/problem/problem.hpp"
#include "saltus/solver/report.hpp"

namespace saltus {

struct SolveOptions {
  double tolerance = 1e-8;               // of residual and scaled_residual, both
  std::string_view solver = {};          // name of one strategy; empty: the portfolio
  std::int64_t flop_budget = 100'000'000'000;  // about 20 s of one core
  double acceptable = 0.0;               // what is within it, both residuals, is taken, though not as solved, where it hardly falls any more;
  std::int64_t acceptable_after = 0;     // looked at once so many flops are spent
  double lost = 0.0;                     // velocity residual that is rounding: after a million flops nothing more is tried, though not as solved
  std::span<const double> warm_r = {};   // m; from the last step
  std::span<const double> warm_v = {};   // n
  int threads = 1;                       // any number gives the same bits
  bool timed = true;                     // false leaves time_s at zero: asking the clock takes longer than a solve of few rows
};

struct SolverWorkspace;

/// What a strategy works on: start and result are v, r; the caller judges them.
struct SolveTask {
  const Problem& problem;
  const SolveOptions& options;
  SolverWorkspace& workspace;
  std::span<double> v, r;      // start, then its best point
  std::int64_t flops_left;
  // Set by the strategy:
  int iterations = 0;
  std::int64_t flops = 0;
  bool nothing_found = false;  // v, r are still the start, which is no answer even where it is within the tolerance
  bool infeasible = false;     // with a checked certificate
  bool ray = false;
  bool not_unique = false;
  bool rank_deficient = false;
  std::string_view cause = {};
  std::string_view arm = {};   // what inside the entry found the point, if it has a name of its own
};

/// One line of the table of strategies.
struct SolverEntry {
  std::string_view name;
  std::string_view doc;
  std::string_view takes;      // what `can` asks for, in words
  bool (*can)(const Problem& problem);
  void (*run)(SolveTask& task);
  bool in_portfolio = true;  // false: runs by its name alone
  bool whole = false;        // takes a problem as it is, with all its islands
};

/// All entries in the order of the portfolio: the first that can, first.
std::span<const SolverEntry> solvers();
/// Null if there is none of this name.
const SolverEntry* find_solver(std::string_view name);

/// Solves again and again without new memory for problems of one size, where pivoting serves; keeps factors and tables.
class Solver {
 public:
  Solver();
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// Report with v, r, w. Status::solved only if certificate() of the returned point is within the tolerance. The problem
  /// must be valid (validate()); problem and options live through the call.
  /// Islands (connected components of the blocks and velocities) are solved apart, in the order of their first blocks: an
  /// island gives equal bits whatever stands beside it. `solver` names the strategy that spent most.
  void solve(const Problem& problem, const SolveOptions& options, SolveReport& report);

 private:
  /// `most_flops` of options.flop_budget: the path is that of the whole budget until they are spent.
  void solve_one(const Problem& problem, const SolveOptions& options, std::int64_t most_flops, SolveReport& report);
  void solve_islands(const Problem& problem, const SolveOptions& options, SolveReport& report);
  friend struct IslandSolve;
  std::unique_ptr<SolverWorkspace> workspace_;
};

/// Checks the problem first: throws ModelError with all faults, also for an unknown solver's name.
[[nodiscard]] SolveReport solve(const Problem& problem, const SolveOptions& options = {});

}  // namespace saltus
