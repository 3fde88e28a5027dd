#include "saltus/integrate/simulate.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/memory.hpp"
#include "saltus/integrate/error_norm.hpp"
#include "saltus/integrate/history.hpp"
#include "saltus/math/breaks.hpp"

namespace saltus {
namespace {
constexpr double meaningless = 1e-5;  // residual of an accepted step, as a share of its terms, from which a run warns

double energy(Assembly& assembly, const State& state) {
  assembly.update(state.t(), state.y(), state.lambda(), state.data());
  return assembly.kinetic_energy() + assembly.potential_energy();
}

/// A user's function that throws, and memory that runs out, end the run like a step that fails: the state is the last accepted one.
template <class Work>
StepReport guarded(const Work& work, RunReport& run) {
  try {
    return work();
  } catch (...) {
    run.exception = std::current_exception();
    StepReport report;
    report.status = StepStatus::failed;
    try {
      throw;
    } catch (const std::bad_alloc& error) {
      report.cause = out_of_memory(error);
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

/// A first step from speeds and accelerations at the start (Hairer, Norsett, Wanner 1993, II.4, simplified). What begins from rest shows no
/// time: the step control finds it from a thousandth of the run.
double guessed_step(const System& system, const State& state, const SimulateOptions& options) {
  const double time = options.until - state.t();
  return std::clamp(0.01 * ErrorNorm(system).time_of_change(state.y(), state.a(), state.xdot()), 1e-8 * time, 1e-3 * time);
}

/// When the first formula of time jumps or has a kink behind `from`; `to` if none does before.
double next_break(const System& system, double from, double to) {
  for (const TimeFormula& f : system.time_formulas) to = first_break(f.formula, f.inputs, from, to);
  return to;
}

bool begins_with_break(const System& system, double from, double to) {
  return std::any_of(system.time_formulas.begin(), system.time_formulas.end(), [&](const TimeFormula& f) { return begins_with_break(f.formula, f.inputs, from, to); });
}

/// Where a step up to `to` at most ends that sees how formulas of time vary.
double seen_until(const System& system, double from, double to, std::span<const double> samples) {
  for (const TimeFormula& f : system.time_formulas)
    if (f.inputs == 1) to = resolved_end(f.formula, from, to, samples);
  return to;
}

/// How far all stop conditions are from being met, seen from a state at which none is: positive where one is.
class Stop {
 public:
  explicit Stop(const std::vector<StopCondition>& conditions) : conditions_(conditions), from_(conditions.size()) {}
  bool empty() const { return conditions_.empty(); }
  /// Takes the state as the one that a step begins from.
  void begin(const State& state) {
    for (std::size_t i = 0; i < from_.size(); ++i) from_[i] = conditions_[i].distance(state);
  }
  /// The index of the condition that is met at the beginning, -1: none.
  int met_at_start() const {
    for (std::size_t i = 0; i < from_.size(); ++i)
      if (!conditions_[i].either && from_[i] > 0.0) return static_cast<int>(i);
    return -1;
  }
  /// Largest distance, and whose; a condition that was met at the beginning must first cease.
  double distance(const State& state, int& whose) const {
    double most = -HUGE_VAL;
    for (std::size_t i = 0; i < from_.size(); ++i) {
      const StopCondition& c = conditions_[i];
      if (c.either ? from_[i] == 0.0 : from_[i] > 0.0) continue;
      const double d = c.distance(state) * (c.either && from_[i] > 0.0 ? -1.0 : 1.0);
      if (d > most) most = d, whose = static_cast<int>(i);
    }
    return most;
  }
  const std::string& name(int i) const { return conditions_[i].name; }

 private:
  const std::vector<StopCondition>& conditions_;
  std::vector<double> from_;
};

/// Shortens the step from `before`, whose end `state` meets a condition, until the condition is met in its last
/// 1e-12: regula falsi in Illinois' form (Dowell, Jarratt 1971), halving every third time. Keeps the attempt that ends soonest.
StepReport locate(const Stop& stop, const State& before, State& state, StepReport step, const std::function<StepReport(State&, double)>& attempt, int& whose) {
  int ignored = 0;
  double low = 0.0, high = step.reached - before.t(), g_low = stop.distance(before, ignored), g_high = stop.distance(state, whose);
  const double enough = 1e-12 * std::max(high, std::abs(state.t()));
  State trial = before;
  for (int i = 0; i < 100 && high - low > enough; ++i) {
    double s = i % 3 == 2 || !std::isfinite(g_low) ? 0.5 * (low + high) : high - g_high * (high - low) / (g_high - g_low);
    s = std::clamp(s, low + 0.25 * enough, high - 0.25 * enough);
    trial = before;
    StepReport report = attempt(trial, s);
    if (report.status != StepStatus::accepted) break;  // the sooner end that is known
    int met = whose;
    const double g = stop.distance(trial, met);
    s = report.reached - before.t();
    if (g > 0.0) {
      high = s, g_high = g, state = trial, step = std::move(report), whose = met;
      g_low *= 0.5;
    } else {
      low = s, g_low = g;
      g_high *= 0.5;
    }
  }
  return step;
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
  History history(*plan.system);
  std::unique_ptr<Workspace> work;
  if (const StepReport made = guarded([&] { return work = scheme.new_workspace(plan), StepReport{}; }, run); made.status == StepStatus::failed) {
    run.status = RunStatus::failed;
    run.cause = made.cause;
    run.t = state.t();
    return run;
  }
  const bool fixed = options.step.has_value();
  Sampler* const sampler = scheme.is_static() ? nullptr : options.sampler;
  Stop stop(options.stop);
  const auto fail = [&](const StepReport& step, const std::string& when, double furthest) {
    run.status = RunStatus::failed;
    // The attempt that went furthest: what is not finite there stands in the way of every shorter one.
    const std::string item = run.exception ? "" : culprit(energies, state, furthest, run);
    run.cause = when + (item.empty() ? "" : item + ": ") + step.cause;
  };
  /// Samples at the state's time, then starts anew: loads and drives have jumped. The state is as before where it fails.
  const auto sample = [&]() -> StepReport {
    State sampled = state;
    StepReport report = guarded([&] { return sampler->sample(sampled), scheme.start(plan, sampled, *work); }, run);
    if (report.status == StepStatus::accepted) history.start(sampled);
    if (report.status == StepStatus::accepted) state = sampled;
    return report;
  };
  const auto stopped = [&](int condition) { run.status = RunStatus::stopped, run.cause = stop.name(condition); };
  /// Memory that the record has no more ends the run; what was recorded is there.
  const auto observed = [&](const StepReport& step) {
    try {
      return observer(state, step);
    } catch (const std::bad_alloc& error) {
      run.status = RunStatus::failed;
      run.cause = "at t = " + short_text(state.t()) + " s: " + out_of_memory(error);
      return true;
    }
  };
  if (!resume) {
    state.begun() = state.t();
    state.h() = fixed ? *options.step : guessed_step(*plan.system, state, options);
    StepReport start = guarded([&] { return scheme.start(plan, state, *work); }, run);
    if (start.status == StepStatus::accepted) history.start(state);
    run.warnings.insert(run.warnings.end(), start.warnings.begin(), start.warnings.end());
    if (sampler && state.t() == 0.0 && start.status == StepStatus::accepted) start = sample();  // later its data hold what was sampled
    run.residual.worst(start.residual);
    if (start.status != StepStatus::accepted) {
      fail(start, "", state.t());
      run.t = state.t();
      return run;
    }
    if (!fixed) state.h() = scheme.is_static() ? options.until - state.t() : guessed_step(*plan.system, state, options);
    start.reached = state.t();
    if (observer && !observed(start)) run.status = RunStatus::interrupted;
    if (!stop.empty()) {
      stop.begin(state);
      if (const int met = stop.met_at_start(); met >= 0 && run.status == RunStatus::done) stopped(met);
    }
  }
  const auto energy_now = [&] {
    double e = 0.0;
    const StepReport report = guarded([&] { return e = energy(energies, state), StepReport{}; }, run);
    if (report.status == StepStatus::failed && run.status == RunStatus::done) run.status = RunStatus::failed, run.cause = report.cause;
    return e;
  };
  run.energy_start = energy_now();
  double blocked = state.t();  // furthest time at which an attempt was rejected
  // Fixed steps land on begun + i h without drift of the sum; the last one is cut to end at `until`.
  const double until = options.until, slack = 1e-12 * std::max(std::abs(until), 1.0);
  // Fixed steps stop in front of what they cannot cross: closer than 1e-6 of a step they would count it as reached.
  const auto smallest = [&](double t) { return std::max(options.smallest_step * std::max(1.0, std::abs(t)), fixed ? 1e-5 * *options.step : 0.0); };
  State before = state, unchanged = state, anew = state;
  const auto behind_break = [&](double t) {
    state.t() = std::min(until, t);
    if (!scheme.carries_rates()) return;
    anew = state;
    if (guarded([&] { return scheme.start(plan, anew, *work); }, run).status == StepStatus::accepted) state = anew;
    else run.exception = nullptr;  // the next step tells
  };
  if (const double first = state.t() + state.h(); !fixed && !scheme.is_static() && !resume && begins_with_break(*plan.system, state.t(), first))
    behind_break(state.t() + passed_break(state.t(), first));
  double worst_residual = meaningless, worst_at = 0.0;
  while (run.status == RunStatus::done && state.t() < until - slack) {
    const double nominal = state.h();
    const double sampled = sampler ? sampler->next(state.t()) : HUGE_VAL;
    double end = std::min(until, sampled), h = std::min(nominal, end - state.t());
    bool on_grid = false;
    if (fixed) {
      const double next = state.begun() + (std::floor((state.t() - state.begun()) / *options.step + 1e-6) + 1.0) * *options.step;
      if (next < end - 1e-6 * *options.step) end = next;  // a sample next to the grid is on it
      h = end - state.t();
      if (nominal < *options.step && h - nominal > 1e-6 * *options.step) h = std::min(h, nominal);  // still recovering from a halved step
      // A whole step has the same length to the last bit each time, whatever the rounding of t: matrices of h are kept.
      on_grid = std::abs(h - *options.step) <= 1e-9 * *options.step;
      if (on_grid) h = *options.step;
    }
    // With error control a step ends where a formula of time jumps, however soon the next jump follows: no error tells of a pulse that lies
    // between the times at which a step asks. The next begins behind the jump.
    const double ahead = std::min(end, state.t() + 1.1 * h);
    bool at_break = false;
    if (!fixed && !scheme.is_static())
      if (const double next = next_break(*plan.system, state.t(), ahead); next < ahead) end = next, h = std::min(h, end - state.t()), at_break = true;
    // No sliver at the end, whose multipliers would be rounding.
    if (const double left = end - state.t(); !fixed) h = left < 1.1 * h ? left : left < 2.0 * h && !scheme.is_static() ? 0.5 * left : h;
    const auto resolved = [&](double length) {
      if (fixed || scheme.is_static() || plan.system->time_formulas.empty()) return length;
      const double to = state.t() + length, seen = seen_until(*plan.system, state.t(), to, scheme.samples(plan, state));
      return seen < to ? seen - state.t() : length;
    };
    h = resolved(h);
    const auto attempt = [&](State& from, double length) {
      if (!history.empty()) unchanged = from;
      const double begin = from.t();
      StepReport report = guarded([&] { return scheme.step(plan, from, *work, length); }, run);
      report.reached = from.t();
      if (history.empty() || report.status != StepStatus::accepted) return report;
      const double next = fixed ? *options.step : report.suggested_step > 0.0 ? report.suggested_step : uncontrolled_step(options.until);
      if (!history.accept(from, report.reached - begin, next, report)) from = unchanged;
      return report;
    };
    if (!stop.empty()) before = state, stop.begin(state);
    const double begin = state.t();
    StepReport step = attempt(state, h);
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
      h = resolved(smaller);
      step = attempt(state, h);
    }
    run.iterations += step.iterations, run.factorizations += step.factorizations;
    if (step.status == StepStatus::failed) {
      fail(step, "at t = " + short_text(state.t()) + " s: ", std::max(blocked, state.t() + h));
      break;
    }
    const bool whole = step.reached - begin > (1.0 - 1e-9) * h;  // no event ended it
    if (on_grid && halvings == 0 && whole) state.t() = end;
    if (int whose = -1; !stop.empty() && stop.distance(state, whose) > 0.0) {
      step = locate(stop, before, state, std::move(step), attempt, whose);
      stopped(whose);
      step.events.push_back({state.t(), "stop", stop.name(whose), 0.0});
    }
    const bool at_sample = std::abs(state.t() - sampled) <= slack;
    if (at_sample) state.t() = sampled;
    at_break = at_break && std::abs(state.t() - end) <= slack;
    state.steps() += 1.0;
    ++run.steps;
    if (fixed)
      state.h() = std::min(*options.step, halvings > 0 ? h : 2.0 * std::max(h, nominal));
    else if (step.suggested_step > 0.0)
      state.h() = at_sample || at_break ? std::max(step.suggested_step, nominal) : step.suggested_step;  // not what the cut left
    else
      state.h() = uncontrolled_step(options.until);
    if (at_break && run.status == RunStatus::done) behind_break(end + passed_break(end, ahead));
    if (const double worst = std::max(step.residual.equations, step.residual.constraints); worst > worst_residual) worst_residual = worst, worst_at = state.t();
    run.residual.worst(step.residual);
    if (!step.warnings.empty()) run.warnings.insert(run.warnings.end(), step.warnings.begin(), step.warnings.end());
    if (at_sample && run.status == RunStatus::done)
      if (const StepReport report = sample(); report.status != StepStatus::accepted) {
        fail(report, "at t = " + short_text(state.t()) + " s: ", state.t());
        break;
      }
    step.reached = state.t();
    if (observer && !observed(step) && run.status == RunStatus::done) run.status = RunStatus::interrupted;
    if (run.steps >= options.most_steps && run.status == RunStatus::done) run.status = RunStatus::stopped;
  }
  run.t = state.t();
  if (worst_residual > meaningless)
    run.warnings.push_back({{}, "simulation", "the equations or constraints were left open by a share of " + short_text(worst_residual) + ", most at t = " + short_text(worst_at) + " s: from there on the result may be wrong",
                            "compare with a smaller tolerance or step, and with another scheme", Severity::warning});
  run.energy_end = energy_now();
  return run;
}

}  // namespace saltus
