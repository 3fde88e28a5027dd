#include "saltus/integrate/automatic.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/integrate/accelerations_mass.hpp"
#include "saltus/integrate/circuit.hpp"
#include "saltus/integrate/error_norm.hpp"
#include "saltus/integrate/explicit.hpp"
#include "saltus/integrate/generalized_alpha_plan.hpp"
#include "saltus/integrate/start.hpp"
#include "saltus/math/breaks.hpp"

namespace saltus {

const Scheme& generalized_alpha_scheme();
const Scheme& moreau_jean();
const Scheme& nonsmooth_generalized_alpha();

namespace {
// Counted in steps of Dormand-Prince. Decay faster than the step is stiff at once (Hairer, Wanner 1996, IV.2); swinging is what an accurate
// step follows too, so it counts when it goes on for long.
constexpr double decays = 3.25, swings = 0.7;
constexpr double at_once = 15.0, for_long = 300.0, calm = 6.0;
constexpr double longer = 4.0;  // steps of generalized-alpha that are worth theirs
constexpr double trial = 60.0;  // steps
constexpr double given_up = 0.01;  // of the step of Dormand-Prince before: behind a kink of the equations, as of bristles whose slip turns round, its error is no smaller in shorter steps
constexpr double settles = 8.0;  // steps of half the length before a trial: what Dormand-Prince at the bound of its stability leaves of states that decay, within the tolerance, is no error of the first step
constexpr double longer_watch = 1.5;  // after each trial in vain
constexpr double stuck = 0.01, forgets = 0.98;  // at a singular position of joints steps fall below this share of the usual ones, whose largest fades by step
constexpr double leap = 1.0 / 32.0, leaps = 16.0;  // of the usual steps, by generalized-alpha without error control: an estimate there measures the loss of rank

/// Behind the memory of the scheme in use: counts, Dormand-Prince's usual step, where it was found stiff the one there, and its memory while
/// the other is in use.
enum Memory { mode, bound, unbound, swinging, patience, explicit_step, tried, since, kept };
enum class Mode { watching, trying, handed_over, passing, settling };
Mode mode_of(const double* memory) { return static_cast<Mode>(static_cast<int>(memory[mode])); }
bool is_explicit(Mode mode) { return mode == Mode::watching || mode == Mode::settling; }
void set_mode(double* memory, Mode to) { memory[mode] = static_cast<double>(to); }

class PairPlan final : public Plan {
 public:
  std::unique_ptr<Plan> smooth, stiff, unchecked;  // the last: stiff without error control
  int memory() const { return std::max({smooth->layout.memory_size, stiff->layout.memory_size, unchecked->layout.memory_size}); }
};

class PairWorkspace final : public Workspace {
 public:
  std::unique_ptr<Workspace> smooth, stiff, unchecked;
};

class WatchfulPair final : public Scheme {
 public:
  const SchemeType& type() const override {
    static const SchemeType type = [] {
      SchemeType of_pair = dormand_prince().type();
      of_pair.name = "auto";
      return of_pair;
    }();
    return type;
  }

  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override {
    auto plan = std::make_unique<PairPlan>();
    SchemeOptions without_drift = options;
    without_drift.given.remove("drift");
    plan->smooth = dormand_prince().bind(system, options);
    plan->stiff = generalized_alpha_scheme().bind(system, without_drift);
    without_drift.error_control = false;
    plan->unchecked = generalized_alpha_scheme().bind(system, without_drift);
    plan->layout = {system->layout, plan->memory() + kept + plan->smooth->layout.memory_size};
    plan->row_level = plan->smooth->row_level;
    plan->warnings = plan->smooth->warnings;
    plan->system = std::move(system);
    plan->options = options;
    return plan;
  }
  std::unique_ptr<Workspace> new_workspace(const Plan& plan) const override {
    auto work = std::make_unique<PairWorkspace>();
    work->smooth = dormand_prince().new_workspace(*static_cast<const PairPlan&>(plan).smooth);
    watch_stiffness(*work->smooth);
    return work;
  }
  std::span<const double> samples(const Plan& base, const State& state) const override {
    const auto& plan = static_cast<const PairPlan&>(base);
    if (is_explicit(mode_of(at(plan, state)))) return dormand_prince().samples(*plan.smooth, state);
    return generalized_alpha_scheme().samples(*plan.stiff, state);
  }
  Rates rates() const override { return Rates::exact; }  // those of dormand_prince are
  StepReport start(const Plan& base, State& state, Workspace& workspace) const override {
    const auto& plan = static_cast<const PairPlan&>(base);
    auto& work = static_cast<PairWorkspace&>(workspace);
    double& stands = at(plan, state)[patience];
    if (stands == 0.0) stands = 1.0;
    const Mode now = mode_of(at(plan, state));
    if (is_explicit(now)) return dormand_prince().start(*plan.smooth, state, *work.smooth);
    return now == Mode::passing ? generalized_alpha_scheme().start(*plan.unchecked, state, unchecked(plan, work)) : generalized_alpha_scheme().start(*plan.stiff, state, stiff(plan, work));
  }
  StepReport step(const Plan& base, State& state, Workspace& workspace, double h) const override {
    const auto& plan = static_cast<const PairPlan&>(base);
    auto& work = static_cast<PairWorkspace&>(workspace);
    double* memory = at(plan, state);
    if (is_explicit(mode_of(memory))) {
      StepReport report = dormand_prince().step(*plan.smooth, state, *work.smooth, h);
      if (report.status == StepStatus::accepted) watch(plan, state, work, h, report);
      if (report.status == StepStatus::accepted) at(plan, state)[explicit_step] = std::max(h, forgets * at(plan, state)[explicit_step]);
      const bool singular = report.status == StepStatus::rejected && singular_seen(*work.smooth) && h < stuck * memory[explicit_step];
      if (!singular) return report;
      State next = state;
      if (!start_stiff(plan, next, work, h, Mode::passing)) return report;
      StepReport passed = pass(plan, next, work, h);
      if (passed.status != StepStatus::accepted) return report;
      state = next;
      return passed;
    }
    if (mode_of(memory) == Mode::passing) return pass(plan, state, work, h);
    StepReport report = generalized_alpha_scheme().step(*plan.stiff, state, stiff(plan, work), h);
    if (mode_of(memory) == Mode::handed_over) {
      if (report.status == StepStatus::rejected && h < given_up * memory[explicit_step]) hand_back(plan, state, work, report);
      return report;
    }
    if (report.status == StepStatus::accepted) {
      memory[tried] += 1.0;
      if (report.suggested_step > longer * memory[explicit_step]) {
        set_mode(memory, Mode::handed_over);
        report.events.push_back({memory[since], "scheme", "generalized_alpha", memory[explicit_step]});
      } else if (memory[tried] >= trial) {
        hand_back(plan, state, work, report);
      }
    } else if (report.suggested_step < 0.1 * memory[explicit_step]) {
      hand_back(plan, state, work, report);
    }
    return report;
  }

  static double* at(const PairPlan& plan, State& state) { return state.memory() + plan.memory(); }
  static const double* at(const PairPlan& plan, const State& state) { return state.memory() + plan.memory(); }

 private:
  static Workspace& stiff(const PairPlan& plan, PairWorkspace& work) {
    if (!work.stiff) work.stiff = generalized_alpha_scheme().new_workspace(*plan.stiff);
    return *work.stiff;
  }
  static Workspace& unchecked(const PairPlan& plan, PairWorkspace& work) {
    if (!work.unchecked) work.unchecked = generalized_alpha_scheme().new_workspace(*plan.unchecked);
    return *work.unchecked;
  }
  static bool turned_stiff(double* memory, double stiffness) {
    if (stiffness > decays) {
      memory[unbound] = 0.0;
      if ((memory[bound] += 1.0) >= at_once * memory[patience]) return true;
    } else if ((memory[unbound] += 1.0) >= calm) {
      memory[bound] = 0.0;
    }
    memory[swinging] = stiffness > swings ? memory[swinging] + 1.0 : std::max(0.0, memory[swinging] - 1.0);
    return memory[swinging] >= for_long * memory[patience];
  }
  static void clear_counts(double* memory) { memory[bound] = memory[unbound] = memory[swinging] = 0.0; }

  /// Makes `next` a state of generalized-alpha; whether it starts from there.
  static bool start_stiff(const PairPlan& plan, State& next, PairWorkspace& work, double h, Mode mode) {
    double* memory = at(plan, next);
    clear_counts(memory);
    std::copy_n(next.memory(), plan.smooth->layout.memory_size, memory + kept);
    std::fill_n(next.memory(), plan.memory(), 0.0);
    set_mode(memory, mode);
    if (mode == Mode::trying) memory[explicit_step] = h;
    memory[tried] = 0.0, memory[since] = next.t();
    next.h() = h;
    const StepReport start = mode == Mode::passing ? generalized_alpha_scheme().start(*plan.unchecked, next, unchecked(plan, work)) : generalized_alpha_scheme().start(*plan.stiff, next, stiff(plan, work));
    if (mode != Mode::passing) {  // how far the motion has come is known
      const auto& alpha = static_cast<const AlphaPlan&>(*plan.stiff);
      std::copy_n(memory + kept + 1, plan.smooth->layout.memory_size - 1, next.memory() + AlphaMemory(alpha.system->layout, alpha.stabilized, alpha.modified, 0).ranges);
    }
    return start.status == StepStatus::accepted;
  }
  /// A step over a singular position of joints, where Dormand-Prince rejects all steps.
  static StepReport pass(const PairPlan& plan, State& state, PairWorkspace& work, double h) {
    StepReport report = generalized_alpha_scheme().step(*plan.unchecked, state, unchecked(plan, work), h);
    if (report.status != StepStatus::accepted) return report;
    double* memory = at(plan, state);
    report.suggested_step = leap * memory[explicit_step];
    if ((memory[tried] += 1.0) >= leaps) hand_back(plan, state, work, report);
    return report;
  }
  static void hand_over(const PairPlan& plan, State& state, PairWorkspace& work, double h, StepReport& report) {
    State next = state;
    if (start_stiff(plan, next, work, h, Mode::trying)) {
      state = next;
      report.suggested_step = h;
    } else {
      double* memory = at(plan, state);
      clear_counts(memory);
      set_mode(memory, Mode::watching);
      memory[patience] *= longer_watch;
    }
  }
  /// Behind an accepted step of Dormand-Prince: whether it is bound by stability for long, then a trial, where states decay after some shorter steps.
  static void watch(const PairPlan& plan, State& state, PairWorkspace& work, double h, StepReport& report) {
    double* memory = at(plan, state);
    if (mode_of(memory) == Mode::settling) {
      report.suggested_step = std::min(report.suggested_step, h);
      if ((memory[tried] += 1.0) >= settles) hand_over(plan, state, work, 2.0 * h, report);
    } else if (turned_stiff(memory, stiffness_seen(*work.smooth))) {
      const bool decaying = plan.system->layout.nx > 0 && memory[bound] >= at_once * memory[patience];
      if (!decaying) return hand_over(plan, state, work, h, report);
      set_mode(memory, Mode::settling);
      memory[tried] = 0.0, report.suggested_step = 0.5 * h;
    }
  }
  static void hand_back(const PairPlan& plan, State& state, PairWorkspace& work, StepReport& report) {
    State next = state;
    double* memory = at(plan, next);
    const bool was_stuck = mode_of(memory) == Mode::passing;
    std::fill_n(next.memory(), plan.memory(), 0.0);
    std::copy_n(memory + kept, plan.smooth->layout.memory_size, next.memory());
    set_mode(memory, Mode::watching);
    if (!was_stuck) memory[patience] *= longer_watch;
    clear_counts(memory);
    if (dormand_prince().start(*plan.smooth, next, *work.smooth).status != StepStatus::accepted) return;
    state = next;
    if (!was_stuck) report.suggested_step = memory[explicit_step];
  }
};

/// Why an explicit scheme cannot take the equality rows; empty if it can.
std::string no_explicit(const System& system) {
  if (system.layout.nz > 0 && (system.layout.nx == 0 || Circuit(system).differentiates())) return "there are algebraic unknowns";
  for (const RelationEntry& e : system.relation_entries)
    if (row_form(system, e) == RowForm::mixed) return "'" + e.name + "' joins configuration and first-order states";
  return {};
}

/// For what has jumps. Bodies that bend vibrate faster than anyone wants to follow: a scheme that damps such vibrations, where it takes the model.
AutomaticChoice with_jumps(const System& system, const SchemeOptions& options, std::string why) {
  if (bends(system)) try {
      nonsmooth_generalized_alpha().bind(std::shared_ptr<const System>(std::shared_ptr<const System>(), &system), options);
      return {&nonsmooth_generalized_alpha(), why + ", and bodies bend"};
    } catch (const ModelError&) {  // a law that it does not take
    }
  return {&moreau_jean(), std::move(why)};
}
}  // namespace

const Scheme& watchful_pair() {
  static const WatchfulPair scheme;
  return scheme;
}

AutomaticChoice automatic_choice(const System& system, const SchemeOptions& options) {
  if (!system.contacts.empty()) return with_jumps(system, options, "there are contacts between groups");
  for (const RelationEntry& e : system.relation_entries)
    if (!e.law.type->equality || pool_of(system, e).traits().switched)
      return with_jumps(system, options, "'" + e.name + (e.law.type->equality ? "' is switched, with a jump of velocities" : "' has a law with jumps"));
  const bool jumps = std::any_of(system.time_formulas.begin(), system.time_formulas.end(), [](const TimeFormula& f) { return has_breaks(f.formula, f.inputs); });
  if (jumps && Circuit(system).differentiates()) return {&moreau_jean(), "capacitors stand beside sources, or inductors in series"};
  if (const std::string inductor = Circuit(system).cut_off_inductor(); !inductor.empty()) return {&moreau_jean(), "the current of '" + inductor + "' leads through diodes or transistors alone, which may block it"};
  const bool held = system.layout.rows > 0 || system.layout.nz > 0;
  if (!options.error_control) return held ? AutomaticChoice{&generalized_alpha_scheme(), "joints or algebraic unknowns with a fixed step"} : AutomaticChoice{&dormand_prince(), "smooth motion"};
  const std::vector<FieldInfo>& alpha = generalized_alpha_scheme().type().fields;
  for (const Member& option : options.given)
    if (std::any_of(alpha.begin(), alpha.end(), [&](const FieldInfo& field) { return field.name == option.key; }))
      return {&generalized_alpha_scheme(), "its option " + option.key + " is given"};
  if (const std::string why = no_explicit(system); !why.empty()) return {&generalized_alpha_scheme(), why};
  return {&watchful_pair(), ""};
}

std::string_view scheme_in_use(const Scheme& scheme, const Plan& plan, const State& state) {
  if (&scheme != &watchful_pair()) return scheme.name();
  return mode_of(WatchfulPair::at(static_cast<const PairPlan&>(plan), state)) == Mode::handed_over ? "generalized_alpha" : "dormand_prince";
}

std::string reason_in_use(const Scheme& scheme, const Plan& plan, const State& state) {
  if (&scheme != &watchful_pair()) return {};
  const double* memory = WatchfulPair::at(static_cast<const PairPlan&>(plan), state);
  if (mode_of(memory) != Mode::handed_over) return "smooth motion, no stiffness that bounds the step";
  return "stiff from t = " + short_text(memory[since]) + " s on, where dormand_prince was bound to steps of " + short_text(memory[explicit_step]) + " s";
}

}  // namespace saltus
