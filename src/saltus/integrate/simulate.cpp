#include "saltus/integrate/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace saltus {
namespace {
double energy(Assembly& assembly, const State& state) {
  assembly.update(state.t(), state.y(), state.lambda(), state.data());
  return assembly.kinetic_energy() + assembly.potential_energy();
}

std::string short_text(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", x);
  return text;
}

/// A user's function that throws ends the run like a step that fails: the state is the last accepted one.
StepReport guarded(const std::function<StepReport()>& work, RunReport& run) {
  try {
    return work();
  } catch (...) {
    run.exception = std::current_exception();
    StepReport report;
    report.status = StepStatus::failed;
    try {
      throw;
    } catch (const std::exception& error) {
      report.cause = error.what();
    } catch (...) {
      report.cause = "an exception of unknown type";
    }
    return report;
  }
}

/// Names the force, load or relation that is not finite at the state's position at time t; empty if all are.
std::string culprit(Assembly& assembly, const State& state, double t, RunReport& run) {
  std::string name;
  (void)guarded([&] {
    assembly.update(t, state.y(), state.lambda(), state.data());
    name = assembly.not_finite();
    return StepReport{};
  }, run);
  return name.empty() ? name : name + " is not finite";
}

/// Step of a scheme that has no error control, where the user gives none.
double uncontrolled_step(const SimulateOptions& options) { return std::min(1e-4 * options.until, 1e-3); }

/// A first step from the speed and acceleration at the start (Hairer, Norsett, Wanner 1993, II.4, simplified).
double guessed_step(const State& state, const SimulateOptions& options) {
  const Layout& l = state.layout().system;
  double speed = 0.0, change = 0.0;
  for (int i = 0; i < l.nv; ++i) speed = std::max(speed, std::abs(state.v()[i])), change = std::max(change, std::abs(state.a()[i]));
  for (int i = 0; i < l.nx; ++i) change = std::max(change, std::abs(state.xdot()[i]));
  const double by_change = change > 0.0 ? 0.01 * std::max(speed, 1e-3) / change : 0.0;
  const double most = 1e-3 * options.until;
  return by_change > 0.0 ? std::min(by_change, most) : most;
}
}  // namespace

RunReport simulate(const Scheme& scheme, const Plan& plan, State& state, const SimulateOptions& options, const Observer& observer, bool resume) {
  RunReport run;
  run.warnings = plan.warnings;
  if (!plan.system->contacts.empty() && !scheme.finds_contacts()) {
    run.status = RunStatus::failed;
    run.cause = std::string(scheme.name()) + " does not find the contacts between groups of bodies; use moreau_jean";
    return run;
  }
  Assembly energies(*plan.system);
  const auto work = scheme.new_workspace(plan);
  const bool fixed = options.step.has_value();
  if (!resume) {
    state.h() = fixed ? *options.step : guessed_step(state, options);
    const StepReport start = guarded([&] { return scheme.start(plan, state, *work); }, run);
    run.residual.worst(start.residual);
    run.warnings.insert(run.warnings.end(), start.warnings.begin(), start.warnings.end());
    if (start.status != StepStatus::accepted) {
      run.status = RunStatus::failed;
      const std::string item = run.exception ? "" : culprit(energies, state, state.t(), run);
      run.cause = (item.empty() ? "" : item + ": ") + start.cause;
      run.t = state.t();
      return run;
    }
    if (!fixed) state.h() = scheme.is_static() ? options.until - state.t() : guessed_step(state, options);
    if (observer && !observer(state, start)) run.status = RunStatus::interrupted;
  }
  const auto energy_now = [&] {
    double e = 0.0;
    const StepReport report = guarded([&] { return e = energy(energies, state), StepReport{}; }, run);
    if (report.status == StepStatus::failed && run.status == RunStatus::done) run.status = RunStatus::failed, run.cause = report.cause;
    return e;
  };
  run.energy_start = energy_now();
  double blocked = state.t();  // furthest time at which an attempt was rejected
  const double t0 = resume ? 0.0 : state.t();
  // Fixed steps land on t0 + i h without drift of the sum; the last one is cut to end at `until`.
  const double end = options.until, slack = 1e-12 * std::max(std::abs(end), 1.0);
  // Fixed steps stop in front of what they cannot cross: closer than 1e-6 of a step they would count it as reached.
  const auto smallest = [&](double t) { return std::max(options.smallest_step * std::max(1.0, std::abs(t)), fixed ? 1e-5 * *options.step : 0.0); };
  while (run.status == RunStatus::done && state.t() < end - slack) {
    const double nominal = state.h();
    double h = std::min(nominal, end - state.t());
    if (fixed) {
      const double next = t0 + (std::floor((state.t() - t0) / *options.step + 1e-6) + 1.0) * *options.step;
      h = std::min(next, end) - state.t();
      if (nominal < *options.step && h - nominal > 1e-6 * *options.step) h = std::min(h, nominal);  // still recovering from a halved step
    }
    if (!fixed && end - state.t() - h < 0.1 * h) h = end - state.t();
    const auto attempt = [&] { return scheme.step(plan, state, *work, h); };
    StepReport step = guarded(attempt, run);
    int halvings = 0;
    while (step.status == StepStatus::rejected) {
      ++run.rejected;
      blocked = std::max(blocked, state.t() + h);
      state.rejected() += 1.0;
      const double smaller = step.suggested_step > 0.0 && step.suggested_step < h ? step.suggested_step : 0.5 * h;
      if (smaller < smallest(state.t()) || ++halvings > 40) {
        step.status = StepStatus::failed;
        step.cause = "the step fell to " + short_text(smaller) + " s: " + step.cause;
        break;
      }
      h = smaller;
      step = guarded(attempt, run);
    }
    run.iterations += step.iterations;
    if (step.status == StepStatus::failed) {
      run.status = RunStatus::failed;
      // The attempt that went furthest: what is not finite there stands in the way of every shorter one.
      const std::string item = run.exception ? "" : culprit(energies, state, std::max(blocked, state.t() + h), run);
      run.cause = "at t = " + short_text(state.t()) + " s: " + (item.empty() ? "" : item + ": ") + step.cause;
      break;
    }
    state.steps() += 1.0;
    ++run.steps;
    if (fixed)
      state.h() = std::min(*options.step, halvings > 0 ? h : 2.0 * std::max(h, nominal));
    else
      state.h() = step.suggested_step > 0.0 ? step.suggested_step : uncontrolled_step(options);
    run.residual.worst(step.residual);
    if (observer && !observer(state, step)) run.status = RunStatus::interrupted;
    if (run.steps >= options.most_steps) run.status = RunStatus::stopped;
  }
  run.t = state.t();
  run.energy_end = energy_now();
  return run;
}

}  // namespace saltus
