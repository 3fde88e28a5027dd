// Steps of affine systems: one linear problem, written down without a Newton iteration.
#include <algorithm>
#include <cmath>

#include "saltus/integrate/moreau_step.hpp"

namespace saltus {
namespace {
}  // namespace

/// Whether A is diagonal: then the free motion is a product.
void MoreauStep::inspect_matrix() {
  const int n = system_.layout.unknowns();
  problem_.diagonal = true;
  for (std::size_t k = 0; k < problem_.A.size(); ++k) problem_.diagonal &= problem_.A[k] == 0.0 || plan_.row_of_slot[k] == system_.pattern.column[k];
  for (int i = 0; i < n; ++i) {
    const double pivot = problem_.A[system_.diagonal_slot[i]];
    problem_.diagonal &= pivot > 0.0;
    problem_.inverse[i] = 1.0 / pivot;
  }
}

/// The step as one of the map of the modes that the state remembers.
bool MoreauStep::step_kept(State& state, double h, double theta, StepReport& report) {
  if (!kept_.wanted(state, h)) return false;
  if (!kept_.is_of(state, h, theta)) {
    const double* mode = state.memory() + plan_.kept() + 2;
    rows_.entries.clear();
    for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
      const RelationEntry& e = system_.relation_entries[i];
      if (mode[e.row] == 0.0) continue;
      rows_.entries.push_back(static_cast<int>(i));
      for (int row = e.row; row < e.row + e.rows; ++row) solver_.modes().mode[row] = static_cast<LawMode>(static_cast<int>(mode[row]) - 1);
      solver_.modes().find_bounds(i, problem_.set_scale);
    }
    matrices(h, theta);
    kept_.make(ended(h, theta));
  }
  return kept_.step(state, h, theta, report);
}

MoreauKept::Ended MoreauStep::ended(double h, double theta) const {
  return {.affine = model_.affine_system, .A = problem_.A, .C = problem_.C, .G = problem_.G, .D = problem_.D, .C_begin = model_.block_begin, .active = rows_.entries, .mode = solver_.modes().mode, .low = solver_.modes().low,
          .high = solver_.modes().high, .h = h, .theta = theta};
}

/// The step that was taken may be the first of many in the same modes.
void MoreauStep::remember_modes(State& state, double h, double theta) {
  if (!solution_.in_modes || theta != plan_.theta || rows_.touched.size() != rows_.entries.size() || change_.impact || offsets_.any()) return kept_.forget(state);
  kept_.remember(ended(h, theta), state);
}

/// The step's linear problem. False where its solution leaves a residual: Newton's iteration refines it then.
bool MoreauStep::solve_affine(const State& state, double h, double theta, Outcome& out) {
  solution_.in_modes = false;
  matrices(h, theta);
  affine_problem(state, h, theta);
  if (rows_.entries.empty() && problem_.diagonal) {
    const int n = system_.layout.unknowns();
    for (int i = 0; i < n; ++i) solution_.xi[i] = problem_.p0[i] * problem_.inverse[i];
    solution_.laws = 0.0;  // no law acts
    solution_.in_modes = true;
  } else if (!solver_.solve(rows_, before_, problem_, solution_, state, h, true)) {
    return false;
  }
  out.iterations = 1;
  out.laws = solution_.laws;
  advance(state, h, theta);
  out.equations = dynamics_error();
  out.rows = rows_error();
  return out.converged = std::max(out.equations, out.rows) <= plan_.newton_tolerance && !std::isnan(out.equations) && !std::isnan(out.rows);
}

/// The problem in total unknowns, at the point where the velocities go on and no multiplier acts: p0 = A xi0 + h F, b = rows - C xi0.
void MoreauStep::affine_problem(const State& state, double h, double theta) {
  const Layout& l = system_.layout;
  const int n = l.unknowns(), ode = l.nv + l.nx, *begin = system_.pattern.begin.data(), *column = system_.pattern.column.data();
  const double *xi0 = before_.xi.data(), *F0 = before_.forces.data(), *F = F0, *A = problem_.A.data(), *M = before_.mass.data();
  double* p0 = problem_.p0.data();
  std::copy(before_.xi.begin(), before_.xi.begin() + n, solution_.xi.begin());
  const bool constant = model_.affine_system.constant_forces();
  if ((model_.value_rows && !rows_.entries.empty()) || !constant) configure(state, h, theta);
  if (!constant) model_.affine_system.forces(y_.data(), F_.data()), F = F_.data();
  for (int i = 0; i < n; ++i) {
    const double weight = i < ode ? h : 1.0, force = weight * (i < ode ? (1.0 - theta) * F0[i] + theta * F[i] : F[i]);
    double sum = force, size = std::abs(force);
    for (int k = begin[i]; k < begin[i + 1]; ++k) {
      sum += A[k] * xi0[column[k]];
      size = std::max(size, std::abs(M[k] * xi0[column[k]]));
    }
    p0[i] = sum;
    end_.term[i] = size;
  }
  if (rows_.entries.empty()) return;
  if (model_.value_rows) model_.affine_system.rows(y_.data(), before_.values.data());
  problem_.b.resize(rows_.count);
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double* C = problem_.C.data() + model_.block_begin[i];
    const int* columns = plan_.columns.data() + p.column_begin;
    for (int r = 0; r < e.rows; ++r, C += p.columns) {
      const int row = e.row + r;
      double b = before_.bias[row];
      solution_.mu[row] = h > 0.0 ? state.memory()[row] : 0.0;
      if (p.level == Level::value || !p.value_row) {  // else the rate C xi alone
        b += before_.values[row];
        for (int c = 0; c < p.columns; ++c) b -= C[c] * xi0[columns[c]];
      }
      problem_.b[rows_.row[i] + r] = b;
    }
  }
}

/// The rest of the step where its linear problem is solved: the configuration, the residual, the values of the rows.
void MoreauStep::advance(const State& state, double h, double theta) {
  configure(state, h, theta);
  const int n = system_.layout.unknowns(), *begin = system_.pattern.begin.data(), *column = system_.pattern.column.data();
  const double *xi = solution_.xi.data(), *A = problem_.A.data(), *p0 = problem_.p0.data();
  double *res = end_.residual.data(), *term = end_.term.data();
  for (int i = 0; i < n; ++i) {
    double sum = -p0[i], size = term[i];
    for (int k = begin[i]; k < begin[i + 1]; ++k) {
      const double part = A[k] * xi[column[k]];
      sum += part;
      size = std::max(size, std::abs(part));
    }
    res[i] = sum;
    term[i] = size;
  }
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double *C = problem_.C.data() + model_.block_begin[i], *G = problem_.G.data() + model_.block_begin[i], *mu = solution_.mu.data() + e.row;
    const int* columns = plan_.columns.data() + p.column_begin;
    for (int c = 0; c < p.columns; ++c)
      for (int r = 0; r < e.rows; ++r) {
        const double input = G[c * e.rows + r] * mu[r];
        res[columns[c]] -= input;
        term[columns[c]] = std::max(term[columns[c]], std::abs(input));
      }
    for (int r = 0; r < e.rows; ++r, C += p.columns) {
      const int row = e.row + r;
      double w = problem_.b[rows_.row[i] + r], size = 0.0;
      for (int c = 0; c < p.columns; ++c) {
        const double part = C[c] * xi[columns[c]];
        w += part;
        size = std::max(size, std::abs(part));
      }
      for (int c = 0; p.level == Level::value && c < e.rows; ++c) w += problem_.D[e.square_begin + r * e.rows + c] * mu[c];
      end_.w[row] = w - before_.bias[row];
      end_.magnitude[row] = std::max(size, std::abs(end_.w[row]));
    }
  }
}

}  // namespace saltus
