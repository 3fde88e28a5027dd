// The matrix of a Newton step over unknowns and multipliers, shared by implicit schemes and statics.
#pragma once

#include <span>
#include <vector>

#include "saltus/math/sparse_solver.hpp"
#include "saltus/system/assembly.hpp"

namespace saltus {

/// [A, -B; C, D] over [v | x | z] and the rows of all relations: A in the pattern of the system, B the block through which
/// multipliers enter, C = value H + rate dh/dv by the scheme's seeds, D = dh/dlambda. Redundant rows: a small diagonal keeps
/// the factor regular, and Newton on the exact residual leaves the part of lambda in the null space of B where it was
/// (proximal iteration, Rockafellar 1976).
class NewtonMatrix {
 public:
  explicit NewtonMatrix(const System& system);

  /// Factors at the configuration of the assembly, after its input_blocks(). A: values in System::pattern; row_scale (one a
  /// row, positive) divides C and D.
  [[nodiscard]] FactorReport factorize(Assembly& assembly, std::span<const double> A, const Seeds& seeds, std::span<const double> row_scale);
  /// x := the inverse times x, in place; x has unknowns + rows entries.
  void apply(std::span<double> x) { solver_.apply(x); }
  double reciprocal_condition() { return solver_.reciprocal_condition(); }
  int size() const { return layout_.pattern.rows; }

 private:
  const System& system_;
  CsrLayout layout_;
  int diagonal_ = 0, first_entry_ = 0, first_relation_ = 0;  // blocks of the layout
  SparseSolver solver_;
  std::vector<double> values_, D_;
};

/// Largest row sum |A_ij| over the mechanical rows, rotations counted by the model's size: a stiffness or mass [N/m, kg].
double largest_row(const System& system, std::span<const double> A);

}  // namespace saltus
