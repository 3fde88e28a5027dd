// Loads that are not unique, shared as by equal springs under their rows.
#pragma once

namespace saltus {

/// J: Jacobian of the map of a problem at its solution x. held x = .. are the rows that hold there with slip in its direction, c S x springs of compliance c from `rest` under them. For c to zero
/// L^T S (x - rest) = 0, L the left kernel of `held`: x moves there along the right kernel of J, free of the rounding that a compliance divides by itself. m rows, to `springs_most_rows`, of `stride` numbers
/// each, row by row. False, and x as it was: J is regular, or the kernels do not say where.
constexpr int springs_most_rows = 36;
bool share_by_springs(const double* J, const double* held, const double* S, int m, int stride, const double* rest, double* x);

}  // namespace saltus
