#include "saltus/solver/row_bounds.hpp"

#include <algorithm>

namespace saltus {
namespace {

bool symmetric(const SparseRows& A) {
  if (A.nonZeros() == 0) return true;
  const SparseRows transposed = A.transpose();
  return SparseRows(A - transposed).norm() <= 1e-14 * A.norm();
}

}  // namespace

bool all_bounded(const Problem& problem) {
  return std::all_of(problem.blocks.begin(), problem.blocks.end(), [](const Block& block) { return block.set->bounds; });
}

void row_bounds(const Problem& problem, std::vector<double>& low, std::vector<double>& high) {
  low.resize(problem.b.size());
  high.resize(problem.b.size());
  for (const Block& block : problem.blocks)
    block.set->bounds(block.parameters, block.dim, block.set_scale, &low[block.begin],
                      &high[block.begin]);
}

bool symmetric_response(const Problem& problem) {
  return symmetric(problem.D) && symmetric(problem.M) &&
         (problem.G.nonZeros() == 0 || SparseRows(problem.G - SparseRows(problem.H.transpose())).norm() <= 1e-14 * problem.H.norm());
}

}  // namespace saltus
