// Steps of affine systems: one linear problem, written down without a Newton iteration.
#include <algorithm>
#include <cmath>

#include "saltus/integrate/moreau_step.hpp"

namespace saltus {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

/// The step's problem in its total unknowns, at the point where the velocities go on and no multiplier acts:
/// p0 = A xi0 + h F, b = rows - C xi0. False where its solution leaves a residual: Newton's iteration refines it then.
bool MoreauStep::solve_affine(const State& state, double h, double theta, Outcome& out) {
  const Layout& l = system_.layout;
  const int n = l.unknowns(), ode = l.nv + l.nx, *begin = system_.pattern.begin.data(), *column = system_.pattern.column.data();
  const double *xi0 = xi0_.data(), *F0 = F0_.data();
  double *F = F_.data(), *p0 = problem_.p0.data();
  std::copy(xi0_.begin(), xi0_.begin() + n, xi_.begin());
  matrices(h, theta);
  if (value_rows_ || !affine_system_.constant_forces()) configure(state, h, theta);
  affine_system_.forces(y_.data(), F);
  for (int i = 0; i < n; ++i) {
    const double weight = i < ode ? h : 1.0, force = weight * (i < ode ? (1.0 - theta) * F0[i] + theta * F[i] : F[i]);
    double sum = force, size = std::abs(force);
    for (int k = begin[i]; k < begin[i + 1]; ++k) {
      sum += A_[at(k)] * xi0[column[k]];
      size = std::max(size, std::abs(mass_[at(k)] * xi0[column[k]]));
    }
    p0[i] = sum;
    term_[at(i)] = size;
  }
  if (value_rows_) affine_system_.rows(y_.data(), y_rows_.data());
  problem_.b.resize(at(active_rows_));
  for (const int i : active_) {
    const RelationEntry& e = system_.relation_entries[at(i)];
    const MoreauEntry& p = plan_.entries[at(i)];
    const double* C = C_.data() + C_begin_[at(i)];
    const int* columns = plan_.columns.data() + p.column_begin;
    for (int r = 0; r < e.rows; ++r, C += p.columns) {
      const int row = e.row + r;
      double b = bias_[at(row)];
      mu_[at(row)] = h > 0.0 ? state.memory()[row] : 0.0;
      if (p.level == Level::value || !p.value_row) {  // else the rate C xi alone
        b += y_rows_[at(row)];
        for (int c = 0; c < p.columns; ++c) b -= C[c] * xi0[columns[c]];
      }
      problem_.b[at(active_row_[at(i)] + r)] = b;
    }
  }
  if (!solve_problem()) return false;
  out.iterations = 1;
  out.laws = std::max(report_.residual, report_.scaled_residual);
  advance(state, h, theta);
  out.equations = dynamics_error();
  out.rows = rows_error();
  return out.converged = std::max(out.equations, out.rows) <= plan_.newton_tolerance && !std::isnan(out.equations) && !std::isnan(out.rows);
}

/// The rest of the step where its linear problem is solved: the configuration, the residual, the values of the rows.
void MoreauStep::advance(const State& state, double h, double theta) {
  configure(state, h, theta);
  const int n = system_.layout.unknowns(), *begin = system_.pattern.begin.data(), *column = system_.pattern.column.data();
  const double *xi = xi_.data(), *A = A_.data(), *p0 = problem_.p0.data();
  double *res = res_.data(), *term = term_.data();
  for (int i = 0; i < n; ++i) {
    double sum = -p0[i];
    for (int k = begin[i]; k < begin[i + 1]; ++k) sum += A[k] * xi[column[k]];
    res[i] = sum;
  }
  for (const int i : active_) {
    const RelationEntry& e = system_.relation_entries[at(i)];
    const MoreauEntry& p = plan_.entries[at(i)];
    const double *C = C_.data() + C_begin_[at(i)], *G = G_.data() + C_begin_[at(i)], *mu = mu_.data() + e.row;
    const int* columns = plan_.columns.data() + p.column_begin;
    for (int c = 0; c < p.columns; ++c)
      for (int r = 0; r < e.rows; ++r) {
        const double input = G[c * e.rows + r] * mu[r];
        res[columns[c]] -= input;
        term[columns[c]] = std::max(term[columns[c]], std::abs(input));
      }
    for (int r = 0; r < e.rows; ++r, C += p.columns) {
      const int row = e.row + r;
      double w = problem_.b[at(active_row_[at(i)] + r)], size = 0.0;
      for (int c = 0; c < p.columns; ++c) {
        const double part = C[c] * xi[columns[c]];
        w += part;
        size = std::max(size, std::abs(part));
      }
      for (int c = 0; p.level == Level::value && c < e.rows; ++c) w += D_[at(e.square_begin + r * e.rows + c)] * mu[c];
      w_[at(row)] = w - bias_[at(row)];
      magnitude_[at(row)] = std::max(size, std::abs(w_[at(row)]));
    }
  }
}

}  // namespace saltus
