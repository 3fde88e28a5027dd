// One contact alone: find x, y in L, x.y = 0, y = A x + c + |y_T| e.
#pragma once

#include "saltus/solver/friction/cone.hpp"

namespace saltus::friction {

/// The sliding state, where neither the open nor the sticking one holds: c[0] < 0, `stick` = -A^-1 c outside of L. Newton on the
/// angle of the impulse, from the last direction, from that of `stick` and against c, with a scan as fallback.
bool solve_sliding(const double* A, const double* c, const double* stick, double* x);

/// A^-1 of a contact's own block. One without effect on some direction gets a small multiple of its trace, which keeps its own problem solvable.
Square regular_inverse(const Square& A);

/// Exact solution for a 3 x 3 matrix A (row-major, its symmetric part positive definite) and `inverse` = A^-1.
/// `x` holds the last solution, from whose direction the search for the sliding angle starts, and receives the new one.
/// Returns false where no state was found (possible for a large friction coefficient only); x is then the projection of
/// the sticking impulse. Source: friction law by cases, Jourdan, Alart, Jean 1998.
inline bool solve_contact(const double* A, const double* inverse, const double* c, double* x) {
  if (c[0] >= 0.0) {
    x[0] = x[1] = x[2] = 0.0;
    return true;
  }
  Triple stick;
  multiply(inverse, c, stick.data());
  for (double& s : stick) s = -s;
  if (stick[0] >= 0.0 && stick[1] * stick[1] + stick[2] * stick[2] <= stick[0] * stick[0]) {
    x[0] = stick[0], x[1] = stick[1], x[2] = stick[2];
    return true;
  }
  return solve_sliding(A, c, stick.data(), x);
}

}  // namespace saltus::friction
