// Steps of affine systems: one linear problem, written down without a Newton iteration.
#include "saltus/integrate/moreau_affine.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/integrate/moreau_step.hpp"

namespace saltus {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

bool AffineSystem::can(const System& s) {
  const auto all = [](const auto& pools, auto property) { return std::all_of(pools.begin(), pools.end(), property); };
  const auto constant = [](const auto& p) { return p->constant_matrix(); };
  return all(s.objects, constant) && all(s.forces, constant) && s.map.rotations.empty() &&
         std::all_of(s.map.q_of_v.begin(), s.map.q_of_v.end(), [](int q) { return q >= 0; }) &&
         all(s.relations, [](const auto& p) { return p->traits().linear && !p->traits().uses_time && !p->traits().has_input; });
}

void AffineSystem::Matrix::add(int at, double x) {
  if (x == 0.0) return;
  column.push_back(at);
  value.push_back(x);
}
void AffineSystem::Matrix::end_row(double value_at_reference, const double* y) {
  double rest = value_at_reference;
  for (std::size_t k = at(begin.back()); k < column.size(); ++k) rest -= value[k] * y[column[k]];
  constant.push_back(rest);
  begin.push_back(static_cast<int>(column.size()));
}

void AffineSystem::evaluate(const Matrix& m, const double* y, double* out) {
  const int n = static_cast<int>(m.constant.size()), *begin = m.begin.data(), *column = m.column.data();
  const double *value = m.value.data(), *constant = m.constant.data();
  for (int i = 0, k = 0; i < n; ++i) {
    double sum = constant[i];
    for (; k < begin[i + 1]; ++k) sum += value[k] * y[column[k]];
    out[i] = sum;
  }
}

void AffineSystem::build(const System& s, Assembly& assembly) {
  const Layout& l = s.layout;
  const double* y = s.initial_y.data();
  const std::size_t slots = at(s.pattern.nonzeros());
  std::vector<double> F(at(l.unknowns() + 1)), by_value(slots, 0.0), by_rate(slots, 0.0), rows(at(l.rows)), none(at(l.rows), 0.0);
  assembly.update(0.0, y, none.data(), s.initial_data.data());
  assembly.forces(F.data());
  assembly.add_force_matrix({{1.0, 1.0, 1.0, 0.0}, {0.0, 0.0, 0.0, 0.0}}, by_value.data());  // subtracts the derivatives
  assembly.add_force_matrix({{0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}}, by_rate.data());
  const auto value_place = [&](int unknown) { return unknown < l.nv ? s.map.q_of_v[at(unknown)] : l.v_begin() + unknown; };
  for (int i = 0; i < l.unknowns(); ++i) {
    for (int k = s.pattern.begin[at(i)]; k < s.pattern.begin[at(i) + 1]; ++k) {
      const int j = s.pattern.column[at(k)];
      forces_.add(value_place(j), -by_value[at(k)]);
      if (j < l.nv) forces_.add(l.v_begin() + j, -by_rate[at(k)]);
    }
    forces_.end_row(F[at(i)], y);
  }
  assembly.input_blocks();
  RowSink sink;
  sink.y = rows.data();
  assembly.relations(sink);
  for (const RelationEntry& e : s.relation_entries)
    for (int r = 0; r < e.rows; ++r) {
      const double *H = assembly.H().data() + e.value_begin + r * e.columns, *H_v = assembly.rate_H().data() + e.value_begin + r * e.columns;
      for (int c = 0; c < e.columns; ++c) {
        const int j = s.relation_columns[at(e.column_begin + c)];
        if (j >= l.unknowns()) continue;  // ground
        rows_.add(value_place(j), H[c]);
        if (j < l.nv) rows_.add(l.v_begin() + j, H_v[c]);
      }
      rows_.end_row(rows[at(e.row + r)], y);
    }
}

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
