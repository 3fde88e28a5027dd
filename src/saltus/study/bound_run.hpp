// A scheme bound to a system, with a state: what a recorded run, a state that a program steps and a unit of a co-simulation begin with.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "saltus/study/sampling.hpp"

namespace saltus {

/// What a run is asked for.
struct RunSettings {
  std::string scheme = "auto";
  Object options;              // of the scheme, by name
  double until = 1.0;          // [s]
  std::optional<double> step;  // [s] fixed
  double tolerance = 1e-6;
  bool error_control = true;
  int threads = 1;
  bool consistent = true;      // project the start onto the constraints
  bool contacts = false;       // reports tell what each contact between groups did
  std::vector<StopCondition> stop;
};

class BoundRun {
 public:
  /// Throws ModelError: no such scheme, a pair that cannot work, masses that are none, and what else no run can begin with.
  BoundRun(std::shared_ptr<const System> system, RunSettings settings, std::vector<Fault> warnings);
  /// The scheme that steps now, by name.
  std::string_view scheme() const;
  bool is_static() const { return scheme_->is_static(); }
  std::span<const double> state() const { return state_.bytes(); }
  /// Begins at a state that an earlier run passed. sampled: controllers that are due at t have sampled. Throws ModelError if it is not of this model.
  void start_from(double t, std::span<const double> y, std::span<const double> data, bool sampled);
  /// What `state()` gave, byte by byte. Throws ModelError if it is of another model or scheme, or damaged.
  void load_state(std::span<const char> bytes);

 protected:
  const Scheme* scheme_ = nullptr;
  std::string reason_;  // why "auto" took it
  std::unique_ptr<Plan> plan_;
  State state_;
  SimulateOptions limits_;
  std::unique_ptr<ControllerSampler> sampler_;
  std::vector<Fault> warnings_;
  bool resume_ = false;  // the state holds all that a step reuses
};

/// What to write instead of a name that is no scheme: the nearest one, or all.
std::string other_scheme(std::string_view name);

}  // namespace saltus
