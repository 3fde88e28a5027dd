// Compressed sparse rows with a fixed pattern: built once from blocks, then filled by slot, without a search.
#pragma once

#include <cassert>
#include <cstddef>
#include <span>
#include <vector>

#include "saltus/base/index.hpp"

namespace saltus {

/// Where the entries of a sparse matrix stand: row i has the columns column[begin[i]] .. column[begin[i+1] - 1],
/// ascending and without duplicates. The place of an entry in this order is its slot.
struct CsrPattern {
  int rows = 0, cols = 0;
  std::vector<int> begin{0};  // rows + 1
  std::vector<int> column;    // one an entry

  int nonzeros() const { return count_of(column); }
  std::span<const int> row(int i) const {
    return {column.data() + begin[i], column.data() + begin[i + 1]};
  }
  /// Slot of (i, j), -1 where the pattern has no such entry; O(log entries of the row).
  int slot(int i, int j) const;
  friend bool operator==(const CsrPattern&, const CsrPattern&) = default;
};

/// A pattern and, for each block that was added, the slots of its entries, row-major in the block.
/// An entry with a negative row or column (ground) has slot -1.
struct CsrLayout {
  CsrPattern pattern;
  std::vector<int> block_begin{0};  // blocks + 1, into slot_of
  std::vector<int> slot_of;

  std::span<const int> slots(int block) const {
    const std::size_t b = block;
    return {slot_of.data() + block_begin[b], slot_of.data() + block_begin[b + 1]};
  }
  /// values[slot] += factor * block entry, for all entries of a dense block (row-major, in the order of add_block).
  void add(int block, const double* entries, double* values, double factor = 1.0) const {
    for (const int slot : slots(block)) {
      if (slot >= 0) values[slot] += factor * *entries;
      ++entries;
    }
  }
};

/// Collects blocks of entries, then builds the pattern that holds them all.
class CsrBuilder {
 public:
  CsrBuilder(int rows, int cols) : rows_(rows), cols_(cols) {}

  /// Dense block at the given rows and columns (negative: left out); returns the number of the block.
  int add_block(std::span<const int> rows, std::span<const int> columns);
  int add_entry(int row, int column) { return add_block({&row, 1}, {&column, 1}); }
  /// All (i, i) with begin <= i < end, as one block: direct solvers want their diagonal stored.
  int add_diagonal(int begin, int end);
  int blocks() const { return count_of(block_begin_) - 1; }
  /// Linear in the number of entries (two bucket passes, no comparison sort).
  CsrLayout build() const;

 private:
  int rows_, cols_;
  std::vector<int> block_begin_{0}, row_, column_;
};

/// Transposed pattern; source[s] is the slot in the original of slot s of the transposed.
struct CsrTranspose {
  CsrPattern pattern;
  std::vector<int> source;
};
CsrTranspose transposed(const CsrPattern& pattern);

/// y += factor * A x, shapes rows, cols.
inline void multiply_add(const CsrPattern& A, const double* values, const double* x, double* y, double factor = 1.0) {
  for (int i = 0; i < A.rows; ++i) {
    double sum = 0.0;
    for (int s = A.begin[i]; s < A.begin[i + 1]; ++s)
      sum += values[s] * x[A.column[s]];
    y[i] += factor * sum;
  }
}
/// x += factor * A^T y.
inline void multiply_transposed_add(const CsrPattern& A, const double* values, const double* y, double* x,
                                    double factor = 1.0) {
  for (int i = 0; i < A.rows; ++i) {
    const double yi = factor * y[i];
    for (int s = A.begin[i]; s < A.begin[i + 1]; ++s)
      x[A.column[s]] += values[s] * yi;
  }
}

/// Connected components of a graph of `size` vertices: number of components and, for each vertex, its component,
/// numbered by their first vertex.
struct Components {
  int count = 0;
  std::vector<int> of;
};
/// Of the rows of a square pattern (edges: its entries).
Components components(const CsrPattern& square);
/// Of the rows of any pattern: rows are joined by a common column.
Components row_components(const CsrPattern& pattern);

}  // namespace saltus
