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
  StepReport step(State& state, double h);

 private:
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
  void shift_velocity(double h);
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
  void estimate(State& state, double h, StepReport& report);
  double scaled_error(const State& state, double h, double tolerance, const double* change);
  void accept(State& state, double h, double t, bool general, bool recalled, bool served);

  const AlphaPlan& plan_;
  const System& s_;
  const Layout& l_;
  Assembly assembly_;
  Accelerations accelerations_;  // of the start
  NewtonMatrix matrix_;
  Inertia inertia_;
  LeastReactions reactions_;
  ErrorNorm norm_;
  AlphaMemory memory_;
  double b0_ = 0.0, b1_ = 0.0, bx_ = 0.0;  // dq/dvdot+, dv/dvdot+, dx/dxdot+ of this step
  double constant_b0_ = -1.0, constant_b1_ = -1.0;  // of constant_
  double internal_ = 0.0;                  // 1e-7 K L of the last matrix [N]
  double internal_first_ = 0.0;            // 1e-7 dF/dx x of the same, first-order states
  double worst_[3] = {}, scale_[3] = {};   // largest residual and term, by kind of equation
  bool anew_ = true;                       // steps of this length begin here
  bool noted_ = false;                     // stamp_ is of this step
  std::vector<double> A_, F_, residual_, correction_, row_, time_rate_, row_scale_, inertial_, input_, tangent_, closing_, constant_;
  std::vector<double> y_, vdot_, xdot_, lambda_, v_, a_, xa_, rates_, weight_, slope_, old_vdot_, old_xdot_, first_slope_, near_y_, near_lambda_;
  std::vector<double> stamp_;  // the factor of matrix_: as the state remembers it
};

}  // namespace saltus
