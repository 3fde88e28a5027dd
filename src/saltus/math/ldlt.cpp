#include "saltus/math/ldlt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "saltus/math/saddle_order.hpp"

namespace saltus {
void SparseLdlt::analyze(const CsrPattern& pattern, int multipliers) {
  assert(pattern.rows == pattern.cols);
  const int n = size_ = pattern.rows;
  const auto un = static_cast<std::size_t>(n);
  old_of_ = saddle_order(pattern, n - multipliers);
  new_of_.resize(un);
  for (int k = 0; k < n; ++k) new_of_[old_of_[k]] = k;

  // Entry (i, j) of the lower triangle lands in column max, row min of the permuted upper triangle.
  upper_begin_.assign(un + 1, 0);
  auto for_each_lower = [&](auto&& visit) {
    for (int i = 0; i < n; ++i)
      for (int s = pattern.begin[i]; s < pattern.begin[i + 1] && pattern.column[s] <= i; ++s)
        visit(std::minmax(new_of_[i], new_of_[pattern.column[s]]), s);
  };
  for_each_lower([&](std::pair<int, int> at, int) { ++upper_begin_[static_cast<std::size_t>(at.second) + 1]; });
  std::partial_sum(upper_begin_.begin(), upper_begin_.end(), upper_begin_.begin());
  upper_row_.resize(static_cast<std::size_t>(upper_begin_[un]));
  upper_source_.resize(upper_row_.size());
  std::vector<int> next(upper_begin_.begin(), upper_begin_.end() - 1);
  for_each_lower([&](std::pair<int, int> at, int s) {
    const int place = next[at.second]++;
    upper_row_[place] = at.first;
    upper_source_[place] = s;
  });

  // Elimination tree and the pattern of each row of L: the paths from the row's entries up the tree.
  std::vector<int> parent(un, -1), mark(un, -1), path(un), count(un, 0);
  step_begin_.assign(1, 0);
  step_column_.clear();
  for (int k = 0; k < n; ++k) {
    mark[k] = k;
    for (int s = upper_begin_[k]; s < upper_begin_[k + 1]; ++s) {
      int i = upper_row_[s];
      if (i == k) continue;
      for (; mark[i] != k; i = parent[i]) {
        if (parent[i] < 0) parent[i] = k;
        ++count[i];
        mark[i] = k;
        step_column_.push_back(i);
      }
    }
    std::sort(step_column_.begin() + step_begin_.back(), step_column_.end());  // ascending is a topological order
    step_begin_.push_back(static_cast<int>(step_column_.size()));
  }
  column_begin_.assign(un + 1, 0);
  std::partial_sum(count.begin(), count.end(), column_begin_.begin() + 1);
  row_of_.resize(step_column_.size());
  std::fill(count.begin(), count.end(), 0);
  for (int k = 0; k < n; ++k)
    for (int s = step_begin_[k]; s < step_begin_[k + 1]; ++s) {
      const int i = step_column_[s];
      row_of_[column_begin_[i] + count[i]++] = k;
    }
  L_.assign(row_of_.size(), 0.0);
  D_.assign(un, 0.0);
  inverse_.assign(un, 0.0);
  work_.assign(un, 0.0);
  filled_.assign(un, 0);
  lost_rows_.assign(un, 0);
  lost_count_ = 0;
}

PivotReport SparseLdlt::factorize(const double* values, std::span<const double> shift,
                                  std::span<const double> substitute, double lost) {
  PivotReport report;
  lost_count_ = 0;
  report.smallest = size_ > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  std::fill(work_.begin(), work_.end(), 0.0);
  for (int k = 0; k < size_; ++k) {
    filled_[k] = 0;
    const int row = old_of_[k];
    double pivot = shift.empty() ? 0.0 : shift[row];
    for (int s = upper_begin_[k]; s < upper_begin_[k + 1]; ++s) {
      if (upper_row_[s] == k)
        pivot += values[upper_source_[s]];
      else
        work_[upper_row_[s]] = values[upper_source_[s]];
    }
    double terms = std::abs(pivot);
    for (int s = step_begin_[k]; s < step_begin_[k + 1]; ++s) {
      const int i = step_column_[s];
      const double y = work_[i];
      work_[i] = 0.0;
      const int first = column_begin_[i], last = first + filled_[i];
      for (int p = first; p < last; ++p) work_[row_of_[p]] -= L_[p] * y;
      const double l = y * inverse_[i];
      L_[last] = l;
      ++filled_[i];
      pivot -= l * y;
      terms += std::abs(l * y);
    }
    if (!std::isfinite(pivot)) {
      report.finite = false;
      report.row = row;
      return report;
    }
    if (std::abs(pivot) <= lost * terms) {
      if (report.replaced++ == 0) report.row = row;
      if (substitute.empty()) return report;
      lost_rows_[lost_count_++] = row;
      const double by = substitute[row];
      pivot = by == 0.0 ? 0.0 : std::copysign(std::max(std::abs(by), 1e-8 * terms), by);
    }
    if (pivot < 0.0 && report.negative++ == 0) report.first_negative = row;
    report.smallest = std::min(report.smallest, std::abs(pivot));
    report.largest = std::max(report.largest, std::abs(pivot));
    D_[k] = pivot;
    inverse_[k] = pivot == 0.0 ? 0.0 : 1.0 / pivot;
  }
  return report;
}

void SparseLdlt::solve(double* x) {
  for (int k = 0; k < size_; ++k) work_[k] = x[old_of_[k]];
  for (int k = 0; k < size_; ++k) {
    const double y = work_[k];
    for (int p = column_begin_[k]; p < column_begin_[k + 1]; ++p) work_[row_of_[p]] -= L_[p] * y;
  }
  for (int k = size_ - 1; k >= 0; --k) {
    double y = work_[k] * inverse_[k];
    for (int p = column_begin_[k]; p < column_begin_[k + 1]; ++p) y -= L_[p] * work_[row_of_[p]];
    work_[k] = y;
  }
  for (int k = 0; k < size_; ++k) x[old_of_[k]] = work_[k];
}

}  // namespace saltus
