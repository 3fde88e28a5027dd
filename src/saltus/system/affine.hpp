// Forces and rows of a system that are affine in its coordinates at all times: matrices instead of items.
#pragma once

#include <vector>

#include "saltus/system/assembly.hpp"

namespace saltus {

/// F = F_0 + A y and rows = rows_0 + B y + D lambda, y = [q | v | x | z | 0]: taken once from the items, which say that they are so
/// (ForcePool::constant_matrix, RelationTraits::linear and not uses_time). A step then asks no item. Input of relations by
/// their adjoint only.
class AffineSystem {
 public:
  /// Whether the system is such a one; `by_position`: or while its switches stay as they are (RelationTraits::switched, of what is written at value).
  static bool can(const System& system, bool by_position = false);
  /// Evaluates and differentiates at the initial configuration; switches as they are at t with the data.
  void build(const System& system, Assembly& assembly, double t, const double* data);

  /// F: unknowns.
  void forces(const double* y, double* F) const { evaluate(forces_, y, F); }
  /// F is the same everywhere.
  bool constant_forces() const { return forces_.column.empty(); }
  /// Rows of all relations at lambda = 0.
  void rows(const double* y, double* out) const { evaluate(rows_, y, out); }
  /// Rates of mechanical rows: H v of those written at value, the row itself of those written at rate.
  void rates(const double* y, double* out) const { evaluate(rates_, y, out); }

  /// Sparse rows over y, and what they are where y is zero.
  struct Matrix {
    std::vector<double> constant, value;
    std::vector<int> begin{0}, column;  // entries of y
    void add(int at, double x);
    void end_row(double value_at_reference, const double* y);
    void end_row();  // without a constant
  };
  const Matrix& force_matrix() const { return forces_; }
  const Matrix& row_matrix() const { return rows_; }
  const Matrix& rate_matrix() const { return rates_; }

 private:
  static void evaluate(const Matrix& m, const double* y, double* out);
  Matrix forces_, rows_, rates_;
};

}  // namespace saltus
