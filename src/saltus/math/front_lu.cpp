#include "saltus/math/front_lu.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/base/index.hpp"
#include "saltus/math/factor_memory.hpp"
#include "saltus/math/saddle_order.hpp"

namespace saltus {
namespace {

constexpr double least_pivot = 1e-10;  // of the largest entry in rows that cannot be exchanged: below, nothing is left of these

CsrPattern with_transposed(const CsrPattern& pattern) {
  const CsrPattern other = transposed(pattern).pattern;
  CsrPattern both{pattern.rows, pattern.cols, {0}, {}};
  for (int i = 0; i < pattern.rows; ++i) {
    std::set_union(pattern.row(i).begin(), pattern.row(i).end(), other.row(i).begin(), other.row(i).end(), std::back_inserter(both.column));
    both.begin.push_back(both.nonzeros());
  }
  return both;
}

}  // namespace

void FrontLu::analyze(const CsrPattern& pattern, int multipliers, double memory) {
  const EliminationOrder order = saddle_order(with_transposed(pattern), pattern.rows - multipliers);
  factor_.analyze(order.groups, order.group_size, order.unknown);
  const FrontTree& tree = factor_.tree();
  const auto& fronts = tree.fronts();
  const bool too_wide = std::any_of(fronts.begin(), fronts.end(), [](const FrontTree::Front& f) { return std::int64_t{f.rows()} * f.width > std::numeric_limits<std::uint32_t>::max(); });
  check_factor_memory(pattern.rows, 2.0 * tree.entries(), factor_.bytes(false, nullptr), memory, too_wide);
  scale_.assign(pattern.rows, 1.0);
  // Rows and columns of an entry by position until its front is entered.
  struct Found {
    int front, slot, row, p, q;
  };
  std::vector<Found> found;
  found.reserve(pattern.column.size());
  for (int i = 0; i < pattern.rows; ++i)
    for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s) {
      const int p = factor_.position()[i], q = factor_.position()[pattern.column[s]];
      found.push_back({tree.front_of(std::min(p, q)), s, i, p, q});
    }
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.front < b.front; });
  std::vector<int> row(pattern.rows);
  std::vector<Entry> of_side;
  entries_.clear(), begin_.assign(1, 0), side_begin_.clear();
  auto next = found.begin();
  for (int f = 0; f < count_of(fronts); ++f) {
    const FrontTree::Front& front = fronts[f];
    tree.enter(front, row);
    of_side.clear();
    for (; next != found.end() && next->front == f; ++next) {
      const auto i = static_cast<std::uint32_t>(row[next->p]), j = static_cast<std::uint32_t>(row[next->q]);
      if (row[next->q] < front.width) entries_.push_back({next->slot, next->row, i + j * static_cast<std::uint32_t>(front.rows())});
      else of_side.push_back({next->slot, next->row, j - static_cast<std::uint32_t>(front.rest_row()) + i * static_cast<std::uint32_t>(front.rest_rows())});
    }
    side_begin_.push_back(count_of(entries_));
    entries_.insert(entries_.end(), of_side.begin(), of_side.end());
    begin_.push_back(count_of(entries_));
  }
}

bool FrontLu::factorize(const CsrPattern& pattern, const double* values, Threads* threads) {
  for (int i = 0; i < pattern.rows; ++i) {
    double largest = 0.0;
    for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s) largest = std::max(largest, std::abs(values[s]));
    failed_ = i;
    if (largest == 0.0) return false;
    scale_[i] = std::ldexp(1.0, -std::ilogb(largest));
  }
  const auto fill = [&](int f, const FrontFactor::Target& target) {
    for (int e = begin_[f]; e < side_begin_[f]; ++e) target.panel[entries_[e].at] = values[entries_[e].slot] * scale_[entries_[e].row];
    for (int e = side_begin_[f]; e < begin_[f + 1]; ++e) target.side[entries_[e].at] = values[entries_[e].slot] * scale_[entries_[e].row];
  };
  failed_ = factor_.factorize_general(fill, least_pivot, threads).row;
  return failed_ < 0;
}

void FrontLu::solve(double* x, Threads* threads) {
  for (std::size_t i = 0; i < scale_.size(); ++i) x[i] *= scale_[i];
  factor_.solve(x, threads);
}

void FrontLu::solve_transposed(double* x, Threads* threads) {
  factor_.solve(x, threads, true);
  for (std::size_t i = 0; i < scale_.size(); ++i) x[i] *= scale_[i];
}

}  // namespace saltus
