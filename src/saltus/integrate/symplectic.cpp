// Symplectic Euler and the velocity form of Verlet's scheme, on the Lie group, with joints by SHAKE and RATTLE (Verlet 1967; Ryckaert, Ciccotti,
// Berendsen 1977; Andersen 1983; Hairer, Lubich, Wanner 2006, VI.3 and VII.1.4).
//
//   v* = v + k (a(t, q, v*) + M^-1 H(q)^T mu),  q+ = q (+) h v*,  y(q+) = 0,     k = h / 2 (Verlet) or h (Euler)
//   v+ = v* + (h - k) a(t+, q+, v*) + M^-1 H(q+)^T nu,  H(q+) v+ + h_t = 0.
//
// Where forces depend on velocities the first line is solved by iteration: with it Verlet's step is its own inverse under h -> -h, so that
// it stays of order 2 with damping, and gyroscopic forces keep the energy bounded. First-order states go with v.
#include <algorithm>
#include <cmath>

#include "saltus/integrate/accelerations.hpp"
#include "saltus/integrate/explicit.hpp"
#include "saltus/integrate/fastest_mode.hpp"
#include "saltus/integrate/least_reactions.hpp"
#include "saltus/integrate/row_closing.hpp"
#include "saltus/integrate/start.hpp"
#include "saltus/integrate/step_doubling.hpp"
#include "saltus/math/long_vectors.hpp"

namespace saltus {
namespace {
constexpr int most_iterations = 25;

class SymplecticPlan final : public Plan {
 public:
  std::string_view scheme;
  double kick = 0.5;  // share of the step before the way
};

class SymplecticStep final : public Workspace {
 public:
  explicit SymplecticStep(const SymplecticPlan& plan)
      : plan_(plan), s_(*plan.system), l_(s_.layout), accelerations_(s_, plan.options.threads), closing_(s_, plan.options.threads), reactions_(s_, accelerations_.assembly()) {
    for (const RelationEntry& e : s_.relation_entries) first_order_rows_ |= row_form(s_, e) == RowForm::first_order;
    y_.resize(l_.y_size()), lambda_.resize(l_.rows);
    for (auto* x : {&kicked_, &before_, &rates_, &tangent_}) x->resize(static_cast<std::size_t>(l_.unknowns()) + 1);
    accelerations_.assembly().update(0.0, s_.initial_y.data(), nullptr, s_.initial_data.data());
    scale_ = column_scales(s_, accelerations_.assembly().kinematics());
    by_rates_ = depends_on_rates();
  }

  StepReport start(State& state) {
    StepReport report;
    State trial = state;
    StartReport consistent = make_consistent(accelerations_, trial, plan_.options.consistent);
    if (!consistent.ok) return ended(std::move(report), StepStatus::failed, consistent.cause);
    report.warnings = std::move(consistent.warnings);
    std::copy(trial.y(), trial.y() + l_.y_size(), y_.begin());
    std::copy(trial.lambda(), trial.lambda() + l_.rows, lambda_.begin());
    if (!rates(trial.t(), trial, report)) return ended(std::move(report), StepStatus::failed, report.cause);
    accept(trial, trial.t());
    state = trial;
    if (state.steps() == 0.0)
      if (const auto fault = step_too_long(accelerations_, state, plan_.scheme, [this](std::complex<double> z) { return grows(z) ? HUGE_VAL : 1.0; })) report.warnings.push_back(*fault);
    return report;
  }

  StepReport step(State& state, double h) {
    StepReport report;
    const double t0 = state.t(), t1 = t0 + h, k = plan_.kick * h;
    const int n = l_.nv + l_.nx;
    std::copy(state.lambda(), state.lambda() + l_.rows, lambda_.begin());
    std::copy(state.z(), state.y() + l_.y_size(), y_.begin() + l_.z_begin());
    if (!kick(state, t1, h, k, report)) return ended(std::move(report), StepStatus::rejected, report.cause);
    for (int i = 0; i < l_.nv; ++i) tangent_[i] = h * kicked_[i];
    s_.map.retract(state.q(), tangent_.data(), l_.nq, y_.data());
    std::copy_n(kicked_.begin(), n, y_.begin() + l_.v_begin());
    if (plan_.kick < 1.0) {
      if (!rates(t1, state, report)) return ended(std::move(report), StepStatus::rejected, report.cause);
      for (int i = 0; i < n; ++i) y_[l_.v_begin() + i] += (h - k) * rates_[i];
    }
    report.residual = {};  // the end of the step counts, on the constraints
    LinearOutcome out;
    if (first_order_rows_) out = accelerations_.project_position(t1, y_.data(), state.data(), 1e-13 * size());
    if (out.ok && closing_.has_velocity_rows()) out = accelerations_.project_velocity(t1, y_.data(), state.data());
    if (!out.ok) return ended(std::move(report), StepStatus::rejected, out.cause);
    if ((by_rates_ || plan_.kick == 1.0) && !rates(t1, state, report)) return ended(std::move(report), StepStatus::rejected, report.cause);
    if (closing_.has_position_rows()) report.residual.constraints = accelerations_.position_violation(t1, y_.data(), state.data()) / size();
    if (!finite(y_.data(), l_.nq + n)) return ended(std::move(report), StepStatus::rejected, "the motion left the finite numbers");
    if (reactions_.needed()) reactions_.apply(accelerations_.assembly(), lambda_.data());
    accept(state, t1);
    return report;
  }

 private:
  static StepReport ended(StepReport report, StepStatus status, std::string cause) {
    report.status = status, report.cause = std::move(cause), report.residual = {};
    return report;
  }
  double size() const { return s_.length_scale > 0.0 ? s_.length_scale : 1.0; }
  /// Beyond which product of an eigenvalue and the step it is too long: springs, and dampers whose velocity is found by iteration.
  bool grows(std::complex<double> z) const { return std::abs(z) > 2.0 || -z.real() > 0.95 / plan_.kick; }

  /// Whether accelerations depend on velocities or first-order states: not where rows, varying forces and dampers are missing.
  bool depends_on_rates() {
    if (l_.rows > 0 || l_.nx > 0 || l_.nz > 0 || !s_.map.rotations.empty()) return true;
    const auto varies = [](const auto& pool) { return !pool->constant_matrix(); };
    if (std::any_of(s_.forces.begin(), s_.forces.end(), varies) || std::any_of(s_.objects.begin(), s_.objects.end(), varies)) return true;
    if (std::any_of(s_.objects.begin(), s_.objects.end(), [](const auto& pool) { return !pool->constant_mass(); })) return true;
    const Seeds by_velocity{{0.0, 0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
    std::vector<double> matrix(s_.pattern.nonzeros(), 0.0);
    accelerations_.assembly().add_force_matrix(by_velocity, matrix.data());
    return std::any_of(matrix.begin(), matrix.end(), [](double x) { return x != 0.0; });
  }

  bool rates(double t, const State& state, StepReport& report) {
    LinearOutcome out = accelerations_.solve(t, y_.data(), state.data(), lambda_.data(), rates_.data());
    report.iterations += out.iterations;
    report.residual.equations = std::max(report.residual.equations, out.residual);
    if (!out.ok) report.cause = std::move(out.cause);
    return out.ok;
  }

  /// kicked_ := rates v*, x* with which the step goes its way.
  bool kick(const State& state, double t1, double h, double k, StepReport& report) {
    const int n = l_.nv + l_.nx;
    const double *v0 = state.v(), *a = state.a(), *xdot = state.xdot();
    for (int i = 0; i < l_.nv; ++i) kicked_[i] = v0[i] + k * a[i];
    for (int i = 0; i < l_.nx; ++i) kicked_[l_.nv + i] = v0[l_.nv + i] + k * xdot[i];
    if (!by_rates_) return true;
    if (closing_.has_position_rows())
      if (LinearOutcome out = closing_.hold(state.t(), state.y(), state.data()); !out.ok) return report.cause = std::move(out.cause), false;
    double last = HUGE_VAL;
    for (int pass = 0; pass < most_iterations; ++pass) {
      if (closing_.has_position_rows())
        if (LinearOutcome out = closing_.close_positions(t1, state.q(), h, state.data(), kicked_.data(), y_.data()); !out.ok) return report.cause = std::move(out.cause), false;
      const double change = pass == 0 ? HUGE_VAL : changed();
      if (change <= 1e-15 || (change > 0.5 * last && change < 1e-11)) return true;
      last = change;
      std::copy(kicked_.begin(), kicked_.begin() + n, before_.begin());
      std::copy(state.q(), state.q() + l_.nq, y_.begin());
      std::copy_n(kicked_.begin(), n, y_.begin() + l_.v_begin());
      if (!rates(state.t(), state, report)) return false;
      for (int i = 0; i < n; ++i) kicked_[i] = v0[i] + k * rates_[i];
    }
    report.cause = "the velocities of the step did not settle in " + std::to_string(most_iterations) + " iterations: forces depend on them too strongly for its length; give a smaller step, or use generalized_alpha";
    return false;
  }
  /// Largest change of kicked_ from before_ over the largest of its kind.
  double changed() const {
    double change[2] = {}, most[2] = {1e-300, 1e-300};
    for (int i = 0; i < l_.nv + l_.nx; ++i) {
      const int kind = i >= l_.nv;
      change[kind] = std::max(change[kind], std::abs(kicked_[i] - before_[i]) / scale_[i]);
      most[kind] = std::max(most[kind], std::abs(kicked_[i]) / scale_[i]);
    }
    const double worst = std::max(change[0] / most[0], change[1] / most[1]);
    return std::isnan(worst) ? HUGE_VAL : worst;
  }

  void accept(State& state, double t) const {
    std::copy(y_.begin(), y_.end(), state.y());
    std::copy(lambda_.begin(), lambda_.end(), state.lambda());
    std::copy_n(rates_.begin(), l_.nv, state.a());
    std::copy_n(rates_.begin() + l_.nv, l_.nx, state.xdot());
    state.t() = t;
  }

  const SymplecticPlan& plan_;
  const System& s_;
  const Layout& l_;
  Accelerations accelerations_;
  RowClosing closing_;
  LeastReactions reactions_;
  bool by_rates_ = true, first_order_rows_ = false;
  std::vector<double> y_, lambda_, kicked_, before_, rates_, tangent_, scale_;
};

class Symplectic final : public SteppingScheme<SymplecticStep, SymplecticPlan> {
 public:
  Symplectic(std::string_view name, std::string_view doc, double kick) : type_(scheme_type<NoOptions>(name, doc)), kick_(kick) {}
  const SchemeType& type() const override { return type_; }
  Rates rates() const override { return Rates::exact; }
  Doubling doubling(const SchemeOptions&) const override { return {.order = kick_ < 1.0 ? 2 : 1}; }
  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    auto plan = std::make_unique<SymplecticPlan>();
    Faults faults;
    (void)read_options<NoOptions>(options, faults);
    plan->row_level = smooth_rows(*system, name(), faults);
    faults.raise();
    plan->scheme = name();
    plan->kick = kick_;
    plan->take(std::move(system), options);
    return plan;
  }

 private:
  SchemeType type_;
  double kick_;
};
}  // namespace

const Scheme& symplectic_euler() {
  static const StepDoubling scheme(std::make_unique<Symplectic>("symplectic_euler", "Symplectic Euler of order 1, on the Lie group: energy stays bounded; joints by SHAKE (Ryckaert, Ciccotti, Berendsen 1977).", 1.0));
  return scheme;
}

const Scheme& velocity_verlet() {
  static const StepDoubling scheme(std::make_unique<Symplectic>("velocity_verlet", "Verlet's scheme of order 2, on the Lie group, with damping, too: energy stays bounded; joints by RATTLE (Andersen 1983).", 0.5));
  return scheme;
}

}  // namespace saltus
