// A step of the nonsmooth generalized-alpha: nonsmooth_alpha.cpp says what it solves.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/integrate/generalized_alpha_step.hpp"
#include "saltus/integrate/gap_passes.hpp"
#include "saltus/integrate/law_blocks.hpp"
#include "saltus/system/usual_contacts.hpp"

namespace saltus {

class NonsmoothPlan final : public Plan {
 public:
  AlphaPlan smooth;
  std::vector<char> held;  // by relation: an equality at position and velocity, or at velocity alone
  bool phases = false, adhesion = false;  // some law has impacts in phases, pulls
  bool bends = false;                     // some body does
  bool follows = false, skew = false;     // forces follow the velocities and first-order states that contacts change, not symmetrically
  /// Memory: [of generalized_alpha | vdot | lambda of the smooth step | whether rows carried in the last step | xdot | of error control | number of contacts between groups that carried, identities].
  int vdot() const { return smooth.layout.memory_size; }
  int lambda() const { return vdot() + system->layout.nv; }
  int bore() const { return lambda() + system->layout.rows; }
  int xdot() const { return bore() + system->layout.rows; }
  /// Under error control, of the last step: change of velocity by its impulses over it, its length if it had no impact, else 0, mean acceleration, what first-order states followed of its
  /// impulses over its square; the step before an impact was located.
  int pushed() const { return xdot() + system->layout.nx; }
  int before_impact() const { return pushed() + (options.error_control && !bends ? 2 * system->layout.nv + 1 + system->layout.nx : 0); }
  /// Where bodies bend: the forces of contacts at the state, whether they are known there, and whether there was an impact or a contact since the run began.
  int reaction() const { return before_impact() + (options.error_control ? 1 : 0); }
  int jumped() const { return reaction() + system->layout.nv + 1; }
  int tail() const { return reaction() + (bends ? system->layout.nv + 2 : 0); }
  int capacity() const { return usual_contacts(system->contacts); }
};

class NonsmoothStep final : public Workspace {
 public:
  explicit NonsmoothStep(const NonsmoothPlan& plan);
  StepReport start(State& state);
  StepReport step(State& state, double h);

 private:
  StepReport rejected(StepReport report) const;
  bool overlapped(const State& state, double h, double overlap);
  bool buried(const State& state, double h, StepReport& report);
  bool jumps(double t, double h, double error);
  bool untimed() const;
  bool pressing(const State& state) const;
  double error_together(const State& state, double h, const double* ranges);
  double late_of(int block, double h, const double* pushed, double unseen);
  bool judge(State& state, double h, StepReport& report);
  void take(const State& state, bool began);
  void give(State& state) const;
  bool is_in(const std::vector<double>& keys, int block) const { return std::find(keys.begin(), keys.end(), blocks_.key(block)) != keys.end(); }
  bool pressed(int block) const { return is_in(gaps_.pressed, block); }
  bool adheres(int block) const { return is_in(gaps_.adhering, block); }
  void find_adhering(const State& state, double h);
  int hold_joints(bool at_position);
  void hold_gaps(const State& state, double within, double h, double play);
  bool solve_gaps(const State& state, double within, double h);
  bool pass_unseen(const State& state, double h, StepReport& report);
  void begin_bending(const State& state, double h);
  void begin_following(const State& state, double h);
  bool follow();
  double unfollowed(const State& state, double h, const double* ranges);
  RowLevel resisted(Level level);
  /// The time over which the force of a contact makes its impulse, its square the displacement.
  double time_of(const State& state, int block, double h) const { return goes_on(state, block) ? bending_.moved.rate[0] : h; }
  double square_of(const State& state, int block, double h) const { return goes_on(state, block) ? bending_.moved.value[0] : 0.5 * h * h; }
  bool release(double h);
  bool part(const State& state, double h, StepReport& report);
  bool carried(const State& state, int block) const;
  bool goes_on(const State& state, int block) const { return bending_.known && carried(state, block); }
  bool strike_in_phases(const State& state, double h, bool located);
  double since(int block, double h) const;
  void find_resting(const State& state, double h);
  /// An approach that rounding makes: of the rates of a row, and of a way over the step, where what rests has no rates.
  double slow(const State& state, int block, double h) const { return std::max(1e-6 * rows_.reach(block, 0), rounding_of_ways(system_, state, size()) / h); }
  bool strike(const State& state, double h, bool located, StepReport& report);
  bool push_along_the_way(const State& state, double h);
  bool lets_go(const State& state, double h, const std::vector<double>& w);
  bool keys_found() const;
  bool shift_by_slip(std::size_t k, const double* w);
  void configure_end(double h);
  /// Whether what closes a gap jumps in its velocity: by the law's impact, or, without one, by the percussion that stops it.
  bool strikes(int block) const { return blocks_.gap(block) || blocks_.law(block).type->impact; }
  double unseen(const State& state) const;
  double size() const { return system_.length_scale > 0.0 ? system_.length_scale : 1.0; }
  void find_beside(const State& state, double h);
  void hold_what_sticks(const State& state, double h);
  void move_with_forces(State& state, double h);
  void finish(State& state, double h, StepReport& report);
  void finish_bending(State& state, double h, bool begins);
  bool stays(const State& state, const HeldRows& rows, const double* r, double h);
  bool carried_before(int block) const { return before_[system_.relation_entries[block].row] != 0.0; }
  void keep_contact(const HeldRows& rows, const double* r, double time, double h, State& state, StepReport& report);

  const NonsmoothPlan& plan_;
  const System& system_;
  AlphaWorkspace smooth_;
  RowProblem rows_;
  LawBlocks blocks_;
  /// Where bodies bend.
  struct {
    Seeds moved{{0.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};  // b0, b1
    bool known = false;                                       // the reaction is
    std::vector<double> reaction, released;                   // forces of contacts where the step began; their share of velocities at its end, over the step
    std::vector<double> matrix;                               // M + b0 K + b1 C
    std::vector<double> loads, time;                          // forces of contacts at its end; by block, time_of()
    std::vector<char> begins;                                 // by block: whether its force is not known where the step began
  } bending_;
  /// Where forces follow what contacts change: dv/dvdot, dx/dxdot of the step, the matrix with them, and what of changes_ are those forces.
  struct {
    Seeds moved{{0.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}};
    std::vector<double> matrix, changes;
  } following_;
  State trial_;
  GapPasses passes_;
  std::vector<HeldRows> held_;
  std::size_t joints_ = 0;        // of held_
  struct {
    std::vector<HeldRows> rows;
    std::vector<PhasedRows> phased;
    std::vector<double> shift;
  } ahead_;                       // of an impact in phases
  std::vector<double> bias_, offset_, impulse_, changes_, before_, back_, move_, smooth_q_, way_;  // changes_: of velocities, by impulse_; way_: a state that moves as the step does on average
  std::vector<double> keys_, turning_;      // of held_; loads that the turning of rows makes
  struct {
    std::vector<double> pressed, adhering, resting;  // that carried in part(), that adhered before the step, that were closed there
  } gaps_;                        // by their keys
  std::vector<char> hits_;        // by block: an impact acts
  bool struck_ = false;
  double closed_ = 0.0;
  static constexpr double unseen_share = 1e-6;  // of the model's size: what is less deep grazes
  /// Of error control.
  struct Control {
    ErrorNorm norm;
    double overlap = 0.0, deep = 0.0;           // the deepest at the end of the smooth step, and the deepest that is left
    double aimed = HUGE_VAL;                             // the time from which the last step was to end just before an impact
    double from = HUGE_VAL, first = 0.0, first_h = 0.0;  // the time of the last attempt; error and step of the first one from there
    bool settles = false;                       // a flight begins and ends in the step
    bool together = false;                      // its error is that of the smooth motion and of the contacts together
    bool pressing = false;                      // contacts pushed in the last step
    bool lets_go = false;                       // a gap does within the step
    bool lifted = false;                        // a gap that overlapped was opened without an impact
    std::vector<double> allowed, speed, end_v, end_x;  // errors of positions and velocities; velocities and first-order states of the smooth step
    std::vector<double> even, once;             // errors of first-order states by forces that change evenly, that begin or end
    std::vector<double> beside;                 // by how much the smooth step moves beside h/2 of its velocities
    std::vector<double> rates;                  // of held_, after the step
    std::vector<double> turned;                 // what the turning of rows and slips changes of changes_: half of how much the forces do over the step
    struct Late {
      double key, time, value;                  // since a gap closed, at the end of the smooth step, and what it is there
    };
    std::vector<Late> late;
    explicit Control(const System& system) : norm(system, 1.0), allowed(at(system.layout.unknowns()) + 1), speed(allowed.size()) {}
  } control_;
};

}  // namespace saltus
