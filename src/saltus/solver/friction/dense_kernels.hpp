// Dense column-major kernels of a front. Sums run in a fixed order: the same bits in every run.
#pragma once

namespace saltus::friction {

/// Cholesky of the leading p x p part (lower triangle) of an n x p panel, and the rows below it times L^-T.
bool cholesky_panel(double* panel, int n, int p);

/// LU with partial pivoting inside the leading p x p part of an n x p panel; the rows below become A U^-1, and `other`
/// (r x p, the transposed right part) becomes (L^-1 P A)^T.
bool lu_panel(double* panel, int n, int p, double* other, int r, int* pivots);

/// U -= L L^T, lower triangle; L is r x p with leading dimension `stride`, U r x r.
void subtract_lower(const double* L, int stride, int r, int p, double* U);

/// U -= A B^T; A is r x p with leading dimension `a_stride`, B with `b_stride`, U r x r.
void subtract_product(const double* A, int a_stride, const double* B, int b_stride, int r, int p, double* U);

/// Applies the row exchanges of lu_panel.
void permute(const int* pivots, int p, double* x);

/// x = L^-1 x with the panel's lower triangle; unit diagonal for LU, stored for Cholesky.
void lower_solve(const double* panel, int n, int p, bool symmetric, double* x);

/// x = L^-T x (Cholesky) or U^-1 x (LU).
void upper_solve(const double* panel, int n, int p, bool symmetric, double* x);

double inner(const double* a, const double* b, int n);

}  // namespace saltus::friction
