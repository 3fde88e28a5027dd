// The contact tail of Moreau's scheme: contacts between groups, found in each step, behind the rows of the relations.
#pragma once

#include "saltus/base/index.hpp"
#include "saltus/integrate/impulse_impact.hpp"
#include "saltus/integrate/moreau_release.hpp"
#include "saltus/integrate/moreau_turns.hpp"
#include "saltus/integrate/scheme.hpp"
#include "saltus/problem/problem.hpp"
#include "saltus/solver/solve.hpp"
#include "saltus/system/contacts.hpp"
#include "saltus/system/law_memory.hpp"

namespace saltus {

/// Contacts that are closed at mid step (Jean 1999), with directions frozen there. One that carried in the last step stays while it is
/// within `held` of its surface, without restitution: what rests must neither fall through round-off nor bounce on it. Their rows are rates w = H v+, linear in the
/// unknowns; their multipliers impulses. What the next step needs is the tail of the state's memory: number of entries, then
/// (identity, impulses of its rows, less what its law's set is shifted by) of each; last, the length of the step.
class MoreauContacts {
 public:
  /// of_start: MoreauPlan. reported: the reports of steps say what each contact did.
  /// short_steps: those with impacts are, so that what has bounced is left out of the next.
  MoreauContacts(const System& system, double of_start, bool reported = false, bool short_steps = false);

  /// Numbers of the state's memory for the tail: entries beyond it start the next solve from zero.
  static int tail_size(const System& system);
  /// Numbers of one entry of the tail.
  static int entry_size(const System& system);

  /// Finds the contacts of the kinematics k at mid step; biases from the velocities before the step, impulses from the tail.
  /// set_scale: of forces that laws adhere with, the step. acceleration: by forces alone, as if each unknown moved by itself.
  void begin(const Kinematics& k, double closed, double held, double set_scale, const double* velocity, const double* acceleration, const double* tail);
  void clear() { set_.clear(), turns_.clear(); }
  ContactTurns& turns() { return turns_; }
  /// ContactTurns::slips_on.
  bool slips_on(const double* velocity) const { return turns_.slips_on(velocity, [this](const Contact& c) -> const LawRef& { return law(c); }); }
  const ContactTurns& turns() const { return turns_; }
  /// Whether the points differ from those of the last step.
  bool changed() const { return opened_ || closed_; }
  bool empty() const { return set_.rows() == 0; }
  int rows() const { return set_.rows(); }

  /// res -= H^T mu; term: largest part of each row.
  void subtract_impulses(double* res, double* term) const;
  /// p0 -= H^T mu, and the biases as b from row `first` on: with res from above the total unknowns stand in the problem.
  void add_to_problem(std::vector<double>& p0, std::vector<double>& b, int first) const;
  /// `set_scale`: of laws whose bounds are forces, the step.
  void append_blocks(Problem& problem, int first, double set_scale) const;
  void append_warm(std::vector<double>& r) const;
  int entries() const;
  /// Rows of H from row `first`, entry `next` on; and where `cursor` is not null the same in G, by unknown.
  void write_rows(Problem& problem, int first, int next, int* cursor) const;
  void count_columns(int* counts) const;
  void take(const std::vector<double>& r, int first);

  /// Impacts in phases, see MoreauStep::percuss.
  bool have_phases() const;
  /// Whether a contact under an impact law closes, with more than a millionth of the largest velocity; `solved`: with an impulse.
  bool strike(bool solved) const;
  /// Whether one strikes under a law of restitution; `solved`: with an impulse. The restitution times `share`.
  bool bounces(bool solved) const;
  void restitute(double share);
  void enter_phase(int number);
  void take_percussions();
  /// Rows of the contacts whose impact is followed along its impulse, from `row` on, which goes on behind them; what they took.
  void append_followed(int& row, std::vector<Eigen::Triplet<double>>& entries, std::vector<FollowedContact>& followed) const;
  void take_followed(const FollowedContact* followed);
  void leave_phases(double set_scale, const double* velocity);
  /// Whether some multiplier stands in its set less an offset; the problem in multipliers less `by` times their offsets.
  bool shifted() const { return shifted_; }
  /// Less their offsets, by row.
  void append_rest(std::vector<double>& rest) const;
  void shift(std::vector<double>& p0, double by);

  /// Deepest overlap at k; pairs that do not overlap by more than `enough` [m] count as 0.
  double deepest(const Kinematics& k, double enough);
  /// The same or, if it is more, the widest gap up to `within` of contacts that carry by a tail: what turns opens them by errors of the steps.
  double farthest(const Kinematics& k, double within, const double* tail);
  /// Rows that a displacement keeps: joints, drives, locks.
  struct Held {
    std::vector<int> begin{0}, column;
    std::vector<double> value;
    int rows() const { return count_of(begin) - 1; }
    void clear() { begin.assign(1, 0), column.clear(), value.clear(); }
  };
  /// Smallest displacement (in M, the mass or another metric, n unknowns) that keeps `held` and parts contacts which overlap at k by more than `enough` [m], the deepest by `depth`, and do
  /// not leave within the next step by themselves: 0 <= l complementary to gap + H dq >= 0, H_held dq = 0, M dq = H^T l + H_held^T m. Gaps of what carries by the tail are closed, of many of a body as far as they agree. Null where no solution is found.
  const double* lift(const Kinematics& k, const double* velocity, double h, double depth, double enough, const double* tail, const Held& held, const Problem& like, const std::vector<double>& mass,
                     Solver& solver, int threads);

  /// Above 1, a step of length h about k could let two shapes pass through each other unseen.
  double passage(const Kinematics& k, double h) { return near_.passage(k, h); }
  /// ContactSet::way.
  double way(const Kinematics& k, double h) { return near_.way(k, h); }
  /// ContactSet::went_far.
  bool went_far(const Kinematics& k, double h) const { return near_.went_far(k, h); }
  /// Whether an impact law acted in the accepted step.
  bool impact() const { return impact_; }
  /// Fastest of the accepted step's impacts: its speed over how far the motion has come along its gap, by the ranges of the coordinates [1/s].
  double fastest_impact(std::span<const double> ranges) const;
  /// H^T mu, by velocity.
  void add_impulses(double* impulse) const;
  /// Deepest overlap at k and `velocity`, the end of the accepted step, of points that were not in it and do not leave, over `closed` and that share `tolerance` of the
  /// way which `ranges` (nv) of velocities make of the gap.
  double missed(const Kinematics& k, const double* velocity, std::span<const double> ranges, double tolerance, double closed);
  /// The same of points that the accepted step found new, deeper at mid step than their approach since its beginning: they met within it, along another direction, as an edge that stands out is passed.
  double met_within(std::span<const double> ranges, double tolerance) const;
  /// Whether two bodies that carried in the accepted step are apart at its end, of the last missed(): a ball that rolled off a table within the step.
  bool lost() const { return closed_at_end_.lost; }
  /// Slip that turned round (jumped) or ended (held) between two states, by their velocities and tails.
  Switched switched(const double* v_before, const double* v_after, const double* before, const double* after) const;
  /// Whether two bodies that carried in one tail do not in the other: the ground of one ended.
  bool left(const double* before, const double* after) const;
  /// MoreauStep::lets_go.
  bool lets_go() const;
  /// saltus::late_release, the largest over contacts that carry in the tails of both halves of a step, of length h each.
  double late_release(const double* whole, const double* first, const double* second, double h) const;
  /// Forces of the groups at the end of a step of which the last one was the second half: pairs that carried all through, by the tails of the whole and of both halves, are drawn on; the rest is
  /// the mean over the second.
  void draw_on(const double* whole, const double* first, const double* second, double* data) const;

  /// Tail of the memory, forces of the groups in the history variables, events of contacts that close, and what each did if it is reported.
  /// velocity: after the step, whose share `theta` in the positions is;
  /// moves: how far each could go in it, by its speed before and by forces.
  void accept(double h, double theta, double t, const std::vector<double>& moves, const double* velocity, double* tail, double* data, StepReport& report);
  /// Gaps that were given, after a displacement.
  void tell_parted(const double* dq, StepReport& report) const;

 private:
  const System& system_;
  const double of_start_;
  const bool short_steps_;
  int entry_;  // of the tail: identity and impulses, less their offsets
  /// The law of a contact of set_, by its memory.
  const LawRef& law(const Contact& c) const { return now_.empty() ? system_.contacts.law(c) : now_[&c - set_.contacts().data()]; }
  /// Impulses of a contact in a tail; null: it is not there.
  const double* impulses(const double* tail, const Contact& c) const;
  bool draws_on(std::span<const Contact> pair, const double* whole, const double* first, double h) const;
  bool across(const Contact& c) const { return law(c).across && c.gap > at_start_.closed; }
  void see(const Kinematics& k, double step, const double* velocity);
  bool part(double enough, double tolerance, const Held* held, Solver& solver, int threads);
  void write_yield();
  bool carries(const double* tail, const Contact& c) const;
  static double way(const ContactSet& set, const Contact& c, std::span<const double> ranges);  // that opens the gap, where each unknown moves by its range

  ContactSet set_, near_;
  LawMemory memory_;
  std::vector<LawRef> now_;   // by contact, where some law remembers
  struct { double closed = 0.0, speed = 0.0, step = 0.0; } at_start_;  // the gap that counts as closed, the largest velocity
  Problem parting_;
  enum class Part : char { stays, leaves, closes };  // leaves: by itself
  std::vector<Part> parts_;                          // by contact of near_, while bodies are parted
  SolveReport parted_;
  std::vector<double> yield_;  // by row of parting_: D
  std::vector<std::pair<double, int>> order_;
  bool opened_ = false, closed_ = false, impact_ = false, shifted_ = false;
  struct {
    std::vector<std::pair<int, int>> pairs;
    bool lost = false;  // one that carried is none of them
  } closed_at_end_;     // of the last missed()
  std::vector<double> mu_, bias_, u_minus_;
  ContactTurns turns_;
  std::vector<double> offset_;          // by row: the multiplier less this stands in its law's set
  std::vector<PhaseSet> phase_;         // by contact, in a phase
  struct {
    std::vector<double> names;  // identities, ascending
    std::vector<char> carried;  // whether they had a normal impulse in their set
  } known_;                     // of the last step
  std::vector<char> closes_;   // by row: a contact that did not, under an impact law
  std::vector<char> in_last_;  // by contact: whether it was in the last step
};

}  // namespace saltus
