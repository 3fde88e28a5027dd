#include "saltus/integrate/moreau.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/integrate/moreau_control.hpp"

namespace saltus {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Violation of joints, as part of the model's size, that neither the start nor a step may leave.
constexpr double joints_open = 1e-6;
}  // namespace

StepReport MoreauStep::step(State& state, double h) {
  StepReport report;
  double& implicit = state.memory()[plan_.implicit_steps()];
  double theta = implicit > 0.0 ? 1.0 : plan_.theta;
  problem_.set_scale = h;
  solver_.general().passes(state.t());
  change_.kept = keeps_ && !(implicit > 0.0) && step_kept(state, h, theta, report);
  if (change_.kept) return report;
  begin(state, h, Rows::all);
  Outcome out;
  const bool struck = plan_.phases == 0 || percuss(state, h, out);
  if (struck) {
    report.iterations = out.iterations;
    out = solve(state, h, theta);
  }
  report.iterations += out.iterations;
  if (!slips_on()) {
    end_slips();
    out = solve(state, h, theta);
    report.iterations += out.iterations;
  }
  bool mode_changed = false;
  if (out.converged) find_statuses();
  if (out.converged && plan_.switches && (mode_changed = switched(state)) && theta < 1.0) {
    theta = 1.0;
    out = solve(state, h, theta);
    report.iterations += out.iterations;
    if (out.converged) find_statuses();
  }
  change_.first_order = theta != 0.5;
  report.residual = {out.equations, out.rows, out.laws};
  if (!out.converged) {
    report.status = solver_.general().gives_up(state.t(), h) ? StepStatus::failed : StepStatus::rejected;
    report.suggested_step = 0.5 * h;
    report.cause = out.cause;
    if (report.status == StepStatus::failed)
      report.cause += ", nor in shorter steps, of which no more are tried; look for masses, lengths or coefficients of friction of very different size";
    return report;
  }
  if (plan_.positions.rows > 0) saved_.assign(state.bytes().begin(), state.bytes().end());
  if (plan_.switches) implicit = mode_changed ? 1.0 : std::max(0.0, implicit - 1.0);
  const double open = accept(state, h, report);
  if (!(open <= joints_open)) {  // velocities solved to rounding of the largest, which other bodies do not stand
    std::copy(saved_.begin(), saved_.end(), state.bytes().begin());
    report.status = StepStatus::rejected;
    report.suggested_step = 0.5 * h;
    report.events.clear();
    report.cause = "the positions leave the joints open by " + std::to_string(open) + " of the model's size";
    return report;
  }
  if (keeps_) remember_modes(state, h, theta);
  return report;
}

/// Whether all friction against the mean slip of the step is friction of slip at its end, too: it neither sticks nor turns back.
bool MoreauStep::slips_on() const {
  for (const int i : rows_.entries) {
    if (!rows_.slides[i]) continue;
    const RelationEntry& e = system_.relation_entries[i];
    double mean = 0.0, along = 0.0, scale = 0.0;
    for (int row = e.row + 1; row < e.row + e.rows; ++row) {
      mean = std::max(mean, std::abs(end_.w[row] + before_.bias[row]));
      along += end_.w[row] * before_.bias[row];
      scale = std::max(scale, end_.scale[row]);
    }
    if (!(mean > 1e-7 * scale && along > 0.0)) return false;
  }
  return true;
}

/// Friction against the slip at the end of the step for all contacts.
void MoreauStep::end_slips() {
  for (const int i : rows_.entries) {
    if (!rows_.slides[i]) continue;
    const RelationEntry& e = system_.relation_entries[i];
    std::fill_n(before_.bias.begin() + e.row + 1, e.rows - 1, 0.0);
    rows_.slides[i] = 0;
  }
}

/// Which rows of a law sit at a bound (two bits a row); contacts: 0 no impulse, 1 stick, 2 slip, 3 bounced, 4 roll or spin without slip.
double MoreauStep::status_of(std::size_t i) const {
  const RelationEntry& e = system_.relation_entries[i];
  const MoreauEntry& p = plan_.entries[i];
  if (rows_.row[i] < 0) return 0.0;
  const auto rows = [&](const std::vector<double>& x, int from, int to) {
    double m = 0.0;
    for (int r = from; r < to; ++r) m = std::max(m, std::abs(x[e.row + r]));
    return m;
  };
  if (p.gap) {
    if (!(solution_.mu[e.row] > std::min(offsets_.of_row(e.row), 0.0))) return 0.0;
    if (!held(i)) return 3.0;
    const int slide = e.law.type->set->sliding, turn = slide + 1;  // the first row that turns
    if (slide == 0) return 1.0;
    if (rows(end_.w, 1, turn) > 1e-7 * rows(end_.scale, 0, turn)) return 2.0;
    return turn < e.rows && rows(end_.w, turn, e.rows) > 1e-7 * rows(end_.scale, turn, e.rows) ? 4.0 : 1.0;
  }
  if (p.equality || !e.law.type->set->bounds) return 1.0;
  double code = 0.0, factor = 1.0;
  for (int r = 0; r < std::min(e.rows, 25); ++r, factor *= 4.0) {
    const double tolerance = 1e-9 * end_.scale[e.row + r], w = end_.w[e.row + r];
    code += factor * (w > tolerance ? 1.0 : w < -tolerance ? 2.0 : 0.0);
  }
  return code;
}

void MoreauStep::find_statuses() {
  for (const int i : rows_.touched) status_[i] = status_of(at(i));
}

bool MoreauStep::switched(const State& state) const {
  for (const int i : rows_.touched)
    if (!plan_.entries[i].gap && state.memory()[plan_.status(i)] != status_[i]) return true;
  return false;
}

/// An approach slower than a millionth of the row's terms is round-off: its impulse belongs to the force.
bool MoreauStep::impact_acted(int i) const {
  const int row = system_.relation_entries[i].row;
  return system_.relation_entries[i].law.type->impact && !rows_.closed[i] && solution_.mu[row] > 0.0 && before_.u_minus[row] < -1e-6 * before_.reach[row];
}

void MoreauStep::find_changes(const State& state) {
  const double* before = state.memory() + plan_.status(0);
  if (change_.impact) std::fill(struck_.begin(), struck_.end(), char{0});
  change_.impact = change_.mode = false;
  for (const int i : rows_.touched)
    if (!plan_.entries[i].equality && before[i] >= 0.0) change_.mode |= before[i] != status_[i];
  for (int i : rows_.entries) {
    const bool turns = system_.relation_entries[i].rows > 2 && plan_.entries[i].gap && (status_[i] == 2.0 || status_[i] == 4.0) && !rows_.slides[i];  // slip may turn within the step
    change_.first_order |= !plan_.entries[i].impulse || turns;
    if (!impact_acted(i)) continue;
    change_.impact = true;
    struck_[plan_.entries[i].component] = 1;
  }
}

/// By energies, whatever the units: what is left of an equation is an impulse on its mass, of a row a speed of what it moves. Contacts and
/// joints pass it on from one body to the next.
double MoreauStep::energy_left(double& size) const {
  double left = 0.0;
  size = 0.0;
  const auto inertia = [&](int i) { return std::abs(problem_.A[system_.diagonal_slot[i]]); };
  for (int i = 0; i < system_.layout.nv; ++i)
    if (const double m = inertia(i); m > 0.0) left = std::max(left, end_.residual[i] * end_.residual[i] / m), size = std::max(size, end_.term[i] * end_.term[i] / m);
  for (const int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    if (p.level != Level::rate) continue;
    for (int r = 0; r < e.rows; ++r) {
      double compliance = 0.0;  // of the row
      for (int c = 0; c < p.columns; ++c)
        if (const int dof = plan_.columns[p.column_begin + c]; dof < system_.layout.nv && inertia(dof) > 0.0) compliance += std::pow(problem_.C[model_.block_begin[i] + r * p.columns + c], 2) / inertia(dof);
      const double open = end_.w[e.row + r] + before_.bias[e.row + r] - (p.equality ? 0.0 : solution_.w[e.row + r]);
      if (compliance > 0.0) left = std::max(left, open * open / compliance);
    }
  }
  size = std::sqrt(size);
  return std::sqrt(left);
}

void MoreauStep::find_noise(const Residuals& left) {
  constexpr double digits = 10.0 * std::numeric_limits<double>::epsilon();
  const int nv = system_.layout.nv;
  const auto inertia = [&](int i) { return std::abs(problem_.A[system_.diagonal_slot[i]]); };
  // Laws that hold exactly, in modes, leave what the solution does.
  const bool laws = !contacts_.empty() || std::any_of(rows_.entries.begin(), rows_.entries.end(), [&](int i) { return !plan_.entries[i].equality; });
  const double laws_left = !laws ? 0.0 : solution_.in_modes ? left.laws : 10.0 * solution_.velocity_residual;
  double size = 0.0, open = energy_left(size);
  open += std::max(laws_left, digits) * size;
  for (int i = 0; i < nv; ++i) noise_[i] = inertia(i) > 0.0 ? open / std::sqrt(inertia(i)) : digits * std::max(std::abs(solution_.xi[i]), std::abs(before_.xi[i]));
  for (int i = nv; i < nv + system_.layout.nx; ++i) {
    const double m = inertia(i), terms = m > 0.0 ? end_.term[i] / m : 0.0;
    noise_[i] = std::max({left.equations, left.constraints, laws_left, digits}) * std::max({std::abs(solution_.xi[i]), std::abs(before_.xi[i]), terms});
  }
}

/// Impulses into forces. Where a percussion passed, the force is the one from before it and the rest of the impulse is an
/// event: the sum of h lambda over the steps and of the events' values over the percussions is the whole momentum.
void MoreauStep::set_multipliers(State& state, double h, StepReport& report) {
  for (const int i : rows_.touched) {
    const RelationEntry& e = system_.relation_entries[i];
    const MoreauEntry& p = plan_.entries[i];
    double* lambda = state.lambda() + e.row;
    const bool active = rows_.row[i] >= 0;
    for (int r = 0; r < e.rows; ++r) state.memory()[e.row + r] = active ? solution_.mu[e.row + r] : 0.0;
    if (change_.impact && active && p.impulse && struck_[p.component]) {
      double square = 0.0;
      for (int r = 0; r < e.rows; ++r) square += std::pow(solution_.mu[e.row + r] - h * lambda[r], 2);
      if (impact_acted(i)) report.events.push_back({state.t(), "impact", e.name, solution_.mu[e.row] - h * lambda[0]});
      else if (square > 0.0) report.events.push_back({state.t(), "percussion", e.name, std::sqrt(square)});
      continue;
    }
    for (int r = 0; r < e.rows; ++r) lambda[r] = active ? (p.impulse ? solution_.mu[e.row + r] / h : solution_.mu[e.row + r]) : 0.0;
  }
}

/// Transitions between sticking and slipping; impacts are reported with their impulses.
void MoreauStep::report_events(const State& state, StepReport& report) {
  for (int i : rows_.entries) {
    const RelationEntry& e = system_.relation_entries[i];
    const LawType& law = *e.law.type;
    const double before = state.memory()[plan_.status(i)], now = status_[i];
    const bool dry = law.set->sliding > 0 || (law.force_bounded && plan_.entries[i].level == Level::rate);
    if (!dry || before == now || before < 0.0) continue;
    const bool contact = plan_.entries[i].gap;
    if (contact && (before == 0.0 || before == 3.0 || now == 0.0 || now == 3.0)) continue;
    const bool slips = contact ? now == 2.0 : now != 0.0;
    report.events.push_back({state.t(), slips ? "slip" : contact && now == 4.0 ? "roll" : "stick", e.name, 0.0});
  }
}

double MoreauStep::accept(State& state, double h, StepReport& report) {
  const Layout& l = system_.layout;
  state.t() += h;
  if (reactions_.needed()) {
    assembly_.update(state.t(), y_.data(), nullptr, state.data());
    assembly_.input_blocks();
    reactions_.apply(assembly_, solution_.mu.data());
  }
  find_changes(state);
  if (plan_.options.error_control) find_noise(report.residual);
  set_multipliers(state, h, report);
  report_events(state, report);
  for (const int i : rows_.touched) state.memory()[plan_.status(i)] = status_[i];
  std::copy_n(largest_terms_, 2, state.memory() + plan_.largest_terms());
  double speed = 0.0;
  for (int i = 0; !system_.contacts.empty() && i < l.nv; ++i) speed = std::max(speed, std::abs(before_.xi[i]));
  if (!system_.contacts.empty()) contacts_.accept(h, state.t(), speed, state.memory() + plan_.contact_tail, state.data(), report);
  for (int i = 0; i < l.nv; ++i) state.a()[i] = (solution_.xi[i] - before_.xi[i]) / h;
  for (int i = 0; i < l.nx; ++i) state.xdot()[i] = (solution_.xi[l.nv + i] - before_.xi[l.nv + i]) / h;
  std::copy(y_.begin(), y_.end(), state.y());
  system_.map.normalize(state.q());
  if (!system_.contacts.empty() && plan_.options.error_control) {
    assembly_.update(state.t(), state.y(), nullptr, state.data());
    change_.impact |= contacts_.impact();
    change_.frozen = !contacts_.empty();
    change_.mode |= contacts_.changed();
    change_.missed = contacts_.missed(assembly_.kinematics(), ranges_, tolerance_, 1e-9 * system_.length_scale);
  }
  bool constrained = false;
  for (int i : rows_.entries) constrained |= plan_.entries[i].projected >= 0 && (!plan_.entries[i].gap || held(at(i)));
  if (plan_.positions.rows == 0 || !constrained) return 0.0;
  const double left = (plan_.drift == Drift::ggl ? positions_error_ : project_positions(state.t(), state.y(), state.data(), false)) / system_.length_scale;
  report.residual.constraints = std::max(report.residual.constraints, left);
  return left > joints_open ? violation(state.t(), state.y(), state.data(), true) / system_.length_scale : left;  // contacts may overlap, joints may not open
}

void MoreauStep::part(State& state, double h) {
  if (system_.contacts.empty() || plan_.drift == Drift::none) return;
  assembly_.update(state.t(), state.y(), nullptr, state.data());
  if (const double* dq = contacts_.lift(assembly_.kinematics(), state.v(), h, 1e-7 * system_.length_scale, solver_.general().like(), before_.mass, solver_.general().solver())) {
    system_.map.retract(state.q(), dq);
    system_.map.normalize(state.q());
  }
}

double MoreauStep::missed_depth(const State& state) {
  if (model_.affine) {
    model_.affine_system.rows(state.y(), before_.values.data());
  } else {
    assembly_.update(state.t(), state.y(), nullptr, state.data());
    RowSink sink;
    sink.y = before_.values.data();
    assembly_.relations(sink);
  }
  const double closed = 1e-9 * system_.length_scale;
  double worst = 0.0;
  bool blocks = model_.affine;
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    if (!plan_.entries[i].gap || rows_.row[i] >= 0 || !(before_.values[e.row] < -closed)) continue;
    if (!blocks) assembly_.input_blocks(), blocks = true;
    double way = 0.0;
    for (int c = 0; c < e.columns; ++c)
      if (const int dof = system_.relation_columns[e.column_begin + c]; dof < system_.layout.nv && dof >= 0) way += std::abs(model_.direction[i][c]) * ranges_[dof];
    worst = std::max(worst, -before_.values[e.row] / (tolerance_ * way + closed));
  }
  return worst;
}

bool MoreauStep::leapt(const State& before, const State& half, const State& after, double h) {
  const double closed = 1e-9 * system_.length_scale;
  values_before(before);
  gap_.clear();
  for (std::size_t i = 0; i < plan_.entries.size(); ++i)
    if (plan_.entries[i].gap) gap_.push_back(before_.values[system_.relation_entries[i].row]), gap_.push_back(before_.rate[system_.relation_entries[i].row]);
  values_before(after);
  const double* first = gap_.data();
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    if (!plan_.entries[i].gap) continue;
    const int row = system_.relation_entries[i].row;
    const double y0 = first[0], rate0 = first[1], y1 = before_.values[row], rate1 = before_.rate[row];
    first += 2;
    if (!(y0 > closed && rate0 < 0.0 && y1 > closed && rate1 > 0.0) || half.memory()[row] != 0.0 || after.memory()[row] != 0.0) continue;
    const double s = (y1 - y0 - rate1 * h) / (rate0 - rate1);  // the tangents y0 + rate0 s and y1 - rate1 (h - s) meet there
    if (s > 0.0 && s < h && y0 + rate0 * s < -closed) return true;
  }
  return false;
}

/// A contact that carries an impulse and stays closed belongs to the constraints; one that bounces leaves by itself, and
/// putting it back would feed it energy.
bool MoreauStep::held(std::size_t i) const {
  const int row = system_.relation_entries[i].row;
  return rows_.row[i] >= 0 && solution_.mu[row] > offsets_.of_row(row) && -before_.bias[row] <= 1e-7 * before_.reach[row];
}

/// Largest |y| of joints and of held contacts at the configuration y.
double MoreauStep::violation(double t, const double* y, const double* data, bool joints_only) {
  if (model_.affine) {
    model_.affine_system.rows(y, before_.values.data());
  } else {
    assembly_.update(t, y, nullptr, data);
    RowSink sink;
    sink.y = before_.values.data();
    assembly_.relations(sink);
  }
  double worst = 0.0;
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const MoreauEntry& p = plan_.entries[i];
    const int row = system_.relation_entries[i].row;
    if (p.projected < 0) continue;
    if (p.gap && (joints_only || !held(i))) continue;
    for (int r = 0; r < p.projected_rows; ++r) worst = std::max(worst, std::abs(before_.values[row + r]));
  }
  return worst;
}

/// Smallest displacement (in M) that closes the joints and puts held contacts on their surface: M dq = H^T l, H dq = -y (Eich 1993).
double MoreauStep::project_positions(double t, double* y, const double* data, bool joints_only) {
  const MoreauSaddle& s = plan_.positions;
  const Layout& l = system_.layout;
  const double enough = 1e-13 * system_.length_scale;
  double left = 0.0;
  for (int pass = 0;; ++pass) {
    const double before = left;
    left = violation(t, y, data, joints_only);
    if (s.rows == 0 || left <= enough || pass == 8 || (pass > 1 && left > 0.5 * before)) return left;
    if (model_.affine) assembly_.update(t, y, nullptr, nullptr);
    assembly_.mass(1.0, 1.0, input_matrix_.data());
    assembly_.input_blocks();
    std::fill(saddle_values_.begin(), saddle_values_.end(), 0.0);
    std::fill(saddle_rhs_.begin(), saddle_rhs_.end(), 0.0);
    for (std::size_t k = 0; k < input_matrix_.size(); ++k)
      if (s.system_slot[k] >= 0) saddle_values_[s.system_slot[k]] = input_matrix_[k];
    for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
      const MoreauEntry& p = plan_.entries[i];
      if (p.projected < 0) continue;
      const RelationEntry& e = system_.relation_entries[i];
      const double* H = assembly_.direction(e);
      const bool in = !p.gap || (!joints_only && held(i));
      for (int r = 0; r < p.projected_rows; ++r) {
        if (!in) {
          saddle_values_[s.D_slot[s.D_begin[i] + r * p.projected_rows + r]] = -1.0;
          continue;
        }
        saddle_rhs_[l.nv + p.projected + r] = -before_.values[e.row + r];
        for (int c = 0; c < e.columns; ++c) {
          const int slot = s.C_slot[s.C_begin[i] + r * p.columns + plan_.place[plan_.entries[i].place_begin + c]];
          if (slot >= 0) saddle_values_[slot] += H[r * e.columns + c];
        }
      }
    }
    const std::size_t size = at(s.pattern.rows);
    if (positions_.factorize({saddle_values_.data(), at(s.pattern.nonzeros())}).status != FactorStatus::ok) return left;
    const LinearReport solved = positions_.solve({saddle_rhs_.data(), size}, {saddle_x_.data(), size});
    if (!std::isfinite(solved.residual)) return left;
    system_.map.retract(y, saddle_x_.data());
  }
}

namespace {
class MoreauJean final : public Scheme {
 public:
  const SchemeType& type() const override {
    static const SchemeType type = scheme_type<MoreauOptions>("moreau_jean", "Moreau and Jean's time stepping (Jean 1999) for contact, impact, friction, diodes, relays.");
    return type;
  }
  bool finds_contacts() const override { return true; }
  bool carries_rates() const override { return false; }
  std::span<const double> samples(const Plan&, const State&) const override {
    static constexpr double halves[] = {0.0, 0.5, 1.0};
    return halves;
  }
  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    return bind_moreau(std::move(system), options);
  }
  std::unique_ptr<Workspace> new_workspace(const Plan& plan) const override {
    return std::make_unique<MoreauControl>(static_cast<const MoreauPlan&>(plan));
  }
  StepReport start(const Plan&, State& state, Workspace& work) const override { return static_cast<MoreauControl&>(work).start(state); }
  StepReport step(const Plan&, State& state, Workspace& work, double h) const override {
    return static_cast<MoreauControl&>(work).step(state, h);
  }
};
}  // namespace

const Scheme& moreau_jean() {
  static const MoreauJean scheme;
  return scheme;
}

}  // namespace saltus
