// What the items of a system remember of accepted states (pool/history.hpp), kept while a scheme runs.
#pragma once

#include <memory>
#include <vector>

#include "saltus/integrate/scheme.hpp"
#include "saltus/system/law_memory.hpp"

namespace saltus {

/// Updates the history block of a state whenever it is accepted. Keeps nothing itself: a state that is loaded goes on. Counts of
/// turns are updated when a frame may have turned by a sixteenth since the last time, or will within the next step.
class History {
 public:
  explicit History(const System& system);
  bool empty() const { return !assembly_; }
  /// The state at the start of a run: nothing has moved, positions and speeds are made consistent.
  void start(State& state);
  /// After a step of length h that was accepted; `next`: a length of the step after it. False: the step was too long, the state is
  /// to be restored. `report` then says so.
  bool accept(State& state, double h, double next, StepReport& report);

 private:
  bool located(const double* block, const State& state, double h, StepReport& report) const;

  const System& system_;
  std::unique_ptr<Assembly> assembly_;
  LawMemory laws_;
  std::vector<int> events_;     // where in the block switched relations keep what is switched
  std::vector<double> before_;  // that
};

}  // namespace saltus
