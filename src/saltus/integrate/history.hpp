// What the items of a system remember of accepted states (pool/history.hpp), kept while a scheme runs.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/integrate/scheme.hpp"
#include "saltus/system/law_memory.hpp"

namespace saltus {

/// Which switched relations between states and algebraic unknowns are off: their rows have no directions, but their multiplier.
class SwitchPositions {
 public:
  explicit SwitchPositions(const System& system);
  int size() const { return count_of(off_); }
  /// 1 for each item that is off, until the next call. Leaves the assembly at this configuration.
  const std::vector<char>& off(Assembly& assembly, double t, const double* y, const double* data);
  /// What it found last.
  const std::vector<char>& last() const { return off_; }

 private:
  const System& system_;
  std::vector<int> pools_;
  std::vector<std::pair<int, int>> blocks_;  // of each item in H
  std::vector<double> none_, H_;
  std::vector<char> off_;
};

/// Relations that functions of the program switch, of which nothing is known but their values: which are off at a time.
class AskedSwitches {
 public:
  explicit AskedSwitches(const System& system);
  bool empty() const { return pools_.empty(); }
  /// D and H of the system, of rows that are off 1 and 0, until the next call. Leaves the assembly at this configuration.
  const std::vector<double>& off(Assembly& assembly, double t, const double* y, const double* lambda, const double* data);
  /// Whether one is switched from a time to another.
  bool differ(Assembly& assembly, double from, double to, const double* y, const double* lambda, const double* data);

 private:
  const System& system_;
  std::vector<int> pools_;
  std::vector<double> off_;
};

/// Where in the history block relations that break keep whether they have.
std::vector<int> places_of_breaks(const System& system);

/// Updates the history block of a state whenever it is accepted. Keeps nothing itself: a state that is loaded goes on. Counts of
/// turns are updated when a frame may have turned by a sixteenth since the last time, or will within the next step.
class History {
 public:
  explicit History(const System& system);
  bool empty() const { return system_.history < 0; }
  /// Whether some items break by their force.
  bool breaks() const { return !events_.empty(); }
  /// The state at the start of a run: nothing has moved, positions and speeds are made consistent.
  void start(State& state);
  /// After a step of length h that was accepted; `next`: a length of the step after it. False: the step was too long, the state is
  /// to be restored. `report` then says so.
  bool accept(State& state, double h, double next, StepReport& report);
  /// The first time behind the state, up to `to`, in front of which a function of the program that switches a relation changes its sign, looked for
  /// a thousandth of the run apart and sixteen times a step at least; `to` if it does not. `whole`: the end of the run.
  double next_switch(const State& state, double to, double whole);

 private:
  struct Switched {
    const RelationEntry* entry;
    int place;  // in the block
  };
  std::span<const double> multipliers(const State& state, double h, const StepReport& report, bool& struck);
  bool located(const double* block, const State& state, double h, StepReport& report) const;

  const System& system_;
  std::unique_ptr<Assembly> assembly_;
  std::vector<Switched> switched_;
  AskedSwitches asked_;
  std::vector<double> lambda_;   // with percussions as forces
  LawMemory laws_;
  std::vector<int> events_;     // where in the block switched relations keep what is switched
  std::vector<double> before_;  // that
};

}  // namespace saltus
