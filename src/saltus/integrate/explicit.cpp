#include "saltus/integrate/explicit.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/integrate/error_norm.hpp"
#include "saltus/integrate/least_reactions.hpp"
#include "saltus/integrate/fastest_mode.hpp"
#include "saltus/integrate/runge_kutta_stages.hpp"
#include "saltus/integrate/start.hpp"
#include "saltus/integrate/step_doubling.hpp"

namespace saltus {
namespace {
constexpr double safety = 0.9, most_growth = 10.0, least_growth = 0.2, smallest_old_error = 1e-4;
constexpr double share = 0.4;            // of the tolerance, for the error of a step: errors add up
constexpr double projected_to = 1e-13;  // of the model's size
constexpr double projection_noise = 1000.0;  // of projections to the above, in units of rounding
constexpr double most_moved = 3.0;      // by the projection, of the tolerance
constexpr double contradiction = 1e-3;  // of accelerations, that rows of joints may leave within a step

struct ExplicitOptions {
  std::string drift = "projection";
  static constexpr auto fields() {
    return std::tuple{field("drift", &ExplicitOptions::drift, "", "whether positions and velocities are projected onto the constraints after a step",
                            or_else(one_of("projection|none"), "use 'projection' or 'none' (generalized_alpha with index 2, moreau_jean have 'ggl')"))};
  }
};

class ExplicitPlan final : public Plan {
 public:
  bool projection = true;
  /// Memory: the last accepted error, ranges of the motion.
  void take_motion(std::shared_ptr<const System> of, const SchemeOptions& with) {
    const int memory = 1 + ErrorNorm(*of).memory_size();
    take(std::move(of), with, memory);
  }
};

class ExplicitWorkspace final : public Workspace, public RungeKuttaStages {
 public:
  explicit ExplicitWorkspace(const ExplicitPlan& plan, int stages)
      : RungeKuttaStages(*plan.system, stages), accelerations(*plan.system, plan.options.threads), norm(*plan.system), reactions(*plan.system, accelerations.assembly()) {
    unprojected.assign(y.size(), 0.0);
  }

  Accelerations accelerations;
  ErrorNorm norm;
  LeastReactions reactions;
  std::vector<double> unprojected;
  bool watched = false;
  double stiffness = 0.0;  // of the last step: h |lambda|
  bool singular = false;   // the last step was rejected for joints near a singular position
};

StepReport not_accepted(StepStatus status, std::string cause) {
  StepReport report;
  report.status = status;
  report.cause = std::move(cause);
  return report;
}

class ExplicitScheme final : public Scheme {
 public:
  ExplicitScheme(std::string_view name, std::string_view doc, const Tableau& tableau) : type_(scheme_type<ExplicitOptions>(name, doc)), tableau_(tableau) {
    for (int i = 0; i < tableau.stages; ++i)
      if (tableau.error[i] != 0.0) counted_.push_back(tableau.c[i]);
  }
  const SchemeType& type() const override { return type_; }
  Rates rates() const override { return Rates::exact; }
  Doubling doubling(const SchemeOptions&) const override { return {.order = tableau_.estimates() ? 0 : tableau_.order}; }

  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    auto plan = std::make_unique<ExplicitPlan>();
    Faults faults;
    plan->projection = read_options<ExplicitOptions>(options, faults).drift == "projection";
    // Where steps end at what is switched the start behind it makes the jump; at fixed steps the projection of a step does.
    plan->row_level = smooth_rows(*system, name(), faults, plan->projection || options.error_control);
    faults.raise();
    plan->take_motion(std::move(system), options);
    return plan;
  }

  std::unique_ptr<Workspace> new_workspace(const Plan& plan) const override {
    return std::make_unique<ExplicitWorkspace>(static_cast<const ExplicitPlan&>(plan), tableau_.stages);
  }

  std::span<const double> samples(const Plan&, const State&) const override { return counted_; }

  StepReport start(const Plan& plan, State& state, Workspace& workspace) const override {
    auto& work = static_cast<ExplicitWorkspace&>(workspace);
    State trial = state;
    StartReport start = make_consistent(work.accelerations, trial, plan.options.consistent);
    if (!start.ok) return not_accepted(StepStatus::failed, start.cause);
    const LinearOutcome out = work.accelerations.solve(trial.t(), trial.y(), trial.data(), trial.lambda(), work.stage(0));
    if (!out.ok) return not_accepted(StepStatus::failed, out.cause);
    work.reactions.apply(work.accelerations.assembly(), trial.lambda());
    accept(plan, trial, trial.y(), trial.lambda(), work.stage(0));
    trial.memory()[0] = smallest_old_error;
    work.norm.begin(trial.y(), trial.memory() + 1);
    state = trial;
    StepReport report;
    report.iterations = out.iterations;
    report.residual.equations = out.residual;
    report.warnings = std::move(start.warnings);
    if (!plan.options.error_control && state.steps() == 0.0)
      if (const auto fault = step_too_long(work.accelerations, state, name(), [this](std::complex<double> z) { return std::abs(tableau_.growth(z)); })) report.warnings.push_back(*fault);
    return report;
  }

  StepReport step(const Plan& base, State& state, Workspace& workspace, double h) const override {
    const auto& plan = static_cast<const ExplicitPlan&>(base);
    auto& work = static_cast<ExplicitWorkspace&>(workspace);
    const System& system = *plan.system;
    const Layout& l = system.layout;
    const bool control = plan.options.error_control && tableau_.estimates();
    const bool project = plan.projection && work.accelerations.has_velocity_rows();
    const int last = tableau_.stages - 1;
    const double t0 = state.t();
    StepReport report;
    double contradicted = 0.0;
    // Stage 0 is the end of the last step: theta = 0, so the tangent's rate is v.
    std::copy(state.z(), state.y() + l.y_size(), work.y.begin() + l.z_begin());  // the rest is written by each move
    std::copy(state.lambda(), state.lambda() + l.rows, work.lambda.begin());
    work.singular = false;
    std::copy(state.v(), state.v() + l.nv, work.stage(0));
    std::copy(state.a(), state.a() + l.nv, work.stage(0) + l.nv);
    std::copy(state.xdot(), state.xdot() + l.nx, work.stage(0) + 2 * l.nv);
    for (int i = 1; i <= last; ++i) {
      work.move(system, state.y(), tableau_.a[i], i, h);
      if (i == last && project && !control) break;  // solved after the projection
      if (!evaluate(work, state, t0 + tableau_.c[i] * h, i, report)) return report;
      contradicted = std::max(contradicted, report.residual.equations);
      work.tangent_rate(system, i);
    }
    // Off the constraints rows of joints contradict each other by what a stage is off; by more the step is too long for them.
    if (control && contradicted > contradiction) return singular(work, t0 + h, state, "leave accelerations undetermined by a share of " + short_text(contradicted));
    if (project) report.residual.equations = 0.0;  // the end of the step counts, on the constraints
    double error = 0.0;
    if (control) {
      work.combine(tableau_.error, tableau_.stages, h);
      const double* change = work.change.data();
      error = work.norm.worst(state.memory() + 1, work.y.data(), h, share * plan.options.tolerance, change, change + l.nv, change + 2 * l.nv);
      if (!(error <= 1.0)) {
        report = not_accepted(StepStatus::rejected, "the error estimate exceeds the tolerance");
        report.error = error;
        if (!work.norm.runs_away(state.y(), state.memory() + 1)) work.norm.foresee(error, share * plan.options.tolerance, state.memory() + 1);
        report.suggested_step = h * (std::isfinite(error) ? std::max(least_growth, safety * std::pow(error, -1.0 / tableau_.order)) : least_growth);
        return report;
      }
    }
    if (control && work.watched) work.stiffness = h * fastest_rate(work, h);
    if (project) {
      if (control) work.unprojected = work.y;
      const double size = system.length_scale > 0.0 ? system.length_scale : 1.0;
      LinearOutcome out = work.accelerations.project_position(t0 + h, work.y.data(), state.data(), projected_to * size);
      if (out.ok) out = work.accelerations.project_velocity(t0 + h, work.y.data(), state.data());
      if (!out.ok) return not_accepted(StepStatus::rejected, out.cause);
      report.residual.constraints = work.accelerations.position_violation(t0 + h, work.y.data(), state.data()) / size;
      if (control) {
        // What the projection moves is an error of the step like what its estimate tells: more where joints come near a singular position.
        double* change = work.change.data();
        system.map.difference(work.unprojected.data(), work.y.data(), change);
        for (int i = 0; i < l.nv + l.nx; ++i) change[l.nv + i] = work.y[l.v_begin() + i] - work.unprojected[l.v_begin() + i];
        const double moved = work.norm.worst(state.memory() + 1, work.y.data(), std::max(h, 1e-3 * work.norm.pace()), share * plan.options.tolerance, change, change + l.nv, change + 2 * l.nv, {.coarseness = projection_noise});
        if (!(moved <= most_moved)) return singular(work, t0 + h, state, "move by " + short_text(moved) + " times the tolerance when they are closed");
      }
      if (!evaluate(work, state, t0 + h, last, report)) return report;
    }
    if (!finite(work.y.data(), l.nq + l.nv + l.nx)) return not_accepted(StepStatus::rejected, "the motion left the finite numbers");
    work.reactions.apply(work.accelerations.assembly(), work.lambda.data());
    accept(plan, state, work.y.data(), work.lambda.data(), work.stage(last) + l.nv);
    state.t() = t0 + h;
    report.error = error;
    if (control) {
      const double beta = 0.2 / tableau_.order;
      const double factor = std::pow(std::max(error, 1e-10), 1.0 / tableau_.order - 0.75 * beta) / std::pow(state.memory()[0], beta) / safety;
      report.suggested_step = h / std::clamp(factor, 1.0 / most_growth, 1.0 / least_growth);
      state.memory()[0] = std::max(error, smallest_old_error);
      work.norm.see(state.memory() + 1);
    }
    return report;
  }

 private:
  bool evaluate(ExplicitWorkspace& work, const State& state, double t, int stage, StepReport& report) const {
    double* rates = work.stage(stage) + work.layout.nv;
    LinearOutcome out = work.accelerations.solve(t, work.y.data(), state.data(), work.lambda.data(), rates);
    report.iterations += out.iterations;
    report.residual.equations = std::max(report.residual.equations, out.residual);
    if (out.ok) return true;
    report.status = StepStatus::rejected;
    report.cause = std::move(out.cause);
    return false;
  }
  /// Rejects a step that the constraints do not bear, naming the joints whose rows are off the most.
  static StepReport singular(ExplicitWorkspace& work, double t, const State& state, const std::string& what) {
    const System& system = work.accelerations.assembly().system();
    work.singular = true;
    (void)work.accelerations.velocity_violation(t, work.y.data(), state.data());
    const std::vector<double>& off = work.accelerations.violation();
    std::vector<std::pair<double, const std::string*>> worst;
    for (const RelationEntry& e : system.relation_entries) {
      double most = 0.0;
      for (int r = 0; r < e.rows; ++r) most = std::max(most, std::abs(off[e.row + r]));
      worst.push_back({-most, &e.name});
    }
    std::stable_sort(worst.begin(), worst.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::string joints;
    for (std::size_t i = 0; i < worst.size() && i < 4; ++i) joints += (i ? ", '" : "'") + *worst[i].second + "'";
    return not_accepted(StepStatus::rejected, "the joints " + joints + (worst.size() > 4 ? " and others " : " ") + what + ": they are at or near a singular position, where their equations depend on each other; scheme=\"auto\" passes it, generalized_alpha with a fixed step, too");
  }
  /// Rate of small deviations, from the last two stages, both at the end of the step (Hairer, Wanner 1996, IV.2).
  double fastest_rate(ExplicitWorkspace& work, double h) const {
    const Layout& l = work.layout;
    const int last = tableau_.stages - 1;
    double weights[Tableau::most_stages];
    for (int j = 0; j < last; ++j) weights[j] = tableau_.a[last][j] - tableau_.a[last - 1][j];
    work.combine(weights, last, h);
    double *a = work.stage(last), *b = work.stage(last - 1);
    // Velocities change by what the stages' change by; the accelerations by the difference of their rates.
    for (int i = l.nv; i < 2 * l.nv + l.nx; ++i) work.zero[i] = a[i] - b[i];
    const double* change = work.change.data();
    const double rate = work.norm.fastest_rate(change, change + l.nv, work.zero.data() + l.nv, change + 2 * l.nv, work.zero.data() + 2 * l.nv);
    std::fill(work.zero.begin(), work.zero.end(), 0.0);
    return rate;
  }
  /// rates: [vdot | xdot].
  static void accept(const Plan& plan, State& state, const double* y, const double* lambda, const double* rates) {
    const Layout& l = plan.system->layout;
    if (y != state.y()) std::copy(y, y + l.y_size(), state.y());
    if (lambda != state.lambda()) std::copy(lambda, lambda + l.rows, state.lambda());
    std::copy(rates, rates + l.nv, state.a());
    std::copy(rates + l.nv, rates + l.nv + l.nx, state.xdot());
  }

  SchemeType type_;
  Tableau tableau_;
  std::vector<double> counted_;  // times of the stages that the error estimate counts: others may see a pulse that it does not
};
}  // namespace

std::vector<Level> smooth_rows(const System& system, std::string_view scheme, Faults& faults, bool switches) {
  std::vector<Level> levels;
  const std::string me(scheme);
  for (const RelationEntry& e : system.relation_entries) {
    const RowForm form = row_form(system, e);
    if (form == RowForm::set_valued)
      faults.error({}, "relations/" + e.name, "has the law '" + std::string(e.law.type->name) + "', which " + me + " cannot follow: it advances smooth motion only", "use the scheme moreau_jean");
    if (form == RowForm::mixed)
      faults.error({}, "relations/" + e.name, "joins configuration and first-order states in one equality, which " + me + " cannot hold as accelerations", "use the scheme generalized_alpha");
    if (pool_of(system, e).traits().switched && !switches) faults.error({}, "joints/" + e.name, "is switched, with a jump of velocities, which " + me + " cannot follow: it advances smooth motion only", "use the scheme moreau_jean");
    levels.push_back(form == RowForm::value ? Level::value : form == RowForm::first_order ? Level::rate : Level::acceleration);
  }
  return levels;
}

Tableau::Tableau(int of_order, std::initializer_list<double> times, std::initializer_list<std::initializer_list<double>> rows, std::initializer_list<double> error_weights) : order(of_order) {
  std::copy(times.begin(), times.end(), c);
  for (const auto& row : rows) std::copy(row.begin(), row.end(), a[++stages]);
  std::copy(error_weights.begin(), error_weights.end(), error);
  c[stages++] = 1.0;
}

std::complex<double> Tableau::growth(std::complex<double> z) const {
  std::complex<double> value[most_stages] = {1.0};
  for (int i = 1; i < stages; ++i) {
    value[i] = 1.0;
    for (int j = 0; j < i; ++j) value[i] += z * a[i][j] * value[j];
  }
  return value[stages - 1];
}

std::unique_ptr<const Scheme> explicit_scheme(std::string_view name, std::string_view doc, const Tableau& tableau) {
  auto scheme = std::make_unique<ExplicitScheme>(name, doc, tableau);
  if (tableau.estimates()) return scheme;
  return std::make_unique<StepDoubling>(std::move(scheme));
}

std::unique_ptr<Plan> free_motion(std::shared_ptr<const System> system, const SchemeOptions& options) {
  auto plan = std::make_unique<ExplicitPlan>();
  plan->take_motion(std::move(system), options);
  return plan;
}

void watch_stiffness(Workspace& workspace) { static_cast<ExplicitWorkspace&>(workspace).watched = true; }
double stiffness_seen(const Workspace& workspace) { return static_cast<const ExplicitWorkspace&>(workspace).stiffness; }
bool singular_seen(const Workspace& workspace) { return static_cast<const ExplicitWorkspace&>(workspace).singular; }

}  // namespace saltus
