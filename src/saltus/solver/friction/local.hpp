// One contact alone: find x, y in L, x.y = 0, y = A x + c + |y_T| e.
#pragma once

#include "saltus/solver/friction/cone.hpp"

namespace saltus::friction {

/// Exact solution for a 3 x 3 matrix A (row-major, its symmetric part positive definite) and `inverse` = A^-1.
/// `x` holds the last solution, from whose direction the search for the sliding angle starts, and receives the new one.
/// Open and sticking states are closed forms; sliding is Newton on the angle of the impulse with a scan as fallback.
/// Returns false where no state was found (possible for a large friction coefficient only); x is then the projection of
/// the sticking impulse. Source: friction law by cases, Jourdan, Alart, Jean 1998.
bool solve_contact(const double* A, const double* inverse, const double* c, double* x);

}  // namespace saltus::friction
