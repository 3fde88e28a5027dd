#include "saltus/problem/impossible.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "saltus/base/index.hpp"

namespace saltus {
namespace {

/// |y.A| <= 1e-11 sum |y_i A_ij| in every column.
bool vanishes(const SparseRows& A, std::span<const double> y) {
  if (A.nonZeros() == 0) return true;
  std::vector<double> sum(A.cols(), 0.0), size(sum.size(), 0.0);
  for (int i = 0; i < A.outerSize(); ++i) {
    const double factor = y[i];
    if (factor == 0.0) continue;
    for (SparseRows::InnerIterator a(A, i); a; ++a) {
      sum[a.col()] += factor * a.value();
      size[a.col()] += std::abs(factor * a.value());
    }
  }
  const double largest = *std::max_element(size.begin(), size.end());
  for (std::size_t j = 0; j < sum.size(); ++j)
    if (!(std::abs(sum[j]) <= 1e-11 * size[j] + 1e-15 * largest)) return false;
  return true;
}

/// What the free motion p0 / M puts into the rows of y, each unknown by itself: y.H vanishes to rounding of these terms.
double moving_terms(const Problem& problem, std::span<const double> y) {
  double sum = 0.0;
  for (int i = 0; problem.unknowns() > 0 && i < problem.rows(); ++i) {
    if (y[at(i)] == 0.0) continue;
    for (SparseRows::InnerIterator a(problem.H, i); a; ++a) {
      const auto j = static_cast<int>(a.col());
      if (const double own = std::abs(problem.M.coeff(j, j)); own > 0.0) sum += std::abs(y[at(i)] * a.value() * problem.p0[at(j)]) / own;
    }
  }
  return sum;
}

}  // namespace

std::vector<RowSign> row_signs(const Problem& problem) {
  std::vector<RowSign> signs(problem.b.size(), RowSign::none);
  std::vector<double> bounds;
  for (const Block& block : problem.blocks) {
    RowSign* out = signs.data() + block.begin;
    const std::size_t dim = block.dim;
    if (block.set->friction && (block.dim == 2 || block.dim == 3)) out[0] = RowSign::positive;
    if (!block.set->bounds) continue;
    bounds.resize(2 * dim);
    block.set->bounds(block.parameters, block.dim, block.set_scale, bounds.data(), bounds.data() + dim);
    for (std::size_t i = 0; i < dim; ++i) {
      const bool below = std::isinf(bounds[i]), above = std::isinf(bounds[dim + i]);
      out[i] = below && above ? RowSign::zero : above ? RowSign::positive : below ? RowSign::negative : RowSign::none;
    }
  }
  return signs;
}

bool is_impossible(const Problem& problem, std::span<const double> y) {
  if (y.size() != problem.b.size()) return false;
  const std::vector<RowSign> signs = row_signs(problem);
  double value = 0.0, size = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] == 0.0) continue;
    if (!std::isfinite(y[i]) || signs[i] == RowSign::none) return false;
    if ((signs[i] == RowSign::positive && y[i] < 0.0) || (signs[i] == RowSign::negative && y[i] > 0.0)) return false;
    value += y[i] * problem.b[i];
    size += std::abs(y[i] * problem.b[i]);
  }
  constexpr double rounding = 1e-13;
  return value < -1e-9 * size - rounding * moving_terms(problem, y) && vanishes(problem.H, y) && vanishes(problem.D, y);
}

}  // namespace saltus
