#include "saltus/integrate/moreau_equations.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"

namespace saltus {
namespace {

/// Below this numbers of any unit are zero: what is left of a state that slides to rest, by 16 digits a step, or of a circuit in which
/// nothing flows, whose rounding has no other size than itself.
constexpr double nothing = 1e-60;
/// Of the largest terms so far: what is left of a circuit below this, beside parts that it shares its equations with, is their rounding.
constexpr double last_of_decay = 1e-12;

/// Larger of both; NaN wins, so that it can never pass a test.
double worse(double a, double b) { return b > a || std::isnan(b) ? b : a; }
}  // namespace

StepEquations::StepEquations(MoreauModel& model, const ActiveRows& rows, const StepBefore& before, MoreauProblem& problem, MoreauSolution& solution, StepEnd& end, MoreauContacts& contacts, PositionProjection& projection)
    : plan_(model.plan), system_(model.system), model_(model), rows_(rows), before_(before), problem_(problem), solution_(solution), end_(end), contacts_(contacts), projection_(projection) {
  const Layout& l = system_.layout;
  y_.resize(l.y_size());
  tangent_.resize(l.nv);
  for (auto* x : {&F_, &input_, &moves_, &end.residual, &end.term, &solution.xi}) x->resize(at(l.unknowns()) + 1);
  for (auto* x : {&lambda_, &values_, &rate_, &solution.mu, &solution.w, &end.w, &end.magnitude, &end.scale}) x->resize(l.rows);
  problem.p0.resize(l.unknowns());
  problem.b.reserve(l.rows);
}

void StepEquations::begin(const State& state) {
  std::copy_n(state.memory() + plan_.largest_terms(), 2, terms_.before);
  std::copy_n(terms_.before, 2, terms_.largest);
}

/// y_ := the configuration at the end of the step for the iterate xi.
void StepEquations::configure(const State& state, double h, double theta) {
  const Layout& l = system_.layout;
  const double *v = state.v(), *xi = solution_.xi.data();
  double *y = y_.data(), *y_v = y + l.v_begin(), *tangent = tangent_.data();
  std::copy(state.y(), state.y() + l.nq, y);
  if (model_.affine) {
    const int* q_of_v = system_.map.q_of_v.data();
    for (int i = 0; i < l.nv; ++i) y[q_of_v[i]] += h * ((1.0 - theta) * v[i] + theta * xi[i]);
    std::copy(xi, xi + l.unknowns(), y_v);  // v, x, z stand side by side
    return;
  }
  for (int i = 0; i < l.nv; ++i) {
    tangent[i] = h * ((1.0 - theta) * v[i] + theta * xi[i]);
    y_v[i] = xi[i];
  }
  system_.map.retract(y, tangent);
  std::copy(xi + l.nv, xi + l.nv + l.nx + l.nz, y + l.x_begin());
}

void StepEquations::evaluate(const State& state, double h, double theta, bool first) {
  const Layout& l = system_.layout;
  configure(state, h, theta);
  if (plan_.drift == Drift::ggl && h > 0.0) open_ = projection_.project(state.t() + h, y_.data(), state.data(), first);
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  for (int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    for (int r = 0; !plan_.entries[i].impulse && r < e.rows; ++r) lambda_[e.row + r] = solution_.mu[e.row + r];
  }
  model_.assembly.update(state.t() + h, y_.data(), lambda_.data(), state.data());
  model_.assembly.forces(F_.data());
  for (int i = 0; i < l.nv + l.nx; ++i) F_[i] = (1.0 - theta) * before_.forces[i] + theta * F_[i];
  bool forces = false, at_end = false;
  for (int i : rows_.entries) forces |= !plan_.entries[i].impulse, at_end |= rows_.at_end[i] != 0;
  if (forces || at_end) model_.assembly.input_blocks();
  std::fill(input_.begin(), input_.end(), 0.0);
  if (forces) model_.assembly.add_inputs(lambda_.data(), 1.0, input_.data());
  dynamics(h);
  find_rows();
}

/// res = M (xi - xi0) - h F - inputs; algebraic rows have no M and no h. StepEnd::term: largest term of each row.
void StepEquations::dynamics(double h) {
  const Layout& l = system_.layout;
  const int n = l.unknowns(), ode = l.nv + l.nx, *begin = system_.pattern.begin.data(), *column = system_.pattern.column.data();
  const double *xi = solution_.xi.data(), *xi0 = before_.xi.data(), *M = before_.mass.data(), *F = F_.data(), *input = input_.data();
  for (int i = 0; i < n; ++i) {
    double sum = 0.0, size = 0.0;
    for (int k = begin[i]; k < begin[i + 1]; ++k) {
      const int j = column[k];
      sum += M[k] * (xi[j] - xi0[j]);
      size = std::max({size, std::abs(M[k] * xi[j]), std::abs(M[k] * xi0[j])});
    }
    const double weight = i < ode ? h : rows_.rates_alone ? 0.0 : 1.0;
    end_.residual[i] = sum - weight * (F[i] + input[i]);
    end_.term[i] = std::max({size, weight * std::abs(F[i]), weight * std::abs(input[i])});
  }
  input_of_impulses(h);
}

void StepEquations::input_of_impulses(double h) {
  const int ode = system_.layout.nv + system_.layout.nx;
  contacts_.subtract_impulses(end_.residual.data(), end_.term.data());
  for (int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    if (!p.impulse) continue;
    for (int r = 0; r < e.rows; ++r)
      for (int c = 0; c < p.columns; ++c) {
        const int dof = plan_.columns[p.column_begin + c];
        double impulse = before_.directions[model_.block_begin[i] + r * p.columns + c] * solution_.mu[e.row + r];
        if (dof >= ode) impulse = h > 0.0 ? impulse / h : 0.0;
        end_.residual[dof] -= impulse;
        end_.term[dof] = std::max(end_.term[dof], std::abs(impulse));
      }
  }
}

/// Values of the active rows at the iterate, without bias; StepEnd::magnitude: size of their terms.
void StepEquations::find_rows() {
  RowSink sink;
  sink.y = values_.data();
  bool at_end = false, values = false;
  for (int i : rows_.entries) {
    const MoreauEntry& p = plan_.entries[i];
    at_end |= rows_.at_end[i] && p.value_row;
    values |= p.level == Level::value || !p.value_row;
  }
  if (at_end) sink.time_rate = rate_.data();
  if (at_end || values) model_.assembly.relations(sink);
  for (int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double* H = model_.direction[i];
    for (int r = 0; r < e.rows; ++r) {
      const int row = e.row + r;
      double w = values_[row], size = std::abs(w);
      if (p.level == Level::rate && p.value_row) {
        const bool at_end = rows_.at_end[i];
        w = at_end ? rate_[row] : before_.time_rate[row];
        size = std::abs(w);
        const int n = at_end ? e.columns : p.columns;
        for (int c = 0; c < n; ++c) {
          const int dof = at_end ? system_.relation_columns[e.column_begin + c] : plan_.columns[p.column_begin + c];
          if (dof >= system_.layout.nv) continue;
          const double term = (at_end ? H[r * n + c] : before_.directions[model_.block_begin[i] + r * n + c]) * solution_.xi[dof];
          w += term;
          size = std::max(size, std::abs(term));
        }
      }
      end_.w[row] = w;
      end_.magnitude[row] = size;
    }
  }
}

void StepEquations::matrix_terms() {
  for (std::size_t k = 0; k < problem_.A.size(); ++k) {
    const std::size_t i = at(plan_.row_of_slot[k]);
    end_.term[i] = std::max(end_.term[i], std::abs(problem_.A[k] * solution_.xi[system_.pattern.column[k]]));
  }
  for (int i : rows_.entries) {  // what multipliers put in one by one: it may add up to nothing
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double* G = problem_.G.data() + model_.block_begin[i];
    for (int c = 0; !p.impulse && c < p.columns; ++c)
      for (int r = 0; r < e.rows; ++r) {
        double& term = end_.term[plan_.columns[p.column_begin + c]];
        term = std::max(term, std::abs(G[c * e.rows + r] * solution_.mu[e.row + r]));
      }
  }
}

double StepEquations::dynamics_error() {
  const Layout& l = system_.layout;
  double error = 0.0;
  const int begin[4] = {0, l.nv, l.nv + l.nx, l.unknowns()};
  for (int g = 0; g < 3; ++g) {
    double res = 0.0, size = 0.0;
    for (int i = begin[g]; i < begin[g + 1]; ++i) res = worse(res, std::abs(end_.residual[i])), size = std::max(size, end_.term[i]);
    if (g > 0) terms_.largest[g - 1] = std::max(terms_.before[g - 1], size), size = std::max(size, last_of_decay * terms_.before[g - 1]);
    if (res != 0.0) error = worse(error, size > nothing ? res / size : res);
  }
  return error;
}

double StepEquations::error_beside_currents(double h) const {
  const Layout& l = system_.layout;
  const int begin[4] = {0, l.nv, l.nv + l.nx, l.unknowns()};
  double size[3] = {}, error = 0.0;
  for (int g = 0; g < 3; ++g)
    for (int i = begin[g]; i < begin[g + 1]; ++i) size[g] = std::max(size[g], end_.term[i]);
  for (int g = 0; g < 3; ++g)
    for (int i = begin[g]; i < begin[g + 1]; ++i) {
      if (end_.residual[i] == 0.0) continue;
      double own = size[g];
      for (int k = system_.pattern.begin[i]; g == 1 && k < system_.pattern.begin[i + 1]; ++k)
        if (const int c = system_.pattern.column[k]; c >= begin[2]) own = std::max(own, h * end_.term[c]);
      error = worse(error, std::abs(end_.residual[i]) / std::max(own, nothing));
    }
  return error;
}

double StepEquations::rows_error() {
  if (rows_.entries.empty()) return 0.0;
  double difference[2] = {0.0, 0.0}, size[2] = {0.0, 0.0};
  const double *A = problem_.A.data(), *term = end_.term.data(), *magnitude = end_.magnitude.data(), *w = end_.w.data();
  const double *u_minus = before_.u_minus.data(), *bias = before_.bias.data(), *linear = solution_.w.data();
  double *moves = moves_.data(), *scales = end_.scale.data();
  for (int i = 0; i < system_.layout.unknowns(); ++i) {
    const double inertia = std::abs(A[system_.diagonal_slot[i]]);
    moves[i] = inertia > 0.0 ? term[i] / inertia : std::abs(solution_.xi[i]);  // no inertia and no conductance: what is known of it is its size
  }
  double potential = 0.0;
  for (const int i : potentials_) potential = std::max(potential, std::abs(solution_.xi[i]));
  for (const int i : potentials_) moves[i] = std::max(moves[i], potential);
  for (int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const int g = p.level == Level::rate ? 1 : 0;
    for (int r = 0; r < e.rows; ++r) {
      const int row = e.row + r;
      double scale = std::max(magnitude[row], std::abs(u_minus[row]));
      const double* C = problem_.C.data() + model_.block_begin[i] + r * p.columns;
      const int* columns = plan_.columns.data() + p.column_begin;
      for (int c = 0; c < p.columns; ++c) scale = std::max(scale, std::abs(C[c]) * moves[columns[c]]);
      for (int c = 0; p.level == Level::value && c < e.rows; ++c)
        scale = std::max(scale, std::abs(problem_.D[e.square_begin + r * e.rows + c] * solution_.mu[e.row + c]));
      scales[row] = scale;
      difference[g] = worse(difference[g], std::abs(w[row] + bias[row] - linear[row]));
      size[g] = std::max(size[g], scale);
    }
  }
  double error = 0.0;
  for (int g = 0; g < 2; ++g)
    if (difference[g] != 0.0) error = worse(error, size[g] > nothing ? difference[g] / size[g] : difference[g]);
  return error;
}

void StepEquations::pose() {
  const int n = system_.layout.unknowns();
  for (int i = 0; i < n; ++i) {
    double sum = -end_.residual[i];
    for (int k = system_.pattern.begin[i]; k < system_.pattern.begin[i + 1]; ++k)
      sum += problem_.A[k] * solution_.xi[system_.pattern.column[k]];
    problem_.p0[i] = sum;
  }
  problem_.b.resize(rows_.count + contacts_.rows());
  contacts_.add_to_problem(problem_.p0, problem_.b, rows_.count);
  for (int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double *C = problem_.C.data() + model_.block_begin[i], *G = problem_.G.data() + model_.block_begin[i];
    for (int r = 0; r < e.rows; ++r) {
      double b = end_.w[e.row + r] + before_.bias[e.row + r];
      for (int c = 0; c < p.columns; ++c) {
        const std::size_t dof = at(plan_.columns[p.column_begin + c]);
        b -= C[r * p.columns + c] * solution_.xi[dof];
        problem_.p0[dof] -= G[c * e.rows + r] * solution_.mu[e.row + r];
      }
      for (int c = 0; p.level == Level::value && c < e.rows; ++c) b -= problem_.D[e.square_begin + r * e.rows + c] * solution_.mu[e.row + c];
      problem_.b[rows_.row[i] + r] = b;
    }
  }
}

void StepEquations::pose_affine(const State& state, double h, double theta) {
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
  if (model_.value_rows) model_.affine_system.rows(y_.data(), values_.data());
  problem_.b.resize(rows_.count);
  const double *bias = before_.bias.data(), *memory = state.memory();
  double *mu = solution_.mu.data(), *own = problem_.b.data();
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double* C = problem_.C.data() + model_.block_begin[i];
    const int* columns = plan_.columns.data() + p.column_begin;
    for (int r = 0; r < e.rows; ++r, C += p.columns) {
      const int row = e.row + r;
      double b = bias[row];
      mu[row] = h > 0.0 ? memory[row] : 0.0;
      if (p.level == Level::value || !p.value_row) {  // else the rate C xi alone
        b += values_[row];
        for (int c = 0; c < p.columns; ++c) b -= C[c] * xi0[columns[c]];
      }
      own[rows_.row[i] + r] = b;
    }
  }
}

void StepEquations::advance_affine(const State& state, double h, double theta) {
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
