// The mass matrix bordered by the equality rows: one factor for accelerations and for projections onto the constraints.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/integrate/inertia.hpp"
#include "saltus/math/long_vectors.hpp"
#include "saltus/math/mass_solver.hpp"
#include "saltus/math/sparse_solver.hpp"
#include "saltus/system/assembly.hpp"

namespace saltus {

/// What an unknown of [v | x | z] belongs to, as a user says it: "velocity 3 of node 'wheel'".
std::string unknown_name(const System& system, int unknown);
/// "row 2 of 'pin'", for a row of the whole system.
std::string row_name(const System& system, int row);

/// How the row of an equality relation reads at index 1.
enum class RowForm {
  second,      // H vdot + curvature = 0: written on the configuration
  first_rate,  // (dh/dv) vdot + curvature = 0: written on velocities
  first_order, // H xdot + h_t = 0: written on first-order states alone
  value,       // y = 0: holds the algebraic unknowns or its own multiplier (compliant)
  mixed,       // configuration and first-order states in one relation without D: no single index
  set_valued,  // not an equality
};
RowForm row_form(const System& system, const RelationEntry& entry);
/// The same for a relation that is held like an equality, whatever its law: a closed contact, a conducting diode.
RowForm held_form(const System& system, const RelationEntry& entry);

struct LinearOutcome {
  bool ok = true;
  int iterations = 0;
  double residual = 0.0;      // componentwise backward error of the linear solution; inconsistent: what is left by the largest terms
  bool inconsistent = false;  // redundant rows contradict each other: solved by least squares
  std::string cause;
};

LinearOutcome failure(std::string cause);
/// Not ok where the residual says that x does not solve the system.
LinearOutcome outcome_of(const LinearReport& report);
std::span<const int> columns_of(const System& system, const RelationEntry& entry);
const RelationPool& pool_of(const System& system, const RelationEntry& entry);

/// 1 for an unknown that translates, 1 / length (0: length_scale) for one that turns a frame: entries of H then compare.
std::vector<double> column_scales(const System& system, const Kinematics& kinematics, double length = 0.0);

/// Size of each row of the relation in displacements of the model, squared: sum of (direction times column scale)^2, 1 where
/// that is zero. Weights that make the multipliers of unlike rows comparable.
void add_row_weights(const System& system, Assembly& assembly, const RelationEntry& entry, std::span<const double> column_scale, std::vector<double>& out);

/// The matrix [M H^T; H 0] (identity in the rows of xdot) over the rows of form second, first_rate and first_order; without
/// such rows M by components. One factor serves accelerations and the projections of positions and velocities.
/// Without rows objects that can solve with their own masses. Redundant rows get the multipliers of least norm; rotations count by System::length_scale.
class MassMatrix {
 public:
  MassMatrix(const System& system, Assembly& assembly);

  /// Factors at the configuration of the assembly; needs input_blocks() where there are rows.
  [[nodiscard]] LinearOutcome factorize(Assembly& assembly);
  /// In: force (unknowns) and target (rows of the system; others ignored). Out: rate with M rate - H^T lambda = force and
  /// H rate = target, lambda written at the rows held here only.
  [[nodiscard]] LinearOutcome solve(const double* force, const double* target, double* rate, double* lambda);

  /// True where there are no rows, and the factor of a constant mass is made: solve_blocks() then serves. It is false for a
  /// force that is not finite.
  bool ready() const { return factored_ && entries_.empty() && inertia_.constant() && system_.own_mass_unknowns.empty(); }
  bool solve_blocks(const double* force, double* rate) { return blocks_.solve(force, rate); }

  int rows() const { return count_of(row_); }
  /// Row of the system of row i of the matrix.
  int row(int i) const { return row_[i]; }

 private:
  double residual_by_kind();

  const System& system_;
  int dynamic_ = 0;  // nv + nx
  bool factored_ = false;
  std::vector<int> row_, entries_;  // rows; relation entries
  Inertia inertia_;
  Assembly* at_ = nullptr;          // the configuration of the factor
  CsrLayout layout_;                // mass block first, then one block an entry
  std::vector<double> values_, right_, solution_, left_, terms_, weights_, column_scale_;
  MassSolver blocks_;
  SparseSolver kkt_;
  SparseSolver fine_{SparseOptions{.refinements = 40, .regularization = 1e-13}};  // where inertias differ by many orders
};

}  // namespace saltus
