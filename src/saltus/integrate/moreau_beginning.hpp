// The beginning of Moreau's step: which rows are in it, and what is known before it is solved.
#pragma once

#include <cmath>

#include "saltus/integrate/moreau_offsets.hpp"

namespace saltus {

class StepBeginning {
 public:
  enum class Rows { all, equalities, algebraic };
  struct Met {
    bool approach = false;  // an open gap would close within the step at its present rate
    bool closing = false;   // the same, sooner or later within the step; in a second half, or within the first
    double passage = 0.0;   // MoreauContacts::passage, in a second half over both
    double way = HUGE_VAL;  // MoreauContacts::way of a step without error control: where it is below h, nothing else is reported
  };
  StepBeginning(MoreauModel& model, ActiveRows& rows, StepBefore& before, MoreauContacts& contacts, LawOffsets& offsets);

  /// Active rows, directions at mid step, rates and biases of a step from the state.
  void begin(const State& state, double h, Rows which);
  const Met& met() const { return met_; }
  /// Whether the steps from now on are second halves: they tell what the first half, whose end they know, may have flown through.
  void second_half(bool is) { second_ = is; }
  /// Entries whose gaps were open where the first half began and overlap where the second does, though the first had no impulse.
  struct Sunk { int entry; double depth; };
  const std::vector<Sunk>& sunk() const { return sunk_; }
  /// By unknown, where there are rows or contacts: its velocity before the step, and what forces could add.
  const std::vector<double>& moves() const { return moves_; }
  /// Forces, values and rates of the rows in the state.
  void look_at(const State& state);
  /// Another choice of rows of the same step.
  void set_active(const std::vector<int>& entries);
  /// Whether some contact feels friction against its mean slip.
  bool slides() const;
  /// Friction against the slip at the end of the step for all contacts.
  void end_slips();
  /// Whether a contact strikes under a law of restitution; of multipliers `mu`, if any, with an impulse. The restitution times `share`.
  bool bounces(const double* mu) const;
  void restitute(double share);

 private:
  struct Gap { double value, rate; };
  bool restitutes(int i) const { return system_.relation_entries[i].law.type->bias && !rows_.closed[i]; }
  void see(int i, const State& state, double h);
  bool pulls_across(int i);
  void choose_active(const State& state, double h, Rows which);
  void go_to_mid_step(const State& state, double h, bool finds);
  bool needs_blocks() const;
  double closing_by_forces(std::size_t entry) const;
  bool may_have_passed(int i, const Gap& now, double h, bool stays, bool open);
  void take_start_in(std::size_t entry);
  void find_slides(const State& state);
  bool slips_as(const RelationEntry& a, const RelationEntry& b) const;
  void find_directions();

  const MoreauPlan& plan_;
  const System& system_;
  MoreauModel& model_;
  ActiveRows& rows_;
  StepBefore& before_;
  MoreauContacts& contacts_;
  LawOffsets& offsets_;
  Met met_;
  std::vector<double> y_, tangent_, accelerations_, no_lambda_;
  std::vector<double> moves_;
  std::vector<Gap> first_;     // by entry, of gaps where the last step began that is no second half
  std::vector<Sunk> sunk_;
  bool second_ = false, watches_ = false;
  struct Sliding { int first = -1, contacts = 0; bool alike = true; };
  std::vector<Sliding> sliding_;  // by component: contacts whose friction could act against the mean slip; whether they all slip alike
};

}  // namespace saltus
