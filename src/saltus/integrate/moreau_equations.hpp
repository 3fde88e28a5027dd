// The equations of Moreau's step: the linear problem at an iterate, and what a solution leaves of the equations.
#pragma once

#include "saltus/integrate/moreau_projection.hpp"

namespace saltus {

class StepEquations {
 public:
  StepEquations(MoreauModel& model, const ActiveRows& rows, const StepBefore& before, MoreauProblem& problem, MoreauSolution& solution, StepEnd& end, MoreauContacts& contacts, PositionProjection& projection);

  /// Unknowns of one unit, the potentials of a circuit: the largest measures a row in which the others vanish.
  void measure_by(std::vector<int> potentials) { potentials_ = std::move(potentials); }
  void begin(const State& state);
  /// Forces, inputs and rows at the end of the step for the solution; its residual.
  void evaluate(const State& state, double h, double theta, bool first);
  /// p0 = A xi - res - G mu, b = w - C xi - D mu + bias: the total unknowns solve the problem linearized at the iterate.
  void pose();
  /// Of an affine system, at the point where the velocities go on and no multiplier acts: p0 = A xi0 + h F, b = rows - C xi0.
  void pose_affine(const State& state, double h, double theta);
  /// The rest of the step of an affine system whose problem is solved: the configuration, the residual, the values of the rows.
  void advance_affine(const State& state, double h, double theta);

  /// Terms of A xi count, too.
  void matrix_terms();
  /// Largest residual over the largest term, mechanical, first-order and algebraic rows apart. Forces count by their parts too:
  /// where large ones balance, their sum is no scale.
  double dynamics_error();
  /// The same where first-order states are fed by currents that are differences of larger ones, which rounding leaves: over h times the largest term of the algebraic rows whose unknowns feed them, too.
  double error_beside_currents(double h) const;
  /// Distance of the rows from what the problem took them for. StepEnd::scale: size of a row's terms, before and after, and what the
  /// forces of this step alone could do to it: the scale that is left where all velocities vanish.
  double rows_error();

  /// q, v, x, z at the end.
  const std::vector<double>& y() const { return y_; }
  /// Forces without inputs in the mean of the step.
  const std::vector<double>& forces() const { return F_; }
  /// Largest terms of first-order and algebraic rows so far, this step included.
  const double* largest_terms() const { return terms_.largest; }
  /// Violation of the last iterate, with drift = ggl.
  double open() const { return open_; }

 private:
  void configure(const State& state, double h, double theta);
  void dynamics(double h);
  void input_of_impulses(double h);
  void find_rows();

  const MoreauPlan& plan_;
  const System& system_;
  MoreauModel& model_;
  const ActiveRows& rows_;
  const StepBefore& before_;
  MoreauProblem& problem_;
  MoreauSolution& solution_;
  StepEnd& end_;
  std::vector<int> potentials_;
  MoreauContacts& contacts_;
  PositionProjection& projection_;
  std::vector<double> y_, tangent_, F_, input_;
  std::vector<double> moves_;                  // by unknown: what the terms could do to it
  std::vector<double> lambda_, values_, rate_; // by row
  struct { double before[2] = {}, largest[2] = {}; } terms_;  // the memory's, and with those of the step
  double open_ = 0.0;
};

}  // namespace saltus
