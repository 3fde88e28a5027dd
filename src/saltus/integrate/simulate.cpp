#include "saltus/integrate/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

#include "saltus/base/index.hpp"
#include "saltus/base/memory.hpp"
#include "saltus/integrate/accelerations_mass.hpp"
#include "saltus/integrate/error_norm.hpp"
#include "saltus/integrate/model_checks.hpp"
#include "saltus/integrate/start.hpp"
#include "saltus/math/breaks.hpp"

namespace saltus {
/// How far all stop conditions are from being met, seen from a state at which none is: positive where one is.
class Simulation::Stop {
 public:
  explicit Stop(const std::vector<StopCondition>& conditions) : conditions_(conditions), from_(conditions.size()) {}
  bool empty() const { return conditions_.empty(); }
  /// Takes the state as the one that a step begins from.
  void begin(const State& state) {
    for (std::size_t i = 0; i < from_.size(); ++i) from_[i] = conditions_[i].distance(state);
  }
  /// The index of the condition that is met at the beginning, -1: none.
  int met_at_start() const {
    for (int i = 0; i < count_of(from_); ++i)
      if (!conditions_[i].either && from_[i] > 0.0) return i;
    return -1;
  }
  /// Largest distance, and whose; a condition that was met at the beginning must first cease.
  double distance(const State& state, int& whose) const {
    double most = -HUGE_VAL;
    for (int i = 0; i < count_of(from_); ++i) {
      const StopCondition& c = conditions_[i];
      if (c.either ? from_[i] == 0.0 : from_[i] > 0.0) continue;
      const double d = c.distance(state) * (c.either && from_[i] > 0.0 ? -1.0 : 1.0);
      if (d > most) most = d, whose = i;
    }
    return most;
  }
  const std::string& name(int i) const { return conditions_[i].name; }

  State between;            // within a step, where conditions are looked for
  std::vector<double> way;  // the tangent from its beginning to its end

 private:
  const std::vector<StopCondition>& conditions_;
  std::vector<double> from_;
};

namespace {
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

/// Names the force, load or relation that is not finite at the state's position at time t, and the table that was asked outside of its rows;
/// empty if all are.
std::string culprit(Assembly& assembly, const State& state, double t, RunReport& run) {
  std::string name;
  Table::clear_refusal();
  (void)guarded([&] {
    assembly.update(t, state.y(), state.lambda(), state.data());
    name = assembly.trouble();
    if (name.empty()) name = assembly.not_finite();
    return StepReport{};
  }, run);
  if (name.empty() || name.find(": ") != std::string::npos) return name;
  return name + " is not finite, " + (Table::last_refusal().empty() ? "check its formulas and functions for divisions by zero, log and sqrt" : Table::last_refusal() + " (`outside`: refuse)");
}

/// Whether a step led to where a mass matrix of a user is none; the report then says so.
bool wrong_mass(Assembly& assembly, const State& state, StepReport& report, RunReport& run) {
  Fault fault;
  const StepReport asked = guarded([&] {
    assembly.update(state.t(), state.y(), state.lambda(), state.data());
    fault = assembly.wrong_mass();
    return StepReport{};
  }, run);
  if (asked.status == StepStatus::failed) fault.path = asked.cause;
  if (fault.path.empty()) return false;
  report.status = StepStatus::failed;
  report.cause = fault.path + (fault.message.empty() ? "" : ": " + fault.message + " at t = " + short_text(state.t()) + " s; choose coordinates in which the kinetic energy is positive for every velocity, or stop the run before it gets there");
  return true;
}

/// What a time that is left of a run counts as rounding.
double rounding_of(double until) { return 1e-12 * std::max(std::abs(until), 1.0); }

/// Whether the state stands where a whole number of steps ends.
bool on_step(const State& state, double h) {
  const double steps = (state.t() - state.begun()) / h;
  return std::abs(steps - std::round(steps)) <= 1e-9 * std::max(1.0, std::abs(steps));
}

/// A first step from speeds and accelerations at the start (Hairer, Norsett, Wanner 1993, II.4, simplified). What begins from rest shows no
/// time: the step control finds it from a thousandth of the run.
double guessed_step(const System& system, const State& state, const SimulateOptions& options) {
  const double time = options.until - state.t();
  return std::clamp(0.01 * ErrorNorm(system).time_of_change(state.y(), state.a(), state.xdot()), 1e-8 * time, 1e-3 * time);
}

/// When the first formula of time jumps or has a kink behind the state; `to` if none does before.
double next_break(const System& system, const State& state, double to) {
  for (const TimeFormula& f : system.time_formulas) to = first_break(f.formula, f.inputs, state.t(), to, state.data());
  return to;
}

bool begins_with_break(const System& system, const State& state, double to) {
  return std::any_of(system.time_formulas.begin(), system.time_formulas.end(), [&](const TimeFormula& f) { return begins_with_break(f.formula, f.inputs, state.t(), to, state.data()); });
}

/// Where a step up to `to` at most ends that sees how formulas of time vary.
double seen_until(const System& system, const State& state, double to, std::span<const double> samples, double beyond = 0.5) {
  for (const TimeFormula& f : system.time_formulas)
    if (f.inputs == 1) to = resolved_end(f.formula, state.t(), to, samples, state.data(), beyond);
  return to;
}

bool velocities_jump(const StepReport& step) {
  return std::any_of(step.events.begin(), step.events.end(), [](const Event& e) { return e.kind == "impact" || e.kind == "percussion"; });
}

/// Shortens the step from `before`, whose end `state` meets a condition, until the condition is met in its last
/// 1e-12: regula falsi in Illinois' form (Dowell, Jarratt 1971), halving every third time. Keeps the attempt that ends soonest. shorter: where the scheme takes no
/// step up to there, the length of one that it may take.
template <class Stop>
StepReport locate(const Stop& stop, const State& before, State& state, StepReport step, const std::function<StepReport(State&, double)>& attempt, int& whose, double& shorter) {
  int ignored = 0;
  double low = 0.0, high = step.reached - before.t(), g_low = stop.distance(before, ignored), g_high = stop.distance(state, whose);
  const double enough = 1e-12 * std::max(high, std::abs(state.t()));
  State trial = before;
  for (int i = 0; i < 100 && high - low > enough; ++i) {
    double s = i % 3 == 2 || !std::isfinite(g_low) ? 0.5 * (low + high) : high - g_high * (high - low) / (g_high - g_low);
    s = std::clamp(s, low + 0.25 * enough, high - 0.25 * enough);
    trial = before;
    StepReport report = attempt(trial, s);
    if (report.status != StepStatus::accepted) {
      shorter = report.suggested_step > 0.0 && report.suggested_step < s ? report.suggested_step : 0.5 * s;
      break;
    }
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

Simulation::Simulation(const Scheme& scheme, const Plan& plan, const SimulateOptions& options)
    : scheme_(scheme), plan_(plan), options_(options), energies_(*plan.system), history_(*plan.system), life_(*plan.system), stop_(std::make_unique<Stop>(options_.stop)),
      sampler_(scheme.is_static() ? nullptr : options.sampler), fixed_(options.step.has_value()) {
  run_.warnings = plan.warnings;
  doubting_ = std::any_of(plan.system->forces.begin(), plan.system->forces.end(), [](const auto& pool) { return pool->doubts(); });
  life_.any = !scheme.is_static() && !(life_.presences.empty() && life_.sleepers.empty());
  watched_ = doubting_ || options_.before_step || options_.after_step;
  if (!fixed_ && !scheme.is_static()) within_ = std::make_unique<WithinStep>(*plan.system, [this](State& state, double length) { return scheme_.step(plan_, state, *work_, length).status == StepStatus::accepted; });
  if (within_ && within_->empty()) within_.reset();
  given_masses_ = std::any_of(plan.system->objects.begin(), plan.system->objects.end(), [](const auto& pool) { return pool->mass_of_user(); });
  refusable_ = !history_.empty() || given_masses_ || within_;
  if (!plan.system->contacts.empty() && !scheme.finds_contacts()) {
    run_.status = RunStatus::failed;
    run_.cause = std::string(scheme.name()) + " does not find the contacts between groups of bodies; use moreau_jean";
    return;
  }
  if (const StepReport made = guarded([&] { return work_ = scheme.new_workspace(plan), StepReport{}; }, run_); made.status == StepStatus::failed) {
    run_.status = RunStatus::failed;
    run_.cause = made.cause;
  }
}
Simulation::~Simulation() = default;

// The parts of a step are inline: of a model with one body it takes a thousand instructions.

void Simulation::fail(const State& state, const StepReport& step, const std::string& when, double furthest) {
  run_.status = RunStatus::failed;
  // The attempt that went furthest: what is not finite there stands in the way of every shorter one.
  const std::string item = run_.exception ? "" : culprit(energies_, state, furthest, run_);
  run_.cause = when + (item.empty() ? "" : item + ": ") + step.cause;
}

namespace {
/// A few of the run: a chute that pours bodies into each other says so once.
void warn_of_overlaps(const System& system, Assembly& assembly, const State& state, const std::vector<Event>& came, std::vector<Fault>& warnings) {
  constexpr std::size_t most = 5;
  static constexpr std::string_view sign = ", where one of them appears,";
  const auto told = [&] { return std::ranges::count_if(warnings, [](const Fault& f) { return f.message.find(sign) != std::string::npos; }); };
  if (system.contacts.empty() || static_cast<std::size_t>(told()) >= most) return;
  for (Fault& fault : overlaps_of(system, assembly, state, came)) warnings.push_back(std::move(fault));
}
}  // namespace

template <class Change>
StepReport Simulation::changed(State& state, const Change& change) {
  State next = state;
  bool did = true;
  StepReport report = guarded([&] {
    if (!(did = change(next))) return StepReport{};
    life_.sleepers.wake_all(next, life_.came);
    if (!life_.presences.empty() && life_.presences.due(next, energies_)) life_.presences.apply(next, energies_, life_.came);
    return scheme_.start(plan_, next, *work_);
  }, run_);
  if (report.status != StepStatus::accepted || !did) return report;
  history_.start(next);
  state = next;
  if (!life_.came.empty()) warn_of_overlaps(*plan_.system, energies_, state, life_.came, run_.warnings);
  return report;
}

StepReport Simulation::sample(State& state) {
  return changed(state, [&](State& next) { return sampler_->sample(next), true; });
}

StepReport Simulation::hook_before(State& state) {
  const double slack = 1e-12 * std::max(std::abs(options_.until), 1.0);
  if (!options_.before_step || !(state.t() < options_.until - slack)) return {};
  StepReport report = changed(state, options_.before_step);
  if (report.status != StepStatus::accepted) report.cause = "before the next step: " + report.cause;
  return report;
}

void Simulation::renew(State& state) {
  if (run_.status != RunStatus::done) return;
  if (const StepReport report = changed(state, [](State&) { return true; }); report.status != StepStatus::accepted) fail(state, report, "at t = " + short_text(state.t()) + " s: ", state.t());
}

void Simulation::resume(State& state) {
  if (run_.status != RunStatus::done) return;
  if (const StepReport report = hook_before(state); report.status != StepStatus::accepted) fail(state, report, "at t = " + short_text(state.t()) + " s: ", state.t());
}

[[gnu::always_inline]] inline void Simulation::tell(const State& state, const StepReport& step, const Observer& observer) {
  if (!observer) return;
  try {
    if (!observer(state, step) && run_.status == RunStatus::done) run_.status = RunStatus::interrupted;
  } catch (const std::bad_alloc& error) {  // memory that the record has no more ends the run; what was recorded is there
    run_.status = RunStatus::failed;
    run_.cause = "at t = " + short_text(state.t()) + " s: " + out_of_memory(error);
  }
}

double Simulation::energy_of(const State& state) {
  double e = 0.0;
  const StepReport report = guarded([&] { return e = total_energy(energies_, state), StepReport{}; }, run_);
  if (report.status == StepStatus::failed && run_.status == RunStatus::done) run_.status = RunStatus::failed, run_.cause = report.cause;
  return e;
}

void Simulation::begin(State& state, const Observer& observer) {
  if (run_.status != RunStatus::done) return;
  state.begun() = state.t();
  if (!life_.presences.empty() && life_.presences.due(state, energies_)) life_.presences.apply(state, energies_, life_.came);
  state.h() = fixed_ ? *options_.step : guessed_step(*plan_.system, state, options_);
  StepReport start = guarded([&] { return scheme_.start(plan_, state, *work_); }, run_);
  if (start.status == StepStatus::accepted) history_.start(state);
  run_.warnings.insert(run_.warnings.end(), start.warnings.begin(), start.warnings.end());
  if (sampler_ && !options_.sampled && state.t() == 0.0 && start.status == StepStatus::accepted) start = sample(state);  // later its data hold what was sampled
  if (start.status == StepStatus::accepted)
    if (StepReport hooked = hook_before(state); hooked.status != StepStatus::accepted) start = std::move(hooked);
  run_.residual.worst(start.residual);
  if (start.status != StepStatus::accepted) return fail(state, start, "", state.t());
  if (!fixed_) state.h() = scheme_.is_static() ? options_.until - state.t() : guessed_step(*plan_.system, state, options_);
  start.reached = state.t();
  tell(state, start, observer);
  if (!stop_->empty()) {
    stop_->begin(state);
    if (const int met = stop_->met_at_start(); met >= 0 && run_.status == RunStatus::done) run_.status = RunStatus::stopped, run_.cause = stop_->name(met);
  }
  if (const double first = state.t() + state.h(); !fixed_ && !scheme_.is_static() && begins_with_break(*plan_.system, state, first))
    pass_break(state, state.t() + passed_break(state.t(), first));
}

namespace {
/// By more than a share of the largest entry.
bool differs(const double* before, const double* after, int n, double share) {
  double most = 0.0, apart = 0.0;
  for (int i = 0; i < n; ++i) most = std::max({most, std::abs(before[i]), std::abs(after[i])}), apart = std::max(apart, std::abs(after[i] - before[i]));
  return apart > share * most;
}
/// Whether velocities jump, or what curves between states are made of: rates, algebraic unknowns, multipliers.
bool jumps(const Layout& l, Rates rates, const State& before, const State& after) {
  constexpr double speeds = 1e-6, others = 1e-3;
  if (differs(before.v(), after.v(), l.nv, speeds)) return true;
  if (rates != Rates::exact && rates != Rates::at_states) return false;
  return differs(before.a(), after.a(), l.nv, others) || differs(before.xdot(), after.xdot(), l.nx, others) || differs(before.z(), after.z(), l.nz, others) || differs(before.lambda(), after.lambda(), l.rows, others);
}
}  // namespace

/// Goes on behind a break of formulas, where rates jump.
void Simulation::pass_break(State& state, double t) {
  state.t() = t < options_.until - rounding_of(options_.until) ? t : options_.until;
  if (!scheme_.carries_rates()) return;
  anew_ = state;
  if (guarded([&] { return scheme_.start(plan_, anew_, *work_); }, run_).status == StepStatus::accepted) state = anew_;
  else run_.exception = nullptr;  // the next step tells
}

void Simulation::set_step(State& state, double h) {
  if (!fixed_) return;
  if (h != *options_.step || !on_step(state, h)) state.begun() = state.t();
  options_.step = h, state.h() = h;
}

double Simulation::step_end(const State& state, double h) const {
  if (!fixed_ || h != *options_.step || !on_step(state, h)) return state.t() + h;
  return state.begun() + (std::round((state.t() - state.begun()) / h) + 1.0) * h;
}

[[gnu::always_inline]] inline double Simulation::resolved(const State& state, double length) const {
  if (fixed_ || scheme_.is_static() || plan_.system->time_formulas.empty()) return length;
  const double to = state.t() + length;
  double seen = seen_until(*plan_.system, state, to, scheme_.samples(plan_, state));
  // Who looks for a largest force sees the ends of steps alone, and where nothing moves no error makes them short.
  constexpr double ends[] = {0.0, 1.0}, beyond = 0.01;
  if (!stop_->empty() || history_.breaks()) seen = seen_until(*plan_.system, state, seen, ends, beyond);
  return seen < to ? seen - state.t() : length;
}

[[gnu::always_inline]] inline Simulation::Length Simulation::next_length(const State& state) {
  Length l;
  l.nominal = state.h();
  l.sampled = sampler_ ? sampler_->next(state.t()) : HUGE_VAL;
  l.end = std::min(options_.until, l.sampled);
  if (life_.any) l.end = std::min(l.end, life_.presences.next(state.t()));
  l.h = std::min(l.nominal, l.end - state.t());
  if (fixed_) {  // steps land on begun + i h without drift of the sum; the last one is cut to end at `until`
    const double step = *options_.step, next = state.begun() + (std::floor((state.t() - state.begun()) / step + 1e-6) + 1.0) * step;
    if (next < l.end - 1e-6 * step) l.end = next;  // a sample next to the grid is on it
    l.h = l.end - state.t();
    if (l.nominal < step && l.h - l.nominal > 1e-6 * step) l.h = std::min(l.h, l.nominal);  // still recovering from a halved step
    // A whole step has the same length to the last bit each time, whatever the rounding of t: matrices of h are kept.
    l.on_grid = std::abs(l.h - step) <= 1e-9 * step;
    if (l.on_grid) l.h = step;
  }
  // With error control a step ends where a formula of time jumps, however soon the next jump follows: no error tells of a pulse that lies
  // between the times at which a step asks. The next begins behind the jump.
  l.ahead = std::min(l.end, state.t() + 1.1 * l.h);
  if (!fixed_ && !scheme_.is_static())
    if (const double next = history_.next_switch(state, next_break(*plan_.system, state, l.ahead), options_.until); next < l.ahead) l.end = next, l.h = std::min(l.h, l.end - state.t()), l.at_break = true;
  // No sliver at the end, whose multipliers would be rounding.
  if (const double left = l.end - state.t(); !fixed_) l.h = left < 1.1 * l.h ? left : left < 2.0 * l.h && !scheme_.is_static() ? 0.5 * left : l.h;
  l.h = resolved(state, l.h);
  return l;
}

/// Whether a step that was accepted led over something that acts within it alone; the report then rejects it.
[[gnu::noinline]] bool Simulation::leapt(const State& before, const State& after, StepReport& report) {
  const bool jumps = velocities_jump(report);
  WithinStep::Found found;
  const StepReport asked = guarded([&] { return found = within_->first(before, after, jumps), StepReport{}; }, run_);
  if (asked.status != StepStatus::accepted) return run_.exception = nullptr, false;  // the next step tells
  const double h = after.t() - before.t(), close = 1e-9 * std::max(std::min(1.0, std::abs(options_.until)), std::abs(before.t()));
  if (!(found.share < 1.0) || (found.leaves && (1.0 - found.share) * h <= 2.0 * close)) return false;
  report.status = StepStatus::rejected;
  report.suggested_step = found.share * h + (found.leaves ? close : 0.0);
  report.cause = found.leaves ? "a body leaves its region within the step" : found.breaks ? "what is switched breaks within the step" : "a spring, a contact with stiffness or a formula acts within the step, and at neither end";
  return true;
}

/// Items may refuse a step that the scheme accepted: the state is then as before.
[[gnu::noinline]] void Simulation::refuse(State& state, double begin, StepReport& report) {
  if (given_masses_ && wrong_mass(energies_, state, report, run_)) state = unchanged_;
  if (within_ && report.status == StepStatus::accepted && leapt(unchanged_, state, report)) state = unchanged_;
  if (history_.empty() || report.status != StepStatus::accepted) return;
  const double next = fixed_ ? *options_.step : report.suggested_step > 0.0 ? report.suggested_step : uncontrolled_step(options_.until);
  if (!history_.accept(state, report.reached - begin, next, report)) state = unchanged_;
}

[[gnu::always_inline]] inline StepReport Simulation::attempt(State& state, double length) {
  if (refusable_) unchanged_ = state;
  const double begin = state.t();
  StepReport report = guarded([&] { return scheme_.step(plan_, state, *work_, length); }, run_);
  report.reached = state.t();
  if (refusable_ && report.status == StepStatus::accepted) refuse(state, begin, report);
  return report;
}

/// One step of length l.h, or, where that is rejected, a shorter one.
[[gnu::always_inline]] inline StepReport Simulation::try_step(State& state, Length& l) {
  work_->latest = l.end;
  StepReport step = attempt(state, l.h);
  while (step.status == StepStatus::rejected) {
    if (!step.passing) ++run_.rejected, state.rejected() += 1.0;
    blocked_ = std::max(blocked_, state.t() + l.h);
    const double smaller = step.suggested_step > 0.0 && step.suggested_step < l.h ? step.suggested_step : 0.5 * l.h;
    ++(step.passing ? l.cuts : l.halvings);
    // Fixed steps stop in front of what they cannot cross: closer than 1e-6 of a step they would count it as reached.
    const double smallest = std::max(options_.smallest_step * std::max(std::min(1.0, std::abs(options_.until)), std::abs(state.t())), fixed_ ? 1e-5 * *options_.step : 0.0);
    if (smaller < smallest || l.halvings > 40 || l.cuts > 40) {
      step.status = StepStatus::failed;
      step.cause = "the step fell to " + short_text(smaller) + " s: " + step.cause;
      break;
    }
    l.h = resolved(state, smaller);
    step = attempt(state, l.h);
  }
  return step;
}

/// The next step's length, from how this one went.
[[gnu::always_inline]] inline double Simulation::next_nominal(const StepReport& step, const Length& l, bool cut) const {
  if (fixed_) return std::min(*options_.step, l.halvings > 0 ? l.h : 2.0 * std::max(l.h, l.nominal));
  if (step.suggested_step > 0.0) return cut ? std::max(step.suggested_step, l.nominal) : step.suggested_step;  // not what the cut left
  return uncontrolled_step(options_.until);
}

[[gnu::always_inline]] inline void Simulation::note(const State& state, const StepReport& step) {
  if (const double worst = std::max(step.residual.equations, step.residual.constraints); worst > worst_residual_) worst_residual_ = worst, worst_at_ = state.t();
  run_.residual.worst(step.residual);
  if (step.impacts.scale > 0.0) [[unlikely]] note(state, step.impacts);
  if (step.loose) ++loose_.steps, loose_.worst = std::max(loose_.worst, step.residual.laws);
  if (!step.warnings.empty()) run_.warnings.insert(run_.warnings.end(), step.warnings.begin(), step.warnings.end());
}

[[gnu::noinline]] void Simulation::note(const State& state, const ImpactWork& work) {
  impacts_.scale += work.scale;
  impacts_.given += std::max(0.0, work.done);
  if (work.done > impacts_.most) impacts_.most = work.done, impacts_.at = state.t();
  if (work.lessened > 0 && impacts_.lessened == 0) impacts_.lessened_at = state.t();
  impacts_.lessened += work.lessened;
}

[[gnu::noinline]] void Simulation::wake(State& state, Length& l, StepReport& step) {
  for (std::size_t turn = 0; turn < plan_.system->sleepers.size() && step.status == StepStatus::accepted && life_.sleepers.disturbed(state); ++turn) {
    life_.sleepers.wake(life_.resting, state, energies_, life_.came);
    state = life_.resting;
    step = try_step(state, l);
  }
}

[[gnu::noinline]] bool Simulation::come_and_go(State& state, StepReport& step, const Observer& observer) {
  if (!life_.sleepers.empty() && run_.status == RunStatus::done) {
    life_.sleepers.carry(state, energies_, step, plan_.options.contacts);
    life_.sleepers.settle(state, energies_, step.events);
    life_.sleepers.keep(state, step);
  }
  if (!plan_.options.contacts) step.contacts.clear();
  bool due = false;
  StepReport report = guarded([&] { return due = run_.status == RunStatus::done && life_.presences.due(state, energies_), StepReport{}; }, run_);
  if (due) {
    State next = state;
    std::vector<Event> events;
    report = guarded([&] {
      life_.presences.apply(next, energies_, events);
      life_.sleepers.wake_all(next, events);
      return scheme_.carries_rates() ? scheme_.start(plan_, next, *work_) : StepReport{};
    }, run_);
    if (report.status == StepStatus::accepted) {
      step.reached = state.t();
      tell(state, step, observer);
      history_.start(next);
      state = next;
      step = StepReport{};
      step.events = std::move(events);
      warn_of_overlaps(*plan_.system, energies_, state, step.events, run_.warnings);
    }
  }
  if (report.status != StepStatus::accepted) return fail(state, report, "bodies come or go at t = " + short_text(state.t()) + " s: ", state.t()), false;
  step.events.insert(step.events.end(), life_.came.begin(), life_.came.end());
  life_.came.clear();
  return true;
}

void Simulation::note_doubts(const State& state) {
  const std::size_t before = run_.warnings.size();
  (void)guarded([&] {
    energies_.update(state.t(), state.y(), state.lambda(), state.data());
    energies_.doubts(warned_, run_.warnings);
    return StepReport{};
  }, run_);
  for (std::size_t i = before; i < run_.warnings.size(); ++i) run_.warnings[i].message += ", at t = " + short_text(state.t()) + " s for the first time";
}

/// A given motion whose speed jumps where a formula of time does is an impact, which who wrote it may not have meant.
void Simulation::note_given_jumps(const State& state, double behind) {
  const System& s = *plan_.system;
  std::vector<double> rate[2];
  const StepReport asked = guarded([&] {
    for (const int side : {0, 1}) {
      rate[side].assign(s.layout.rows, 0.0);
      energies_.update(side == 0 ? state.t() : behind, state.y(), state.lambda(), state.data());
      RowSink sink;
      sink.time_rate = rate[side].data();
      energies_.relations(sink);
    }
    return StepReport{};
  }, run_);
  if (asked.status == StepStatus::failed) return run_.exception = nullptr, void();  // the next step tells
  for (int i = 0; i < count_of(s.relation_entries); ++i) {
    const RelationEntry& e = s.relation_entries[i];
    if (row_form(s, e) != RowForm::second || !s.relations[e.pool]->traits().uses_time) continue;
    for (int r = e.row; r < e.row + e.rows; ++r) {
      const double before = -rate[0][r], after = -rate[1][r];
      if (std::abs(after - before) <= 1e-6 * std::max(std::abs(before), std::abs(after))) continue;
      if (std::find(jumped_.begin(), jumped_.end(), i) != jumped_.end()) break;
      jumped_.push_back(i);
      run_.warnings.push_back({{}, "relations/" + e.name, "the speed that it prescribes jumps from " + short_text(before) + " to " + short_text(after) + " at t = " + short_text(state.t()) + " s, for the first time: an impact, which its reaction does not show",
                               "round the corner of the function where none is meant", Severity::warning});
    }
  }
}

/// What looks at the states between two steps; false: it has ended the run.
bool Simulation::looked_at(State& state) {
  if (doubting_) note_doubts(state);
  if (options_.after_step) {
    StepReport hooked = guarded([&] { return options_.after_step(state), StepReport{}; }, run_);
    if (hooked.status != StepStatus::accepted) return hooked.cause = "after a step: " + hooked.cause, fail(state, hooked, "at t = " + short_text(state.t()) + " s: ", state.t()), false;
  }
  if (run_.status == RunStatus::done) resume(state);
  return true;
}

/// At the end of a step: a break of the given motions at `end`, of which the next is `beyond` behind it, or one among the events.
[[gnu::noinline]] void Simulation::pass_jump(State& state, StepReport& step, bool at_break, double end, double beyond, const Observer& observer) {
  const bool broke = at_break || std::any_of(step.events.begin(), step.events.end(), [](const Event& e) { return e.kind == "break"; });
  if (!broke || run_.status != RunStatus::done) return;
  const double behind = at_break ? end + beyond : state.t();
  if (at_break) note_given_jumps(state, behind);
  const State front = state;
  pass_break(state, behind);
  if (!jumps(plan_.system->layout, scheme_.rates(), front, state)) return;
  note(front, step);  // both sides are states: the curve of the step ends in front of the jump
  step.reached = front.t();
  tell(front, step, observer);
  step = StepReport{};
}

/// A condition that holds within the step alone, at neither end: true, and the state is then where it does, by a step up to there.
[[gnu::noinline]] bool Simulation::met_within(State& state, StepReport& step, int& whose) {
  constexpr int looks = 8;
  const System& s = *plan_.system;
  const double h = step.reached - before_.t();
  if (!(h > 0.0)) return false;
  const bool jumps = velocities_jump(step);
  State& between = stop_->between;
  std::vector<double>& way = stop_->way;
  way.resize(at(s.layout.nv));
  s.map.difference(before_.q(), state.q(), way.data());
  between = state;
  const auto distance = [&](double share) {
    on_the_way(s, before_, state, way, share, jumps, between.y());
    between.t() = before_.t() + share * h;
    for (int i = 0; i < s.layout.nv; ++i) between.a()[i] = (1.0 - share) * before_.a()[i] + share * state.a()[i];
    for (int i = 0; i < s.layout.rows; ++i) between.lambda()[i] = (1.0 - share) * before_.lambda()[i] + share * state.lambda()[i];
    return stop_->distance(between, whose);
  };
  const auto take = [&](double share) {
    State there = before_;
    StepReport report = attempt(there, share * h);
    if (report.status != StepStatus::accepted || !(stop_->distance(there, whose) > 0.0)) return false;
    state = there, step = std::move(report);
    return true;
  };
  return some_share(looks, distance(0.0), stop_->distance(state, whose), distance, take);
}

/// Ends the run where a condition is met in the step. Where the scheme takes no step up to there, as beside an event that the longer one passes, shorter ones go ahead.
[[gnu::noinline]] void Simulation::stop_where_met(State& state, StepReport& step, Length& l) {
  for (int whose = -1; stop_->distance(state, whose) > 0.0 || (!fixed_ && !scheme_.is_static() && met_within(state, step, whose));) {
    double shorter = 0.0;
    step = locate(*stop_, before_, state, std::move(step), [&](State& from, double length) { return work_->latest = from.t() + length, attempt(from, length); }, whose, shorter);
    if (!fixed_ && !scheme_.is_static() && shorter > 1e-12 * std::max(1.0, std::abs(state.t())) && ++l.halvings < 40) {
      state = before_, l.h = shorter;
      step = try_step(state, l);
      if (step.status != StepStatus::accepted) return;
      continue;
    }
    run_.status = RunStatus::stopped, run_.cause = stop_->name(whose);
    step.events.push_back({state.t(), "stop", stop_->name(whose), 0.0});
    return;
  }
}

[[gnu::always_inline]] inline void Simulation::take_step(State& state, double slack, const Observer& observer) {
  Length l = next_length(state);
  if (!stop_->empty()) before_ = state, stop_->begin(state);
  const double begin = state.t();
  const bool resting = life_.any && life_.sleepers.some_asleep(state);
  if (resting) life_.resting = state;
  StepReport step = try_step(state, l);
  if (resting) wake(state, l, step);
  if (!stop_->empty() && step.status == StepStatus::accepted) [[unlikely]] stop_where_met(state, step, l);
  run_.iterations += step.iterations, run_.factorizations += step.factorizations;
  if (step.status == StepStatus::failed) return fail(state, step, "at t = " + short_text(state.t()) + " s: ", std::max(blocked_, state.t() + l.h));
  const bool whole = step.reached - begin > (1.0 - 1e-9) * l.h;  // no event ended it
  if (l.on_grid && l.halvings + l.cuts == 0 && whole) state.t() = l.end;
  const bool at_sample = std::abs(state.t() - l.sampled) <= slack, at_break = l.at_break && std::abs(state.t() - l.end) <= slack;
  if (at_sample) state.t() = l.sampled;
  state.steps() += 1.0;
  ++run_.steps;
  state.h() = next_nominal(step, l, at_sample || at_break || (life_.any && std::abs(state.t() - life_.presences.next(begin)) <= slack));
  if (at_break || !step.events.empty()) pass_jump(state, step, at_break, l.end, at_break ? passed_break(l.end, l.ahead) : 0.0, observer);
  note(state, step);
  if (at_sample && run_.status == RunStatus::done)
    if (const StepReport report = sample(state); report.status != StepStatus::accepted) return fail(state, report, "at t = " + short_text(state.t()) + " s: ", state.t());
  if (watched_ && !looked_at(state)) return;
  if (life_.any && !come_and_go(state, step, observer)) return;
  step.reached = state.t();
  tell(state, step, observer);
  if (run_.steps >= options_.most_steps && run_.status == RunStatus::done) run_.status = RunStatus::stopped;
}

void Simulation::advance(State& state, double until, const Observer& observer) {
  options_.until = until;
  blocked_ = state.t();
  const double slack = rounding_of(until);
  while (run_.status == RunStatus::done && state.t() < until - slack) take_step(state, slack, observer);
  run_.t = state.t();
}

const RunReport& Simulation::finish() {
  if (worst_at_ >= 0.0)
    run_.warnings.push_back({{}, "simulation", "the equations or constraints were left open by a share of " + in_three_digits(worst_residual_) + ", most at t = " + short_text(worst_at_) + " s: from there on the result may be wrong",
                             "compare with a smaller tolerance or step, and with another scheme", Severity::warning});
  if (loose_.steps > 0)
    run_.warnings.push_back({{}, "simulation", "the contacts of a packing, or of faces that lie on each other, are solved to " + in_three_digits(loose_.worst) + " of their impulses at most, where no solver comes to the tolerance soon: in " +
                                 std::to_string(loose_.steps) + " of " + std::to_string(run_.steps) + " steps",
                             "no remedy is needed where such impulses are good enough; else lower `acceptable_residual` of the scheme, which takes far longer and may end the run", Severity::warning});
  // Newton's law gives energy where friction or a joint turns the impulse (Kane, Levinson 1985).
  if (impacts_.given > 1e-3 * impacts_.scale)
    run_.warnings.push_back({{}, "simulation", "impacts gave the bodies energy: " + in_three_digits(impacts_.given) + " J in all, most of it, " + in_three_digits(impacts_.most) + " J, at t = " + short_text(impacts_.at) +
                                 " s; a law of restitution at velocity level can, beside friction or joints",
                             "take a law of restitution that cannot (poisson_coulomb_impact, poisson_impact), less restitution, or nothing where this is little beside the energy of the motion", Severity::warning});
  if (impacts_.lessened > 0)
    run_.warnings.push_back({{}, "simulation", "impacts, " + std::to_string(impacts_.lessened) + " in all, the first at t = " + short_text(impacts_.lessened_at) +
                                 " s, would give more energy than they could take, as where bodies jam between others: they were solved with less restitution than their laws have, so that they give none",
                             "none is needed; a law of restitution that cannot give energy (poisson_coulomb_impact, poisson_impact) keeps its own", Severity::warning});
  loose_ = {}, impacts_ = {};
  return run_;
}

RunReport simulate(const Scheme& scheme, const Plan& plan, State& state, const SimulateOptions& options, const Observer& observer, bool resume) {
  Simulation simulation(scheme, plan, options);
  if (resume) simulation.resume(state);
  else simulation.begin(state, observer);
  return simulation.run(state, observer);
}

RunReport Simulation::run(State& state, const Observer& observer) {
  run_.t = state.t();
  if (run_.status == RunStatus::failed) return run_;
  run_.energy_start = energy_of(state);
  advance(state, options_.until, observer);
  run_.energy_end = energy_of(state);
  return finish();
}

}  // namespace saltus
