// Bodies fall asleep and wake between two steps of a run.
#pragma once

#include <vector>

#include "saltus/integrate/scheme.hpp"
#include "saltus/system/contacts.hpp"

namespace saltus {

class Sleepers {
 public:
  explicit Sleepers(const System& system);
  bool empty() const { return system_.sleepers.empty(); }
  bool some_asleep(const State& state) const;
  /// Whether a step has moved one that slept.
  bool disturbed(const State& after) const;
  /// Wakes those that `after` has moved, with all that touch them, in the state before that step.
  void wake(State& before, const State& after, Assembly& assembly, std::vector<Event>& events);
  void wake_all(State& state, std::vector<Event>& events) const;
  /// At an accepted state: who is slow, and whose island has been so for long enough falls asleep. An event each, whose value is the kinetic energy
  /// that is dropped [J].
  void settle(State& state, Assembly& assembly, std::vector<Event>& events);
  /// Behind a step: forces of contacts that slept in it, which are none of its rows, to the sums in the data and to its report.
  /// tell: what each did, too.
  void carry(State& state, Assembly& assembly, StepReport& step, bool tell);
  /// Behind `settle`: contacts of the step between bodies that sleep now keep their forces, in the data of the state.
  void keep(State& state, const StepReport& step) const;

 private:
  int island(int sleeper);
  void find_islands(Assembly& assembly, const State& state);
  bool rests(const State& state, double identity) const;
  void find_resting(Assembly& assembly, const State& state);
  void rouse(State& state, int sleeper, std::vector<Event>& events) const;

  const System& system_;
  ContactSet contacts_;
  std::vector<int> of_base_;      // by base: the sleeper on it, -1: none
  std::vector<int> parent_;       // islands, by sleeper
  std::vector<ContactState> resting_;  // what contacts that sleep are reported with
  std::size_t rows_ = 0;               // contacts of the last step, without them
  std::vector<char> held_, busy_; // by sleeper: touches something; touches what moves and does not sleep
};

}  // namespace saltus
