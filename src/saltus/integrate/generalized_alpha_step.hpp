// One step of generalized-alpha: predict, Newton's iteration, estimate, accept.
#pragma once

#include "saltus/integrate/accelerations.hpp"
#include "saltus/integrate/error_norm.hpp"
#include "saltus/integrate/generalized_alpha_plan.hpp"
#include "saltus/integrate/inertia.hpp"
#include "saltus/integrate/least_reactions.hpp"
#include "saltus/integrate/newton.hpp"

namespace saltus {

class AlphaWorkspace final : public Workspace {
 public:
  explicit AlphaWorkspace(const AlphaPlan& plan);

  StepReport start(State& state);
  /// `alone`: no other forces act; where contacts do their errors may cancel, and the error of the motion without them stands in the report of an accepted step.
  StepReport step(State& state, double h, bool alone = true);
  /// Forces (one a velocity) that act beside those of the system, from now on.
  void push(std::span<const double> force) { assembly_.push(force), accelerations_.push(force); }
  /// Adds to vdot, or vdot and xdot, at the end of a step of length h what forces that others add there make of it; the average as it weighs them.
  void add_to_rates(State& state, double h, std::span<const double> change) const;
  /// Whether velocities or forces have jumped since the run began. An impact on a body that bends moves one section at once: all its vibrations begin with speeds alike, and only those of an
  /// amplitude above the root of the tolerance are followed; the slow motion is by the tolerance.
  void jumped(bool has) { jumped_ = has; }
  /// Averages go on from the beginning of a run, too, which is as a jump: a beam that spins begins without the strain that holds it.
  void go_on(bool always) { always_ = always; }
  double tolerance() const { return jumped_ ? std::sqrt(plan_.options.tolerance) : plan_.options.tolerance; }
  /// From this state, where velocities or forces jump, steps begin anew, by the forces there.
  void begin_anew(State& state) const { state.memory()[memory_.last_h] = 0.0; }
  /// Of the step from this state: behind a jump those of backward Euler, which asks for no rates before it.
  AlphaWeights weights(const State& state) const { return goes_on() && state.memory()[memory_.last_h] == 0.0 ? AlphaWeights(1.0, 1.0) : plan_.w; }

 private:
  bool goes_on() const { return jumped_ || always_; }
  /// How far an iteration has come: sizes of the last changes, in lengths (first-order states: their own units).
  struct Progress {
    double change, z_change;
    bool converged = false, exact = false;  // exact: the change is rounding
  };

  [[nodiscard]] LinearOutcome rates_along(double t, const double* data, double e);
  void set_averages(double h);
  [[nodiscard]] LinearOutcome predict(const State& state, double h);
  bool bends_gently(const double* memory) const;
  void set_steps(double h);
  void follow_slopes(double h, const double* before, double curved);
  void see_by_step(const double* x);
  bool begin_averages(const State& state, double h, bool general, StepReport& report);
  void shift_averages(double change);
  /// By a step of length h in place of `last`.
  void shift_velocity(double h, double last);
  void next_average(double* next) const;
  double next_xa(int i) const;
  void correct(const State& state, double h);
  bool residuals(double h, StepReport& report);
  [[nodiscard]] bool evaluate_dynamics();
  double equation_residual() const;
  void constant_part(const Seeds& seeds);
  bool factor(bool general, StepReport& report);
  bool recall_factor(const State& state, double h, StepReport& report);
  void note_factor(double h, double t, bool general);
  Progress improve(const Progress& last);
  void close_positions();
  void choose_reactions(double* lambda);
  double turn() const;
  void estimate(State& state, double h, bool alone, StepReport& report);
  double scaled_error(const State& state, double h, double tolerance, const double* change, double least = ErrorNorm::least_share);
  /// Whether the step goes into the means of slow_error().
  bool follows() const { return !slow_.empty() && !begins_.behind_jump; }
  double slow_error(const State& state, double h);
  double open_within(const State& state, double h);
  void accept(State& state, double h, double t, bool general, bool recalled, bool served);
  void take_derivatives(State& state);
  bool share_charges(const State& state, StepReport& report);

  const AlphaPlan& plan_;
  AlphaWeights w_;               // of the step
  const System& s_;
  const Layout& l_;
  Assembly assembly_;
  Accelerations accelerations_;  // of the start
  NewtonMatrix matrix_;
  Inertia inertia_;
  LeastReactions reactions_;
  ErrorNorm norm_;
  AlphaMemory memory_;
  bool jumped_ = false, always_ = false;
  /// How this step begins. resized: from those of another length, which go on.
  struct { bool anew = true, behind_jump = false, resized = false; } begins_;
  bool looked_ = false;
  double begun_open_ = 0.0;      // what joints are open by where the step begins, at most
  std::vector<double> open_;     // that as a velocity, for the error (nv + nx)
  std::vector<double> slow_;     // at the step's end: how many steps were averaged, and the means of slow_error()
  /// The step's end, as far as it is known.
  struct Point {
    std::vector<double> y, vdot, xdot, lambda, v, a, xa, closing;
  } now_, middle_;
  /// Its beginning: rates and their slopes.
  struct Beginning {
    std::vector<double> slope, first_slope, vdot, xdot;
  } before_;
  /// What Newton's matrix is made of.
  struct Newton {
    double b0 = 0.0, b1 = 0.0, bx = 0.0;             // dq/dvdot+, dv/dvdot+, dx/dxdot+ of this step
    double constant_b0 = -1.0, constant_b1 = -1.0;   // of `constant`
    double internal = 0.0, internal_first = 0.0;     // of the last matrix: 1e-7 K L [N], and 1e-7 dF/dx x of first-order states
    std::vector<double> A, constant, row_scale;
    std::vector<double> stamp;                       // the factor of matrix_: as the state remembers it
    bool noted = false;                              // the stamp is of this step
  } newton_;
  /// Largest residual and term, by kind of equation; units of the unknowns.
  struct Sizes {
    double worst[3] = {}, scale[3] = {};
    std::vector<double> weight;
  } size_;
  struct Buffers {
    std::vector<double> F, residual, correction, row, time_rate, inertial, input, tangent, rates, near_y, near_lambda;
  } work_;
};

}  // namespace saltus
