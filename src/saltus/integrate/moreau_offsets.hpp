// Sets with an offset: impacts in phases ahead of the step, and laws that adhere.
#pragma once

#include "saltus/integrate/impulse_impact.hpp"
#include "saltus/integrate/moreau_contacts.hpp"
#include "saltus/integrate/moreau_model.hpp"
#include "saltus/integrate/moreau_problem.hpp"

namespace saltus {

/// The multiplier less its offset stands in its law's set, or in that of a phase of an impact. Contacts between groups have theirs in MoreauContacts,
/// and go through the same calls.
class LawOffsets {
 public:
  LawOffsets(const MoreauModel& model, MoreauContacts& contacts);

  /// Offsets of laws that adhere, in a step of length h.
  void adhere(const ActiveRows& rows, double h);
  /// Whether a gap closes under an impact law, faster than rounding, where some law has phases.
  bool strikes(const ActiveRows& rows, const StepBefore& before) const;
  /// Sets of a phase. A contact that is held has no approach: what is left of its rate is the turning of its direction.
  void enter_phase(const ActiveRows& rows, int number, StepBefore& before);
  /// Percussions of the contacts whose impact is followed along its impulse, ahead of the phases. False: it does not end.
  bool follow(const ActiveRows& rows, const StepBefore& before);
  void take_percussions(const ActiveRows& rows, const MoreauSolution& solution);
  /// Offsets and biases of the step after the phases; w: rows without bias.
  void leave_phases(const ActiveRows& rows, double h, const std::vector<double>& w, const MoreauSolution& solution, StepBefore& before);

  /// Some offset is not zero.
  bool any() const { return any_; }
  double of_row(int row) const { return offset_[row]; }
  /// Some law stands in the set of a phase; that of an entry, without a set where it stands in its own.
  bool in_phase() const;
  const PhaseSet& phase(int entry) const { return phase_[entry]; }
  /// The problem in multipliers less `by` times their offsets: these stand in the sets as they are.
  void shift(const ActiveRows& rows, MoreauProblem& problem, MoreauSolution& solution, double by);

 private:
  const MoreauPlan& plan_;
  const System& system_;
  const std::vector<int>& block_begin_;
  const LawMemory& laws_;
  MoreauContacts& contacts_;
  std::vector<double> offset_;   // by row
  bool any_ = false;
  std::vector<PhaseSet> phase_;  // by entry
  bool follows_ = false;         // some law is followed along its impulse
  Problem impact_;               // of what is followed along its impulse
  ImpulseImpact impulse_;
  std::vector<FollowedContact> followed_;
};

}  // namespace saltus
