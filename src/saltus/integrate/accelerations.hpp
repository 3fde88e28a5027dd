// Accelerations, first-order rates, algebraic unknowns and multipliers at a given configuration: equality rows at index 1.
#pragma once

#include <memory>
#include <vector>

#include "saltus/integrate/accelerations_mass.hpp"
#include "saltus/system/affine.hpp"

namespace saltus {

/// Solves the equations of motion for (vdot, xdot, z, lambda) at given t, q, v, x. Nothing is allocated by a call, except by
/// the unsymmetric factor where there are algebraic unknowns or relations with an input of their own.
class Accelerations {
 public:
  explicit Accelerations(const System& system, int threads = 1);

  /// y's z and lambda are the first guess and are overwritten; rates (unknowns + 1) = [vdot | xdot | - | -].
  /// Fails, naming the unknown, where the matrix is singular, and where Newton for z or compliant rows does not converge.
  [[nodiscard]] LinearOutcome solve(double t, double* y, const double* data, double* lambda, double* rates);

  /// Rows of set-valued laws as equations, by row of the system: 1 held at zero, 0 with the multiplier that is given. Without it solve() refuses them.
  void hold(std::vector<char> rows) { held_ = std::move(rows); }
  /// Values of the rows that the last solve() held by their values, or left out.
  const std::vector<double>& values() const { return y_rows_; }
  /// Whether some algebraic equations hold no algebraic unknown, only their derivatives in time do (index 2), as the last solve() found.
  bool differentiates() const { return equations_.differentiated; }
  /// Moves x onto such equations at fixed t, as impulses of what they leave open would; by how much.
  double close_algebraic(double t, double* y, const double* data, double* lambda);

  /// Moves q and x back onto y = 0 in the mass metric, at fixed t; stops at `tolerance` times each row's scale.
  [[nodiscard]] LinearOutcome project_position(double t, double* y, const double* data, double tolerance);
  /// Moves v onto H v + h_t = 0, (and y = 0 of rows written at rate) in the mass metric.
  [[nodiscard]] LinearOutcome project_velocity(double t, double* y, const double* data);
  /// Largest |y| over row scale and largest |ydot| over row scale (1/s) of the rows projected above.
  double position_violation(double t, const double* y, const double* data);
  double velocity_violation(double t, const double* y, const double* data);
  /// Violations by row of the system after the two calls above (0 where a row is not held at that level).
  const std::vector<double>& violation() const { return target_; }

  Assembly& assembly() { return assembly_; }
  /// Assembly::push; what is affine asks no assembly.
  void push(std::span<const double> force) { assembly_.push(force), affine_ &= force.empty(); }
  /// Held rows with a position level, with a velocity level.
  bool has_position_rows() const { return position_rows_; }
  bool has_velocity_rows() const { return mass_.rows() > 0; }

 private:
  [[nodiscard]] LinearOutcome solve_symmetric(double t, double* y, const double* data, double* lambda, double* rates);
  void general_equations(const double* rates);
  RowForm form(std::size_t entry) const { return form_[entry] == RowForm::set_valued && !held_.empty() ? RowForm::value : form_[entry]; }
  bool evaluate_general(double t, const double* y, const double* data, const double* lambda, const double* rates);
  double terms_of_rates(const double* z, const double* lambda) const;
  void factor_derivatives();
  void algebraic_residual(double t, const double* y, const double* data, const double* lambda, double* out);
  bool differentiate(double t, const double* y, const double* data, const double* lambda, const double* rates, bool values);
  std::string undetermined(const FactorReport& factor) const;
  [[nodiscard]] LinearOutcome solve_general(double t, double* y, const double* data, double* lambda, double* rates);
  [[nodiscard]] LinearOutcome solve_compliant(double* lambda);
  void row_values(bool velocity, const double* y);
  double worst() const;
  void build_general();
  void add_proximal_term();

  const System& system_;
  Assembly assembly_;
  MassMatrix mass_;
  AffineSystem affine_system_;
  bool affine_ = false;  // no row is held: forces are asked of no item
  std::vector<RowForm> form_;  // by relation entry
  std::vector<char> held_;
  std::vector<double> row_scale_;
  bool general_ = false, compliant_ = false, position_rows_ = false;
  std::vector<double> force_, target_, rate_, multiplier_, y_rows_, h_t_, curvature_, D_, tangent_;
  /// [M - dF/dz, -input; rows] for systems with algebraic unknowns or inputs of their own.
  struct Equations {
    CsrLayout layout;
    std::vector<double> system_values, values, right, step, block;
    bool differentiated = false;  // the last ones needed derivatives in time
    struct Derivatives;
    std::shared_ptr<Derivatives> derivatives;  // what of them is kept while matrices stay
    SparseSolver lu;
  } equations_;
  bool looked_for_redundant_ = false, redundant_ = false;
  std::vector<double> proximal_;  // by row, what a redundant joint's factor gets on its diagonal; of the first solution
};

}  // namespace saltus
