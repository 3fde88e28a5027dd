// Projection on a polyhedron: the set of an affine variational inequality.
#pragma once

#include <optional>
#include <vector>

#include "saltus/problem/problem.hpp"

namespace saltus {

/// {r: A r <= a}, A count x dim, row-major.
struct Facets {
  int count;
  const double *A, *a;
};

/// Nearest point x to c in {A x <= a}; A is count x dim, row-major. `active` receives the facets with a positive multiplier.
/// False where the set is empty to working precision or c is not finite (then x is c). Rows of zeros are allowed.
/// Source: least distance programming through non-negative least squares, Lawson, Hanson 1974, ch. 23.
bool nearest_point(const Facets& facets, int dim, double set_scale, const double* c, double* x, std::vector<int>& active);

/// Multipliers u >= 0 of the facets with A^T u = 0 and a.u < 0, to working precision: no point fulfils A x <= a (Farkas 1902).
/// Empty where none is found.
std::vector<double> contradiction(const Facets& facets, int dim);

/// {r: A r <= a}, times set_scale. Parameters: number of facets, A row by row, a. Any number of rows.
extern const SetType polyhedron_set;

/// The facets of a block whose set is a polyhedron: such a block is fit for pivoting. a is to be multiplied by set_scale.
std::optional<Facets> facets_of(const Block& block);

/// As parameter_count, polyhedra and characteristics included: their first parameter counts the facets or corners. -1 where it is no count.
int parameters_needed(const SetType& set, int dim, const double* parameters);

}  // namespace saltus
