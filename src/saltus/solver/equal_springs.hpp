// Loads that are not unique, shared as by equal springs under their rows.
#pragma once

namespace saltus {

/// The map of a problem has the Jacobian J at its solution x, and J + c S with springs of compliance c from `rest` under the rows. For c to zero its solution has L^T S (x - rest) = 0,
/// L the left kernel of J: x moves there along the right kernel, free of the rounding that a compliance divides by itself. m rows, to `springs_most_rows`, of `stride` numbers each, row by row.
/// False, and x as it was: J is regular, or its kernels do not say where.
constexpr int springs_most_rows = 36;
bool share_by_springs(const double* J, const double* S, int m, int stride, const double* rest, double* x);

}  // namespace saltus
