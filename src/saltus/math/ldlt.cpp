#include "saltus/math/ldlt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "saltus/math/packs.hpp"
#include "saltus/math/saddle_order.hpp"

namespace saltus {
namespace {

/// y += factor x, count entries.
inline void add_scaled(double factor, const double* x, int count, double* y) {
  int c = 0;
  for (; c + 4 <= count; c += 4) store(load<FourDoubles>(y + c) + factor * load<FourDoubles>(x + c), y + c);
  for (; c < count; ++c) y[c] += factor * x[c];
}
inline double product(const double* x, const double* y, int count) {
  FourDoubles four{};
  int c = 0;
  for (; c + 4 <= count; c += 4) four += load<FourDoubles>(x + c) * load<FourDoubles>(y + c);
  double sum = (four[0] + four[1]) + (four[2] + four[3]);
  for (; c < count; ++c) sum += x[c] * y[c];
  return sum;
}

}  // namespace

void SparseLdlt::analyze(const CsrPattern& pattern, int multipliers) {
  assert(pattern.rows == pattern.cols);
  *this = SparseLdlt{};
  size_ = pattern.rows;
  const auto n = static_cast<std::size_t>(size_);
  EliminationOrder order = saddle_order(pattern, size_ - multipliers);
  old_of_ = std::move(order.unknown);
  new_of_.resize(n);
  for (int k = 0; k < size_; ++k) new_of_[old_of_[k]] = k;
  find_structure(pattern, order.part_begin);
  place_entries(pattern);
  for (auto* array : {&inverse_, &terms_, &work_}) array->assign(n, 0.0);
  lost_rows_.assign(n, 0);
}

/// Rows that each part reaches: those of its own entries, and what its children reach beyond it (the quotient elimination tree;
/// the parent of a part is where its first row lies). Then panels, and places for what parts leave: a place is free again
/// when the parent has taken it.
void SparseLdlt::find_structure(const CsrPattern& pattern, const std::vector<int>& part_begin) {
  const int parts = size_ > 0 ? static_cast<int>(part_begin.size()) - 1 : 0;
  part_of_.resize(static_cast<std::size_t>(size_));
  for (int p = 0; p < parts; ++p)
    for (int k = part_begin[p]; k < part_begin[p + 1]; ++k) part_of_[k] = p;
  std::vector<std::vector<int>> reached(static_cast<std::size_t>(parts)), children(static_cast<std::size_t>(parts));
  for (int i = 0; i < size_; ++i)
    for (const int j : pattern.row(i)) {
      if (j > i) break;
      const auto [first, last] = std::minmax(new_of_[i], new_of_[j]);
      if (part_of_[first] != part_of_[last]) reached[part_of_[first]].push_back(last);
    }
  std::vector<int> mark(static_cast<std::size_t>(size_), -1);
  std::multimap<std::size_t, std::size_t> free;  // size -> place in left_
  std::size_t left_end = 0, panel_end = 0, widest = 0;
  for (int p = 0; p < parts; ++p) {
    std::vector<int>& rows = reached[p];
    const int end = part_begin[p + 1];
    for (const int c : children[p])
      for (int k = parts_[c].row_begin; k < parts_[c].row_begin + parts_[c].rest; ++k)
        if (rows_[k] >= end) rows.push_back(rows_[k]);
    std::size_t kept = 0;
    for (const int row : rows)
      if (mark[row] != p) mark[row] = p, rows[kept++] = row;
    rows.resize(kept);
    std::sort(rows.begin(), rows.end());
    Part part{part_begin[p], end - part_begin[p], static_cast<int>(kept), static_cast<int>(rows_.size()), 0, static_cast<int>(children_.size()), static_cast<int>(rows_.size()), -1, panel_end, 0};
    const auto width = static_cast<std::size_t>(part.width), all = width + kept;
    panel_end += width * all;
    fill_ += static_cast<int>(width * (width - 1) / 2 + width * kept);
    widest = std::max(widest, all);
    rows_.insert(rows_.end(), rows.begin(), rows.end());
    children_.insert(children_.end(), children[p].begin(), children[p].end());
    if (kept > 0) {
      part.parent = part_of_[rows.front()];
      children[part.parent].push_back(p);
      const auto found = free.find(kept * kept);
      if (found != free.end()) {
        part.left = found->second;
        free.erase(found);
      } else {
        part.left = left_end;
        left_end += kept * kept;
      }
    }
    for (const int c : children[p]) {  // taken into the front before this part leaves its own: but not into the same place
      const auto rest = static_cast<std::size_t>(parts_[c].rest);
      free.emplace(rest * rest, parts_[c].left);
    }
    rows = {};
    parts_.push_back(part);
  }
  parts_.push_back({size_, 0, 0, static_cast<int>(rows_.size()), 0, static_cast<int>(children_.size()), static_cast<int>(rows_.size()), -1, panel_end, left_end});
  place_.resize(rows_.size());
  for (int p = 0; p < parts; ++p) {
    const Part& part = parts_[p];
    if (part.rest == 0) continue;
    const Part& parent = parts_[part.parent];
    const auto first = rows_.begin() + parent.row_begin, last = first + parent.rest;
    for (int k = 0; k < part.rest; ++k) {
      const int row = rows_[part.row_begin + k];
      place_[part.place_begin + k] = row < parent.begin + parent.width ? row - parent.begin : parent.width + static_cast<int>(std::lower_bound(first, last, row) - first);
    }
  }
  panels_.assign(panel_end, 0.0);
  left_.assign(left_end, 0.0);
  front_.assign(widest * widest, 0.0);
  local_.assign(widest, 0.0);
}

/// Where the entries of the lower triangle go: to the front of the part of the unknown that is eliminated first.
void SparseLdlt::place_entries(const CsrPattern& pattern) {
  std::vector<int> count(parts_.size() + 1, 0);
  const auto for_each = [&](auto&& visit) {
    for (int i = 0; i < size_; ++i)
      for (int s = pattern.begin[i]; s < pattern.begin[i + 1] && pattern.column[s] <= i; ++s) {
        const auto [first, last] = std::minmax(new_of_[i], new_of_[pattern.column[s]]);
        visit(first, last, s);
      }
  };
  for_each([&](int first, int, int) { ++count[part_of_[first] + 1]; });
  std::partial_sum(count.begin(), count.end(), count.begin());
  for (std::size_t p = 0; p < parts_.size(); ++p) parts_[p].entry_begin = count[p];
  entries_.resize(static_cast<std::size_t>(size_ > 0 ? count[parts_.size() - 1] : 0));
  for_each([&](int first, int last, int s) {
    const Part& part = parts_[part_of_[first]];
    const auto begin = rows_.begin() + part.row_begin;
    const int column = last < part.begin + part.width ? last - part.begin : part.width + static_cast<int>(std::lower_bound(begin, begin + part.rest, last) - begin);
    entries_[count[part_of_[first]]++] = {s, (first - part.begin) * (part.width + part.rest) + column};
  });
}

/// The front of a part: its entries, and what its children left.
void SparseLdlt::gather(const Part& part, const double* values, std::span<const double> shift) {
  const int all = part.width + part.rest;
  std::fill_n(front_.data(), static_cast<std::size_t>(all) * static_cast<std::size_t>(all), 0.0);
  const Part& next = *(&part + 1);
  for (int k = part.entry_begin; k < next.entry_begin; ++k) front_[entries_[k].at] += values[entries_[k].slot];
  for (int j = 0; j < part.width; ++j) {
    double& diagonal = front_[j * (all + 1)];
    if (!shift.empty()) diagonal += shift[old_of_[part.begin + j]];
    terms_[part.begin + j] += std::abs(diagonal);
  }
  for (int k = part.child_begin; k < next.child_begin; ++k) {
    const Part& child = parts_[children_[k]];
    const int* place = place_.data() + child.place_begin;
    const double* row = left_.data() + child.left;
    for (int i = 0; i < child.rest; ++i, row += child.rest) {
      double* out = front_.data() + place[i] * all;
      for (int j = i; j < child.rest; ++j) out[place[j]] += row[j];
    }
  }
}

/// work<Width, All>(): by the sizes that nearly all parts of a chain have (coordinates, points), else <0, 0>.
template <class Work>
auto SparseLdlt::sized(const Part& part, const Work& work) {
  if (part.width == 3 && part.rest == 3) return work.template operator()<3, 6>();
  if (part.width == 1 && part.rest == 1) return work.template operator()<1, 2>();
  return work.template operator()<0, 0>();
}

/// Eliminates the columns of the part within its front; false where a pivot is not finite or lost without a substitute.
template <int Width, int All>
bool SparseLdlt::eliminate(const Part& part, std::span<const double> substitute, double lost, PivotReport& report) {
  const int width = Width ? Width : part.width, all = All ? All : part.width + part.rest;
  const int* rows = rows_.data() + part.row_begin;
#pragma GCC unroll 3
  for (int j = 0; j < width; ++j) {
    double* U = front_.data() + j * all;
    const int place = part.begin + j, row = old_of_[place];
    double pivot = U[j];
    if (!std::isfinite(pivot)) {
      report.finite = false;
      report.row = row;
      return false;
    }
    if (std::abs(pivot) <= lost * terms_[place]) {
      if (report.replaced++ == 0) report.row = row;
      if (substitute.empty()) return false;
      lost_rows_[lost_count_++] = row;
      const double by = substitute[row];
      pivot = by == 0.0 ? 0.0 : std::copysign(std::max(std::abs(by), 1e-8 * terms_[place]), by);
    }
    if (pivot < 0.0 && report.negative++ == 0) report.first_negative = row;
    report.smallest = std::min(report.smallest, std::abs(pivot));
    report.largest = std::max(report.largest, std::abs(pivot));
    const double inverse = inverse_[place] = pivot == 0.0 ? 0.0 : 1.0 / pivot;
#pragma GCC unroll 5
    for (int i = j + 1; i < all; ++i) {
      if (All == 0 && U[i] == 0.0) continue;
      const double l = U[i] * inverse;
      add_scaled(-l, U + i, all - i, front_.data() + i * all + i);
      terms_[i < width ? part.begin + i : rows[i - width]] += std::abs(l * U[i]);
    }
  }
  return true;
}

PivotReport SparseLdlt::factorize(const double* values, std::span<const double> shift, std::span<const double> substitute, double lost) {
  PivotReport report;
  lost_count_ = 0;
  report.smallest = size_ > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  std::fill(terms_.begin(), terms_.end(), 0.0);
  for (std::size_t p = 0; p + 1 < parts_.size(); ++p) {
    const Part& part = parts_[p];
    gather(part, values, shift);
    const bool regular = sized(part, [&]<int Width, int All>() {
      if (!eliminate<Width, All>(part, substitute, lost, report)) return false;
      keep<Width, All>(part);
      return true;
    });
    if (!regular) return report;
  }
  return report;
}

/// The panel of the part, and what it leaves to its parent.
template <int Width, int All>
void SparseLdlt::keep(const Part& part) {
  const int width = Width ? Width : part.width, all = All ? All : part.width + part.rest, rest = all - width;
  std::copy_n(front_.data(), width * all, panels_.data() + part.panel);
  double* left = left_.data() + part.left;
  for (int i = 0; i < rest; ++i) {
    const double* row = front_.data() + (width + i) * all + width;
    for (int j = i; j < rest; ++j) left[i * rest + j] = row[j];
  }
}

template <int Width, int All>
void SparseLdlt::substitute_forward(const Part& part) {
  const int width = Width ? Width : part.width, all = All ? All : part.width + part.rest;
  const int* rows = rows_.data() + part.row_begin;
  double own[All ? All : 1], *y = All ? own : local_.data(), *work = work_.data();
  const double *inverse = inverse_.data() + part.begin, *U = panels_.data() + part.panel;
  for (int i = 0; i < width; ++i) y[i] = work[part.begin + i];
  for (int i = width; i < all; ++i) y[i] = work[rows[i - width]];
#pragma GCC unroll 3
  for (int j = 0; j < width; ++j, U += all) add_scaled(-y[j] * inverse[j], U + j + 1, all - j - 1, y + j + 1);
  for (int i = 0; i < width; ++i) work[part.begin + i] = y[i];
  for (int i = width; i < all; ++i) work[rows[i - width]] = y[i];
}

template <int Width, int All>
void SparseLdlt::substitute_back(const Part& part) {
  const int width = Width ? Width : part.width, all = All ? All : part.width + part.rest;
  const int* rows = rows_.data() + part.row_begin;
  double own[All ? All : 1], *y = All ? own : local_.data(), *work = work_.data();
  const double *inverse = inverse_.data() + part.begin, *U = panels_.data() + part.panel + static_cast<std::size_t>(width * all);
  for (int i = 0; i < width; ++i) y[i] = work[part.begin + i];
  for (int i = width; i < all; ++i) y[i] = work[rows[i - width]];
#pragma GCC unroll 3
  for (int j = width - 1; j >= 0; --j) {
    U -= all;
    y[j] = (y[j] - product(U + j + 1, y + j + 1, all - j - 1)) * inverse[j];
  }
  for (int i = 0; i < width; ++i) work[part.begin + i] = y[i];
}

void SparseLdlt::solve(double* x) {
  for (int k = 0; k < size_; ++k) work_[k] = x[old_of_[k]];
  const std::size_t parts = parts_.empty() ? 0 : parts_.size() - 1;
  for (std::size_t p = 0; p < parts; ++p) sized(parts_[p], [&]<int Width, int All>() { substitute_forward<Width, All>(parts_[p]); });
  for (std::size_t p = parts; p-- > 0;) sized(parts_[p], [&]<int Width, int All>() { substitute_back<Width, All>(parts_[p]); });
  for (int k = 0; k < size_; ++k) x[old_of_[k]] = work_[k];
}

}  // namespace saltus
