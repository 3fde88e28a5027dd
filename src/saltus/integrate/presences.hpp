// Bodies come and go between two steps of a run.
#pragma once

#include <vector>

#include "saltus/integrate/scheme.hpp"

namespace saltus {

/// Kinetic and potential energy at the state [J].
double total_energy(Assembly& assembly, const State& state);

class Presences {
 public:
  explicit Presences(const System& system) : system_(system) {}
  bool empty() const { return system_.presences.empty(); }
  /// First time after t at which a body comes or goes by its times; infinite if there is none.
  double next(double t) const;
  /// Whether a body has to come or go at the state. Takes over what the next apply() does.
  bool due(const State& state, Assembly& assembly);
  /// They come or go: data, places and velocities. An event each, whose value is the change of energy [J].
  void apply(State& state, Assembly& assembly, std::vector<Event>& events) const;

 private:
  struct Change { int presence; double to; };
  const System& system_;
  std::vector<Change> changes_;
};

}  // namespace saltus
