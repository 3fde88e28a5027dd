#include "saltus/math/csr.hpp"

#include <algorithm>
#include <numeric>

#include "saltus/base/index.hpp"

namespace saltus {
namespace {

/// Order of `keys` (0 <= key < buckets) that sorts stably the entries listed in `order`.
std::vector<int> bucket_sorted(const std::vector<int>& order, const std::vector<int>& keys, int buckets) {
  std::vector<int> start(buckets + 1, 0), out(order.size());
  for (const int e : order) ++start[keys[e] + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  for (const int e : order) out[start[keys[e]]++] = e;
  return out;
}

struct UnionFind {
  std::vector<int> parent;
  explicit UnionFind(int size) : parent(size) { std::iota(parent.begin(), parent.end(), 0); }
  int root(int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  }
  void join(int i, int j) {
    i = root(i), j = root(j);
    if (i != j) parent[std::max(i, j)] = std::min(i, j);
  }
  Components numbered(int size) {
    Components out;
    out.of.resize(size);
    std::vector<int> number(parent.size(), -1);
    for (int i = 0; i < size; ++i) {
      int& n = number[root(i)];
      if (n < 0) n = out.count++;
      out.of[i] = n;
    }
    return out;
  }
};

}  // namespace

int CsrPattern::slot(int i, int j) const {
  const auto first = column.begin() + begin[i], last = column.begin() + begin[i + 1];
  const auto found = std::lower_bound(first, last, j);
  return found != last && *found == j ? static_cast<int>(found - column.begin()) : -1;
}

int CsrBuilder::add_block(std::span<const int> rows, std::span<const int> columns) {
  for (const int i : rows)
    for (const int j : columns) {
      assert(i < rows_ && j < cols_);
      const bool out = i < 0 || j < 0;
      row_.push_back(out ? -1 : i);
      column_.push_back(out ? -1 : j);
    }
  block_begin_.push_back(count_of(row_));
  return count_of(block_begin_) - 2;
}

int CsrBuilder::add_diagonal(int begin, int end) {
  for (int i = begin; i < end; ++i) {
    row_.push_back(i);
    column_.push_back(i);
  }
  block_begin_.push_back(count_of(row_));
  return count_of(block_begin_) - 2;
}

CsrLayout CsrBuilder::build() const {
  CsrLayout out;
  out.block_begin = block_begin_;
  out.slot_of.assign(row_.size(), -1);
  std::vector<int> order;
  for (int e = 0; e < count_of(row_); ++e)
    if (row_[e] >= 0) order.push_back(e);
  order = bucket_sorted(bucket_sorted(order, column_, cols_), row_, rows_);

  CsrPattern& p = out.pattern;
  p.rows = rows_, p.cols = cols_;
  p.begin.assign(rows_ + 1, 0);
  int last_row = -1;
  for (const int e : order) {
    if (row_[e] != last_row || column_[e] != p.column.back()) {
      p.column.push_back(column_[e]);
      ++p.begin[row_[e] + 1];
      last_row = row_[e];
    }
    out.slot_of[e] = p.nonzeros() - 1;
  }
  std::partial_sum(p.begin.begin(), p.begin.end(), p.begin.begin());
  return out;
}

CsrTranspose transposed(const CsrPattern& pattern) {
  CsrTranspose out;
  CsrPattern& t = out.pattern;
  t.rows = pattern.cols, t.cols = pattern.rows;
  t.begin.assign(t.rows + 1, 0);
  t.column.resize(pattern.column.size());
  out.source.resize(pattern.column.size());
  for (const int j : pattern.column) ++t.begin[j + 1];
  std::partial_sum(t.begin.begin(), t.begin.end(), t.begin.begin());
  std::vector<int> next(t.begin.begin(), t.begin.end() - 1);
  for (int i = 0; i < pattern.rows; ++i)
    for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s) {
      const int place = next[pattern.column[s]]++;
      t.column[place] = i;
      out.source[place] = s;
    }
  return out;
}

Components components(const CsrPattern& square) {
  assert(square.rows == square.cols);
  UnionFind sets(square.rows);
  for (int i = 0; i < square.rows; ++i)
    for (const int j : square.row(i)) sets.join(i, j);
  return sets.numbered(square.rows);
}

Components row_components(const CsrPattern& pattern) {
  UnionFind sets(pattern.rows + pattern.cols);
  for (int i = 0; i < pattern.rows; ++i)
    for (const int j : pattern.row(i)) sets.join(i, pattern.rows + j);
  return sets.numbered(pattern.rows);
}

}  // namespace saltus
