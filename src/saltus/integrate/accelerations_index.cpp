// Algebraic equations that hold no algebraic unknown, as of a capacitor across a source: their derivatives in time do (index 2).
//
// 0 = g(t, q, v, x, z, lambda), the algebraic equations and rows held by their values. Where dg/d(z, lambda) is singular, l^T dg/d(z, lambda) = 0 for some l, and
//   0 = d(l^T g)/dt = l^T (g_v vdot + g_x xdot + g_t),  g_t with what q changes by its velocity,
// takes the place of l^T g = 0, which x has to fulfil (Gear 1988). g_t by central differences, of which the steps that agree best are taken: formulas of time are the users'.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "saltus/integrate/accelerations.hpp"
#include "saltus/math/dense.hpp"

namespace saltus {
namespace {
constexpr double singular = 1e-11;  // of scaled equations: a pivot that is zero

/// Left null vectors of G, one a column, scaled like its rows; empty: it is regular.
dense::Matrix left_kernel(const dense::Matrix& G) {
  const Eigen::Index m = G.rows();
  dense::Vector by_row(m), by_column(m);
  for (Eigen::Index i = 0; i < m; ++i) {
    const double most = G.row(i).cwiseAbs().maxCoeff();
    by_row[i] = most > 0.0 ? 1.0 / most : 1.0;
  }
  dense::Matrix scaled = by_row.asDiagonal() * G;
  for (Eigen::Index i = 0; i < m; ++i) {
    const double most = scaled.col(i).cwiseAbs().maxCoeff();
    by_column[i] = most > 0.0 ? 1.0 / most : 1.0;
  }
  scaled = scaled * by_column.asDiagonal();
  const dense::FullLu lu(scaled.transpose(), singular);
  if (lu.rank() == m) return {};
  return by_row.asDiagonal() * lu.kernel();
}

/// Turns the columns of K so that each has 1 in a row of its own where the others have 0; those rows.
std::vector<Eigen::Index> own_rows(dense::Matrix& K) {
  std::vector<Eigen::Index> rows;
  for (Eigen::Index k = 0; k < K.cols(); ++k) {
    Eigen::Index at = 0;
    K.col(k).cwiseAbs().maxCoeff(&at);
    K.col(k) /= K(at, k);
    for (Eigen::Index j = 0; j < K.cols(); ++j)
      if (j != k) K.col(j) -= K(at, j) * K.col(k);
    rows.push_back(at);
  }
  return rows;
}

/// The derivative of f in time at t: differences by steps that grow by eight, each refined by the one before, of which the two that agree best count; rounding counts
/// by what it leaves in them of f and of `terms`, which cancel in it. Central ones, on one side where f jumps at t.
template <class F>
dense::Vector time_derivative(double t, double terms, F f) {
  constexpr double rounding = 4.0 * std::numeric_limits<double>::epsilon();
  const dense::Vector here = f(t);
  dense::Vector best = dense::Vector::Zero(here.size());
  double smallest = std::numeric_limits<double>::infinity();
  for (const int side : {0, 1, -1}) {
    const auto difference = [&](double h, double& size) -> dense::Vector {
      const double next = t + (side < 0 ? -h : h), last = side == 0 ? t - h : t + 2.0 * side * h;
      const dense::Vector a = f(next), b = f(last);
      size = std::max({terms, a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff()});
      if (side == 0) return (a - b) / (next - last);
      return (4.0 * (a - here) - (b - here)) / (2.0 * (next - t));
    };
    double size = 0.0, least = std::numeric_limits<double>::infinity();
    dense::Vector last, refined;
    for (double h = 1e-10 * std::max(std::abs(t), 1e-3); h < 1.0; h *= 8.0) {
      const dense::Vector now = difference(h, size);
      if (last.size() > 0) {
        const dense::Vector next = last + (last - now) / 63.0;
        if (refined.size() > 0) {
          const double apart = (next - refined).cwiseAbs().maxCoeff() + rounding * size / h;
          if (apart < smallest) smallest = apart, best = next;
          least = std::min(least, apart);
          if (apart > 1e4 * least || smallest <= 1e-10 * best.cwiseAbs().maxCoeff()) break;
        }
        refined = next;
      }
      last = now;
    }
    if (smallest <= 1e-6 * best.cwiseAbs().maxCoeff() || smallest <= 1e-9 * std::max(terms, here.cwiseAbs().maxCoeff())) break;
  }
  return best;
}
}  // namespace

/// Of matrices `values` and `by_states`: which equations hold no algebraic unknown, and the factor of what takes their place.
struct Accelerations::Equations::Derivatives {
  std::vector<int> algebraic;                // equations and rows without rates
  std::vector<double> values, system_values, H;  // of the matrices
  dense::Matrix K, by_states;                // left null vectors, over `algebraic`; by v and x
  std::vector<int> own;                      // equation of each
  dense::Vector scale;                       // of rows
  std::unique_ptr<dense::FullLu> lu;         // null: singular all the same
};

/// What an algebraic equation leaves open, as the right-hand sides of evaluate_general() say it; 0 of others.
void Accelerations::algebraic_residual(double t, const double* y, const double* data, const double* lambda, double* out) {
  const int n = system_.layout.unknowns();
  assembly_.update(t, y, lambda, data);
  assembly_.input_blocks();
  RowSink sink;
  sink.y = y_rows_.data();
  assembly_.relations(sink);
  assembly_.forces(force_.data());
  assembly_.add_inputs(lambda, 1.0, force_.data());
  std::fill(out, out + n + system_.layout.rows, 0.0);
  std::copy(force_.begin() + system_.layout.nv + system_.layout.nx, force_.begin() + n, out + system_.layout.nv + system_.layout.nx);
  for (std::size_t i = 0; i < form_.size(); ++i)
    for (int r = system_.relation_entries[i].row; form(i) == RowForm::value && r < system_.relation_entries[i].row + system_.relation_entries[i].rows; ++r)
      if (form_[i] != RowForm::set_valued || held_[r] != 0) out[n + r] = -y_rows_[r];
}

/// equations_.derivatives of the equations of the last evaluate_general(); kept while no matrix changes.
void Accelerations::factor_derivatives() {
  const Layout& l = system_.layout;
  const int n = l.unknowns(), dynamic = l.nv + l.nx, total = n + l.rows;
  if (!equations_.derivatives) equations_.derivatives = std::make_shared<Equations::Derivatives>();
  Equations::Derivatives& d = *equations_.derivatives;
  std::fill(equations_.system_values.begin(), equations_.system_values.end(), 0.0);
  const Seeds states{{0.0, 1.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
  assembly_.add_force_matrix(states, equations_.system_values.data());
  assembly_.add_input_matrix(states, 1.0, equations_.system_values.data());
  if (d.values == equations_.values && d.system_values == equations_.system_values && std::equal(d.H.begin(), d.H.end(), assembly_.H().begin(), assembly_.H().end())) return;
  d.values = equations_.values, d.system_values = equations_.system_values, d.H.assign(assembly_.H().begin(), assembly_.H().end());
  d.lu.reset(), d.own.clear(), d.algebraic.clear();
  for (int i = dynamic; i < n; ++i) d.algebraic.push_back(i);
  d.by_states = dense::Matrix::Zero(total, dynamic);
  for (int i = dynamic; i < n; ++i)
    for (int k = system_.pattern.begin[i]; k < system_.pattern.begin[i + 1]; ++k)
      if (system_.pattern.column[k] < dynamic) d.by_states(i, system_.pattern.column[k]) = equations_.system_values[k];
  for (std::size_t i = 0; i < form_.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    const bool at_rate = pool_of(system_, e).traits().written == Level::rate;
    for (int r = 0; form(i) == RowForm::value && r < e.rows; ++r) {
      d.algebraic.push_back(n + e.row + r);
      for (int c = 0; c < e.columns; ++c)
        if (const int column = columns_of(system_, e)[c]; column >= (at_rate ? 0 : l.nv) && column < dynamic && (form_[i] != RowForm::set_valued || held_[e.row + r] != 0))
          d.by_states(n + e.row + r, column) = assembly_.H()[e.value_begin + r * e.columns + c];
    }
  }
  dense::Matrix A = dense::Matrix::Zero(total, total);
  const CsrPattern& pattern = equations_.layout.pattern;
  for (int i = 0; i < total; ++i)
    for (int k = pattern.begin[i]; k < pattern.begin[i + 1]; ++k) A(i, pattern.column[k]) = equations_.values[k];
  d.K = left_kernel(A(d.algebraic, d.algebraic));
  if (d.K.size() == 0) return;
  for (const Eigen::Index k : own_rows(d.K)) d.own.push_back(d.algebraic[k]);
  for (std::size_t k = 0; k < d.own.size(); ++k) {
    A.row(d.own[k]).setZero();
    for (std::size_t i = 0; i < d.algebraic.size(); ++i) A.row(d.own[k]).head(dynamic) += d.K(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) * d.by_states.row(d.algebraic[i]);
  }
  d.scale = dense::Vector::Ones(total);
  for (Eigen::Index i = 0; i < total; ++i)
    if (const double most = A.row(i).cwiseAbs().maxCoeff(); most > 0.0) d.scale[i] = 1.0 / most, A.row(i) /= most;
  d.lu = std::make_unique<dense::FullLu>(A, 1e-14);
  if (!d.lu->invertible()) d.lu.reset();
}

/// equations_.step := the solution of the equations of the last evaluate_general(), singular as they are, with derivatives in time; `values`: of what x has to change by instead. False: they do not determine it.
bool Accelerations::differentiate(double t, const double* y, const double* data, const double* lambda, const double* rates, bool values) {
  const Layout& l = system_.layout;
  const int dynamic = l.nv + l.nx, total = l.unknowns() + l.rows;
  factor_derivatives();
  const Equations::Derivatives& d = *equations_.derivatives;
  if (!d.lu) return false;
  dense::Vector b = Eigen::Map<const dense::Vector>(equations_.right.data(), total), open = b;
  if (!values) {
    std::vector<double> near(y, y + l.y_size()), way(std::max(1, l.nv));
    double terms = 0.0;
    for (int i = 0; i < l.nz; ++i) terms = std::max(terms, std::abs(y[l.z_begin() + i]));
    open = time_derivative(t, terms, [&](double when) {
      near.assign(y, y + l.y_size());
      for (int i = 0; i < l.nv; ++i) way[i] = (when - t) * y[l.v_begin() + i];
      if (l.nv > 0) system_.map.retract(near.data(), way.data());
      dense::Vector out(total);
      algebraic_residual(when, near.data(), data, lambda, out.data());
      return out;
    });
    if (dynamic > 0) open -= d.by_states * Eigen::Map<const dense::Vector>(rates, dynamic);
    assembly_.update(t, y, lambda, data);
  } else {
    b.setZero();
  }
  for (std::size_t k = 0; k < d.own.size(); ++k) {
    b[d.own[k]] = 0.0;
    for (std::size_t i = 0; i < d.algebraic.size(); ++i) b[d.own[k]] += d.K(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) * open[d.algebraic[i]];
  }
  const dense::Matrix step = d.lu->solve(b.cwiseProduct(d.scale));
  std::copy_n(step.data(), total, equations_.step.begin());
  return equations_.differentiated = true;
}

double Accelerations::close_algebraic(double t, double* y, const double* data, double* lambda) {
  const Layout& l = system_.layout;
  if (!general_ || l.nx == 0) return 0.0;
  double moved = 0.0;
  for (int pass = 0; pass < 3; ++pass) {
    std::fill(rate_.begin(), rate_.end(), 0.0);
    if (!evaluate_general(t, y, data, lambda, rate_.data()) || !differentiate(t, y, data, lambda, rate_.data(), true)) return moved;
    double change = 0.0, size = 0.0;
    for (int i = 0; i < l.nx; ++i) {
      double& x = y[l.x_begin() + i];
      x += equations_.step[l.nv + i];
      change = std::max(change, std::abs(equations_.step[l.nv + i])), size = std::max(size, std::abs(x));
    }
    moved = std::max(moved, change);
    if (!(change > 1e-13 * size)) break;
  }
  return moved;
}

}  // namespace saltus
