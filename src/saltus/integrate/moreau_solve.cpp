// The iteration of a step, and of the phases of an impact ahead of it.
#include <algorithm>
#include <cmath>

#include "saltus/integrate/moreau_step.hpp"

namespace saltus {
namespace {

/// Iterations after which problems are solved from nothing: beside a start of larger rounding than the solution has size, that passes for one.
constexpr int cold_from = 4;

/// Iterations after which contacts keep their directions: those of shapes whose closest points are searched for have their rounding.
constexpr int turned_until = 5;

/// Iterations after which what no longer falls may be rounding.
constexpr int stalled_from = 4;
}  // namespace

MoreauStep::Outcome MoreauStep::solve(const State& state, double h, double theta) {
  Outcome out;
  equations_.begin(state);
  if (model_.affine && solve_affine(state, h, theta, out)) return out;
  solution_.in_modes = false;
  out = {};
  solution_.xi = before_.xi;
  std::fill(solution_.mu.begin(), solution_.mu.end(), 0.0);
  for (int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    for (int r = 0; h > 0.0 && r < e.rows; ++r) solution_.mu[e.row + r] = state.memory()[e.row + r];
  }
  // Errors are measured by differences of steps: what Newton's iteration leaves must be small beside them. As far as rounding lets it come.
  const double aim = plan_.options.error_control && allowed_.compared ? std::max(1e-3 * std::pow(plan_.options.tolerance, 1.5), 1e-14) : 0.0;  // a hundredth of the least share of MoreauControl
  double last = HUGE_VAL, worst_before = HUGE_VAL;
  int stalls = 0;  // in a row
  for (;; ++out.iterations) {
    equations_.evaluate(state, h, theta, out.iterations == 0);
    const double turned = h > 0.0 && contacts_.turns().any() && out.iterations < turned_until ? contacts_.turns().turn(assembly_.kinematics(), solution_.xi.data()) : 0.0;
    if (out.iterations > 0) {
      equations_.matrix_terms();
      out.equations = equations_.dynamics_error();
      out.rows = equations_.rows_error();
      const double worst = std::max(out.equations, out.rows);
      double size = 0.0;
      const double left = aim > 0.0 && worst <= plan_.newton_tolerance ? noise_.energy_left(size) : 0.0;
      if (worst <= plan_.newton_tolerance && turned <= (contacts_.turns().first_order() ? 0.01 * plan_.options.tolerance : aim) && (left <= aim * size || left > 0.5 * last || out.iterations >= plan_.newton_most) && !std::isnan(out.equations) && !std::isnan(out.rows)) {
        out.converged = true;
        return out;
      }
      last = left > 0.0 ? left : HUGE_VAL;
      stalls = worst > 0.5 * worst_before ? stalls + 1 : 0;
      if (out.iterations >= stalled_from && stalls >= 2 && out.rows <= plan_.newton_tolerance && system_.layout.nx > 0 && system_.layout.nz > 0) {
        const double rounded = equations_.error_beside_currents(h);
        if (rounded <= plan_.newton_tolerance) {
          out.converged = true, out.equations = rounded;
          return out;
        }
      }
      worst_before = worst;
      if (!std::isfinite(out.equations) || !std::isfinite(out.rows)) {
        out.cause = "Newton's iteration left the finite numbers";
        return out;
      }
      if (out.iterations >= plan_.newton_most) {
        out.cause = "Newton's iteration did not converge: it leaves " + short_text(out.equations) + " of the equations' terms, " + short_text(out.rows) + " of the rows'";
        return out;
      }
    }
    matrices_.update(h, theta);
    equations_.pose();
    if (!solver_.solve(rows_, before_, problem_, solution_, state, h, out.iterations < cold_from || !contacts_.empty())) {
      out.cause = solution_.cause;
      return out;
    }
    out.laws = solution_.laws;
  }
}

/// The impact at the instant before the step, without its forces: a problem over all closed rows for each phase. What laws with phases
/// take in it is the offset of their sets in the step, at whose end gaps open at least as fast as after the impact; the others see impact
/// and step as one. Multipliers that are forces take no part.
bool MoreauStep::percuss(const State& state, double h, Outcome& out) {
  if (!offsets_.strikes(rows_, before_)) return true;
  beginning_.end_slips();
  problem_.set_scale = 0.0;
  const std::vector<int> all = rows_.entries;
  std::vector<int> impulses = all;
  std::erase_if(impulses, [&](int i) { return !plan_.entries[i].impulse; });
  beginning_.set_active(impulses);
  int iterations = 0;
  if (!offsets_.follow(rows_, before_)) {
    beginning_.set_active(all);
    problem_.set_scale = h;
    out = {};
    out.cause = "the impact does not end along its impulse";
    return false;
  }
  for (int number = 0; number < plan_.phases; ++number) {
    offsets_.enter_phase(rows_, number, before_);
    out = solve(state, 0.0, 1.0);
    iterations += out.iterations;
    if (!out.converged) break;
    offsets_.take_percussions(rows_, solution_);
  }
  out.iterations = iterations;
  offsets_.leave_phases(rows_, h, end_.w, solution_, before_);
  beginning_.set_active(all);
  problem_.set_scale = h;
  return out.converged;
}

}  // namespace saltus
