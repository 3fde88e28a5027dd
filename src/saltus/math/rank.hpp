// Which rows of a sparse matrix are linear combinations of earlier ones: redundant constraints, by name.
#pragma once

#include <span>
#include <vector>

#include "saltus/math/csr.hpp"

namespace saltus {

/// Row `row` is a combination of the earlier rows `with` (ascending; empty: the row is zero).
struct DependentRow {
  int row = -1;
  std::vector<int> with;
};

/// Rows of H (by slot in `values`) that depend on earlier ones, ascending. Each row is scaled to unit length after
/// the columns were multiplied by `column_scale` (cols, empty: ones), which makes rotations and translations
/// comparable (the model's length). A singular value below `tolerance` of the largest diagonal of R counts as zero.
/// The pivots of a sparse factor of [I H^T; H 0] tell independent rows and clear null vectors in linear time on chains; where
/// they leave a doubt, one rank-revealing QR of H^T a connected component: dense with column pivoting up to 1500 rows, sparse
/// beyond.
std::vector<DependentRow> dependent_rows(const CsrPattern& H, std::span<const double> values,
                                         std::span<const double> column_scale = {}, double tolerance = 1e-9);

}  // namespace saltus
