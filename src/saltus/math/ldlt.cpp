#include "saltus/math/ldlt.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "saltus/base/index.hpp"
#include "saltus/math/factor_memory.hpp"
#include "saltus/math/packs.hpp"
#include "saltus/math/saddle_order.hpp"

namespace saltus {
namespace {

/// row -= sum over k < count of l[k stride] U[k stride ..], Blocks times four entries.
template <int Blocks>
inline void subtract_blocks(const double* l, const double* U, int stride, int count, double* row) {
  FourDoubles sum[Blocks];
#pragma GCC unroll 4
  for (int b = 0; b < Blocks; ++b) sum[b] = load<FourDoubles>(row + 4 * b);
  for (const double* const end = l + static_cast<std::ptrdiff_t>(stride) * count; l != end; l += stride, U += stride) {
    const double factor = *l;
#pragma GCC unroll 4
    for (int b = 0; b < Blocks; ++b) sum[b] -= factor * load<FourDoubles>(U + 4 * b);
  }
#pragma GCC unroll 4
  for (int b = 0; b < Blocks; ++b) store(sum[b], row + 4 * b);
}
/// The same of entries from .. stride - 1, multiples of four.
inline void subtract_rows(const double* l, const double* U, int from, int stride, int count, double* row) {
  int c = from;
  for (; c + 16 <= stride; c += 16) subtract_blocks<4>(l, U + c, stride, count, row + c);
  switch ((stride - c) / 4) {
    case 3: return subtract_blocks<3>(l, U + c, stride, count, row + c);
    case 2: return subtract_blocks<2>(l, U + c, stride, count, row + c);
    case 1: return subtract_blocks<1>(l, U + c, stride, count, row + c);
    default: return;
  }
}
constexpr std::size_t widest_front = 46336;  // places in a front are counted by int
constexpr int four_below(int i) { return i & ~3; }
inline FourDoubles magnitude(const FourDoubles& x) { return x < 0.0 ? -x : x; }

}  // namespace

void SparseLdlt::analyze(const CsrPattern& pattern, int multipliers, double memory, int large) {
  assert(pattern.rows == pattern.cols);
  *this = SparseLdlt{};
  size_ = pattern.rows;
  const std::size_t n = size_;
  EliminationOrder order = saddle_order(pattern, size_ - multipliers);
  if (order.cost.longest >= large) {
    fronts_ = std::make_unique<FrontLdlt>();
    fronts_->analyze(pattern, order, memory);
    fill_ = fronts_->fill();
    return;
  }
  old_of_ = std::move(order.unknown);
  new_of_.resize(n);
  for (int k = 0; k < size_; ++k) new_of_[old_of_[k]] = k;
  find_structure(pattern, order.part_begin, memory);
  place_entries(pattern);
  find_stretches();
  for (auto* array : {&inverse_, &terms_, &work_}) array->assign(n, 0.0);
  lost_rows_.assign(n, 0);
}

/// Rows that each part reaches: those of its own entries, and what its children reach beyond it (the quotient elimination tree;
/// the parent of a part is where its first row lies). Then panels, and places for what parts leave: a place is free again
/// when the parent has taken it.
void SparseLdlt::find_structure(const CsrPattern& pattern, const std::vector<int>& part_begin, double memory) {
  const int parts = size_ > 0 ? count_of(part_begin) - 1 : 0;
  part_of_.resize(size_);
  for (int p = 0; p < parts; ++p)
    for (int k = part_begin[p]; k < part_begin[p + 1]; ++k) part_of_[k] = p;
  std::vector<std::vector<int>> reached(parts), children(parts);
  for (int i = 0; i < size_; ++i)
    for (const int j : pattern.row(i)) {
      if (j > i) break;
      const auto [first, last] = std::minmax(new_of_[i], new_of_[j]);
      if (part_of_[first] != part_of_[last]) reached[part_of_[first]].push_back(last);
    }
  std::vector<int> mark(size_, -1);
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
    Part part{part_begin[p], end - part_begin[p], static_cast<int>(kept), 0, count_of(rows_), 0, count_of(children_), count_of(rows_), -1, panel_end, 0};
    const auto width = static_cast<std::size_t>(part.width), all = width + kept;
    part.stride = part.small() ? static_cast<int>(all) : four_below(static_cast<int>(all) + 3);
    panel_end += width * static_cast<std::size_t>(part.stride);
    fill_ += static_cast<std::int64_t>(width * (width - 1) / 2 + width * kept);
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
      const std::size_t rest = parts_[c].rest;
      free.emplace(rest * rest, parts_[c].left);
    }
    rows = {};
    parts_.push_back(part);
  }
  parts_.push_back({size_, 0, 0, 0, count_of(rows_), 0, count_of(children_), count_of(rows_), -1, panel_end, left_end});
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
  widest = (widest + 3) / 4 * 4;
  check_factor_memory(size_, static_cast<double>(fill_ + size_), 8.0 * (static_cast<double>(panel_end + left_end) + 2.0 * static_cast<double>(widest) * static_cast<double>(widest)), memory,
                      widest > widest_front);
  panels_.assign(panel_end, 0.0);
  left_.assign(left_end, 0.0);
  front_.assign(widest * widest, 0.0);
  lower_.assign(widest * widest, 0.0);
  local_.assign(2 * widest, 0.0);
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
  entries_.resize(size_ > 0 ? count[parts_.size() - 1] : 0);
  for_each([&](int first, int last, int s) {
    const Part& part = parts_[part_of_[first]];
    const auto begin = rows_.begin() + part.row_begin;
    const int column = last < part.begin + part.width ? last - part.begin : part.width + static_cast<int>(std::lower_bound(begin, begin + part.rest, last) - begin);
    entries_[count[part_of_[first]]++] = {s, (first - part.begin) * part.stride + column};
  });
}

void SparseLdlt::find_stretches() {
  const int parts = std::max(0, count_of(parts_) - 1);
  for (int p = 0; p < parts; ++p) {
    const Part& part = parts_[p];
    const bool band = part.width == 1 && part.rest == 1 && rows_[part.row_begin] == part.begin + 1;
    if (band && !stretches_.empty() && stretches_.back().band) ++stretches_.back().count;
    else stretches_.push_back({p, 1, band});
  }
}

/// The front of a part: its entries, and what its children left.
void SparseLdlt::gather(const Part& part, const double* values, std::span<const double> shift) {
  const int stride = part.stride;
  std::fill_n(front_.data(), static_cast<std::size_t>(part.width + part.rest) * static_cast<std::size_t>(stride), 0.0);
  const Part& next = *(&part + 1);
  for (int k = part.entry_begin; k < next.entry_begin; ++k) front_[entries_[k].at] = values[entries_[k].slot];
  for (int j = 0; j < part.width; ++j) {
    double& diagonal = front_[j * (stride + 1)];
    if (!shift.empty()) diagonal += shift[old_of_[part.begin + j]];
    terms_[part.begin + j] += std::abs(diagonal);
  }
  for (int k = part.child_begin; k < next.child_begin; ++k) {
    const Part& child = parts_[children_[k]];
    const int* place = place_.data() + child.place_begin;
    const double* row = left_.data() + child.left;
    const bool together = place[child.rest - 1] - place[0] == child.rest - 1;
    for (int i = 0; i < child.rest; ++i, row += child.rest) {
      double* out = front_.data() + place[i] * stride;
      if (together) {
        out += place[0];
        for (int j = i; j < child.rest; ++j) out[j] += row[j];
      } else {
        for (int j = i; j < child.rest; ++j) out[place[j]] += row[j];
      }
    }
  }
}

/// Takes the pivot of column j of the part; false where it is not finite or lost without a substitute.
[[gnu::always_inline]] inline bool SparseLdlt::invert(const Part& part, int j, double& pivot, std::span<const double> substitute, double lost, PivotReport& report) {
  const int place = part.begin + j, row = old_of_[place];
  if (!std::isfinite(pivot)) {
    report.finite = false;
    report.row = row;
    return false;
  }
  if (std::abs(pivot) <= doubtful_pivot * terms_[place]) [[unlikely]] {
    ++report.doubtful;
    if (std::abs(pivot) <= lost * terms_[place]) {
      if (report.replaced++ == 0) report.row = row;
      if (substitute.empty()) return false;
      lost_rows_[lost_count_++] = row;
      const double by = substitute[row];
      pivot = by == 0.0 ? 0.0 : std::copysign(std::max(std::abs(by), 1e-8 * terms_[place]), by);
    }
  }
  if (pivot < 0.0 && report.negative++ == 0) report.first_negative = row;
  report.smallest = std::min(report.smallest, std::abs(pivot));
  report.largest = std::max(report.largest, std::abs(pivot));
  inverse_[place] = pivot == 0.0 ? 0.0 : 1.0 / pivot;
  return true;
}

/// Eliminates the columns of the part within its front, row after row: row i loses l_ki U_k of all rows k before it at once, in
/// registers. What stands left of the diagonal is no part of the result.
bool SparseLdlt::eliminate(const Part& part, std::span<const double> substitute, double lost, PivotReport& report) {
  const int width = part.width, all = width + part.rest, stride = part.stride;
  double *front = front_.data(), *lower = lower_.data(), *terms = local_.data();
  std::fill_n(terms, stride, 0.0);
  for (int j = 0; j < width; ++j) {
    double* U = front + j * stride;
    subtract_rows(lower + j, front, four_below(j), stride, j, U);
    double pivot = U[j];
    terms_[part.begin + j] += terms[j];
    if (!invert(part, j, pivot, substitute, lost, report)) return false;
    const double inverse = inverse_[part.begin + j];
    double *l = lower + j * stride, *panel = panels_.data() + part.panel + static_cast<std::size_t>(j * stride);
    for (int c = four_below(j); c < stride; c += 4) {
      const FourDoubles u = load<FourDoubles>(U + c), l_c = u * inverse;
      store(l_c, l + c);
      store(l_c, panel + c);
      store(load<FourDoubles>(terms + c) + magnitude(l_c * u), terms + c);
    }
    for (int c = four_below(j); c <= j; ++c) panel[c] = 0.0;  // substitutions take whole packs
  }
  const int* rows = rows_.data() + part.row_begin;
  for (int i = width; i < all; ++i) {
    subtract_rows(lower + i, front, four_below(i), stride, width, front + i * stride);
    terms_[rows[i - width]] += terms[i];
  }
  keep_left(part);
  return true;
}

/// What the part leaves to its parent.
void SparseLdlt::keep_left(const Part& part) {
  double* left = left_.data() + part.left;
  const double* row = front_.data() + part.width * (part.stride + 1);
  for (int i = 0; i < part.rest; ++i, row += part.stride, left += part.rest)
    for (int j = i; j < part.rest; ++j) left[j] = row[j];
}

/// The same of a small part at once, in registers.
template <int Width, int All>
bool SparseLdlt::eliminate(const Part& part, std::span<const double> substitute, double lost, PivotReport& report) {
  double a[All][All], terms[All] = {};
#pragma GCC unroll 6
  for (int i = 0; i < All; ++i)
#pragma GCC unroll 6
    for (int c = i; c < All; ++c) a[i][c] = front_[i * All + c];
  double* panel = panels_.data() + part.panel;
#pragma GCC unroll 3
  for (int j = 0; j < Width; ++j, panel += All) {
    terms_[part.begin + j] += terms[j];
    if (!invert(part, j, a[j][j], substitute, lost, report)) return false;
    const double inverse = inverse_[part.begin + j];
#pragma GCC unroll 5
    for (int i = j + 1; i < All; ++i) {
      const double l = panel[i] = a[j][i] * inverse;
      terms[i] += std::abs(l * a[j][i]);
#pragma GCC unroll 5
      for (int c = i; c < All; ++c) a[i][c] -= l * a[j][c];
    }
  }
  constexpr int rest = All - Width;
  double* left = left_.data() + part.left;
#pragma GCC unroll 3
  for (int i = 0; i < rest; ++i) {
    terms_[rows_[part.row_begin + i]] += terms[Width + i];
#pragma GCC unroll 3
    for (int c = i; c < rest; ++c) left[i * rest + c] = a[Width + i][Width + c];
  }
  return true;
}

PivotReport SparseLdlt::factorize(const double* values, std::span<const double> shift, std::span<const double> substitute, double lost, Threads* threads) {
  if (fronts_) {
    const PivotReport report = fronts_->factorize(values, shift, substitute, lost, threads);
    lost_rows_.clear();
    if (report.replaced > 0 && !substitute.empty()) lost_rows_ = fronts_->lost_rows();
    lost_count_ = lost_rows_.size();
    return report;
  }
  PivotReport report;
  lost_count_ = 0;
  report.smallest = size_ > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  std::fill(terms_.begin(), terms_.end(), 0.0);
  for (std::size_t p = 0; p + 1 < parts_.size(); ++p) {
    const Part& part = parts_[p];
    gather(part, values, shift);
    const bool regular = !part.small()     ? eliminate(part, substitute, lost, report)
                         : part.width == 3 ? eliminate<3, 6>(part, substitute, lost, report)
                                           : eliminate<1, 2>(part, substitute, lost, report);
    if (!regular) return report;
  }
  return report;
}

void SparseLdlt::substitute_forward(const Part& part) {
  const int width = part.width, rest = part.rest, stride = part.stride;
  const int* rows = rows_.data() + part.row_begin;
  double *y = local_.data(), *work = work_.data();
  const double* U = panels_.data() + part.panel;
  std::fill_n(y + four_below(width + rest), 4, 0.0);
  std::copy_n(work + part.begin, width, y);
  for (int i = 0; i < rest; ++i) y[width + i] = work[rows[i]];
  for (int j = 0; j < width; ++j, U += stride) {
    const double factor = y[j];
    for (int c = four_below(j); c < stride; c += 4) store(load<FourDoubles>(y + c) - factor * load<FourDoubles>(U + c), y + c);
  }
  std::copy_n(y, width, work + part.begin);
  for (int i = 0; i < rest; ++i) work[rows[i]] = y[width + i];
}

void SparseLdlt::substitute_back(const Part& part) {
  const int width = part.width, rest = part.rest, stride = part.stride;
  const int* rows = rows_.data() + part.row_begin;
  double *y = local_.data(), *work = work_.data();
  const double *inverse = inverse_.data() + part.begin, *U = panels_.data() + part.panel + static_cast<std::size_t>(width * stride);
  std::fill_n(y + four_below(width + rest), 4, 0.0);
  std::copy_n(work + part.begin, width, y);
  for (int i = 0; i < rest; ++i) y[width + i] = work[rows[i]];
  for (int j = width - 1; j >= 0; --j) {
    U -= stride;
    FourDoubles sum{};
    for (int c = four_below(j); c < stride; c += 4) sum += load<FourDoubles>(U + c) * load<FourDoubles>(y + c);
    y[j] = y[j] * inverse[j] - ((sum[0] + sum[1]) + (sum[2] + sum[3]));
  }
  std::copy_n(y, width, work + part.begin);
}

template <int Width, int All>
void SparseLdlt::substitute_forward(const Part& part) {
  const int* rows = rows_.data() + part.row_begin;
  double y[All], *work = work_.data();
  const double* U = panels_.data() + part.panel;
  for (int i = 0; i < Width; ++i) y[i] = work[part.begin + i];
  for (int i = Width; i < All; ++i) y[i] = work[rows[i - Width]];
#pragma GCC unroll 3
  for (int j = 0; j < Width; ++j, U += All)
#pragma GCC unroll 5
    for (int i = j + 1; i < All; ++i) y[i] -= U[i] * y[j];
  for (int i = 0; i < Width; ++i) work[part.begin + i] = y[i];
  for (int i = Width; i < All; ++i) work[rows[i - Width]] = y[i];
}

template <int Width, int All>
void SparseLdlt::substitute_back(const Part& part) {
  const int* rows = rows_.data() + part.row_begin;
  double y[All], *work = work_.data();
  const double *inverse = inverse_.data() + part.begin, *U = panels_.data() + part.panel + Width * All;
  for (int i = 0; i < Width; ++i) y[i] = work[part.begin + i];
  for (int i = Width; i < All; ++i) y[i] = work[rows[i - Width]];
#pragma GCC unroll 3
  for (int j = Width - 1; j >= 0; --j) {
    U -= All;
    double sum = y[j] * inverse[j];
#pragma GCC unroll 5
    for (int i = j + 1; i < All; ++i) sum -= U[i] * y[i];
    y[j] = sum;
  }
  for (int i = 0; i < Width; ++i) work[part.begin + i] = y[i];
}

void SparseLdlt::solve(double* x, Threads* threads) {
  if (fronts_) return fronts_->solve(x, threads);
  for (int k = 0; k < size_; ++k) work_[k] = x[old_of_[k]];
  for (const Stretch& stretch : stretches_) {
    const Part& part = parts_[stretch.part];
    if (stretch.band) {
      double* y = work_.data() + part.begin;
      const double* l = panels_.data() + part.panel + 1;
      for (int k = 0; k < stretch.count; ++k) y[k + 1] -= l[2 * k] * y[k];
    } else if (!part.small()) {
      substitute_forward(part);
    } else if (part.width == 3) {
      substitute_forward<3, 6>(part);
    } else {
      substitute_forward<1, 2>(part);
    }
  }
  for (std::size_t s = stretches_.size(); s-- > 0;) {
    const Part& part = parts_[stretches_[s].part];
    if (stretches_[s].band) {
      double* y = work_.data() + part.begin;
      const double *l = panels_.data() + part.panel + 1, *inverse = inverse_.data() + part.begin;
      for (int k = stretches_[s].count; k-- > 0;) y[k] = y[k] * inverse[k] - l[2 * k] * y[k + 1];
    } else if (!part.small()) {
      substitute_back(part);
    } else if (part.width == 3) {
      substitute_back<3, 6>(part);
    } else {
      substitute_back<1, 2>(part);
    }
  }
  for (int k = 0; k < size_; ++k) x[old_of_[k]] = work_[k];
}

}  // namespace saltus
