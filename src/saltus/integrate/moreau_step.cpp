#include "saltus/integrate/moreau_step.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Below this the squares of numbers vanish and no residual relative to them can be told: zero for the iteration. A state that
/// slides to rest falls there by 16 digits a step.
constexpr double nothing = 1e-150;

/// Larger of both; NaN wins, so that it can never pass a test.
double worse(double a, double b) { return b > a || std::isnan(b) ? b : a; }
}  // namespace

MoreauStep::MoreauStep(const MoreauPlan& plan) : plan_(plan), system_(*plan.system), assembly_(system_, plan.options.threads), contacts_(system_) {
  const Layout& l = system_.layout;
  const std::size_t n = at(l.unknowns()), m = at(l.rows), slots = at(system_.pattern.nonzeros());
  y_.resize(at(l.y_size()));
  for (auto* x : {&F0_, &F_, &input_, &xi_, &xi0_, &res_, &term_}) x->resize(n + 1);
  for (auto* x : {&mass_, &jacobian_, &input_matrix_, &A_}) x->resize(slots);
  for (auto* x : {&y_rows_, &rate_, &time_rate_, &u_minus_, &mu_, &lambda_, &bias_, &w_, &w_linear_, &magnitude_, &scale_}) x->resize(m);
  D_.resize(at(system_.square_count));
  tangent_.resize(at(l.nv));
  int size = 0;
  for (std::size_t i = 0; i < plan.entries.size(); ++i) {
    C_begin_.push_back(size);
    size += plan.entries[i].columns * system_.relation_entries[i].rows;
  }
  for (auto* x : {&frozen_, &C_, &G_}) x->resize(at(size));
  active_.reserve(plan.entries.size());
  active_row_.assign(plan.entries.size(), -1);
  warm_r_.reserve(m);
  cursor_.resize(n + 1);
  problem_.M.resize(l.unknowns(), l.unknowns());
  problem_.M.resizeNonZeros(system_.pattern.nonzeros());
  std::copy(system_.pattern.begin.begin(), system_.pattern.begin.end(), problem_.M.outerIndexPtr());
  std::copy(system_.pattern.column.begin(), system_.pattern.column.end(), problem_.M.innerIndexPtr());
  problem_.p0.resize(n);
  problem_.b.reserve(m);
  problem_.blocks.reserve(plan.entries.size());
  const std::size_t saddle = at(std::max(plan.joints.pattern.rows, plan.positions.pattern.rows));
  saddle_values_.resize(at(std::max(plan.joints.pattern.nonzeros(), plan.positions.pattern.nonzeros())));
  saddle_rhs_.resize(saddle);
  saddle_x_.resize(saddle);
}

/// Unknown multipliers of this step, their frozen directions, the velocities before it.
void MoreauStep::begin(const State& state, double h, Rows which) {
  const Layout& l = system_.layout;
  std::copy(state.v(), state.v() + l.nv + l.nx + l.nz, xi0_.begin());  // v, x, z stand side by side
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  assembly_.update(state.t(), state.y(), lambda_.data(), state.data());
  assembly_.forces(F0_.data());
  assembly_.input_blocks();
  RowSink sink;
  sink.y = y_rows_.data();
  sink.time_rate = time_rate_.data();
  assembly_.relations(sink);
  const double closed = 1e-9 * system_.length_scale;  // a solve leaves residual velocities of about 1e-8
  active_.clear();
  active_rows_ = 0;
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double* H = assembly_.direction(e);
    for (int r = 0; r < e.rows; ++r) {
      double rate = p.value_row ? time_rate_[at(e.row + r)] : y_rows_[at(e.row + r)];
      for (int c = 0; p.value_row && c < e.columns; ++c) {
        const int dof = system_.relation_columns[at(e.column_begin + c)];
        if (dof < l.nv) rate += H[r * e.columns + c] * state.v()[dof];
      }
      rate_[at(e.row + r)] = rate;
      u_minus_[at(e.row + r)] = p.value_row ? time_rate_[at(e.row + r)] : rate;
    }
    bool in = which == Rows::all || (p.equality && p.level == Level::rate);
    if (p.gap) in = in && y_rows_[at(e.row)] + 0.5 * h * rate_[at(e.row)] <= closed;
    active_row_[i] = in ? active_rows_ : -1;
    if (!in) continue;
    active_.push_back(static_cast<int>(i));
    active_rows_ += e.rows;
  }
  // Directions, mass and contact rows at mid step (Jean 1999), their own motion in time at the end.
  std::copy(state.y(), state.y() + l.y_size(), y_.begin());
  for (int i = 0; i < l.nv; ++i) tangent_[at(i)] = 0.5 * h * state.v()[i];
  system_.map.retract(y_.data(), tangent_.data());
  assembly_.update(state.t() + h, y_.data(), lambda_.data(), state.data());
  if (which == Rows::all && !system_.contacts.empty())
    contacts_.begin(assembly_.kinematics(), closed, 1e-6 * system_.length_scale, xi0_.data(), state.memory() + plan_.contact_tail);
  else
    contacts_.clear();
  assembly_.mass(1.0, 1.0, mass_.data());
  assembly_.input_blocks();
  sink.y = nullptr;
  assembly_.relations(sink);
  for (int i : active_) set_frozen(at(i));
  std::fill(bias_.begin(), bias_.end(), 0.0);
  for (int i : active_) {
    const RelationEntry& e = system_.relation_entries[at(i)];
    if (e.law.type->impact && h > 0.0) e.law.type->bias(e.law.parameters, e.rows, u_minus_.data() + e.row, bias_.data() + e.row);
  }
}

void MoreauStep::set_frozen(std::size_t i) {
  const RelationEntry& e = system_.relation_entries[i];
  const MoreauEntry& p = plan_.entries[i];
  double* frozen = frozen_.data() + C_begin_[i];
  std::fill(frozen, frozen + e.rows * p.columns, 0.0);
  const double* H = assembly_.direction(e);
  for (int r = 0; r < e.rows; ++r)
    for (int c = 0; c < e.columns; ++c) frozen[r * p.columns + plan_.place[at(p.place_begin + c)]] += H[r * e.columns + c];
  for (int r = 0; r < e.rows; ++r)
    for (int c = 0; c < p.columns; ++c) {
      const int dof = plan_.columns[at(p.column_begin + c)];
      if (dof < system_.layout.nv && p.value_row) u_minus_[at(e.row + r)] += frozen[r * p.columns + c] * xi0_[at(dof)];
    }
}

/// Forces, inputs and rows at the end of the step for the iterate (xi, mu); residual and row values.
void MoreauStep::evaluate(const State& state, double h, double theta) {
  const Layout& l = system_.layout;
  std::copy(state.y(), state.y() + l.y_size(), y_.begin());
  for (int i = 0; i < l.nv; ++i) {
    tangent_[at(i)] = h * ((1.0 - theta) * state.v()[i] + theta * xi_[at(i)]);
    y_[at(l.v_begin() + i)] = xi_[at(i)];
  }
  system_.map.retract(y_.data(), tangent_.data());
  std::copy(xi_.begin() + l.nv, xi_.begin() + l.nv + l.nx + l.nz, y_.begin() + l.x_begin());
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  for (int i : active_) {
    const RelationEntry& e = system_.relation_entries[at(i)];
    for (int r = 0; !plan_.entries[at(i)].impulse && r < e.rows; ++r) lambda_[at(e.row + r)] = mu_[at(e.row + r)];
  }
  assembly_.update(state.t() + h, y_.data(), lambda_.data(), state.data());
  assembly_.forces(F_.data());
  for (int i = 0; i < l.nv + l.nx; ++i) F_[at(i)] = (1.0 - theta) * F0_[at(i)] + theta * F_[at(i)];
  assembly_.input_blocks();
  std::fill(input_.begin(), input_.end(), 0.0);
  assembly_.add_inputs(lambda_.data(), 1.0, input_.data());
  dynamics(h);
  rows();
}

/// res = M (xi - xi0) - h F - inputs; algebraic rows have no M and no h. term_: largest term of each row.
void MoreauStep::dynamics(double h) {
  const Layout& l = system_.layout;
  const int n = l.unknowns(), ode = l.nv + l.nx;
  for (int i = 0; i < n; ++i) {
    double sum = 0.0, size = 0.0;
    for (int k = system_.pattern.begin[at(i)]; k < system_.pattern.begin[at(i) + 1]; ++k) {
      const int j = system_.pattern.column[at(k)];
      sum += mass_[at(k)] * (xi_[at(j)] - xi0_[at(j)]);
      size = std::max({size, std::abs(mass_[at(k)] * xi_[at(j)]), std::abs(mass_[at(k)] * xi0_[at(j)])});
    }
    const double weight = i < ode ? h : 1.0;
    res_[at(i)] = sum - weight * (F_[at(i)] + input_[at(i)]);
    term_[at(i)] = std::max({size, weight * std::abs(F_[at(i)]), weight * std::abs(input_[at(i)])});
  }
  input_of_impulses(h);
}

void MoreauStep::input_of_impulses(double h) {
  const int ode = system_.layout.nv + system_.layout.nx;
  contacts_.subtract_impulses(res_.data(), term_.data());
  for (int i : active_) {
    const RelationEntry& e = system_.relation_entries[at(i)];
    const MoreauEntry& p = plan_.entries[at(i)];
    if (!p.impulse) continue;
    for (int r = 0; r < e.rows; ++r)
      for (int c = 0; c < p.columns; ++c) {
        const int dof = plan_.columns[at(p.column_begin + c)];
        double impulse = frozen_[at(C_begin_[at(i)] + r * p.columns + c)] * mu_[at(e.row + r)];
        if (dof >= ode) impulse = h > 0.0 ? impulse / h : 0.0;
        res_[at(dof)] -= impulse;
        term_[at(dof)] = std::max(term_[at(dof)], std::abs(impulse));
      }
  }
}

/// Values of the active rows at the iterate, without bias; magnitude_: size of their terms.
void MoreauStep::rows() {
  RowSink sink;
  sink.y = y_rows_.data();
  bool at_end = false;
  for (int i : active_) at_end |= plan_.entries[at(i)].at_end && plan_.entries[at(i)].value_row;
  if (at_end) sink.time_rate = rate_.data();
  assembly_.relations(sink);
  for (int i : active_) {
    const RelationEntry& e = system_.relation_entries[at(i)];
    const MoreauEntry& p = plan_.entries[at(i)];
    const double* H = assembly_.direction(e);
    for (int r = 0; r < e.rows; ++r) {
      const int row = e.row + r;
      double w = y_rows_[at(row)], size = std::abs(w);
      if (p.level == Level::rate && p.value_row) {
        w = p.at_end ? rate_[at(row)] : time_rate_[at(row)];
        size = std::abs(w);
        const int n = p.at_end ? e.columns : p.columns;
        for (int c = 0; c < n; ++c) {
          const int dof = p.at_end ? system_.relation_columns[at(e.column_begin + c)] : plan_.columns[at(p.column_begin + c)];
          if (dof >= system_.layout.nv) continue;
          const double term = (p.at_end ? H[r * n + c] : frozen_[at(C_begin_[at(i)] + r * n + c)]) * xi_[at(dof)];
          w += term;
          size = std::max(size, std::abs(term));
        }
      }
      w_[at(row)] = w;
      magnitude_[at(row)] = size;
    }
  }
}

/// Largest residual over the largest term, mechanical, first-order and algebraic rows apart. Forces count by their parts too:
/// where large ones balance, their sum is no scale.
double MoreauStep::dynamics_error() {
  const Layout& l = system_.layout;
  for (std::size_t k = 0; k < A_.size(); ++k) {
    const std::size_t i = at(plan_.row_of_slot[k]);
    term_[i] = std::max(term_[i], std::abs(A_[k] * xi_[at(system_.pattern.column[k])]));
  }
  double error = 0.0;
  const int begin[4] = {0, l.nv, l.nv + l.nx, l.unknowns()};
  for (int g = 0; g < 3; ++g) {
    double res = 0.0, size = 0.0;
    for (int i = begin[g]; i < begin[g + 1]; ++i) res = worse(res, std::abs(res_[at(i)])), size = std::max(size, term_[at(i)]);
    if (res != 0.0) error = worse(error, size > nothing ? res / size : res);
  }
  return error;
}

/// Distance of the rows from what the problem took them for. scale_: size of a row's terms, before and after, and what the
/// forces of this step alone could do to it: the scale that is left where all velocities vanish.
double MoreauStep::rows_error() {
  double difference[2] = {0.0, 0.0}, size[2] = {0.0, 0.0};
  for (int i : active_) {
    const RelationEntry& e = system_.relation_entries[at(i)];
    const MoreauEntry& p = plan_.entries[at(i)];
    const int g = p.level == Level::rate ? 1 : 0;
    for (int r = 0; r < e.rows; ++r) {
      const int row = e.row + r;
      double scale = std::max(magnitude_[at(row)], std::abs(u_minus_[at(row)]));
      for (int c = 0; c < p.columns; ++c) {
        const int dof = plan_.columns[at(p.column_begin + c)];
        const double inertia = std::abs(A_[at(system_.diagonal_slot[at(dof)])]);
        if (inertia > 0.0) scale = std::max(scale, std::abs(C_[at(C_begin_[at(i)] + r * p.columns + c)]) * term_[at(dof)] / inertia);
      }
      scale_[at(row)] = scale;
      difference[g] = worse(difference[g], std::abs(w_[at(row)] + bias_[at(row)] - w_linear_[at(row)]));
      size[g] = std::max(size[g], scale);
    }
  }
  double error = 0.0;
  for (int g = 0; g < 2; ++g)
    if (difference[g] != 0.0) error = worse(error, size[g] > nothing ? difference[g] / size[g] : difference[g]);
  return error;
}

void MoreauStep::matrices(double h, double theta) {
  const Layout& l = system_.layout;
  const int ode = l.nv + l.nx;
  Seeds seeds;
  seeds.value[0] = h * theta;
  seeds.rate[0] = 1.0;
  std::fill(jacobian_.begin(), jacobian_.end(), 0.0);
  assembly_.add_force_matrix(seeds, jacobian_.data());
  bool forces = false;
  for (int i : active_) forces |= !plan_.entries[at(i)].impulse;
  if (forces) {
    std::fill(input_matrix_.begin(), input_matrix_.end(), 0.0);
    assembly_.add_input_matrix(seeds, 1.0, input_matrix_.data());
  }
  for (std::size_t k = 0; k < A_.size(); ++k) {
    const bool algebraic = plan_.row_of_slot[k] >= ode;
    A_[k] = mass_[k] + (algebraic ? 1.0 : h * theta) * jacobian_[k] + (forces ? (algebraic ? 1.0 : h) * input_matrix_[k] : 0.0);
  }
  if (plan_.may_be_symmetric) {
    // Newton with the symmetric part: what is left out (gyroscopic, order h) costs iterations, not accuracy.
    for (std::size_t k = 0; k < A_.size(); ++k) {
      const std::size_t other = at(plan_.transposed_slot[k]);
      if (other > k) A_[k] = A_[other] = 0.5 * (A_[k] + A_[other]);
    }
  }
  bool own_D = false;
  for (int i : active_) own_D |= plan_.entries[at(i)].level == Level::value;
  if (own_D) {
    RowSink sink;
    sink.D = D_.data();
    assembly_.relations(sink);
  }
  for (int i : active_) row_matrices(at(i), h, theta);
}

/// C (rows x columns) and G (columns x rows) of an active entry.
void MoreauStep::row_matrices(std::size_t i, double h, double theta) {
  const Layout& l = system_.layout;
  const RelationEntry& e = system_.relation_entries[i];
  const MoreauEntry& p = plan_.entries[i];
  const int n = p.columns, m = e.rows, ode = l.nv + l.nx;
  double *C = C_.data() + C_begin_[i], *G = G_.data() + C_begin_[i];
  const double *frozen = frozen_.data() + C_begin_[i], *H = assembly_.H().data() + e.value_begin,
               *H_v = assembly_.rate_H().data() + e.value_begin, *direction = assembly_.direction(e);
  std::fill(C, C + m * n, 0.0);
  std::fill(G, G + m * n, 0.0);
  const auto weight = [&](int dof) { return p.impulse ? (dof < ode ? 1.0 : (h > 0.0 ? 1.0 / h : 0.0)) : (dof < ode ? h : 1.0); };
  if (p.impulse)
    for (int c = 0; c < n; ++c)
      for (int r = 0; r < m; ++r) G[c * m + r] = weight(plan_.columns[at(p.column_begin + c)]) * frozen[r * n + c];
  for (int c = 0; c < e.columns; ++c) {
    const int k = plan_.place[at(p.place_begin + c)], dof = plan_.columns[at(p.column_begin + k)];
    for (int r = 0; r < m; ++r) {
      if (p.level == Level::value)
        C[r * n + k] += dof < l.nv ? h * theta * H[r * e.columns + c] + H_v[r * e.columns + c] : H[r * e.columns + c];
      if (!p.impulse)
        G[k * m + r] += weight(dof) * (p.has_input ? assembly_.B()[at(e.value_begin + c * m + r)] : direction[r * e.columns + c]);
    }
  }
  if (p.level == Level::rate)
    for (int r = 0; r < m; ++r)
      for (int c = 0; c < n; ++c)
        if (plan_.columns[at(p.column_begin + c)] < l.nv) C[r * n + c] = frozen[r * n + c];
}

/// p0 = A xi - res - G mu, b = w - C xi - D mu + bias: the total unknowns solve the problem linearized at the iterate.
void MoreauStep::build_problem() {
  std::copy(A_.begin(), A_.end(), problem_.M.valuePtr());
  const int n = system_.layout.unknowns();
  for (int i = 0; i < n; ++i) {
    double sum = -res_[at(i)];
    for (int k = system_.pattern.begin[at(i)]; k < system_.pattern.begin[at(i) + 1]; ++k)
      sum += A_[at(k)] * xi_[at(system_.pattern.column[at(k)])];
    problem_.p0[at(i)] = sum;
  }
  problem_.b.resize(at(active_rows_ + contacts_.rows()));
  problem_.blocks.clear();
  contacts_.add_to_problem(problem_, active_rows_);
  for (int i : active_) {
    const RelationEntry& e = system_.relation_entries[at(i)];
    const MoreauEntry& p = plan_.entries[at(i)];
    const double *C = C_.data() + C_begin_[at(i)], *G = G_.data() + C_begin_[at(i)];
    for (int r = 0; r < e.rows; ++r) {
      double b = w_[at(e.row + r)] + bias_[at(e.row + r)];
      for (int c = 0; c < p.columns; ++c) {
        const std::size_t dof = at(plan_.columns[at(p.column_begin + c)]);
        b -= C[r * p.columns + c] * xi_[dof];
        problem_.p0[dof] -= G[c * e.rows + r] * mu_[at(e.row + r)];
      }
      for (int c = 0; p.level == Level::value && c < e.rows; ++c) b -= D_[at(e.square_begin + r * e.rows + c)] * mu_[at(e.row + c)];
      problem_.b[at(active_row_[at(i)] + r)] = b;
    }
  }
}

/// Rows as compressed matrices. G stays empty where it is the transposed of H.
void MoreauStep::build_rows() {
  const int n = system_.layout.unknowns();
  int entries = 0, squares = 0;
  bool values = false;
  for (int i : active_) {
    entries += system_.relation_entries[at(i)].rows * plan_.entries[at(i)].columns;
    if (plan_.entries[at(i)].level == Level::value) values = true, squares += system_.relation_entries[at(i)].rows * system_.relation_entries[at(i)].rows;
  }
  const bool own_input = !plan_.may_be_symmetric;
  const int all_rows = active_rows_ + contacts_.rows(), own_entries = entries;
  entries += contacts_.entries();
  problem_.symmetric = !own_input;
  problem_.H.resize(all_rows, n);
  problem_.H.resizeNonZeros(entries);
  problem_.D.resize(values ? all_rows : 0, values ? all_rows : 0);
  problem_.D.resizeNonZeros(squares);
  problem_.G.resize(own_input ? n : 0, own_input ? all_rows : 0);
  problem_.G.resizeNonZeros(own_input ? entries : 0);
  if (own_input) {
    std::fill(cursor_.begin(), cursor_.end(), 0);
    for (int i : active_)
      for (int c = 0; c < plan_.entries[at(i)].columns; ++c)
        cursor_[at(plan_.columns[at(plan_.entries[at(i)].column_begin + c)] + 1)] += system_.relation_entries[at(i)].rows;
    contacts_.count_columns(cursor_.data() + 1);
    for (int i = 0; i < n; ++i) cursor_[at(i + 1)] += cursor_[at(i)];
    std::copy(cursor_.begin(), cursor_.end(), problem_.G.outerIndexPtr());
  }
  int next = 0, square = 0, row = 0;
  for (int i : active_) {
    const RelationEntry& e = system_.relation_entries[at(i)];
    const MoreauEntry& p = plan_.entries[at(i)];
    const double *C = C_.data() + C_begin_[at(i)], *G = G_.data() + C_begin_[at(i)];
    for (int r = 0; r < e.rows; ++r, ++row) {
      problem_.H.outerIndexPtr()[row] = next;
      for (int c = 0; c < p.columns; ++c, ++next) {
        const int dof = plan_.columns[at(p.column_begin + c)];
        problem_.H.innerIndexPtr()[next] = dof;
        problem_.H.valuePtr()[next] = C[r * p.columns + c];
        if (!own_input) continue;
        const int place = cursor_[at(dof)]++;
        problem_.G.innerIndexPtr()[place] = row;
        problem_.G.valuePtr()[place] = G[c * e.rows + r];
      }
      if (!values) continue;
      problem_.D.outerIndexPtr()[row] = square;
      for (int c = 0; p.level == Level::value && c < e.rows; ++c, ++square) {
        problem_.D.innerIndexPtr()[square] = active_row_[at(i)] + c;
        problem_.D.valuePtr()[square] = D_[at(e.square_begin + r * e.rows + c)];
      }
    }
  }
  contacts_.write_rows(problem_, active_rows_, own_entries, own_input ? cursor_.data() : nullptr);
  problem_.H.outerIndexPtr()[all_rows] = entries;
  for (int i = active_rows_; values && i <= all_rows; ++i) problem_.D.outerIndexPtr()[i] = square;
}

}  // namespace saltus
