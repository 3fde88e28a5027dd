// Brasey and Hairer's half-explicit scheme of order 4 for index 2 (Hairer, Lubich, Roche 1989; Brasey, Hairer 1993), on the Lie group.
//
// The multiplier of each stage is the one with which the velocities of the next stage lie within the joints:
//   M(Q_i) V'_i = f(Q_i, V_i) + H(Q_i)^T L_i,  V_{i+1} = v + h sum a_{i+1,j} V'_j,  H(Q_{i+1}) V_{i+1} + h_t = 0.
// No row is differentiated twice. What positions drift by is projected, as in the other explicit schemes, which take multipliers at index 1.
#include <algorithm>
#include <cmath>

#include "saltus/integrate/fastest_mode.hpp"
#include "saltus/integrate/least_reactions.hpp"
#include "saltus/integrate/row_closing.hpp"
#include "saltus/integrate/runge_kutta_stages.hpp"
#include "saltus/integrate/start.hpp"
#include "saltus/integrate/step_doubling.hpp"

namespace saltus {
namespace {

const Tableau& brasey_hairer() {
  static const double r = std::sqrt(6.0);
  static const Tableau tableau(4, {0.0, 0.3, (4.0 - r) / 10.0, (4.0 + r) / 10.0, 1.0},
                               {{0.3},
                                {(1.0 + r) / 30.0, (11.0 - 4.0 * r) / 30.0},
                                {(-79.0 - 31.0 * r) / 150.0, (-1.0 - 4.0 * r) / 30.0, (24.0 + 11.0 * r) / 25.0},
                                {(14.0 + 5.0 * r) / 6.0, (-8.0 + 7.0 * r) / 6.0, (-9.0 - 7.0 * r) / 4.0, (9.0 - r) / 4.0},
                                {0.0, 0.0, (16.0 - r) / 36.0, (16.0 + r) / 36.0, 1.0 / 9.0}});
  return tableau;
}

struct HalfExplicitOptions {
  std::string drift = "projection";
  static constexpr auto fields() {
    return std::tuple{field("drift", &HalfExplicitOptions::drift, "", "whether positions are projected onto the constraints after a step", or_else(one_of("projection|none"), "use 'projection' or 'none'"))};
  }
};

class HalfExplicitPlan final : public Plan {
 public:
  bool projection = true;
};

class HalfExplicitStep final : public Workspace, public RungeKuttaStages {
 public:
  explicit HalfExplicitStep(const HalfExplicitPlan& plan)
      : RungeKuttaStages(*plan.system, brasey_hairer().stages), plan_(plan), s_(*plan.system), accelerations_(s_, plan.options.threads), closing_(s_, plan.options.threads), reactions_(s_, accelerations_.assembly()), held_(y) {}

  StepReport start(State& state) {
    StepReport report;
    State trial = state;
    StartReport consistent = make_consistent(accelerations_, trial, plan_.options.consistent);
    if (!consistent.ok) return ended(std::move(report), StepStatus::failed, consistent.cause);
    report.warnings = std::move(consistent.warnings);
    std::copy(trial.y(), trial.y() + layout.y_size(), y.begin());
    std::copy(trial.lambda(), trial.lambda() + layout.rows, lambda.begin());
    if (!evaluate(trial, trial.t(), 0, report)) return ended(std::move(report), StepStatus::failed, report.cause);
    accept(trial, trial.t(), stage(0));
    state = trial;
    if (state.steps() == 0.0)
      if (const auto fault = step_too_long(accelerations_, state, "half_explicit", [](std::complex<double> z) { return std::abs(brasey_hairer().growth(z)); })) report.warnings.push_back(*fault);
    return report;
  }

  StepReport step(State& state, double h) {
    const Tableau& table = brasey_hairer();
    const int last = table.stages - 1;
    const double t0 = state.t(), t1 = t0 + h, size = s_.length_scale > 0.0 ? s_.length_scale : 1.0;
    StepReport report;
    std::copy(state.y(), state.y() + layout.y_size(), y.begin());
    std::copy(state.lambda(), state.lambda() + layout.rows, lambda.begin());
    std::copy(state.v(), state.v() + layout.nv, stage(0));
    std::copy(state.a(), state.a() + layout.nv, stage(0) + layout.nv);
    std::copy(state.xdot(), state.xdot() + layout.nx, stage(0) + 2 * layout.nv);
    for (int i = 1; i <= last; ++i) {
      held_ = y;
      move(s_, state.y(), table.a[i], i, h);
      if (closing_.has_velocity_rows()) {
        LinearOutcome out = closing_.hold(t0 + table.c[i - 1] * h, held_.data(), state.data());
        if (out.ok) out = closing_.close_velocities(t0 + table.c[i] * h, h * table.a[i][i - 1], state.data(), stage(i - 1) + layout.nv, y.data());
        if (!out.ok) return ended(std::move(report), StepStatus::rejected, out.cause);
      }
      if (i == last) break;
      if (!evaluate(state, t0 + table.c[i] * h, i, report)) return ended(std::move(report), StepStatus::rejected, report.cause);
      tangent_rate(s_, i);
    }
    report.residual = {};  // the end of the step counts, on the constraints
    if (plan_.projection && accelerations_.has_velocity_rows()) {
      LinearOutcome out = accelerations_.project_position(t1, y.data(), state.data(), 1e-13 * size);
      if (out.ok) out = accelerations_.project_velocity(t1, y.data(), state.data());
      if (!out.ok) return ended(std::move(report), StepStatus::rejected, out.cause);
      report.residual.constraints = accelerations_.position_violation(t1, y.data(), state.data()) / size;
    }
    if (!evaluate(state, t1, last, report)) return ended(std::move(report), StepStatus::rejected, report.cause);
    if (!finite(y.data(), layout.nq + layout.nv + layout.nx)) return ended(std::move(report), StepStatus::rejected, "the motion left the finite numbers");
    reactions_.apply(accelerations_.assembly(), lambda.data());
    accept(state, t1, stage(last));
    return report;
  }

 private:
  static StepReport ended(StepReport report, StepStatus status, std::string cause) {
    report.status = status, report.cause = std::move(cause), report.residual = {};
    return report;
  }
  bool evaluate(const State& state, double t, int i, StepReport& report) {
    LinearOutcome out = accelerations_.solve(t, y.data(), state.data(), lambda.data(), stage(i) + layout.nv);
    report.iterations += out.iterations;
    report.residual.equations = std::max(report.residual.equations, out.residual);
    if (!out.ok) report.cause = std::move(out.cause);
    return out.ok;
  }
  void accept(State& state, double t, const double* derivative) const {
    std::copy(y.begin(), y.end(), state.y());
    std::copy(lambda.begin(), lambda.end(), state.lambda());
    std::copy_n(derivative + layout.nv, layout.nv, state.a());
    std::copy_n(derivative + 2 * layout.nv, layout.nx, state.xdot());
    state.t() = t;
  }

  const HalfExplicitPlan& plan_;
  const System& s_;
  Accelerations accelerations_;
  RowClosing closing_;
  LeastReactions reactions_;
  std::vector<double> held_;  // where the reactions of the stage act
};

class HalfExplicit final : public SteppingScheme<HalfExplicitStep, HalfExplicitPlan> {
 public:
  const SchemeType& type() const override {
    static const SchemeType type = scheme_type<HalfExplicitOptions>("half_explicit", "Brasey and Hairer's scheme of order 4, on the Lie group: joints at index 2, held by velocity in each stage (Hairer, Lubich, Roche 1989).");
    return type;
  }
  Rates rates() const override { return Rates::exact; }
  Doubling doubling(const SchemeOptions&) const override { return {.order = 4}; }
  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    auto plan = std::make_unique<HalfExplicitPlan>();
    Faults faults;
    plan->projection = read_options<HalfExplicitOptions>(options, faults).drift == "projection";
    plan->row_level = smooth_rows(*system, name(), faults);
    faults.raise();
    for (Level& level : plan->row_level)
      if (level == Level::acceleration) level = Level::rate;
    plan->take(std::move(system), options);
    return plan;
  }
};
}  // namespace

const Scheme& half_explicit() {
  static const StepDoubling scheme(std::make_unique<HalfExplicit>());
  return scheme;
}

}  // namespace saltus
