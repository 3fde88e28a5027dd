// The iteration of a step and the solution of its problems.
#include <algorithm>
#include <cmath>

#include "saltus/integrate/moreau_step.hpp"

namespace saltus {
namespace {

/// Iterations after which problems are solved from nothing: beside a start of larger rounding than the solution has size, that passes for one.
constexpr int cold_from = 4;
/// Of a natural map against the sizes of the terms of velocities.
constexpr double rounding_of_velocities = 1e-13;
}  // namespace

MoreauStep::Outcome MoreauStep::solve(const State& state, double h, double theta) {
  Outcome out;
  std::copy_n(state.memory() + plan_.largest_terms(), 2, terms_before_);
  std::copy_n(terms_before_, 2, largest_terms_);
  if (model_.affine && solve_affine(state, h, theta, out)) return out;
  solution_.in_modes = false;
  out = {};
  solution_.xi = before_.xi;
  std::fill(solution_.mu.begin(), solution_.mu.end(), 0.0);
  for (int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    for (int r = 0; h > 0.0 && r < e.rows; ++r) solution_.mu[e.row + r] = state.memory()[e.row + r];
  }
  // Errors are told by differences of steps: what Newton's iteration leaves must be small beside them. As far as rounding lets it come.
  const double aim = plan_.options.error_control ? std::max(1e-3 * std::pow(plan_.options.tolerance, 1.5), 1e-14) : 0.0;  // a hundredth of the least share of MoreauControl
  double last = HUGE_VAL;
  for (;; ++out.iterations) {
    evaluate(state, h, theta, out.iterations == 0);
    if (out.iterations > 0) {
      matrix_terms();
      out.equations = dynamics_error();
      out.rows = rows_error();
      const double worst = std::max(out.equations, out.rows);
      double size = 0.0;
      const double left = aim > 0.0 && worst <= plan_.newton_tolerance ? energy_left(size) : 0.0;
      if (worst <= plan_.newton_tolerance && (left <= aim * size || left > 0.5 * last || out.iterations >= plan_.newton_most) && !std::isnan(out.equations) && !std::isnan(out.rows)) {
        out.converged = true;
        return out;
      }
      last = left > 0.0 ? left : HUGE_VAL;
      if (!std::isfinite(out.equations) || !std::isfinite(out.rows)) {
        out.cause = "Newton's iteration left the finite numbers";
        return out;
      }
      if (out.iterations >= plan_.newton_most) {
        out.cause = "Newton's iteration did not converge: it leaves " + short_text(out.equations) + " of the equations' terms, " + short_text(out.rows) + " of the rows'";
        return out;
      }
    }
    matrices(h, theta);
    build_problem();
    if (!solve_problem(state, h, out.iterations < cold_from || !contacts_.empty())) {
      out.cause = solution_.cause;
      return out;
    }
    out.laws = solution_.laws;
  }
}

bool MoreauStep::solve_problem(const State& state, double h, bool warm) {
  const bool shifted = shifted_ || contacts_.shifted();
  if (!shifted) return solve_in_sets(state, h, warm);
  shift_sets(1.0);
  const bool solved = solve_in_sets(state, h, warm);
  shift_sets(-1.0);
  return solved;
}

bool MoreauStep::solve_in_sets(const State& state, double h, bool warm) {
  const bool own_sets = std::none_of(phase_.begin(), phase_.end(), [](const PhaseSet& phase) { return phase.set; });
  if (contacts_.empty() && own_sets) {
    if (solve_modes()) return solution_.in_modes = true;
    solution_.cause = "the equations of the step are singular";
    if (const Circuit::Contradiction none = circuit_.contradiction(assembly_, state.t() + h, state.y(), state.data(), h == 0.0); none.found()) {
      solution_.cause = none.text();
      return false;
    }
    if (rows_.entries.empty()) return false;
  }
  build_rows();
  for (int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const bool impulse = plan_.entries[i].impulse;
    general_.blocks.push_back({.begin = rows_.row[i], .dim = e.rows, .set = e.law.type->set, .parameters = e.law.parameters,
                               .set_scale = e.law.type->force_bounded && impulse ? problem_.set_scale : 1.0});
    if (!own_sets && phase_[i].set) general_.blocks.back().set = phase_[i].set, general_.blocks.back().parameters = phase_[i].parameters;
  }
  contacts_.append_blocks(general_, rows_.count, problem_.set_scale);
  warm_r_.resize(rows_.count);
  for (int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    for (int r = 0; r < e.rows; ++r) warm_r_[rows_.row[i] + r] = solution_.mu[e.row + r];
  }
  contacts_.append_warm(warm_r_);
  SolveOptions options;
  options.tolerance = plan_.solver_tolerance;
  // Dense packings have problems that no solver ends soon: a shorter step is the cheaper way on. A few rows are solved in a thousandth
  // of what they are given, or not at all: numbers far out of proportion.
  const bool packing = contacts_.rows() > 100;
  const auto all_rows = static_cast<std::int64_t>(rows_.count + contacts_.rows());
  const std::int64_t budget = packing ? 200'000'000 + 2'000'000 * all_rows : std::min<std::int64_t>(4'000'000'000, 400'000'000 + 8'000'000 * all_rows);
  options.flop_budget = budget;
  if (warm) {
    options.warm_r = warm_r_;
    options.warm_v = {solution_.xi.data(), problem_.p0.size()};
  }
  options.timed = false;
  std::int64_t spent = 0;
  const auto solve = [&] {
    solver_.solve(general_, options, report_);
    spent += report_.flops;
    solution_.velocity_residual = report_.velocity_residual;
    // Impulses of a very short step are lost in the rounding of velocities: no solver comes further.
    if ((report_.status == SolveStatus::budget || report_.status == SolveStatus::ray) && report_.velocity_residual <= rounding_of_velocities) report_.status = SolveStatus::solved;
  };
  solve();
  if (report_.status != SolveStatus::solved) {  // cold
    options.warm_r = options.warm_v = {};
    solve();
  }
  const std::string cause = report_.cause;
  const std::int64_t enough = spent + budget / 2;
  for (const SolverEntry& arm : solvers()) {  // another solver
    if (packing || report_.status == SolveStatus::solved || report_.status == SolveStatus::infeasible || spent >= enough) break;
    if (!arm.can(general_)) continue;
    options.solver = arm.name;
    options.flop_budget = enough - spent;
    solve();
  }
  if (report_.status != SolveStatus::solved) lost_budgets_ += static_cast<double>(spent) / static_cast<double>(budget);
  if (report_.status != SolveStatus::solved) {
    solution_.cause = !cause.empty() ? cause : !report_.cause.empty() ? report_.cause : "no solver solved the problem of the step";  // what stopped all of them together, not the last alone
    return false;
  }
  std::copy(report_.v.begin(), report_.v.end(), solution_.xi.begin());
  solution_.laws = std::max(report_.residual, report_.scaled_residual);
  contacts_.take(report_.r, rows_.count);
  for (int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    for (int r = 0; r < e.rows; ++r) {
      solution_.mu[e.row + r] = report_.r[rows_.row[i] + r];
      solution_.w[e.row + r] = report_.w[rows_.row[i] + r];
    }
  }
  return true;
}

}  // namespace saltus
