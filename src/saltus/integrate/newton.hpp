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
///
/// `symmetric`: its symmetric part [sym A, H^T; H, -D] instead, with H the block through which multipliers enter: what is
/// left out (gyroscopic terms and the turning of rows, small with the step) slows Newton's iteration, the residual stays
/// exact. One L D L^T in an order found once, several times cheaper than L U.
class NewtonMatrix {
 public:
  /// With symmetric_too, the pattern of the symmetric part is analyzed as well.
  explicit NewtonMatrix(const System& system, bool symmetric_too = false);
  /// True where the symmetric part is a fair picture: unknowns of second order only, inputs adjoint to the rows.
  static bool nearly_symmetric(const System& system);

  /// Factors at the configuration of the assembly, after its input_blocks(). A: values in System::pattern; row_scale (one a
  /// row, positive) divides C and D. least (one an unknown; empty: zeros): what the diagonal of A counts for at least in the
  /// estimate of C A^-1 B that sizes the small diagonal.
  [[nodiscard]] FactorReport factorize(Assembly& assembly, std::span<const double> A, const Seeds& seeds, std::span<const double> row_scale,
                                       std::span<const double> least = {});
  /// The same of the symmetric part.
  [[nodiscard]] FactorReport factorize_symmetric(Assembly& assembly, std::span<const double> A, std::span<const double> row_scale);
  /// Rows (marked, one a row) written at value but held at their rate ydot / row_scale: C = (rate H + value turn) / row_scale.
  void hold_at_rate(std::span<const char> rows) { at_rate_.assign(rows.begin(), rows.end()); }
  /// Rows (marked, one a row) that are not held: their multipliers stay what they are where their residual is zero.
  void leave_out(std::span<const char> rows) { out_.assign(rows.begin(), rows.end()); }
  /// Directions within the constraints along which the symmetric part of the matrix last given to factorize() is negative:
  /// at an equilibrium of conservative forces those in which it is unstable. For relations without input of their own.
  /// `sure` is false where they were read from a factor that lost pivots.
  struct Inertia { int negative; bool sure; };
  Inertia negative_directions();
  /// x := the inverse times x, in place; x has unknowns + rows entries.
  void apply(std::span<double> x);
  double reciprocal_condition() { return solver_.reciprocal_condition(); }
  int size() const { return layout_.pattern.rows; }

 private:
  void analyze_symmetric();
  int dense_negative_directions() const;

  const System& system_;
  CsrLayout layout_;
  int diagonal_ = 0, first_entry_ = 0, first_relation_ = 0;  // blocks of the layout
  SparseSolver solver_, inertia_, symmetric_;
  bool is_symmetric_ = false;
  std::vector<double> values_, D_, turn_;
  bool left_out(const RelationEntry& e) const { return !out_.empty() && out_[e.row]; }
  std::vector<char> at_rate_, out_;
  std::vector<int> transposed_;  // slot of (j, i) by slot of (i, j); filled by the first negative_directions()
  // Scatter of the symmetric part: entries of the system's pattern with their mirror, of the flat H and D; -1: none.
  struct Mirrored { int slot, mirror, place; };
  std::vector<Mirrored> entries_;
  std::vector<int> row_place_, square_place_, own_place_;  // own: of a row's diagonal
};

}  // namespace saltus
