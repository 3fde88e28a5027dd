// One step of Moreau's scheme: Newton's method over the nonlinear terms, one nonsmooth problem an iteration.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "saltus/integrate/history.hpp"
#include "saltus/integrate/least_reactions.hpp"
#include "saltus/integrate/moreau_beginning.hpp"
#include "saltus/integrate/moreau_equations.hpp"
#include "saltus/integrate/moreau_kept.hpp"
#include "saltus/integrate/moreau_matrices.hpp"
#include "saltus/integrate/moreau_noise.hpp"
#include "saltus/integrate/moreau_solver.hpp"

namespace saltus {

class MoreauStep {
 public:
  explicit MoreauStep(const MoreauPlan& plan);

  /// Closes the joints, makes velocities, algebraic unknowns, accelerations and multipliers consistent.
  StepReport start(State& state);
  /// One attempt, without error control.
  StepReport step(State& state, double h);

  /// What the last step met, for its control.
  struct Change {
    bool impact = false;       // an impact law acted
    bool mode = false;         // a contact opened or closed, a law went to or left a bound
    bool approach = false;     // an open gap would close within the step at its present rate
    bool closing = false;      // an open gap would close at its present rate, sooner or later within the step
    bool first_order = false;  // theta = 1, or multipliers at force level: these stand at the end of the step
    bool lost = false;         // a pair of groups that carried is apart at the end of the step
    bool frozen = false;       // contacts between groups were in: their directions are those of mid step
    double missed = 0.0;       // deepest overlap of points between groups that the step did not find, over what is allowed
    double passage = 0.0;      // MoreauContacts::passage
    std::optional<ImpactWork> impacts;  // where they have been asked for
    bool kept = false;         // it was taken by the kept map: the others are not set then
  };
  const Change& change() const { return change_; }
  /// MoreauContacts::fastest_impact of the last step, of relations too.
  double fastest_impact(std::span<const double> ranges) const { return std::max(statuses_.fastest_impact(ranges), contacts_.fastest_impact(ranges)); }
  /// RowStatuses::beside of the last step, of length h.
  double beside(std::span<const double> ranges, double h) const { return statuses_.beside(ranges, h); }
  /// What the last step's solution may leave open of velocities and first-order states (nv + nx), by its residuals.
  const std::vector<double>& noise() const { return noise_.noise(); }
  /// StepNoise::seen of the last step.
  double seen(int i) const { return noise_.seen(i); }
  /// How far the motion has come, by velocity (nv), and which part of the way of a gap may be missed: for the message about it.
  void allow(std::span<const double> ranges, double tolerance) { allowed_.ranges = ranges, allowed_.tolerance = tolerance; }
  /// Whether the next steps are compared with each other: what Newton's iteration leaves must then be small beside the error that is looked for.
  void compare(bool steps) { allowed_.compared = steps, contacts_.turns().allow(steps && plan_.options.error_control); }
  /// Forces without inputs in the last step's mean, by unknown: of velocities and first-order states. Empty where they cannot
  /// depend on time.
  std::span<const double> mean_forces() const { return model_.affine ? std::span<const double>() : std::span<const double>(equations_.forces()); }
  /// Of the diagonal of the mass matrix before the last step, by velocity.
  double mass(int i) const { return before_.mass[system_.diagonal_slot[i]]; }
  /// Parts contacts between groups that overlap after the accepted step of length h: no part of the motion that an error is measured by.
  void part(State& state, double h, StepReport& report);
  /// Deepest penetration of the contacts that the last step left open, in its end, over what is allowed.
  double missed_depth(const State& state);
  /// The same of the first half where the second began, of StepBeginning::sunk.
  double sunk_depth();
  /// Whether some gap between `before` and `after` by way of `half` must have closed and opened again without an impulse: in an eighth of one half it falls at first and rises
  /// at last, and the tangents at both ends meet below zero. Bodies that fly through each other do.
  bool leapt(const State& before, const State& half, const State& after);
  /// StepBeginning::second_half.
  void second_half(bool is) { beginning_.second_half(is); }
  /// Takes out of a difference of two ends of the last step, by unknown, what contacts and joints hold; false where no contact is in, or that is not told.
  bool take_held_out(std::span<double> difference) { return !contacts_.empty() && solver_.general().take_held_out(difference); }
  /// MoreauContacts::left between two states.
  bool left(const State& before, const State& after) const { return !system_.contacts.empty() && contacts_.left(before.memory() + plan_.contact_tail, after.memory() + plan_.contact_tail); }
  /// saltus::late_release, the largest over the rows of the last step, the second of two halves of length h each; states after the step as a
  /// whole and after the halves, `rows` the last row_values.
  double late_release(const State& whole, const State& first, const State& second, std::span<const double> rows, double h) const;
  /// MoreauContacts::draw_on; `state`: the end of the last step.
  void draw_on_contacts(const State& whole, const State& first, State& state) const {
    const int tail = plan_.contact_tail;
    contacts_.draw_on(whole.memory() + tail, first.memory() + tail, state.memory() + tail, state.data());
  }
  /// Between two states, `after` that of the last step.
  Switched switched(const State& before, const State& after) const;
  /// Whether a contact that adheres gave way in the last step: it pulled as hard as it can until the end of the step, and does not behind it.
  bool lets_go() const;
  /// Whether a law is in another state where its row stands at y than it was before.
  bool switches(int entry, double y, const State& before) const { return model_.laws.switches(entry, y, before.data()); }
  /// The law of an entry in the last step, with what it remembers; whether it pulled across an open gap.
  const LawRef& law(std::size_t entry) const { return model_.laws.relation(static_cast<int>(entry)); }
  bool pulls_across(std::size_t entry) const { return rows_.across[entry] != 0; }
  /// Values of the rows at the end of the last step.
  std::span<const double> row_values() const { return end_.w; }
  /// The same before it, without the parts of their own multipliers; with error control.
  std::span<const double> rows_before() const { return before_.values; }
  /// How far some row of a law, as a share of the largest of them, passes zero and comes back between the beginning, the middle and the end of a
  /// step; rows: their values at these.
  double passed_between(const State& before, const State& half, const State& after, const std::array<std::span<const double>, 3>& rows) const;
  /// Whether row r of a relation moves nothing, as friction across the plane of a motion: its impulse is any that the law allows.
  bool moves_nothing(std::size_t entry, int r) const;
  /// The largest force of an entry's multipliers on one unknown, by its weight.
  template <class Weight>
  double push(std::size_t entry, const double* multipliers, Weight&& weight) const {
    const MoreauEntry& p = plan_.entries[entry];
    const double* directions = before_.directions.data() + model_.block_begin[entry];
    double most = 0.0;
    for (int c = 0; c < p.columns; ++c) {
      double force = 0.0;
      for (int r = 0; r < system_.relation_entries[entry].rows; ++r) force += directions[r * p.columns + c] * multipliers[r];
      if (const int dof = plan_.columns[p.column_begin + c]; dof < system_.layout.nv) most = std::max(most, weight(dof) * std::abs(force));
    }
    return most;
  }
  /// Adds the forces of an entry's multipliers along its directions, by unknown, and their sizes.
  void add_action(std::size_t entry, const double* multipliers, double* net, double* gross) const;

 private:
  /// What positions are corrected by besides masses: where bodies bend the matrix of the step, so that a section takes with it the elements that it would strain.
  const std::vector<double>* metric() const { return plan_.bends && plan_.may_be_symmetric ? &problem_.A : nullptr; }
  double depth_over_allowed(std::size_t entry, double depth) const;
  struct Outcome {
    bool converged = false;
    int iterations = 0;
    double equations = 0.0, rows = 0.0, laws = 0.0;
    std::string cause;
  };
  using Rows = StepBeginning::Rows;

  Outcome solve(const State& state, double h, double theta);
  bool percuss(const State& state, double h, Outcome& out);
  /// Whether a contact strikes under a law of restitution; `solved`: with an impulse.
  bool bounces(bool solved) const { return beginning_.bounces(solved ? solution_.mu.data() : nullptr) || contacts_.bounces(solved); }
  ImpactWork impact_work();
  void lessen(const State& state, double h, double theta, Outcome& out, StepReport& report);
  bool met_unseen(const State& state, double h, double theta, StepReport& report);
  static void stop_before(double way, StepReport& report);
  bool solve_affine(const State& state, double h, double theta, Outcome& out);
  void take_map(const State& state, double h, double theta);
  bool step_kept(State& state, double h, double theta, StepReport& report);
  bool follow_modes(State& state, double h, double theta, bool switched, StepReport& report);
  MoreauKept::Ended ended(double h, double theta) const;
  void remember_modes(State& state, double h, double theta);
  bool positions_changed(const State& state, double t, const double* y) { return plan_.switch_count > 0 && positions_differ(state, t, y); }
  bool positions_differ(const State& state, double t, const double* y);
  void write_positions(State& state) const {
    if (plan_.switch_count > 0) std::copy(switches_.last().begin(), switches_.last().end(), state.memory() + plan_.switches_off());
  }
  /// Writes the step into the state; the violation of joints that is left, by the model's size.
  double accept(State& state, double h, double theta, StepReport& report);
  bool consistent_rates(State& state);
  bool consistent_algebraic(State& state);
  bool algebraic_by_a_step(State& state);
  void consistent_accelerations(State& state);
  void joint_reactions(State& state);
  void hold_equalities();
  void multipliers_of_contacts(State& state, const State* last);

  MoreauModel model_;
  const MoreauPlan& plan_;
  const System& system_;
  Assembly& assembly_;
  ActiveRows rows_;
  StepBefore before_;
  MoreauProblem problem_;
  MoreauSolution solution_;
  StepEnd end_;
  MoreauContacts contacts_;
  LawOffsets offsets_;
  StepBeginning beginning_;
  RowStatuses statuses_;
  PositionProjection projection_;
  StepMatrices matrices_;
  StepEquations equations_;
  MoreauSolver solver_;
  StepNoise noise_;
  LeastReactions reactions_;
  MoreauKept kept_;
  SwitchPositions switches_;
  Change change_;
  struct { std::span<const double> ranges; double tolerance = 0.0; bool kept = false, compared = true; } allowed_;  // kept: steps may be those of kept_
  std::vector<double> saved_;  // the state before the step
  std::vector<double> gap_;    // impulses by velocity; a row by its unknowns; the state with the mean velocities of a step
  MoreauContacts::Held held_;  // while bodies are parted
};

}  // namespace saltus
