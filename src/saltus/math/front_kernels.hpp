// Dense column-major kernels of a front. Sums run in a fixed order: the same bits in every run, and with any
// number of threads (null: the caller's alone). Numbers of rows are multiples of four; columns are not.
#pragma once

#include "saltus/base/threads.hpp"
#include "saltus/math/pivot_report.hpp"

namespace saltus {

constexpr char replaced_mark = 1, doubtful_mark = 2;

/// What happens to small pivots of L D L^T. Arrays by column of the panel.
struct PivotRule {
  double lost = 0.0;                   // |d| <= lost times the size of its terms is rounding noise
  const double* substitute = nullptr;  // signed replacement, at least 1e-8 of the terms (0 stays 0); null: a lost pivot ends the work
  double* pivot = nullptr;             // receives D
  char* mark = nullptr;                // receives replaced_mark where a pivot was lost, doubtful_mark where it is not but small
};

/// L D L^T of the leading p columns of an n x p panel: below the diagonal L, on it 1 / D. The panel's entries above the diagonal are
/// not read, and may be overwritten. terms (n): sizes of what the diagonals were computed from; receives what these columns add.
/// Returns the column without a pivot (not finite, or lost without a substitute), p if there is none.
int ldlt_panel(double* panel, int n, int p, double* terms, const PivotRule& rule, Threads* threads);

/// U -= L D L^T, lower triangle; L is r x p with leading dimension `stride`, U is padded(r) x r. What is above the diagonal is no result.
void subtract_ldlt(const double* L, int stride, const double* D, int r, int p, double* U, Threads* threads);

/// LU with partial pivoting inside the leading p x p part of an n x p panel; the rows from `below` on become A U^-1, and `side`
/// (padded(r) x p, the transposed right part) becomes (L^-1 P A)^T. The diagonal becomes its reciprocals. Returns the column without a
/// pivot (zero, not finite, or less than `threshold` of the largest entry below it outside of the part), p if there is none.
int lu_panel(double* panel, int n, int p, int below, double* side, int r, int* pivots, double threshold, Threads* threads);

/// U -= A B^T; A is r x p with leading dimension `a_stride`, B with `b_stride`, U padded(r) x r.
void subtract_product(const double* A, int a_stride, const double* B, int b_stride, int r, int p, double* U, Threads* threads);

/// Applies the row exchanges of lu_panel, or takes them back.
void permute(const int* pivots, int p, double* x);
void permute_back(const int* pivots, int p, double* x);

/// x = L^-1 x with the panel's unit lower triangle.
void lower_solve(const double* panel, int n, int p, double* x);
/// x = L^-T x with the same.
void lower_transposed_solve(const double* panel, int n, int p, double* x);
/// x = U^-1 x with the panel's upper triangle and the reciprocals on its diagonal.
void upper_solve(const double* panel, int n, int p, double* x);
/// x = U^-T x with the same.
void upper_transposed_solve(const double* panel, int n, int p, double* x);

/// y -= A x, A is r x p with leading dimension `stride`.
void subtract_from(const double* A, int stride, const double* x, int r, int p, double* y);

/// y -= A^T x.
void subtract_transposed(const double* A, int stride, const double* x, int r, int p, double* y);

}  // namespace saltus
