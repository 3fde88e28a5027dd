#include "saltus/integrate/moreau.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/integrate/moreau_step.hpp"

namespace saltus {
namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// Violation of joints, as part of the model's size, that neither the start nor a step may leave.
constexpr double joints_open = 1e-6;
}  // namespace

StepReport MoreauStep::start(State& state) {
  StepReport report;
  std::fill(state.memory(), state.memory() + state.layout().memory_size, 0.0);
  if (system_.layout.nz > 0) state.memory()[plan_.implicit_steps()] = 2.0;
  const double allowed = joints_open * system_.length_scale;
  assembly_.update(state.t(), state.y(), nullptr, state.data());
  const double before = violation(true);
  if (!(before <= allowed)) {
    report.status = StepStatus::failed;
    report.cause = "the joints are open by " + std::to_string(before) + " at the start";
    return report;
  }
  if (plan_.project) report.residual.constraints = project_positions(state.t(), state.y(), true) / system_.length_scale;
  if (!consistent_rates(state)) {
    report.status = StepStatus::failed;
    report.cause = "no velocities agree with the joints at the start";
  }
  return report;
}

/// Velocities that the joints allow, by the smallest impulse; accelerations of the joints alone where no algebraic unknown hides them.
bool MoreauStep::consistent_rates(State& state) {
  const Layout& l = system_.layout;
  begin(state, 0.0, Rows::equalities);
  if (!active_.empty()) {
    if (!solve(state, 0.0, 1.0).converged) return false;
    std::copy(xi_.begin(), xi_.begin() + l.nv, state.v());
  }
  if (l.nz > 0) return true;
  begin(state, 0.0, Rows::equalities);
  std::copy(F0_.begin(), F0_.begin() + l.unknowns(), problem_.p0.begin());
  A_ = mass_;
  problem_.b.resize(at(active_rows_));
  std::fill(rate_.begin(), rate_.end(), 0.0);
  RowSink sink;
  sink.curvature = rate_.data();
  assembly_.relations(sink);
  for (int i : active_) {
    row_matrices(at(i), 0.0, 1.0);
    const RelationEntry& e = system_.relation_entries[at(i)];
    for (int r = 0; r < e.rows; ++r) problem_.b[at(active_row_[at(i)] + r)] = rate_[at(e.row + r)];
  }
  if (!solve_joints()) return true;  // no unique acceleration: none is reported
  std::copy(xi_.begin(), xi_.begin() + l.nv, state.a());
  std::copy(xi_.begin() + l.nv, xi_.begin() + l.nv + l.nx, state.xdot());
  for (int i : active_) {
    const RelationEntry& e = system_.relation_entries[at(i)];
    std::copy(mu_.begin() + e.row, mu_.begin() + e.row + e.rows, state.lambda() + e.row);
  }
  return true;
}

StepReport MoreauStep::step(State& state, double h) {
  StepReport report;
  double& implicit = state.memory()[plan_.implicit_steps()];
  set_scale_ = h;
  begin(state, h, Rows::all);
  double theta = implicit > 0.0 ? 1.0 : plan_.theta;
  Outcome out = solve(state, h, theta);
  report.iterations = out.iterations;
  bool mode_changed = false;
  if (out.converged && plan_.switches && (mode_changed = switched(state)) && theta < 1.0) {
    theta = 1.0;
    out = solve(state, h, theta);
    report.iterations += out.iterations;
  }
  report.residual = {out.equations, out.rows, out.laws};
  if (!out.converged) {
    report.status = StepStatus::rejected;
    report.suggested_step = 0.5 * h;
    report.cause = out.cause;
    return report;
  }
  before_.assign(state.bytes().begin(), state.bytes().end());
  if (plan_.switches) implicit = mode_changed ? 1.0 : std::max(0.0, implicit - 1.0);
  const double open = accept(state, h, report);
  if (!(open <= joints_open)) {  // velocities solved to rounding of the largest, which other bodies do not stand
    std::copy(before_.begin(), before_.end(), state.bytes().begin());
    report.status = StepStatus::rejected;
    report.suggested_step = 0.5 * h;
    report.events.clear();
    report.cause = "the positions leave the joints open by " + std::to_string(open) + " of the model's size";
  }
  return report;
}

/// Which rows of a law sit at a bound (two bits a row), for contacts 0 open, 1 stick, 2 slip.
double MoreauStep::status_of(std::size_t i) const {
  const RelationEntry& e = system_.relation_entries[i];
  if (active_row_[i] < 0) return 0.0;
  const auto rows = [&](const std::vector<double>& x, int from) {
    double m = 0.0;
    for (int r = from; r < e.rows; ++r) m = std::max(m, std::abs(x[at(e.row + r)]));
    return m;
  };
  if (plan_.entries[i].gap && e.law.type->set->friction) return rows(w_, 1) > 1e-7 * rows(scale_, 0) ? 2.0 : 1.0;
  if (plan_.entries[i].gap || plan_.entries[i].equality || !e.law.type->set->bounds) return 1.0;
  double code = 0.0, factor = 1.0;
  for (int r = 0; r < std::min(e.rows, 25); ++r, factor *= 4.0) {
    const double tolerance = 1e-9 * scale_[at(e.row + r)], w = w_[at(e.row + r)];
    code += factor * (w > tolerance ? 1.0 : w < -tolerance ? 2.0 : 0.0);
  }
  return code;
}

bool MoreauStep::switched(const State& state) const {
  for (std::size_t i = 0; i < plan_.entries.size(); ++i)
    if (!plan_.entries[i].gap && state.memory()[plan_.status(static_cast<int>(i))] != status_of(i)) return true;
  return false;
}

void MoreauStep::report_events(const State& state, StepReport& report) {
  double speed = 0.0;
  for (int i = 0; i < system_.layout.nv; ++i) speed = std::max(speed, std::abs(xi0_[at(i)]));
  for (int i : active_) {
    const RelationEntry& e = system_.relation_entries[at(i)];
    const LawType& law = *e.law.type;
    const double before = state.memory()[plan_.status(i)], now = status_of(at(i));
    if (law.impact && u_minus_[at(e.row)] < -1e-9 * speed && mu_[at(e.row)] > 0.0) report.events.push_back({state.t(), "impact", e.name, mu_[at(e.row)]});
    const bool dry = law.set->friction || (law.force_bounded && plan_.entries[at(i)].level == Level::rate);
    if (!dry || before == now) continue;
    const bool contact = plan_.entries[at(i)].gap;
    if (contact && before == 0.0) continue;
    const bool slips = contact ? now == 2.0 : now != 0.0;
    report.events.push_back({state.t(), slips ? "slip" : "stick", e.name, 0.0});
  }
}

double MoreauStep::accept(State& state, double h, StepReport& report) {
  const Layout& l = system_.layout;
  state.t() += h;
  report_events(state, report);
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    state.memory()[plan_.status(static_cast<int>(i))] = status_of(i);
    for (int r = 0; r < e.rows; ++r) {
      const double mu = active_row_[i] < 0 ? 0.0 : mu_[at(e.row + r)];
      state.memory()[e.row + r] = mu;
      state.lambda()[e.row + r] = plan_.entries[i].impulse ? mu / h : mu;
    }
  }
  double speed = 0.0;
  for (int i = 0; !system_.contacts.empty() && i < l.nv; ++i) speed = std::max(speed, std::abs(xi0_[at(i)]));
  if (!system_.contacts.empty()) {
    contacts_.accept(h, state.t(), speed, state.memory() + plan_.contact_tail, state.data(), report);
  }
  for (int i = 0; i < l.nv; ++i) state.a()[i] = (xi_[at(i)] - xi0_[at(i)]) / h;
  for (int i = 0; i < l.nx; ++i) state.xdot()[i] = (xi_[at(l.nv + i)] - xi0_[at(l.nv + i)]) / h;
  std::copy(y_.begin(), y_.end(), state.y());
  system_.map.normalize(state.q());
  if (plan_.project && !system_.contacts.empty()) {
    assembly_.update(state.t(), state.y(), nullptr, state.data());
    if (const double* dq = contacts_.lift(assembly_.kinematics(), state.v(), h, 1e-7 * system_.length_scale, problem_, mass_, solver_)) {
      system_.map.retract(state.q(), dq);
      system_.map.normalize(state.q());
    }
  }
  if (plan_.project && plan_.positions.rows > 0) {
    const double left = project_positions(state.t(), state.y(), false) / system_.length_scale;
    report.residual.constraints = std::max(report.residual.constraints, left);
    return left > joints_open ? violation(true) / system_.length_scale : left;  // contacts may overlap, joints may not open
  }
  return 0.0;
}

/// Contacts that stay closed are lifted out; one that bounces leaves by itself, and lifting would feed it energy.
bool MoreauStep::lifted(std::size_t i) const {
  const int row = system_.relation_entries[i].row;
  if (active_row_[i] < 0 || !(mu_[at(row)] > 0.0) || !(y_rows_[at(row)] < 0.0)) return false;
  double speed = 1e-5 * system_.length_scale / set_scale_;
  for (int k = 0; k < system_.layout.nv; ++k) speed = std::max(speed, std::abs(xi0_[at(k)]));
  return w_[at(row)] <= 1e-9 * speed;
}

/// Largest |y| of joints, and depth of contacts that carry an impulse, at the assembly's configuration.
double MoreauStep::violation(bool joints_only) {
  RowSink sink;
  sink.y = y_rows_.data();
  assembly_.relations(sink);
  double worst = 0.0;
  for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
    const MoreauEntry& p = plan_.entries[i];
    const int row = system_.relation_entries[i].row;
    if (p.projected < 0) continue;
    if (p.gap && (joints_only || !lifted(i))) continue;
    for (int r = 0; r < p.projected_rows; ++r) worst = std::max(worst, p.gap ? -y_rows_[at(row + r)] : std::abs(y_rows_[at(row + r)]));
  }
  return worst;
}

/// Smallest displacement (in M) that closes the joints and lifts contacts out: M dq = H^T l, H dq = -y (Eich 1993).
double MoreauStep::project_positions(double t, double* y, bool joints_only) {
  const MoreauSaddle& s = plan_.positions;
  const Layout& l = system_.layout;
  const double enough = 1e-13 * system_.length_scale;
  double left = 0.0;
  for (int pass = 0;; ++pass) {
    assembly_.update(t, y, nullptr, nullptr);
    const double before = left;
    left = violation(joints_only);
    if (s.rows == 0 || left <= enough || pass == 8 || (pass > 1 && left > 0.5 * before)) return left;
    if (!positions_ready_) {
      positions_.analyze(MatrixKind::symmetric_quasidefinite, s.pattern, s.rows);
      positions_ready_ = true;
    }
    assembly_.mass(1.0, 1.0, mass_.data());
    assembly_.input_blocks();
    std::fill(saddle_values_.begin(), saddle_values_.end(), 0.0);
    std::fill(saddle_rhs_.begin(), saddle_rhs_.end(), 0.0);
    for (std::size_t k = 0; k < mass_.size(); ++k)
      if (s.system_slot[k] >= 0) saddle_values_[at(s.system_slot[k])] = mass_[k];
    for (std::size_t i = 0; i < plan_.entries.size(); ++i) {
      const MoreauEntry& p = plan_.entries[i];
      if (p.projected < 0) continue;
      const RelationEntry& e = system_.relation_entries[i];
      const double* H = assembly_.direction(e);
      const bool in = !p.gap || (!joints_only && lifted(i));
      for (int r = 0; r < p.projected_rows; ++r) {
        if (!in) {
          saddle_values_[at(s.D_slot[at(s.D_begin[i] + r * p.projected_rows + r)])] = -1.0;
          continue;
        }
        saddle_rhs_[at(l.nv + p.projected + r)] = -y_rows_[at(e.row + r)];
        for (int c = 0; c < e.columns; ++c) {
          const int slot = s.C_slot[at(s.C_begin[i] + r * p.columns + plan_.place[at(plan_.entries[i].place_begin + c)])];
          if (slot >= 0) saddle_values_[at(slot)] += H[r * e.columns + c];
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
  std::string_view name() const override { return "moreau_jean"; }
  bool finds_contacts() const override { return true; }
  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    return bind_moreau(std::move(system), options);
  }
  std::unique_ptr<Workspace> new_workspace(const Plan& plan) const override {
    return std::make_unique<MoreauStep>(static_cast<const MoreauPlan&>(plan));
  }
  StepReport start(const Plan&, State& state, Workspace& work) const override { return static_cast<MoreauStep&>(work).start(state); }
  StepReport step(const Plan&, State& state, Workspace& work, double h) const override {
    return static_cast<MoreauStep&>(work).step(state, h);
  }
};
}  // namespace

const Scheme& moreau_jean() {
  static const MoreauJean scheme;
  return scheme;
}

}  // namespace saltus
