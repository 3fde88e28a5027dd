// Direct solution of sparse systems with a fixed pattern: analyze once, factorize often, solve with a stated residual.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "saltus/base/threads.hpp"
#include "saltus/math/csr.hpp"

namespace saltus {

enum class MatrixKind {
  symmetric_quasidefinite,  // [K H^T; H -D]: L D L^T, regularized, refined; only entries on and below the diagonal are read
  unsymmetric,              // any: L U by fronts, with exchanges of all rows where those lose too many digits
};

enum class FactorStatus { ok, singular, not_finite };

struct FactorReport {
  FactorStatus status = FactorStatus::ok;
  int row = -1;                 // singular: the unknown that moves most in the null vector; not_finite: the entry's row
  int lost_pivots = 0;          // pivots that were rounding noise and were replaced (quasi-definite kind)
  int negative_pivots = 0;      // inertia of the regularized matrix (quasi-definite kind)
  double regularization = 0.0;  // delta on the unweighted multiplier, in the matrix' units; 0: the matrix as it is
  double pivot_ratio = 0.0;     // smallest over largest pivot (quasi-definite kind)
};

struct LinearReport {
  double residual = 0.0;     // componentwise backward error, see SparseSolver::solve
  int refinements = 0;       // corrections after the first solution
  bool converged = false;    // residual <= tolerance
  bool inconsistent = false; // redundant rows contradict each other: the answer is theirs by least squares
};

struct SparseOptions {
  double tolerance = 1e-14;      // of the refinement
  int refinements = 16;          // at most
  double regularization = 1e-8;  // delta relative to the weighted diagonal of H K^-1 H^T, where pivots are lost
  double lost_pivot = 1e-11;     // of the terms of a pivot, what is left counts as lost
  double memory = 0.0;           // bytes that the factor may take; 0: those that are free
};

/// One line of the table of linear solvers.
struct LinearSolverEntry {
  std::string_view name;
  std::string_view takes;   // which matrices
  std::string_view chosen;  // by whom, when
  std::string_view source;
};
/// All that SparseSolver chooses from, by kind of matrix, number of unknowns and the fronts of its order.
std::span<const LinearSolverEntry> linear_solvers();

/// Solves A x = b, A square (n x n) with a fixed pattern.
///
/// Quasi-definite kind: the last `multipliers` unknowns are multipliers (rows of H and -D). The factor is that of the matrix
/// itself where no pivot is lost. Where one is (redundant rows), it is that of
/// [K H^T; H -D - delta W], W = diag(weights), and each refinement is one step of the proximal method of multipliers
/// (Rockafellar 1976; Friedlander, Orban 2012): the limit solves the unregularized system, and
/// lambda is the solution that minimizes lambda^T W lambda. Rows that contradict each other are solved by
/// least squares (in W^-1) and flagged. K need not be definite, and may have zero diagonals.
/// Not safe to share between threads: each owns its solver.
class SparseSolver {
 public:
  explicit SparseSolver(SparseOptions options = {});
  ~SparseSolver();
  SparseSolver(SparseSolver&&) noexcept;
  SparseSolver& operator=(SparseSolver&&) noexcept;

  /// Orders and allocates; MemoryError where the factor needs more than may be taken. weights (multipliers, positive, empty: ones) make multipliers of different units comparable.
  void analyze(MatrixKind kind, const CsrPattern& pattern, int multipliers = 0, std::span<const double> weights = {});
  /// values: one a slot of the pattern; copied, unless they are those of values(). The quasi-definite kind does not allocate.
  /// threads: for matrices with large fronts, used by solutions too until the next factorization; the bits do not depend on them.
  [[nodiscard]] FactorReport factorize(std::span<const double> values, Threads* threads = nullptr);
  /// Where the values are kept: may be written instead of handing over others.
  std::span<double> values();
  /// x := A^-1 b with refinement until max_i |b - A x|_i / (|A||x| + |b|)_i <= tolerance (Oettli, Prager 1964; rows
  /// whose terms are all negligible are measured against the size of x: Arioli, Demmel, Duff 1989), or it stops
  /// falling. Meaningful after a factorization that was ok. A NaN in b comes back as residual NaN, not converged.
  [[nodiscard]] LinearReport solve(std::span<const double> b, std::span<double> x);
  /// One application of the factor, without refinement: what an inner iteration wants. x in place.
  void apply(std::span<double> x);
  /// Estimate of 1 / (|A|_1 |A^-1|_1) (Hager 1984, Higham 1988) of the matrix as factored; some solves' cost.
  double reciprocal_condition();

  int size() const;
  /// Name, in the table, of what factored last, or is going to.
  std::string_view method() const;
  /// Entries of the factors; 0 before analyze (unsymmetric: before factorize).
  std::int64_t fill() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace saltus
