#include "saltus/math/dense_lu.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace saltus {

void DenseLu::reserve(int n) {
  const std::size_t size = n;
  factor_.reserve(size * size);
  for (auto* x : {&inverse_pivot_, &scale_, &work_}) x->reserve(size);
  row_.reserve(size);
}

bool DenseLu::factorize(std::span<const double> matrix, int n, double least) {
  const std::size_t size = n;
  n_ = n;
  factor_.assign(matrix.begin(), matrix.end());
  for (auto* x : {&inverse_pivot_, &scale_, &work_}) x->resize(size);
  row_.resize(size);
  std::iota(row_.begin(), row_.end(), 0);
  for (std::size_t i = 0; i < size; ++i) {
    double largest = 0.0;
    for (std::size_t j = 0; j < size; ++j) largest = std::max(largest, std::abs(factor_[i * size + j]));
    failed_ = static_cast<int>(i);
    if (!(largest > 0.0) || !std::isfinite(largest)) return false;
    scale_[i] = 1.0 / largest;
    for (std::size_t j = 0; j < size; ++j) factor_[i * size + j] *= scale_[i];
  }
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < size; ++i)
      if (std::abs(factor_[i * size + k]) > std::abs(factor_[best * size + k])) best = i;
    failed_ = static_cast<int>(k);
    if (!(std::abs(factor_[best * size + k]) > least)) return false;
    if (best != k) {
      std::swap_ranges(factor_.begin() + static_cast<std::ptrdiff_t>(best * size), factor_.begin() + static_cast<std::ptrdiff_t>((best + 1) * size),
                       factor_.begin() + static_cast<std::ptrdiff_t>(k * size));
      std::swap(row_[best], row_[k]);
    }
    const double* pivot = factor_.data() + k * size;
    inverse_pivot_[k] = 1.0 / pivot[k];
    for (std::size_t i = k + 1; i < size; ++i) {
      double* row = factor_.data() + i * size;
      if (row[k] == 0.0) continue;
      const double l = row[k] *= inverse_pivot_[k];
      for (std::size_t j = k + 1; j < size; ++j) row[j] -= l * pivot[j];
    }
  }
  return true;
}

void DenseLu::solve(std::span<double> x) {
  const std::size_t size = n_;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t from = row_[i];
    double sum = x[from] * scale_[from];
    const double* row = factor_.data() + i * size;
    for (std::size_t j = 0; j < i; ++j) sum -= row[j] * work_[j];
    work_[i] = sum;
  }
  for (std::size_t i = size; i-- > 0;) {
    double sum = work_[i];
    const double* row = factor_.data() + i * size;
    for (std::size_t j = i + 1; j < size; ++j) sum -= row[j] * work_[j];
    work_[i] = sum * inverse_pivot_[i];
  }
  std::copy(work_.begin(), work_.begin() + n_, x.begin());
}

void DenseLu::solve_transposed(std::span<double> x) {
  const std::size_t size = n_;
  for (std::size_t i = 0; i < size; ++i) {
    double sum = x[i];
    for (std::size_t j = 0; j < i; ++j) sum -= factor_[j * size + i] * work_[j];
    work_[i] = sum * inverse_pivot_[i];
  }
  for (std::size_t i = size; i-- > 0;)
    for (std::size_t j = i + 1; j < size; ++j) work_[i] -= factor_[j * size + i] * work_[j];
  for (std::size_t i = 0; i < size; ++i) x[row_[i]] = scale_[row_[i]] * work_[i];
}

}  // namespace saltus
