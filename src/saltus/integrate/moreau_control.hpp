// Step control of Moreau's scheme by step doubling, with events closed in by bisection.
#pragma once

#include <memory>

#include "saltus/integrate/error_norm.hpp"
#include "saltus/integrate/event_search.hpp"
#include "saltus/integrate/moreau_flight.hpp"
#include "saltus/integrate/moreau_step.hpp"

namespace saltus {

/// With error control a step h is taken once as a whole and twice by halves; the halves are kept. Their difference estimates
/// the error: of order 3 in smooth motion (theta = 1/2), of order 2 with multipliers at force level or theta above 1/2.
/// It is judged against the motion of each coordinate so far (ErrorNorm), all directions of a vector alike. A step of smooth motion may make its share
/// of the tolerance, h over the time in which the motion runs through its range, so that the error of a run follows the tolerance; one of
/// order 2, or with contacts between groups, the whole of it: such steps would go with the tolerance itself.
/// Where an impact acted, a contact opened or closed or a law changed its bound in one of the three, the scheme is of order
/// 1 whatever theta is (Acary 2012): the step shrinks towards the event until what the event's place is unsure by is within
/// the tolerance; velocities count unless they jump, and forces by what they may have jumped by. Events are rare, their errors do not add up with
/// the number of steps: each may make the whole tolerance. Events that crowd (the end of a bouncing ball) are passed several a step as soon as
/// their jumps are small enough for it; there is no switch to another law.
/// Where a multiplier jumps (a relay that is passed, dry friction that turns round) in the first half, the three steps agree though all have it
/// jump too soon: the change of rates over that half counts as an error of velocities and first-order states.
/// A law whose state switches does so at the end of a step: its time is unsure by the step.
/// What is held (a foot that sticks, a closed contact) may be let go late in a long step, while the means of its forces over both halves
/// still allow it: where these, drawn on, leave the law's set, a short step from the end tells what was missed.
/// While something is held no error tells how its forces run: a step across their periods would see none of the slips between. Their
/// means over the whole step and over its halves tell how coarsely it samples them: within the root of the tolerance, as long as the step is
/// above `coarse_step`. Algebraic unknowns at mid step and at its ends tell it at any step. So do the multipliers of what is held: they are shown, and
/// are means too; drawn on from both halves to the end of the step they have an error of order 2, which stays within tolerance^(2/3) of them.
/// Contacts between groups: a step in which shapes could pass through each other is too long. Where they crowd, as in a pile that
/// settles, each has its own events and there is no end to them. Attempts at events are rationed: so many at once, one
/// more for every other coarse step that passes; where they are used up coarse steps are taken without control for a while, and a warning
/// says from when on. An impact acts for the whole of such a step, so that those with impacts are as short as `coarse_step`.
/// Where no law acts, nor could within the step, a scheme of higher order makes it (MoreauFlight), as long as its steps are longer.
/// State memory: [step of smooth motion | time by which an event is known | step at events | whether the last step held an event |
/// attempts used up, at which time, whether contacts crowd, whether the warning was given | steps until the next flight, flights in a row, length of the next | MoreauPlan::left_open].
class MoreauControl final : public Workspace {
 public:
  explicit MoreauControl(const MoreauPlan& plan);

  StepReport start(State& state);
  /// An attempt; with error control the state moves by the two halves, or stays as it is.
  StepReport step(State& state, double h);

 private:
  StepReport controlled(State& state, double h);
  /// A step of this scheme; with those of MoreauFlight among them.
  StepReport own_step(State& state, double h);
  StepReport with_flights(State& state, double h);
  /// A step of MoreauFlight, where no law has acted in the last one.
  std::optional<StepReport> fly(State& state, double h);
  bool acts(const State& state) const;
  /// After a step of this scheme, whether the next may be a flight.
  void rest_flights(State& state, StepReport& report) const;
  /// With contacts between groups: controlled, or in one step where they crowd.
  StepReport rationed(State& state, double h);
  StepReport uncontrolled(State& state, double h, double coarse);
  /// Of steps without control, by the motion of the last call of ErrorNorm::worst.
  double crowded_step() const;
  static StepReport shorter(const char* cause, double h, StepReport report);
  static StepReport too_far(double h, double passage, StepReport report);
  /// How coarsely the step samples forces and multipliers, over what is allowed.
  double roughness(const State& state);
  /// What the differences of multipliers between the whole step and its halves do together, by unknown, and one by one.
  void exchange(const State& state);
  /// The share of those of an entry that acts with the others': none of what the four corners of a box hand to each other, which is no motion to be sampled.
  double acting(std::size_t entry) const;
  /// Of a force along an unknown beside others: moments count by the model's length.
  double weight(int dof) const { return plan_.turns[dof] ? 1.0 / plan_.system->length_scale : 1.0; }
  /// The same of algebraic unknowns.
  double unknowns_roughness(const State& state) const;
  /// Raises the error by what the samples of the step did not see: laws that switch there and back, algebraic unknowns that run too coarsely.
  void look_between(double h, const State& state, const MoreauStep::Change& change, StepError& found);
  /// Multipliers that the step knows by their means over its halves, drawn on to its end, where their laws allow it.
  void draw_on(State& state, bool event) const;
  void take_forces_behind(State& state) const;
  /// Whether a relation was in one mode all through the step.
  bool lasts(std::size_t entry, const State& state) const;
  /// Error of the time of a jump in the first half, unseen by the difference of the steps; the state is their end.
  StepError unseen_jump(double h, const State& state, const MoreauStep::Change& change, bool quiet);
  /// Error of what leaves its set late in the two halves, unseen by their means; the state is their end.
  StepError missed_release(const State& state, double h, bool lost);
  /// Of the time at which a law with states switched, where one did: somewhere in the step.
  StepError switched(double h) const;
  /// `beside`: MoreauStep::beside of the halves.
  StepError estimate(const State& whole, const State& halves, double h, const MoreauStep::Change& change, double beside);
  /// Of error_ at the end of the halves.
  double worst(const State& halves, double h, double tolerance, bool velocities);
  double adding_up(const State& halves, double h, double tolerance);
  double pace() const { return std::min(norm_.pace(), norm_.age()); }
  StepReport reject(State& state, double h, const StepError& found, StepReport report);
  /// Time itself is known no better.
  static double smallest(double t);
  /// Steps shorter than this pass any event.
  double shortest(double t) const;

  double* ranges(State& state) const { return state.memory() + plan_.ranges; }

  const MoreauPlan& plan_;
  MoreauStep one_;
  std::unique_ptr<MoreauFlight> flight_;
  ErrorNorm norm_;
  State before_, whole_, half_, probe_, beyond_;
  bool holds_ = false;              // laws or contacts may hold something at rest whatever the forces are
  std::vector<double> forces_[3];   // means over the whole step and its halves
  std::vector<double> held_scale_;  // by velocity: largest finite bound of a law on it [N, N m]
  std::vector<double> held_bound_;  // the same by relation
  std::vector<double> net_, gross_;  // of `exchange`
  std::vector<double> error_, range_, noise_, feels_, free_;  // error_: of positions, velocities and first-order states (nv, nv, nx)
  struct { double from = -1.0, spent = 0.0; bool crowded = false; } ration_;  // the memory's, rejected attempts since `from` included
  struct { double from = -1.0, error = 0.0; } release_;  // of attempts rejected for a release, from the time `from`
  struct { double from = -1.0, rough = 0.0, passed = 0.0; } between_;  // least that attempts from the time `from` had
  std::vector<double> row_at_start_, row_at_half_, row_at_end_;
  struct {
    bool event = false;       // met an event, or failed
    bool slip_ended = false;  // a slip ended, and beyond_ is a probe from its end
  } last_;                    // of the last attempt
  EventSearch search_;
};

}  // namespace saltus
