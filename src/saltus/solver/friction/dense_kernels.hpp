// Dense column-major kernels of a front. Sums run in a fixed order: the same bits in every run, and with any
// number of threads (null: the caller's alone).
#pragma once

#include "saltus/base/threads.hpp"

namespace saltus::friction {

/// Cholesky of the leading p x p part (lower triangle) of an n x p panel, and the rows below it times L^-T.
bool cholesky_panel(double* panel, int n, int p, Threads* threads);

/// LU with partial pivoting inside the leading p x p part of an n x p panel; the rows below become A U^-1, and `other`
/// (r x p, the transposed right part) becomes (L^-1 P A)^T.
bool lu_panel(double* panel, int n, int p, double* other, int r, int* pivots, Threads* threads);

/// U -= L L^T, lower triangle; L is r x p with leading dimension `stride`, U r x r.
void subtract_lower(const double* L, int stride, int r, int p, double* U, Threads* threads);

/// U -= A B^T; A is r x p with leading dimension `a_stride`, B with `b_stride`, U r x r.
void subtract_product(const double* A, int a_stride, const double* B, int b_stride, int r, int p, double* U, Threads* threads);

/// Applies the row exchanges of lu_panel.
void permute(const int* pivots, int p, double* x);

/// The leading diagonal by its reciprocals, as the solves below take it.
void invert_diagonal(double* panel, int n, int p);

/// x = L^-1 x with the panel's lower triangle; unit diagonal for LU, stored for Cholesky.
void lower_solve(const double* panel, int n, int p, bool symmetric, double* x);

/// x = L^-T x (Cholesky) or U^-1 x (LU).
void upper_solve(const double* panel, int n, int p, bool symmetric, double* x);

/// y = A x, A is r x p with leading dimension `stride`.
void product(const double* A, int stride, const double* x, int r, int p, double* y);

/// y -= A^T x.
void subtract_transposed(const double* A, int stride, const double* x, int r, int p, double* y);

}  // namespace saltus::friction
