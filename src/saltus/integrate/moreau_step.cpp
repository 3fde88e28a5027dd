#include "saltus/integrate/moreau_step.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Below this numbers of any unit are zero: what is left of a state that slides to rest, by 16 digits a step, or of a circuit in which
/// nothing flows, whose rounding has no other size than itself.
constexpr double nothing = 1e-60;
/// Of the largest terms so far: what is left of a circuit below this, beside parts that it shares its equations with, is their rounding.
constexpr double last_of_decay = 1e-12;

/// Larger of both; NaN wins, so that it can never pass a test.
double worse(double a, double b) { return b > a || std::isnan(b) ? b : a; }

/// Status of a contact that rests, slides or rolls on its surface.
bool carries(double status) { return status == 1.0 || status == 2.0 || status == 4.0; }
}  // namespace

MoreauStep::MoreauStep(const MoreauPlan& plan) : model_(plan), plan_(plan), system_(model_.system), assembly_(model_.assembly), reactions_(system_, assembly_), contacts_(system_), offsets_(model_, contacts_), solver_(model_, contacts_, offsets_), kept_(plan) {
  gap_.reserve(2 * plan.entries.size());
  const Layout& l = system_.layout;
  const std::size_t n = at(l.unknowns()), m = at(l.rows), slots = at(system_.pattern.nonzeros());
  y_.resize(l.y_size());
  for (auto* x : {&before_.forces, &F_, &input_, &solution_.xi, &before_.xi, &end_.residual, &end_.term, &moves_}) x->resize(n + 1);
  for (auto* x : {&before_.mass, &jacobian_, &input_matrix_, &problem_.A}) x->resize(slots);
  for (auto* x : {&before_.values, &before_.rate, &before_.time_rate, &before_.u_minus, &solution_.mu, &lambda_, &before_.bias, &end_.w, &solution_.w, &end_.magnitude, &end_.scale, &before_.reach}) x->resize(m);
  problem_.D.resize(system_.square_count);
  tangent_.resize(l.nv);
  noise_.resize(l.nv + l.nx);
  for (auto* x : {&before_.directions, &problem_.C, &problem_.G}) x->resize(at(model_.block_size));
  for (auto* x : {&rows_.entries, &rows_.touched}) x->reserve(plan.entries.size());
  status_.resize(plan.entries.size());
  if (model_.constant_mass) assembly_.mass(1.0, 1.0, before_.mass.data());
  keeps_ = model_.affine && !plan.options.error_control;
  if (model_.affine) {
    model_.affine_system.forces(system_.initial_y.data(), before_.forces.data());
    problem_.inverse.resize(n);
    for (std::size_t i = 0; i < plan.entries.size(); ++i) model_.spread_direction(i, before_.directions.data());
  }
  made_.rows.assign(plan.entries.size(), 0);
  rows_.row.assign(plan.entries.size(), -1);
  for (auto* x : {&rows_.closed, &rows_.slides, &rows_.at_end}) x->assign(plan.entries.size(), 0);
  sliding_.resize(n);
  struck_.resize(n);
  problem_.p0.resize(n);
  problem_.b.reserve(m);
  const std::size_t saddle = at(plan.positions.pattern.rows);
  saddle_values_.resize(plan.positions.pattern.nonzeros());
  saddle_rhs_.resize(saddle);
  if (plan.positions.rows > 0) positions_.analyze(MatrixKind::symmetric_quasidefinite, plan.positions.pattern, plan.positions.rows);
  saddle_x_.resize(saddle);
}

/// Forces, values and rates of the rows in the state.
void MoreauStep::values_before(const State& state) {
  const Layout& l = system_.layout;
  if (model_.affine) {
    if (!model_.affine_system.constant_forces()) model_.affine_system.forces(state.y(), before_.forces.data());
    model_.affine_system.rows(state.y(), before_.values.data());
    model_.affine_system.rates(state.y(), before_.rate.data());
    return;
  }
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  assembly_.update(state.t(), state.y(), lambda_.data(), state.data());
  assembly_.forces(before_.forces.data());
  assembly_.input_blocks();
  RowSink sink;
  sink.y = before_.values.data();
  if (model_.varies_in_time) sink.time_rate = before_.time_rate.data();
  assembly_.relations(sink);
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    const bool value_row = plan_.entries[i].value_row;
    const double* H = model_.direction[i];
    const int* columns = system_.relation_columns.data() + e.column_begin;
    for (int r = 0; r < e.rows; ++r, H += e.columns) {
      double sum = value_row ? before_.time_rate[e.row + r] : before_.values[e.row + r];
      for (int c = 0; value_row && c < e.columns; ++c)
        if (columns[c] < l.nv) sum += H[c] * state.v()[columns[c]];
      before_.rate[e.row + r] = sum;
      before_.u_minus[e.row + r] = value_row ? before_.time_rate[e.row + r] : sum;
    }
  }
}

/// Which entries are in the step.
void MoreauStep::choose_active(const State& state, double h, Rows which) {
  const double *status = state.memory() + plan_.status(0), *lambda = state.lambda(), *impulse = state.memory();
  const double closed = 1e-9 * system_.length_scale;  // a solve leaves residual velocities of about 1e-8
  const double held = 1e-6 * system_.length_scale;
  rows_.entries.clear();
  rows_.touched.clear();
  rows_.count = 0;
  bool approach = false, closing = false;
  const int entries = static_cast<int>(plan_.entries.size());
  for (int i = 0; i < entries; ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double y = before_.values[e.row], rate = before_.rate[e.row];
    bool stays = false;
    bool in = which == Rows::all || (which == Rows::algebraic ? p.algebraic : p.equality && p.level == Level::rate);
    if (p.gap && in) {
      // In contact at the end of the last step: its rate now is what the turning of its direction since then makes of it,
      // neither an approach nor a departure.
      stays = carries(status[i]) && y <= held;
      in = stays || y + 0.5 * h * rate <= closed;
      approach |= !in && y + h * rate < -closed;
      closing |= !stays && y > closed && y + h * rate < -closed;
    }
    rows_.closed[i] = stays;
    rows_.at_end[i] = p.at_end || (plan_.options.error_control && stays);
    rows_.row[i] = in ? rows_.count : -1;
    bool left = status[i] != 0.0;
    for (int row = e.row; row < e.row + e.rows; ++row) left |= lambda[row] != 0.0 || impulse[row] != 0.0;
    if (in || left) rows_.touched.push_back(i);
    if (!in) continue;
    rows_.entries.push_back(i);
    rows_.count += e.rows;
  }
  change_.approach = approach, change_.closing = closing;
}

/// Unknown multipliers of this step, their frozen directions, the velocities before it.
void MoreauStep::begin(const State& state, double h, Rows which) {
  const Layout& l = system_.layout;
  std::copy(state.v(), state.v() + l.unknowns(), before_.xi.begin());  // v, x, z stand side by side
  values_before(state);
  if (plan_.options.error_control) y_before_ = before_.values;
  choose_active(state, h, which);
  rates_alone_ = which == Rows::equalities;
  const double closed = 1e-9 * system_.length_scale;
  // Directions, mass and contact rows at mid step (Jean 1999), their own motion in time at the end.
  if (!system_.contacts.empty()) contacts_.clear();
  const bool finds = which == Rows::all && !system_.contacts.empty();
  if (!model_.constant_mass || finds || needs_blocks()) {
    std::copy(state.y(), state.y() + l.y_size(), y_.begin());
    for (int i = 0; i < l.nv; ++i) tangent_[i] = 0.5 * h * state.v()[i];
    system_.map.retract(y_.data(), tangent_.data());
    assembly_.update(state.t() + h, y_.data(), lambda_.data(), state.data());
    if (finds && plan_.options.error_control) change_.passage = contacts_.passage(assembly_.kinematics(), h);
    if (finds) contacts_.begin(assembly_.kinematics(), closed, 1e-6 * system_.length_scale, h, before_.xi.data(), state.memory() + plan_.contact_tail);
    if (!model_.constant_mass) assembly_.mass(1.0, 1.0, before_.mass.data());
    if (needs_blocks()) assembly_.input_blocks();
    if (model_.varies_in_time) {
      RowSink sink;
      sink.time_rate = before_.time_rate.data();
      assembly_.relations(sink);
    }
  }
  for (int i = 0; !rows_.entries.empty() && i < l.nv; ++i) {
    const double inertia = before_.mass[system_.diagonal_slot[i]];
    moves_[i] = std::abs(before_.xi[i]) + (inertia > 0.0 ? h * std::abs(before_.forces[i]) / inertia : 0.0);
  }
  find_slides(state);
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    set_frozen(at(i));
    std::fill_n(before_.bias.begin() + e.row, e.rows, 0.0);
    // Friction against the mean slip of the step, of second order where it turns: rows of twice the mean, u- as their bias.
    for (int r = 1; rows_.slides[i] && r < e.rows; ++r) before_.bias[e.row + r] = before_.rate[e.row + r];
    if (e.law.type->bias && h > 0.0 && !rows_.closed[i]) e.law.type->bias(e.law.fields, e.rows, before_.u_minus.data() + e.row, before_.bias.data() + e.row);
  }
  if (plan_.shifts) offsets_.adhere(rows_, h);
}

/// Contacts that slid in the last step, in two directions: under error control, where shorter steps find what stops. Of more than three that
/// share a body the motion does not determine the forces: these need not be smooth, and friction at the end of the step is safer.
void MoreauStep::find_slides(const State& state) {
  if (!plan_.options.error_control || plan_.theta != 0.5) return;
  const double* status = state.memory() + plan_.status(0);
  std::fill(sliding_.begin(), sliding_.end(), 0);
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    rows_.slides[i] = rows_.closed[i] && e.rows > 2 && e.law.type->set->friction && status[i] == 2.0;
    if (rows_.slides[i]) ++sliding_[plan_.entries[i].component];
  }
  for (const int i : rows_.entries)
    if (rows_.slides[i]) rows_.slides[i] = sliding_[plan_.entries[i].component] <= 3;
}

/// Some active relation's directions or rates are others at mid step.
bool MoreauStep::needs_blocks() const {
  return model_.varies_in_time || (!model_.affine && std::any_of(rows_.entries.begin(), rows_.entries.end(), [&](int i) {
    return !system_.relations[system_.relation_entries[i].pool]->traits().linear;
  }));
}

/// Directions at mid step, the rows' rates before it, and how far velocities and forces could move the rows.
void MoreauStep::set_frozen(std::size_t i) {
  const RelationEntry& e = system_.relation_entries[i];
  const MoreauEntry& p = plan_.entries[i];
  if (!model_.affine) model_.spread_direction(i, before_.directions.data());
  const double* frozen = before_.directions.data() + model_.block_begin[i];
  const int *columns = plan_.columns.data() + p.column_begin, nv = system_.layout.nv;
  for (int r = 0; r < e.rows; ++r, frozen += p.columns) {
    double u_minus = model_.affine ? before_.rate[e.row + r] : before_.u_minus[e.row + r], reach = model_.affine && p.value_row ? 0.0 : std::abs(u_minus);
    for (int c = 0; c < p.columns; ++c) {
      const int dof = columns[c];
      if (dof >= nv) continue;
      if (p.value_row && !model_.affine) u_minus += frozen[c] * before_.xi[dof];
      reach = std::max(reach, std::abs(frozen[c]) * moves_[dof]);
    }
    before_.u_minus[e.row + r] = u_minus;
    before_.reach[e.row + r] = reach;
  }
}

/// y_ := the configuration at the end of the step for the iterate xi.
void MoreauStep::configure(const State& state, double h, double theta) {
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

/// Forces, inputs and rows at the end of the step for the iterate (xi, mu); residual and row values.
void MoreauStep::evaluate(const State& state, double h, double theta, bool first) {
  const Layout& l = system_.layout;
  configure(state, h, theta);
  if (plan_.drift == Drift::ggl && h > 0.0) positions_error_ = project_positions(state.t() + h, y_.data(), state.data(), first);
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  for (int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    for (int r = 0; !plan_.entries[i].impulse && r < e.rows; ++r) lambda_[e.row + r] = solution_.mu[e.row + r];
  }
  assembly_.update(state.t() + h, y_.data(), lambda_.data(), state.data());
  assembly_.forces(F_.data());
  for (int i = 0; i < l.nv + l.nx; ++i) F_[i] = (1.0 - theta) * before_.forces[i] + theta * F_[i];
  bool forces = false, at_end = false;
  for (int i : rows_.entries) forces |= !plan_.entries[i].impulse, at_end |= rows_.at_end[i] != 0;
  if (forces || at_end) assembly_.input_blocks();
  std::fill(input_.begin(), input_.end(), 0.0);
  if (forces) assembly_.add_inputs(lambda_.data(), 1.0, input_.data());
  dynamics(h);
  rows();
}

/// res = M (xi - xi0) - h F - inputs; algebraic rows have no M and no h. StepEnd::term: largest term of each row.
void MoreauStep::dynamics(double h) {
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
    const double weight = i < ode ? h : rates_alone_ ? 0.0 : 1.0;
    end_.residual[i] = sum - weight * (F[i] + input[i]);
    end_.term[i] = std::max({size, weight * std::abs(F[i]), weight * std::abs(input[i])});
  }
  input_of_impulses(h);
}

void MoreauStep::input_of_impulses(double h) {
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
void MoreauStep::rows() {
  RowSink sink;
  sink.y = before_.values.data();
  bool at_end = false, values = false;
  for (int i : rows_.entries) {
    const MoreauEntry& p = plan_.entries[i];
    at_end |= rows_.at_end[i] && p.value_row;
    values |= p.level == Level::value || !p.value_row;
  }
  if (at_end) sink.time_rate = before_.rate.data();
  if (at_end || values) assembly_.relations(sink);
  for (int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double* H = model_.direction[i];
    for (int r = 0; r < e.rows; ++r) {
      const int row = e.row + r;
      double w = before_.values[row], size = std::abs(w);
      if (p.level == Level::rate && p.value_row) {
        const bool at_end = rows_.at_end[i];
        w = at_end ? before_.rate[row] : before_.time_rate[row];
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

/// StepEnd::term: the parts of A xi too.
void MoreauStep::matrix_terms() {
  for (std::size_t k = 0; k < problem_.A.size(); ++k) {
    const std::size_t i = at(plan_.row_of_slot[k]);
    end_.term[i] = std::max(end_.term[i], std::abs(problem_.A[k] * solution_.xi[system_.pattern.column[k]]));
  }
}

/// Largest residual over the largest term, mechanical, first-order and algebraic rows apart. Forces count by their parts too:
/// where large ones balance, their sum is no scale.
double MoreauStep::dynamics_error() {
  const Layout& l = system_.layout;
  double error = 0.0;
  const int begin[4] = {0, l.nv, l.nv + l.nx, l.unknowns()};
  for (int g = 0; g < 3; ++g) {
    double res = 0.0, size = 0.0;
    for (int i = begin[g]; i < begin[g + 1]; ++i) res = worse(res, std::abs(end_.residual[i])), size = std::max(size, end_.term[i]);
    if (g > 0) largest_terms_[g - 1] = std::max(terms_before_[g - 1], size), size = std::max(size, last_of_decay * terms_before_[g - 1]);
    if (res != 0.0) error = worse(error, size > nothing ? res / size : res);
  }
  return error;
}

/// Distance of the rows from what the problem took them for. StepEnd::scale: size of a row's terms, before and after, and what the
/// forces of this step alone could do to it: the scale that is left where all velocities vanish.
double MoreauStep::rows_error() {
  if (rows_.entries.empty()) return 0.0;
  double difference[2] = {0.0, 0.0}, size[2] = {0.0, 0.0};
  for (int i = 0; i < system_.layout.unknowns(); ++i) {
    const double inertia = std::abs(problem_.A[system_.diagonal_slot[i]]);
    moves_[i] = inertia > 0.0 ? end_.term[i] / inertia : 0.0;
  }
  for (int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const int g = p.level == Level::rate ? 1 : 0;
    for (int r = 0; r < e.rows; ++r) {
      const int row = e.row + r;
      double scale = std::max(end_.magnitude[row], std::abs(before_.u_minus[row]));
      const double* C = problem_.C.data() + model_.block_begin[i] + r * p.columns;
      const int* columns = plan_.columns.data() + p.column_begin;
      for (int c = 0; c < p.columns; ++c) scale = std::max(scale, std::abs(C[c]) * moves_[columns[c]]);
      end_.scale[row] = scale;
      difference[g] = worse(difference[g], std::abs(end_.w[row] + before_.bias[row] - solution_.w[row]));
      size[g] = std::max(size[g], scale);
    }
  }
  double error = 0.0;
  for (int g = 0; g < 2; ++g)
    if (difference[g] != 0.0) error = worse(error, size[g] > nothing ? difference[g] / size[g] : difference[g]);
  return error;
}

/// A, C and G of the linear problem at the iterate.
void MoreauStep::matrices(double h, double theta) {
  bool forces = false, own_D = false;
  for (const int i : rows_.entries) {
    const MoreauEntry& p = plan_.entries[i];
    forces |= !p.impulse;
    own_D |= p.level == Level::value;
  }
  if (!(model_.affine && made_.h == h && made_.theta == theta && made_.forces == forces)) {
    system_matrix(h, theta, forces);
    made_.h = h, made_.theta = theta, made_.forces = forces;
    std::fill(made_.rows.begin(), made_.rows.end(), char{0});
    ++problem_.matrices;
    if (own_D) {
      RowSink sink;
      sink.D = problem_.D.data();
      assembly_.relations(sink);
    }
    if (model_.affine) inspect_matrix();
  }
  for (const int i : rows_.entries) {
    if (model_.affine && made_.rows[i]) continue;
    made_.rows[i] = 1;
    row_matrices(at(i), h, theta);
  }
}

/// A = M + h theta times the derivatives of forces and inputs; algebraic rows without h.
void MoreauStep::system_matrix(double h, double theta, bool inputs) {
  const Layout& l = system_.layout;
  const int ode = l.nv + l.nx;
  Seeds seeds;
  seeds.value[0] = h * theta;
  seeds.rate[0] = 1.0;
  if (!model_.constant_matrix || matrix_seed_ != h * theta) {
    std::fill(jacobian_.begin(), jacobian_.end(), 0.0);
    assembly_.add_force_matrix(seeds, jacobian_.data());
    matrix_seed_ = h * theta;
  }
  if (inputs) {
    std::fill(input_matrix_.begin(), input_matrix_.end(), 0.0);
    assembly_.add_input_matrix(seeds, 1.0, input_matrix_.data());
  }
  for (std::size_t k = 0; k < problem_.A.size(); ++k) {
    const bool algebraic = plan_.row_of_slot[k] >= ode;
    problem_.A[k] = before_.mass[k] + (algebraic ? 1.0 : h * theta) * jacobian_[k] + (inputs ? (algebraic ? 1.0 : h) * input_matrix_[k] : 0.0);
  }
  for (int i = ode; rates_alone_ && i < l.unknowns(); ++i) {
    for (int k = system_.pattern.begin[i]; k < system_.pattern.begin[i + 1]; ++k) problem_.A[k] = 0.0;
    problem_.A[system_.diagonal_slot[i]] = 1.0;
  }
  if (!plan_.may_be_symmetric) return;
  // Newton with the symmetric part: what is left out (gyroscopic, order h) costs iterations, not accuracy.
  for (std::size_t k = 0; k < problem_.A.size(); ++k) {
    const std::size_t other = at(plan_.transposed_slot[k]);
    if (other > k) problem_.A[k] = problem_.A[other] = 0.5 * (problem_.A[k] + problem_.A[other]);
  }
}

/// C (rows x columns) and G (columns x rows) of an active entry.
void MoreauStep::row_matrices(std::size_t i, double h, double theta) {
  const Layout& l = system_.layout;
  const RelationEntry& e = system_.relation_entries[i];
  const MoreauEntry& p = plan_.entries[i];
  const int n = p.columns, m = e.rows, ode = l.nv + l.nx;
  double *C = problem_.C.data() + model_.block_begin[i], *G = problem_.G.data() + model_.block_begin[i];
  const double *frozen = before_.directions.data() + model_.block_begin[i], *H = assembly_.H().data() + e.value_begin,
               *H_v = assembly_.rate_H().data() + e.value_begin, *direction = model_.direction[i];
  std::fill(C, C + m * n, 0.0);
  std::fill(G, G + m * n, 0.0);
  const auto weight = [&](int dof) { return p.impulse ? (dof < ode ? 1.0 : (h > 0.0 ? 1.0 / h : 0.0)) : (dof < ode ? h : 1.0); };
  if (p.impulse)
    for (int c = 0; c < n; ++c)
      for (int r = 0; r < m; ++r) G[c * m + r] = weight(plan_.columns[p.column_begin + c]) * frozen[r * n + c];
  for (int c = 0; c < e.columns; ++c) {
    const int k = plan_.place[p.place_begin + c], dof = plan_.columns[p.column_begin + k];
    for (int r = 0; r < m; ++r) {
      if (p.level == Level::value)
        C[r * n + k] += dof < l.nv ? h * theta * H[r * e.columns + c] + H_v[r * e.columns + c] : H[r * e.columns + c];
      if (!p.impulse)
        G[k * m + r] += weight(dof) * (p.has_input ? assembly_.B()[e.value_begin + c * m + r] : direction[r * e.columns + c]);
    }
  }
  if (p.level == Level::rate)
    for (int r = 0; r < m; ++r)
      for (int c = 0; c < n; ++c)
        if (plan_.columns[p.column_begin + c] < l.nv) C[r * n + c] = frozen[r * n + c];
}

/// p0 = A xi - res - G mu, b = w - C xi - D mu + bias: the total unknowns solve the problem linearized at the iterate.
void MoreauStep::build_problem() {
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

}  // namespace saltus
