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
  /// row, positive) divides C and D. least (one an unknown; empty: zeros): what the diagonal of A counts for at least in the
  /// estimate of C A^-1 B that sizes the small diagonal.
  [[nodiscard]] FactorReport factorize(Assembly& assembly, std::span<const double> A, const Seeds& seeds, std::span<const double> row_scale,
                                       std::span<const double> least = {});
  /// Directions within the constraints along which the symmetric part of the matrix last given to factorize() is negative:
  /// at an equilibrium of conservative forces those in which it is unstable. For relations without input of their own.
  int negative_directions();
  /// x := the inverse times x, in place; x has unknowns + rows entries.
  void apply(std::span<double> x) { solver_.apply(x); }
  double reciprocal_condition() { return solver_.reciprocal_condition(); }
  int size() const { return layout_.pattern.rows; }

 private:
  const System& system_;
  CsrLayout layout_;
  int diagonal_ = 0, first_entry_ = 0, first_relation_ = 0;  // blocks of the layout
  SparseSolver solver_, inertia_;
  std::vector<double> values_, D_;
  std::vector<int> transposed_;  // slot of (j, i) by slot of (i, j); filled by the first negative_directions()
};

}  // namespace saltus
