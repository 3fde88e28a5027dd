// What a solution of Moreau's step says of its rows: statuses, impacts, multipliers of the state, events.
#pragma once

#include "saltus/integrate/moreau_offsets.hpp"

namespace saltus {

class RowStatuses {
 public:
  RowStatuses(const MoreauModel& model, const ActiveRows& rows, const StepBefore& before, const MoreauSolution& solution, const StepEnd& end, const LawOffsets& offsets);

  /// Status of a contact that rests, slides or rolls on its surface.
  static bool carries(double status) { return status == 1.0 || status == 2.0 || status == 4.0; }
  /// Of one whose friction acts against a slip: sliding, rolling, or by a convex set of forces.
  static bool slips(const MoreauEntry& entry, double status) { return entry.gap ? status == 2.0 || status == 4.0 : entry.rubs && status > 0.0; }

  /// A contact that carries an impulse and stays closed belongs to the constraints; one that bounces leaves by itself, and
  /// putting it back would feed it energy.
  bool rests(std::size_t entry) const;
  /// Whether all friction against the mean slip of the step is friction of slip at its end, too: it neither sticks nor turns back.
  bool slips_on() const;

  /// Of the solution at hand.
  void find();
  /// Whether some law that is no gap is at other bounds than before the step.
  bool differ(const State& before) const;
  /// Whether a contact opened or closed, a law went to or left a bound.
  bool mode_changed(const State& before) const;
  /// Finds which parts of the system an impact passed; whether there is one.
  bool strike();
  /// Multipliers at force level stand at the end of the step, and slip may turn within it.
  bool first_order() const;

  /// Impulses into forces. Where a percussion passed, the force is the one from before it and the rest of the impulse is an
  /// event: the sum of h lambda over the steps and of the events' values over the percussions is the whole momentum.
  void write_multipliers(State& state, double h, StepReport& report);
  /// MoreauContacts::fastest_impact.
  double fastest_impact(std::span<const double> ranges) const;
  /// Half of what strikes within the step, of length h, would go on by until its end, as a share of the ranges of its unknowns: so far is it beside its way.
  double beside(std::span<const double> ranges, double h) const;
  /// Impulses of the contacts, by velocity; what the given motion of their rows does by them.
  double add_impulses(double* impulse) const;
  /// Transitions between sticking and slipping; impacts are reported with their impulses.
  void report_events(const State& before, StepReport& report) const;
  /// Into the state's memory.
  void write(State& state) const;

 private:
  double status_of(std::size_t entry) const;
  bool impact_acted(int entry) const;
  double way(int entry, std::span<const double> ranges) const;  // that opens the gap, where each unknown moves by its range

  const MoreauModel& model_;
  const MoreauPlan& plan_;
  const System& system_;
  const ActiveRows& rows_;
  const StepBefore& before_;
  const MoreauSolution& solution_;
  const StepEnd& end_;
  const LawOffsets& offsets_;
  std::vector<double> status_;  // by entry
  std::vector<char> struck_;    // by component: an impact acted in it
  bool impact_ = false;         // some is
};

}  // namespace saltus
