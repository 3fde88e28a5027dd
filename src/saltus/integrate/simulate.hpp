// The loop around a scheme: step control, rejection, recording, stop, interrupt.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "saltus/integrate/history.hpp"
#include "saltus/integrate/presences.hpp"
#include "saltus/integrate/scheme.hpp"
#include "saltus/integrate/sleepers.hpp"
#include "saltus/integrate/within_step.hpp"

namespace saltus {

/// What acts on the state at given times: sampled controllers.
class Sampler {
 public:
  virtual ~Sampler() = default;
  /// The first sample time after t; infinite if there is none.
  virtual double next(double t) const = 0;
  /// Acts at the state's time, which is 0 or a sample time: may change its data. What it throws ends the run.
  virtual void sample(State& state) = 0;
};

/// Ends the run where `distance` becomes positive (`either`: where it changes its sign).
struct StopCondition {
  std::function<double(const State&)> distance;
  bool either = false;
  std::string name;
};

struct SimulateOptions {
  double until = 1.0;
  std::optional<double> step;  // fixed step; absent: error control from an initial guess
  double smallest_step = 1e-12;  // of the time, which counts as 1 s at least, or as a run that is shorter
  bool consistent = true;      // project initial values onto the constraints
  std::int64_t most_steps = 1'000'000'000;
  Sampler* sampler = nullptr;        // steps end exactly at its times; accelerations start anew there
  bool sampled = false;              // the data hold what is due at time 0; what is due later where a run begins they always hold
  /// Looks at each accepted state, then acts on the one that the next step begins from, the first too: may change its data, true: it did;
  /// accelerations start anew then. What they throw ends the run.
  std::function<void(const State&)> after_step;
  std::function<bool(State&)> before_step;
  std::vector<StopCondition> stop;   // the first that is met; located within the step to 1e-12 of its end by shorter steps
};

/// Step of a scheme that has no error control, or where it gives up, if the user gives none [s].
inline double uncontrolled_step(double until) { return std::min(1e-4 * until, 1e-3); }

enum class RunStatus { done, failed, interrupted, stopped };

struct RunReport {
  RunStatus status = RunStatus::done;
  double t = 0.0;
  std::int64_t steps = 0, rejected = 0, iterations = 0, factorizations = 0;
  Residuals residual;
  double energy_start = 0.0, energy_end = 0.0;
  std::string cause;           // stopped: the condition's name
  std::vector<Fault> warnings;
  std::exception_ptr exception;  // what a function of the user threw, if that is why it failed
};

/// Called at the start and after each accepted step; returns false to interrupt. events are of this step.
using Observer = std::function<bool(const State&, const StepReport&)>;

/// Owns the time of a run: asks the scheme for steps, takes or rejects what comes. Failures are in the report; the state is the last accepted
/// one then.
class Simulation {
 public:
  /// scheme and plan are used until it ends.
  Simulation(const Scheme& scheme, const Plan& plan, const SimulateOptions& options);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  /// The end from which first steps are guessed; options.until until it is given.
  void aim(double until) { options_.until = until; }
  /// Consistent accelerations, multipliers and memory at the state's t, y and data, where nothing else of it is known.
  void begin(State& state, const Observer& observer = {});
  /// Steps until the time is reached, or the status is no longer done.
  void advance(State& state, double until, const Observer& observer = {});
  /// Accelerations and multipliers anew, for the data of the state were changed; time and steps go on.
  void renew(State& state);
  /// Before the first step of a run that goes on.
  void resume(State& state);
  /// Of fixed steps: another length, from the state on; the same length goes on from where it began, if the state is on a step of it.
  void set_step(State& state, double h);
  /// Where one fixed step from the state ends.
  double step_end(const State& state, double h) const;
  /// To options.until, with the energies at both ends.
  RunReport run(State& state, const Observer& observer);
  const RunReport& report() const { return run_; }

 private:
  class Stop;
  struct Length {
    double h = 0.0, nominal = 0.0;                         // of this attempt, and as the state has it
    double end = 0.0, sampled = 0.0, ahead = 0.0;          // where it may end at most, the next sample, what formulas are looked at up to
    bool on_grid = false, at_break = false;
    int halvings = 0, cuts = 0;  // how often it was too long, how often it ended in front of what lies within it
  };
  /// Bodies that come and go, or sleep.
  struct Life {
    explicit Life(const System& system) : presences(system), sleepers(system) {}
    Presences presences;
    Sleepers sleepers;
    bool any = false;         // such bodies are there
    std::vector<Event> came;  // who came, went or woke by what changed the data, to be reported with the next state
    State resting;            // before a step in which some sleep
  };
  Length next_length(const State& state);
  double resolved(const State& state, double length) const;
  double next_nominal(const StepReport& step, const Length& l, bool cut) const;
  StepReport attempt(State& state, double length);
  bool met_within(State& state, StepReport& step, int& whose);
  void stop_where_met(State& state, StepReport& step, Length& l);
  void refuse(State& state, double begin, StepReport& report);
  StepReport try_step(State& state, Length& l);
  bool leapt(const State& before, const State& after, StepReport& report);
  void take_step(State& state, double slack, const Observer& observer);
  void pass_break(State& state, double t);
  void pass_jump(State& state, StepReport& step, bool at_break, double end, double beyond, const Observer& observer);
  /// Samples at the state's time, then starts anew: loads and drives have jumped. The state is as before where it fails.
  StepReport sample(State& state);
  StepReport hook_before(State& state);
  bool looked_at(State& state);
  /// `change` of the state's data, true: it did; then a start anew. The state is as before where it fails.
  template <class Change>
  StepReport changed(State& state, const Change& change);
  /// Bodies come and go at the state; both sides are states. false: it has ended the run.
  bool come_and_go(State& state, StepReport& step, const Observer& observer);
  /// Of a step that has moved who slept: anew, with them awake.
  void wake(State& state, Length& l, StepReport& step);
  void tell(const State& state, const StepReport& step, const Observer& observer);
  void note(const State& state, const StepReport& step);
  void note(const State& state, const ImpactWork& work);
  void note_doubts(const State& state);
  void note_given_jumps(const State& state, double behind);
  void fail(const State& state, const StepReport& step, const std::string& when, double furthest);
  double energy_of(const State& state);
  const RunReport& finish();

  const Scheme& scheme_;
  const Plan& plan_;
  SimulateOptions options_;
  RunReport run_;
  Assembly energies_;
  History history_;
  Life life_;
  std::unique_ptr<WithinStep> within_;  // with error control, where there are such items
  std::unique_ptr<Workspace> work_;
  std::unique_ptr<Stop> stop_;
  Sampler* sampler_;
  bool fixed_;
  bool given_masses_ = false;  // some are functions of a user: each accepted state shows whether they are masses
  bool refusable_ = false;     // items may refuse a step that the scheme accepts
  bool watched_ = false;       // something looks at the state between the steps
  bool doubting_ = false;      // some items look for what makes an accepted state doubtful
  std::vector<int> warned_;    // those of which the run has warned
  std::vector<int> jumped_;    // relations whose given speed has jumped
  double blocked_ = 0.0;  // furthest time at which an attempt was rejected
  struct {
    long steps = 0;
    double worst = 0.0;
  } loose_;
  struct {
    double given = 0.0, scale = 0.0, most = 0.0, at = 0.0;
    long lessened = 0;
    double lessened_at = 0.0;  // the first
  } impacts_;  // of steps in which they gave energy
  double worst_residual_ = 1e-5;  // from which, as a share of its terms, an accepted step makes a run warn
  double worst_at_ = -1.0;        // when; below 0: never
  State before_, unchanged_, anew_;  // the step, for stop conditions and items that refuse it; behind a break
};

/// Runs from the state to options.until: from its t, y and data, or, to `resume`, with all that a checkpoint holds. The state is where it ended.
/// Failures are in the report: the state is the last accepted one.
RunReport simulate(const Scheme& scheme, const Plan& plan, State& state, const SimulateOptions& options, const Observer& observer,
                   bool resume = false);

}  // namespace saltus
