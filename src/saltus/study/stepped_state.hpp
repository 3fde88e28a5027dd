// A state that a program reads, sets and steps.
#pragma once

#include "saltus/study/bound_run.hpp"

namespace saltus {

/// What stopped it is said in words, empty if nothing did; the state is then the last accepted one, and may be set and stepped again. What a function
/// of the user threw is thrown on.
class SteppedState : public BoundRun {
 public:
  /// settings.step: of a scheme with fixed steps; until and stop have no part. Throws ModelError as BoundRun does, and for a static scheme.
  SteppedState(std::shared_ptr<const System> system, RunSettings settings, std::vector<Fault> warnings);

  /// Accelerations, multipliers and memory where positions, velocities, the time or parameters were given.
  std::string begin() { return begin(state_.t() + 1.0); }
  /// On to a time. step: of schemes with fixed steps, another length from here on.
  std::string advance(double until, std::optional<double> step = {});
  /// What bytes of `state()` hold; nothing is found anew.
  void load(std::span<const char> bytes);

  const State& now() const { return state_; }
  const Simulation& simulation() const { return *simulation_; }
  const Layout& layout() const { return system_->layout; }
  const std::shared_ptr<const System>& system() const { return system_; }
  const std::vector<Fault>& warnings() const { return warnings_; }
  void set_time(double t);
  /// Of y, from this place on. Throws ModelError for another count or what is not finite.
  void put(int begin, int count, std::span<const double> values);
  /// Of the parameters that a run may change. Throws ModelError where there is none of the name, or the value is not finite.
  void set_parameter(const std::string& name, double value);
  /// The assembly at the state.
  Assembly& looked();
  Sample sample() const { return {state_.t(), state_.y(), state_.a(), state_.lambda(), state_.data()}; }
  void evaluate(const Quantity& quantity, double* out) { quantity.evaluate(assembly_, sample(), out); }

 private:
  std::string begin(double until);
  /// The cause, and the simulation made anew, for the state may be set and tried again.
  std::string failure();

  std::shared_ptr<const System> system_;
  Assembly assembly_;
  std::unique_ptr<Simulation> simulation_;
  bool renew_ = false;  // a parameter was set since the state was looked at
};

}  // namespace saltus
