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

MoreauStep::MoreauStep(const MoreauPlan& plan) : plan_(plan), system_(*plan.system), assembly_(system_, plan.options.threads), reactions_(system_, assembly_), contacts_(system_), circuit_(system_), kept_(plan) {
  gap_.reserve(2 * plan.entries.size());
  const Layout& l = system_.layout;
  const std::size_t n = at(l.unknowns()), m = at(l.rows), slots = at(system_.pattern.nonzeros());
  y_.resize(l.y_size());
  for (auto* x : {&F0_, &F_, &input_, &xi_, &xi0_, &res_, &term_, &moves_}) x->resize(n + 1);
  for (auto* x : {&mass_, &jacobian_, &input_matrix_, &A_}) x->resize(slots);
  for (auto* x : {&y_rows_, &rate_, &time_rate_, &u_minus_, &mu_, &lambda_, &bias_, &w_, &w_linear_, &magnitude_, &scale_, &reach_, &low_, &high_,
                  &trial_mu_, &trial_w_, &trial_size_}) x->resize(m);
  D_.resize(system_.square_count);
  trial_xi_.resize(n);
  mode_.resize(m);
  tangent_.resize(l.nv);
  noise_.resize(l.nv + l.nx);
  int size = 0;
  for (std::size_t i = 0; i < plan.entries.size(); ++i) {
    C_begin_.push_back(size);
    size += plan.entries[i].columns * system_.relation_entries[i].rows;
  }
  for (auto* x : {&frozen_, &C_, &G_}) x->resize(at(size));
  for (auto* x : {&active_, &touched_}) x->reserve(plan.entries.size());
  const auto all = [](const auto& pools, auto property) { return std::all_of(pools.begin(), pools.end(), property); };
  constant_mass_ = all(system_.objects, [](const auto& p) { return p->constant_mass(); });
  constant_matrix_ = all(system_.objects, [](const auto& p) { return p->constant_matrix(); }) && all(system_.forces, [](const auto& p) { return p->constant_matrix(); });
  varies_in_time_ = !all(system_.relations, [](const auto& p) { return !p->traits().uses_time; });
  affine_ = constant_mass_ && AffineSystem::can(system_) && system_.contacts.empty() && plan.drift != Drift::ggl;
  for (const RelationEntry& e : system_.relation_entries) direction_.push_back(assembly_.direction(e));
  status_.resize(plan.entries.size());
  potentials_ = circuit_.potentials();
  for (std::size_t i = 0; i < plan.entries.size(); ++i) {
    const MoreauEntry& p = plan.entries[i];
    const auto is_potential = [&](int column) { return std::find(potentials_.begin(), potentials_.end(), column) != potentials_.end(); };
    between_terminals_.push_back(!potentials_.empty() && p.level == Level::value && p.columns > 0 &&
                                 std::all_of(plan.columns.begin() + p.column_begin, plan.columns.begin() + p.column_begin + p.columns, is_potential));
  }
  for (const MoreauEntry& p : plan.entries) value_rows_ |= p.level == Level::value || !p.value_row;
  if (constant_mass_) {
    assembly_.update(0.0, system_.initial_y.data(), nullptr, system_.initial_data.data());
    assembly_.mass(1.0, 1.0, mass_.data());
  }
  keeps_ = affine_ && !plan.options.error_control;
  if (affine_) {
    affine_system_.build(system_, assembly_);
    affine_system_.forces(system_.initial_y.data(), F0_.data());
    inverse_.resize(n);
    for (std::size_t i = 0; i < plan.entries.size(); ++i) spread_direction(i);
    plan_band();
  }
  made_.rows.assign(plan.entries.size(), 0);
  offset_.assign(m, 0.0);
  phase_.resize(plan.phases > 0 ? plan.entries.size() : 0);
  active_row_.assign(plan.entries.size(), -1);
  was_held_.assign(plan.entries.size(), 0);
  slides_.assign(plan.entries.size(), 0);
  sliding_.resize(n);
  at_end_.assign(plan.entries.size(), 0);
  warm_r_.reserve(m);
  cursor_.resize(n + 1);
  struck_.resize(n);
  const std::size_t dense = n + m <= 64 ? n + m : 32;  // more rows are never active in a dense factor
  dense_.reserve(dense * dense);
  dense_x_.reserve(dense);
  factored_active_.reserve(plan.entries.size());
  problem_.M.resize(l.unknowns(), l.unknowns());
  problem_.M.resizeNonZeros(system_.pattern.nonzeros());
  std::copy(system_.pattern.begin.begin(), system_.pattern.begin.end(), problem_.M.outerIndexPtr());
  std::copy(system_.pattern.column.begin(), system_.pattern.column.end(), problem_.M.innerIndexPtr());
  problem_.p0.resize(n);
  problem_.b.reserve(m);
  problem_.blocks.reserve(plan.entries.size());
  const std::size_t saddle = at(std::max(plan.modes.pattern.rows, plan.positions.pattern.rows));
  saddle_values_.resize(std::max(plan.modes.pattern.nonzeros(), plan.positions.pattern.nonzeros()));
  saddle_rhs_.resize(saddle);
  if (plan.positions.rows > 0) positions_.analyze(MatrixKind::symmetric_quasidefinite, plan.positions.pattern, plan.positions.rows);
  saddle_x_.resize(saddle);
}

/// Forces, values and rates of the rows in the state.
void MoreauStep::values_before(const State& state) {
  const Layout& l = system_.layout;
  if (affine_) {
    if (!affine_system_.constant_forces()) affine_system_.forces(state.y(), F0_.data());
    affine_system_.rows(state.y(), y_rows_.data());
    affine_system_.rates(state.y(), rate_.data());
    return;
  }
  std::fill(lambda_.begin(), lambda_.end(), 0.0);
  assembly_.update(state.t(), state.y(), lambda_.data(), state.data());
  assembly_.forces(F0_.data());
  assembly_.input_blocks();
  RowSink sink;
  sink.y = y_rows_.data();
  if (varies_in_time_) sink.time_rate = time_rate_.data();
  assembly_.relations(sink);
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    const bool value_row = plan_.entries[i].value_row;
    const double* H = direction_[i];
    const int* columns = system_.relation_columns.data() + e.column_begin;
    for (int r = 0; r < e.rows; ++r, H += e.columns) {
      double sum = value_row ? time_rate_[e.row + r] : y_rows_[e.row + r];
      for (int c = 0; value_row && c < e.columns; ++c)
        if (columns[c] < l.nv) sum += H[c] * state.v()[columns[c]];
      rate_[e.row + r] = sum;
      u_minus_[e.row + r] = value_row ? time_rate_[e.row + r] : sum;
    }
  }
}

/// Which entries are in the step.
void MoreauStep::choose_active(const State& state, double h, Rows which) {
  const double *status = state.memory() + plan_.status(0), *lambda = state.lambda(), *impulse = state.memory();
  const double closed = 1e-9 * system_.length_scale;  // a solve leaves residual velocities of about 1e-8
  const double held = 1e-6 * system_.length_scale;
  active_.clear();
  touched_.clear();
  active_rows_ = 0;
  bool approach = false, closing = false;
  const int entries = static_cast<int>(plan_.entries.size());
  for (int i = 0; i < entries; ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double y = y_rows_[e.row], rate = rate_[e.row];
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
    was_held_[i] = stays;
    at_end_[i] = p.at_end || (plan_.options.error_control && stays);
    active_row_[i] = in ? active_rows_ : -1;
    bool left = status[i] != 0.0;
    for (int row = e.row; row < e.row + e.rows; ++row) left |= lambda[row] != 0.0 || impulse[row] != 0.0;
    if (in || left) touched_.push_back(i);
    if (!in) continue;
    active_.push_back(i);
    active_rows_ += e.rows;
  }
  change_.approach = approach, change_.closing = closing;
}

/// Unknown multipliers of this step, their frozen directions, the velocities before it.
void MoreauStep::begin(const State& state, double h, Rows which) {
  const Layout& l = system_.layout;
  std::copy(state.v(), state.v() + l.unknowns(), xi0_.begin());  // v, x, z stand side by side
  values_before(state);
  if (plan_.options.error_control) y_before_ = y_rows_;
  choose_active(state, h, which);
  rates_alone_ = which == Rows::equalities;
  const double closed = 1e-9 * system_.length_scale;
  // Directions, mass and contact rows at mid step (Jean 1999), their own motion in time at the end.
  if (!system_.contacts.empty()) contacts_.clear();
  const bool finds = which == Rows::all && !system_.contacts.empty();
  if (!constant_mass_ || finds || needs_blocks()) {
    std::copy(state.y(), state.y() + l.y_size(), y_.begin());
    for (int i = 0; i < l.nv; ++i) tangent_[i] = 0.5 * h * state.v()[i];
    system_.map.retract(y_.data(), tangent_.data());
    assembly_.update(state.t() + h, y_.data(), lambda_.data(), state.data());
    if (finds && plan_.options.error_control) change_.passage = contacts_.passage(assembly_.kinematics(), h);
    if (finds) contacts_.begin(assembly_.kinematics(), closed, 1e-6 * system_.length_scale, h, xi0_.data(), state.memory() + plan_.contact_tail);
    if (!constant_mass_) assembly_.mass(1.0, 1.0, mass_.data());
    if (needs_blocks()) assembly_.input_blocks();
    if (varies_in_time_) {
      RowSink sink;
      sink.time_rate = time_rate_.data();
      assembly_.relations(sink);
    }
  }
  for (int i = 0; !active_.empty() && i < l.nv; ++i) {
    const double inertia = mass_[system_.diagonal_slot[i]];
    moves_[i] = std::abs(xi0_[i]) + (inertia > 0.0 ? h * std::abs(F0_[i]) / inertia : 0.0);
  }
  find_slides(state);
  for (const int i : active_) {
    const RelationEntry& e = system_.relation_entries[i];
    set_frozen(at(i));
    std::fill_n(bias_.begin() + e.row, e.rows, 0.0);
    // Friction against the mean slip of the step, of second order where it turns: rows of twice the mean, u- as their bias.
    for (int r = 1; slides_[i] && r < e.rows; ++r) bias_[e.row + r] = rate_[e.row + r];
    if (e.law.type->bias && h > 0.0 && !was_held_[i]) e.law.type->bias(e.law.fields, e.rows, u_minus_.data() + e.row, bias_.data() + e.row);
  }
  if (plan_.shifts) adhere(h);
}

/// Contacts that slid in the last step, in two directions: under error control, where shorter steps find what stops. Of more than three that
/// share a body the motion does not determine the forces: these need not be smooth, and friction at the end of the step is safer.
void MoreauStep::find_slides(const State& state) {
  if (!plan_.options.error_control || plan_.theta != 0.5) return;
  const double* status = state.memory() + plan_.status(0);
  std::fill(sliding_.begin(), sliding_.end(), 0);
  for (const int i : active_) {
    const RelationEntry& e = system_.relation_entries[i];
    slides_[i] = was_held_[i] && e.rows > 2 && e.law.type->set->friction && status[i] == 2.0;
    if (slides_[i]) ++sliding_[plan_.entries[i].component];
  }
  for (const int i : active_)
    if (slides_[i]) slides_[i] = sliding_[plan_.entries[i].component] <= 3;
}

/// Some active relation's directions or rates are others at mid step.
bool MoreauStep::needs_blocks() const {
  return varies_in_time_ || (!affine_ && std::any_of(active_.begin(), active_.end(), [&](int i) {
    return !system_.relations[system_.relation_entries[i].pool]->traits().linear;
  }));
}

/// The directions of an entry over its unique columns.
void MoreauStep::spread_direction(std::size_t i) {
  const RelationEntry& e = system_.relation_entries[i];
  const MoreauEntry& p = plan_.entries[i];
  double* frozen = frozen_.data() + C_begin_[i];
  std::fill(frozen, frozen + e.rows * p.columns, 0.0);
  const double* H = direction_[i];
  for (int r = 0; r < e.rows; ++r)
    for (int c = 0; c < e.columns; ++c) frozen[r * p.columns + plan_.place[p.place_begin + c]] += H[r * e.columns + c];
}

/// Directions at mid step, the rows' rates before it, and how far velocities and forces could move the rows.
void MoreauStep::set_frozen(std::size_t i) {
  const RelationEntry& e = system_.relation_entries[i];
  const MoreauEntry& p = plan_.entries[i];
  if (!affine_) spread_direction(i);
  const double* frozen = frozen_.data() + C_begin_[i];
  const int *columns = plan_.columns.data() + p.column_begin, nv = system_.layout.nv;
  for (int r = 0; r < e.rows; ++r, frozen += p.columns) {
    double u_minus = affine_ ? rate_[e.row + r] : u_minus_[e.row + r], reach = affine_ && p.value_row ? 0.0 : std::abs(u_minus);
    for (int c = 0; c < p.columns; ++c) {
      const int dof = columns[c];
      if (dof >= nv) continue;
      if (p.value_row && !affine_) u_minus += frozen[c] * xi0_[dof];
      reach = std::max(reach, std::abs(frozen[c]) * moves_[dof]);
    }
    u_minus_[e.row + r] = u_minus;
    reach_[e.row + r] = reach;
  }
}

/// y_ := the configuration at the end of the step for the iterate xi.
void MoreauStep::configure(const State& state, double h, double theta) {
  const Layout& l = system_.layout;
  const double *v = state.v(), *xi = xi_.data();
  double *y = y_.data(), *y_v = y + l.v_begin(), *tangent = tangent_.data();
  std::copy(state.y(), state.y() + l.nq, y);
  if (affine_) {
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
  for (int i : active_) {
    const RelationEntry& e = system_.relation_entries[i];
    for (int r = 0; !plan_.entries[i].impulse && r < e.rows; ++r) lambda_[e.row + r] = mu_[e.row + r];
  }
  assembly_.update(state.t() + h, y_.data(), lambda_.data(), state.data());
  assembly_.forces(F_.data());
  for (int i = 0; i < l.nv + l.nx; ++i) F_[i] = (1.0 - theta) * F0_[i] + theta * F_[i];
  bool forces = false, at_end = false;
  for (int i : active_) forces |= !plan_.entries[i].impulse, at_end |= at_end_[i] != 0;
  if (forces || at_end) assembly_.input_blocks();
  std::fill(input_.begin(), input_.end(), 0.0);
  if (forces) assembly_.add_inputs(lambda_.data(), 1.0, input_.data());
  dynamics(h);
  rows();
}

/// res = M (xi - xi0) - h F - inputs; algebraic rows have no M and no h. term_: largest term of each row.
void MoreauStep::dynamics(double h) {
  const Layout& l = system_.layout;
  const int n = l.unknowns(), ode = l.nv + l.nx, *begin = system_.pattern.begin.data(), *column = system_.pattern.column.data();
  const double *xi = xi_.data(), *xi0 = xi0_.data(), *M = mass_.data(), *F = F_.data(), *input = input_.data();
  for (int i = 0; i < n; ++i) {
    double sum = 0.0, size = 0.0;
    for (int k = begin[i]; k < begin[i + 1]; ++k) {
      const int j = column[k];
      sum += M[k] * (xi[j] - xi0[j]);
      size = std::max({size, std::abs(M[k] * xi[j]), std::abs(M[k] * xi0[j])});
    }
    const double weight = i < ode ? h : rates_alone_ ? 0.0 : 1.0;
    res_[i] = sum - weight * (F[i] + input[i]);
    term_[i] = std::max({size, weight * std::abs(F[i]), weight * std::abs(input[i])});
  }
  input_of_impulses(h);
}

void MoreauStep::input_of_impulses(double h) {
  const int ode = system_.layout.nv + system_.layout.nx;
  contacts_.subtract_impulses(res_.data(), term_.data());
  for (int i : active_) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    if (!p.impulse) continue;
    for (int r = 0; r < e.rows; ++r)
      for (int c = 0; c < p.columns; ++c) {
        const int dof = plan_.columns[p.column_begin + c];
        double impulse = frozen_[C_begin_[i] + r * p.columns + c] * mu_[e.row + r];
        if (dof >= ode) impulse = h > 0.0 ? impulse / h : 0.0;
        res_[dof] -= impulse;
        term_[dof] = std::max(term_[dof], std::abs(impulse));
      }
  }
}

/// Values of the active rows at the iterate, without bias; magnitude_: size of their terms.
void MoreauStep::rows() {
  RowSink sink;
  sink.y = y_rows_.data();
  bool at_end = false, values = false;
  for (int i : active_) {
    const MoreauEntry& p = plan_.entries[i];
    at_end |= at_end_[i] && p.value_row;
    values |= p.level == Level::value || !p.value_row;
  }
  if (at_end) sink.time_rate = rate_.data();
  if (at_end || values) assembly_.relations(sink);
  for (int i : active_) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double* H = direction_[i];
    for (int r = 0; r < e.rows; ++r) {
      const int row = e.row + r;
      double w = y_rows_[row], size = std::abs(w);
      if (p.level == Level::rate && p.value_row) {
        const bool at_end = at_end_[i];
        w = at_end ? rate_[row] : time_rate_[row];
        size = std::abs(w);
        const int n = at_end ? e.columns : p.columns;
        for (int c = 0; c < n; ++c) {
          const int dof = at_end ? system_.relation_columns[e.column_begin + c] : plan_.columns[p.column_begin + c];
          if (dof >= system_.layout.nv) continue;
          const double term = (at_end ? H[r * n + c] : frozen_[C_begin_[i] + r * n + c]) * xi_[dof];
          w += term;
          size = std::max(size, std::abs(term));
        }
      }
      w_[row] = w;
      magnitude_[row] = size;
    }
  }
}

/// term_: the parts of A xi too.
void MoreauStep::matrix_terms() {
  for (std::size_t k = 0; k < A_.size(); ++k) {
    const std::size_t i = at(plan_.row_of_slot[k]);
    term_[i] = std::max(term_[i], std::abs(A_[k] * xi_[system_.pattern.column[k]]));
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
    for (int i = begin[g]; i < begin[g + 1]; ++i) res = worse(res, std::abs(res_[i])), size = std::max(size, term_[i]);
    if (g > 0) largest_terms_[g - 1] = std::max(terms_before_[g - 1], size), size = std::max(size, last_of_decay * terms_before_[g - 1]);
    if (res != 0.0) error = worse(error, size > nothing ? res / size : res);
  }
  return error;
}

/// Distance of the rows from what the problem took them for. scale_: size of a row's terms, before and after, and what the
/// forces of this step alone could do to it: the scale that is left where all velocities vanish.
double MoreauStep::rows_error() {
  if (active_.empty()) return 0.0;
  double difference[2] = {0.0, 0.0}, size[2] = {0.0, 0.0};
  for (int i = 0; i < system_.layout.unknowns(); ++i) {
    const double inertia = std::abs(A_[system_.diagonal_slot[i]]);
    moves_[i] = inertia > 0.0 ? term_[i] / inertia : 0.0;
  }
  for (int i : active_) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const int g = p.level == Level::rate ? 1 : 0;
    for (int r = 0; r < e.rows; ++r) {
      const int row = e.row + r;
      double scale = std::max(magnitude_[row], std::abs(u_minus_[row]));
      const double* C = C_.data() + C_begin_[i] + r * p.columns;
      const int* columns = plan_.columns.data() + p.column_begin;
      for (int c = 0; c < p.columns; ++c) scale = std::max(scale, std::abs(C[c]) * moves_[columns[c]]);
      scale_[row] = scale;
      difference[g] = worse(difference[g], std::abs(w_[row] + bias_[row] - w_linear_[row]));
      size[g] = std::max(size[g], scale);
    }
  }
  double error = 0.0;
  for (int g = 0; g < 2; ++g)
    if (difference[g] != 0.0) error = worse(error, size[g] > nothing ? difference[g] / size[g] : difference[g]);
  return error;
}

/// A_, C_ and G_ of the linear problem at the iterate.
void MoreauStep::matrices(double h, double theta) {
  bool forces = false, own_D = false;
  for (const int i : active_) {
    const MoreauEntry& p = plan_.entries[i];
    forces |= !p.impulse;
    own_D |= p.level == Level::value;
  }
  if (!(affine_ && made_.h == h && made_.theta == theta && made_.forces == forces)) {
    system_matrix(h, theta, forces);
    made_.h = h, made_.theta = theta, made_.forces = forces;
    std::fill(made_.rows.begin(), made_.rows.end(), char{0});
    ++matrix_number_;
    if (own_D) {
      RowSink sink;
      sink.D = D_.data();
      assembly_.relations(sink);
    }
    if (affine_) inspect_matrix();
    if (band_ >= 0) band_values();
  }
  for (const int i : active_) {
    if (affine_ && made_.rows[i]) continue;
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
  if (!constant_matrix_ || matrix_seed_ != h * theta) {
    std::fill(jacobian_.begin(), jacobian_.end(), 0.0);
    assembly_.add_force_matrix(seeds, jacobian_.data());
    matrix_seed_ = h * theta;
  }
  if (inputs) {
    std::fill(input_matrix_.begin(), input_matrix_.end(), 0.0);
    assembly_.add_input_matrix(seeds, 1.0, input_matrix_.data());
  }
  for (std::size_t k = 0; k < A_.size(); ++k) {
    const bool algebraic = plan_.row_of_slot[k] >= ode;
    A_[k] = mass_[k] + (algebraic ? 1.0 : h * theta) * jacobian_[k] + (inputs ? (algebraic ? 1.0 : h) * input_matrix_[k] : 0.0);
  }
  for (int i = ode; rates_alone_ && i < l.unknowns(); ++i) {
    for (int k = system_.pattern.begin[i]; k < system_.pattern.begin[i + 1]; ++k) A_[k] = 0.0;
    A_[system_.diagonal_slot[i]] = 1.0;
  }
  if (!plan_.may_be_symmetric) return;
  // Newton with the symmetric part: what is left out (gyroscopic, order h) costs iterations, not accuracy.
  for (std::size_t k = 0; k < A_.size(); ++k) {
    const std::size_t other = at(plan_.transposed_slot[k]);
    if (other > k) A_[k] = A_[other] = 0.5 * (A_[k] + A_[other]);
  }
}

/// C (rows x columns) and G (columns x rows) of an active entry.
void MoreauStep::row_matrices(std::size_t i, double h, double theta) {
  const Layout& l = system_.layout;
  const RelationEntry& e = system_.relation_entries[i];
  const MoreauEntry& p = plan_.entries[i];
  const int n = p.columns, m = e.rows, ode = l.nv + l.nx;
  double *C = C_.data() + C_begin_[i], *G = G_.data() + C_begin_[i];
  const double *frozen = frozen_.data() + C_begin_[i], *H = assembly_.H().data() + e.value_begin,
               *H_v = assembly_.rate_H().data() + e.value_begin, *direction = direction_[i];
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
    double sum = -res_[i];
    for (int k = system_.pattern.begin[i]; k < system_.pattern.begin[i + 1]; ++k)
      sum += A_[k] * xi_[system_.pattern.column[k]];
    problem_.p0[i] = sum;
  }
  problem_.b.resize(active_rows_ + contacts_.rows());
  contacts_.add_to_problem(problem_, active_rows_);
  for (int i : active_) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double *C = C_.data() + C_begin_[i], *G = G_.data() + C_begin_[i];
    for (int r = 0; r < e.rows; ++r) {
      double b = w_[e.row + r] + bias_[e.row + r];
      for (int c = 0; c < p.columns; ++c) {
        const std::size_t dof = at(plan_.columns[p.column_begin + c]);
        b -= C[r * p.columns + c] * xi_[dof];
        problem_.p0[dof] -= G[c * e.rows + r] * mu_[e.row + r];
      }
      for (int c = 0; p.level == Level::value && c < e.rows; ++c) b -= D_[e.square_begin + r * e.rows + c] * mu_[e.row + c];
      problem_.b[active_row_[i] + r] = b;
    }
  }
}

/// Rows as compressed matrices. G stays empty where it is the transposed of H.
void MoreauStep::build_rows() {
  std::copy(A_.begin(), A_.end(), problem_.M.valuePtr());
  problem_.blocks.clear();
  const int n = system_.layout.unknowns();
  int entries = 0, squares = 0;
  bool values = false;
  for (int i : active_) {
    entries += system_.relation_entries[i].rows * plan_.entries[i].columns;
    if (plan_.entries[i].level == Level::value) values = true, squares += system_.relation_entries[i].rows * system_.relation_entries[i].rows;
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
      for (int c = 0; c < plan_.entries[i].columns; ++c)
        cursor_[plan_.columns[plan_.entries[i].column_begin + c] + 1] += system_.relation_entries[i].rows;
    contacts_.count_columns(cursor_.data() + 1);
    for (int i = 0; i < n; ++i) cursor_[i + 1] += cursor_[i];
    std::copy(cursor_.begin(), cursor_.end(), problem_.G.outerIndexPtr());
  }
  int next = 0, square = 0, row = 0;
  for (int i : active_) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    const double *C = C_.data() + C_begin_[i], *G = G_.data() + C_begin_[i];
    for (int r = 0; r < e.rows; ++r, ++row) {
      problem_.H.outerIndexPtr()[row] = next;
      for (int c = 0; c < p.columns; ++c, ++next) {
        const int dof = plan_.columns[p.column_begin + c];
        problem_.H.innerIndexPtr()[next] = dof;
        problem_.H.valuePtr()[next] = C[r * p.columns + c];
        if (!own_input) continue;
        const int place = cursor_[dof]++;
        problem_.G.innerIndexPtr()[place] = row;
        problem_.G.valuePtr()[place] = G[c * e.rows + r];
      }
      if (!values) continue;
      problem_.D.outerIndexPtr()[row] = square;
      for (int c = 0; p.level == Level::value && c < e.rows; ++c, ++square) {
        problem_.D.innerIndexPtr()[square] = active_row_[i] + c;
        problem_.D.valuePtr()[square] = D_[e.square_begin + r * e.rows + c];
      }
    }
  }
  contacts_.write_rows(problem_, active_rows_, own_entries, own_input ? cursor_.data() : nullptr);
  problem_.H.outerIndexPtr()[all_rows] = entries;
  for (int i = active_rows_; values && i <= all_rows; ++i) problem_.D.outerIndexPtr()[i] = square;
}

}  // namespace saltus
