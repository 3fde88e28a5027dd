// The loop around a scheme: step control, rejection, recording, stop, interrupt.
#pragma once

#include <algorithm>
#include <exception>
#include <functional>
#include <optional>

#include "saltus/integrate/scheme.hpp"

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
  double smallest_step = 1e-12;
  bool consistent = true;      // project initial values onto the constraints
  std::int64_t most_steps = 1'000'000'000;
  Sampler* sampler = nullptr;        // steps end exactly at its times; accelerations start anew there
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

/// Runs from the state to options.until: from its t, y and data, or, to `resume`, with all that a checkpoint holds. The state is where it ended.
/// Failures are in the report: the state is the last accepted one.
RunReport simulate(const Scheme& scheme, const Plan& plan, State& state, const SimulateOptions& options, const Observer& observer,
                   bool resume = false);

}  // namespace saltus
