#include "saltus/math/mass_solver.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/math/long_vectors.hpp"

namespace saltus {

void MassSolver::analyze(const CsrPattern& pattern) {
  assert(pattern.rows == pattern.cols);
  *this = MassSolver{};
  size_ = pattern.rows;
  const Components found = saltus::components(pattern);
  components_ = found.count;
  std::vector<std::vector<int>> members(found.count);
  std::vector<int> local(size_);
  for (int i = 0; i < size_; ++i) {
    auto& of = members[found.of[i]];
    local[i] = count_of(of);
    of.push_back(i);
  }
  for (auto& unknowns : members) {
    const int n = count_of(unknowns);
    if (n == 1) {
      single_.push_back(unknowns[0]);
      single_slot_.push_back(pattern.slot(unknowns[0], unknowns[0]));
    } else if (n <= largest_dense) {
      const Dense block{n, count_of(index_), count_of(factor_)};
      for (const int i : unknowns)
        for (int s = pattern.begin[i]; s < pattern.begin[i + 1] && pattern.column[s] <= i; ++s)
          entries_.push_back({s, block.factor_begin + local[i] * n + local[pattern.column[s]]});
      index_.insert(index_.end(), unknowns.begin(), unknowns.end());
      factor_.resize(factor_.size() + static_cast<std::size_t>(n * n), 0.0);
      dense_.push_back(block);
    } else {
      Sparse& part = sparse_.emplace_back();
      CsrPattern sub{n, n, {0}, {}};
      for (const int i : unknowns) {
        for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s) {
          sub.column.push_back(local[pattern.column[s]]);
          part.source.push_back(s);
        }
        sub.begin.push_back(sub.nonzeros());
      }
      part.values.resize(part.source.size());
      part.work.resize(unknowns.size());
      part.ldlt.analyze(sub);
      part.index = std::move(unknowns);
    }
  }
  reciprocal_.assign(single_.size(), 0.0);
}

bool MassSolver::factorize_dense(const Dense& block, MassReport& report) {
  const int n = block.size;
  double* L = factor_.data() + block.factor_begin;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = L[i * n + j];
      for (int k = 0; k < j; ++k) sum -= L[i * n + k] * L[j * n + k];
      if (j < i) {
        L[i * n + j] = sum * L[j * n + j];
      } else if (sum > 1e-14 * L[i * n + i]) {
        L[i * n + i] = 1.0 / std::sqrt(sum);  // the diagonal holds reciprocals
        if (std::isfinite(L[i * n + i])) continue;
        report = {false, false, index_[block.index_begin + i]};
        return false;
      } else {
        report = {false, std::isfinite(sum), index_[block.index_begin + i]};
        return false;
      }
    }
  }
  return true;
}

MassReport MassSolver::factorize(std::span<const double> values) {
  MassReport report;
  for (std::size_t k = 0; k < single_.size(); ++k) {
    const double m = single_slot_[k] < 0 ? 0.0 : values[single_slot_[k]];
    if (!(m > 0.0) || !std::isfinite(m) || !std::isfinite(1.0 / m)) return {false, std::isfinite(m), single_[k]};
    reciprocal_[k] = 1.0 / m;
  }
  std::fill(factor_.begin(), factor_.end(), 0.0);
  for (const Entry& e : entries_) factor_[e.place] = values[e.slot];
  for (const Dense& block : dense_)
    if (!factorize_dense(block, report)) return report;
  for (Sparse& part : sparse_) {
    for (std::size_t s = 0; s < part.source.size(); ++s) part.values[s] = values[part.source[s]];
    const PivotReport pivots = part.ldlt.factorize(part.values.data(), {}, {});
    if (!pivots.finite || pivots.replaced > 0) return {false, pivots.finite, part.index[pivots.row]};
    if (pivots.negative > 0) return {false, true, part.index[pivots.first_negative]};
  }
  return report;
}

void MassSolver::solve_dense(const Dense& block, double* x) {
  const int n = block.size;
  const double* L = factor_.data() + block.factor_begin;
  const int* index = index_.data() + block.index_begin;
  double y[largest_dense];
  for (int i = 0; i < n; ++i) {
    double sum = x[index[i]];
    for (int k = 0; k < i; ++k) sum -= L[i * n + k] * y[k];
    y[i] = sum * L[i * n + i];
  }
  for (int i = n - 1; i >= 0; --i) {
    y[i] *= L[i * n + i];
    for (int k = 0; k < i; ++k) y[k] -= L[i * n + k] * y[i];
    x[index[i]] = y[i];
  }
}

void MassSolver::solve(double* x, int count, int stride) {
  if (stride == 0) stride = size_;
  for (int c = 0; c < count; ++c, x += stride) {
    for (std::size_t k = 0; k < single_.size(); ++k) x[single_[k]] *= reciprocal_[k];
    for (const Dense& block : dense_) solve_dense(block, x);
    for (Sparse& part : sparse_) {
      for (std::size_t i = 0; i < part.index.size(); ++i) part.work[i] = x[part.index[i]];
      part.ldlt.solve(part.work.data());
      for (std::size_t i = 0; i < part.index.size(); ++i) x[part.index[i]] = part.work[i];
    }
  }
}

bool MassSolver::solve(const double* right, double* x) {
  if (count_of(single_) == size_) return multiply_each(size_, right, reciprocal_.data(), x);  // in their order
  std::copy_n(right, size_, x);
  solve(x);
  return finite(x, size_);
}

}  // namespace saltus
