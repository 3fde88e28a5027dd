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
  diagonal_ = true;
  for (std::size_t k = 0; k < A_.size(); ++k) diagonal_ &= A_[k] == 0.0 || plan_.row_of_slot[k] == system_.pattern.column[k];
  for (int i = 0; i < n; ++i) {
    const double pivot = A_[system_.diagonal_slot[i]];
    diagonal_ &= pivot > 0.0;
    inverse_[i] = 1.0 / pivot;
  }
}

/// The step as one of the map of the modes that the state remembers.
bool MoreauStep::step_kept(State& state, double h, double theta, StepReport& report) {
  if (!kept_.wanted(state, h)) return false;
  if (!kept_.is_of(state, h, theta)) {
    const double* mode = state.memory() + plan_.kept() + 2;
    active_.clear();
    for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
      const RelationEntry& e = system_.relation_entries[i];
      if (mode[e.row] == 0.0) continue;
      active_.push_back(static_cast<int>(i));
      for (int row = e.row; row < e.row + e.rows; ++row) mode_[row] = static_cast<Mode>(static_cast<int>(mode[row]) - 1);
      find_bounds(i);
    }
    matrices(h, theta);
    kept_.make(ended(h, theta));
  }
  return kept_.step(state, h, theta, report);
}

MoreauKept::Ended MoreauStep::ended(double h, double theta) const {
  return {.affine = affine_system_, .A = A_, .C = C_, .G = G_, .D = D_, .C_begin = C_begin_, .active = active_, .mode = mode_, .low = low_,
          .high = high_, .h = h, .theta = theta};
}

/// The step that was taken may be the first of many in the same modes.
void MoreauStep::remember_modes(State& state, double h, double theta) {
  if (!modes_known_ || theta != plan_.theta || touched_.size() != active_.size() || change_.impact || shifted_) return kept_.forget(state);
  kept_.remember(ended(h, theta), state);
}

/// The step's linear problem. False where its solution leaves a residual: Newton's iteration refines it then.
bool MoreauStep::solve_affine(const State& state, double h, double theta, Outcome& out) {
  modes_known_ = false;
  matrices(h, theta);
  affine_problem(state, h, theta);
  if (active_.empty() && diagonal_) {
    const int n = system_.layout.unknowns();
    for (int i = 0; i < n; ++i) xi_[i] = problem_.p0[i] * inverse_[i];
    report_.residual = report_.scaled_residual = 0.0;  // no law acts
    modes_known_ = true;
  } else if (!solve_problem(state, h, true)) {
    return false;
  }
  out.iterations = 1;
  out.laws = std::max(report_.residual, report_.scaled_residual);
  advance(state, h, theta);
  out.equations = dynamics_error();
  out.rows = rows_error();
  return out.converged = std::max(out.equations, out.rows) <= plan_.newton_tolerance && !std::isnan(out.equations) && !std::isnan(out.rows);
}

/// The problem in total unknowns, at the point where the velocities go on and no multiplier acts: p0 = A xi0 + h F, b = rows - C xi0.
void MoreauStep::affine_problem(const State& state, double h, double theta) {
  const Layout& l = system_.layout;
  const int n = l.unknowns(), ode = l.nv + l.nx, *begin = system_.pattern.begin.data(), *column = system_.pattern.column.data();
  const double *xi0 = xi0_.data(), *F0 = F0_.data(), *F = F0, *A = A_.data(), *M = mass_.data();
  double* p0 = problem_.p0.data();
  std::copy(xi0_.begin(), xi0_.begin() + n, xi_.begin());
  const bool constant = affine_system_.constant_forces();
  if ((value_rows_ && !active_.empty()) || !constant) configure(state, h, theta);
  if (!constant) affine_system_.forces(y_.data(), F_.data()), F = F_.data();
  for (int i = 0; i < n; ++i) {
    const double weight = i < ode ? h : 1.0, force = weight * (i < ode ? (1.0 - theta) * F0[i] + theta * F[i] : F[i]);
    double sum = force, size = std::abs(force);
    for (int k = begin[i]; k < begin[i + 1]; ++k) {
      sum += A[k] * xi0[column[k]];
      size = std::max(size, std::abs(M[k] * xi0[column[k]]));
    }
    p0[i] = sum;
    term_[i] = size;
  }
  if (active_.empty()) return;
  if (value_rows_) affine_system_.rows(y_.data(), y_rows_.data());
  problem_.b.resize(active_rows_);
  for (const int i : active_) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double* C = C_.data() + C_begin_[i];
    const int* columns = plan_.columns.data() + p.column_begin;
    for (int r = 0; r < e.rows; ++r, C += p.columns) {
      const int row = e.row + r;
      double b = bias_[row];
      mu_[row] = h > 0.0 ? state.memory()[row] : 0.0;
      if (p.level == Level::value || !p.value_row) {  // else the rate C xi alone
        b += y_rows_[row];
        for (int c = 0; c < p.columns; ++c) b -= C[c] * xi0[columns[c]];
      }
      problem_.b[active_row_[i] + r] = b;
    }
  }
}

/// The rest of the step where its linear problem is solved: the configuration, the residual, the values of the rows.
void MoreauStep::advance(const State& state, double h, double theta) {
  configure(state, h, theta);
  const int n = system_.layout.unknowns(), *begin = system_.pattern.begin.data(), *column = system_.pattern.column.data();
  const double *xi = xi_.data(), *A = A_.data(), *p0 = problem_.p0.data();
  double *res = res_.data(), *term = term_.data();
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
  for (const int i : active_) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double *C = C_.data() + C_begin_[i], *G = G_.data() + C_begin_[i], *mu = mu_.data() + e.row;
    const int* columns = plan_.columns.data() + p.column_begin;
    for (int c = 0; c < p.columns; ++c)
      for (int r = 0; r < e.rows; ++r) {
        const double input = G[c * e.rows + r] * mu[r];
        res[columns[c]] -= input;
        term[columns[c]] = std::max(term[columns[c]], std::abs(input));
      }
    for (int r = 0; r < e.rows; ++r, C += p.columns) {
      const int row = e.row + r;
      double w = problem_.b[active_row_[i] + r], size = 0.0;
      for (int c = 0; c < p.columns; ++c) {
        const double part = C[c] * xi[columns[c]];
        w += part;
        size = std::max(size, std::abs(part));
      }
      for (int c = 0; p.level == Level::value && c < e.rows; ++c) w += D_[e.square_begin + r * e.rows + c] * mu[c];
      w_[row] = w - bias_[row];
      magnitude_[row] = std::max(size, std::abs(w_[row]));
    }
  }
}

}  // namespace saltus
