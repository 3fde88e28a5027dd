// The solution of a step's linear problem with its laws: a table of strategies, tried in order.
#pragma once

#include <array>

#include "saltus/integrate/circuit.hpp"
#include "saltus/integrate/moreau_band.hpp"
#include "saltus/integrate/moreau_general.hpp"
#include "saltus/integrate/moreau_saddle_modes.hpp"

namespace saltus {

class MoreauSolver {
 public:
  MoreauSolver(MoreauModel& model, MoreauContacts& contacts, LawOffsets& offsets);

  /// The solution, from the point that stands in it; state, h: for the message where there is none. warm: from the last multipliers.
  [[nodiscard]] bool solve(const ActiveRows& rows, const StepBefore& before, MoreauProblem& problem, MoreauSolution& solution, const State& state, double h, bool warm);
  /// The same by modes alone, for laws in their own sets.
  [[nodiscard]] bool solve_in_modes(const ActiveRows& rows, const StepBefore& before, const MoreauProblem& problem, MoreauSolution& solution);

  RowModes& modes() { return modes_; }
  const RowModes& modes() const { return modes_; }
  GeneralRows& general() { return general_; }
  const Circuit& circuit() const { return circuit_; }

 private:
  bool solve_by_modes(RowTask task);
  bool solve_in_sets(const RowTask& task, const State& state, double h);

  MoreauModel& model_;
  MoreauContacts& contacts_;
  LawOffsets& offsets_;
  Circuit circuit_;
  RowModes modes_;
  ProximalWeight proximal_;
  BandModes band_;
  DenseModes dense_;
  SparseModes sparse_;
  GeneralRows general_;
  std::array<RowStrategy*, 3> by_modes_;  // before general_
};

}  // namespace saltus
