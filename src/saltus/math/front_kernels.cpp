#include "saltus/math/front_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "saltus/math/packs.hpp"

namespace saltus {
namespace {

using Pack = FourDoubles;
constexpr int block = 96;          // columns of a panel that are factored before the others hear of them
constexpr int slab = 192;          // columns of a product that are one task
constexpr int depth_of_pack = 192; // of a product that is done in one go: what is packed stays in the second-level cache
constexpr int rows_of_pack = 120;
constexpr std::int64_t worth_packing = 200'000, worth_sharing = 400'000;  // products
constexpr int four_below(int i) { return i & ~3; }
constexpr int padded(int i) { return (i + 3) & ~3; }
std::int64_t at(int row, int column, int stride) { return row + std::int64_t{column} * stride; }

/// C (4 Packs x Columns) -= A B over `depth` terms. A: columns of a_stride numbers; B: rows of four; the tile stays in registers.
template <int Packs, int Columns>
inline void tile(const double* A, int a_stride, const double* B, int depth, double* C, int c_stride) {
  Pack sum[Packs][Columns] = {};
  for (int k = 0; k < depth; ++k, A += a_stride, B += 4) {
    Pack a[Packs];
#pragma GCC unroll 3
    for (int i = 0; i < Packs; ++i) a[i] = load<Pack>(A + 4 * i);
#pragma GCC unroll 4
    for (int j = 0; j < Columns; ++j) {
      const Pack f = {B[j], B[j], B[j], B[j]};
#pragma GCC unroll 3
      for (int i = 0; i < Packs; ++i) sum[i][j] += a[i] * f;
    }
  }
#pragma GCC unroll 4
  for (int j = 0; j < Columns; ++j, C += c_stride) {
#pragma GCC unroll 3
    for (int i = 0; i < Packs; ++i) store(load<Pack>(C + 4 * i) - sum[i][j], C + 4 * i);
  }
}
template <int Columns>
void tiles(const double* A, int a_stride, const double* B, int depth, int rows, double* C, int c_stride) {
  int i = 0;
  for (; i + 12 <= rows; i += 12) tile<3, Columns>(A + i, a_stride, B, depth, C + i, c_stride);
  if (i + 8 <= rows) tile<2, Columns>(A + i, a_stride, B, depth, C + i, c_stride), i += 8;
  if (i + 4 <= rows) tile<1, Columns>(A + i, a_stride, B, depth, C + i, c_stride);
}
/// C (rows x columns, at most four) -= A B.
void tiles(const double* A, int a_stride, const double* B, int depth, int rows, int columns, double* C, int c_stride) {
  switch (columns) {
    case 4: return tiles<4>(A, a_stride, B, depth, rows, C, c_stride);
    case 3: return tiles<3>(A, a_stride, B, depth, rows, C, c_stride);
    case 2: return tiles<2>(A, a_stride, B, depth, rows, C, c_stride);
    default: return tiles<1>(A, a_stride, B, depth, rows, C, c_stride);
  }
}

/// C -= A S B^T, S diagonal (null: ones), B(j, k) = B[j b_row + k b_column]. lower: only tiles that meet the lower triangle.
struct Product {
  const double* A;
  int a_stride;
  const double* B;
  int b_row, b_column;
  const double* S;
  int rows, columns, depth;
  double* C;
  int c_stride;
  bool lower;
};

/// B S of columns [first, last) and depth [begin, end): four columns after each other, rows of four numbers.
void pack_right(const Product& m, int first, int last, int begin, int end, double* out) {
  for (int j = first; j < last; j += 4) {
    const int wide = std::min(4, last - j);
    for (int k = begin; k < end; ++k, out += 4) {
      const double s = m.S ? m.S[k] : 1.0;
      const double* b = m.B + std::int64_t{j} * m.b_row + std::int64_t{k} * m.b_column;
      for (int c = 0; c < 4; ++c) out[c] = c < wide ? b[std::int64_t{c} * m.b_row] * s : 0.0;
    }
  }
}
/// A of rows [first, last): twelve rows after each other, columns of twelve numbers; the last ones as they fit.
void pack_left(const Product& m, int first, int last, int begin, int end, double* out) {
  for (int i = first; i < last; i += 12) {
    const int tall = std::min(12, last - i);
    for (int k = begin; k < end; ++k, out += tall) std::copy_n(m.A + at(i, k, m.a_stride), tall, out);
  }
}

/// Columns [first, last) of a product; packs of its factors in buffers of this thread.
void subtract_slab(const Product& m, int first, int last) {
  thread_local std::vector<double> right_buffer, left_buffer;
  right_buffer.resize(std::size_t{slab} * depth_of_pack);
  const int top = m.lower ? four_below(first) : 0;
  const bool pack = std::int64_t{m.rows - top} * (last - first) * m.depth >= worth_packing;
  if (pack) left_buffer.resize(std::size_t{rows_of_pack} * depth_of_pack);
  double *B = right_buffer.data(), *A = left_buffer.data();
  for (int begin = 0; begin < m.depth; begin += depth_of_pack) {
    const int end = std::min(begin + depth_of_pack, m.depth), deep = end - begin;
    pack_right(m, first, last, begin, end, B);
    for (int low = top; low < m.rows; low += rows_of_pack) {
      const int high = pack ? std::min(low + rows_of_pack, m.rows) : m.rows;
      if (pack) pack_left(m, low, high, begin, end, A);
      for (int j = first; j < last; j += 4) {
        const double* b = B + std::int64_t{j - first} * deep;
        const int wide = std::min(4, last - j);
        int i = low;
        if (m.lower && j > low) i = pack ? low + (j - low) / 12 * 12 : four_below(j);
        if (!pack) {
          if (i < high) tiles(m.A + at(i, begin, m.a_stride), m.a_stride, b, deep, high - i, wide, m.C + at(i, j, m.c_stride), m.c_stride);
          continue;
        }
        for (; i < high; i += 12) {
          const int tall = std::min(12, high - i);
          tiles(A + std::int64_t{i - low} * deep, tall, b, deep, tall, wide, m.C + at(i, j, m.c_stride), m.c_stride);
        }
      }
      if (!pack) break;
    }
  }
}

void subtract(const Product& m, Threads* threads) {
  if (m.depth == 0 || m.columns == 0 || m.rows == 0) return;
  const int tasks = (m.columns + slab - 1) / slab;
  const auto task = [&](int t) { subtract_slab(m, t * slab, std::min((t + 1) * slab, m.columns)); };
  if (threads && tasks > 1 && std::int64_t{m.rows} * m.columns * m.depth >= worth_sharing) return threads->each(tasks, task);
  for (int t = 0; t < tasks; ++t) task(t);
}

/// L D L^T of a block of columns [first, last) of a panel.
class Block {
 public:
  Block(double* panel, int n, int first, int last, double* terms, const PivotRule& rule) : panel_(panel), n_(n), first_(first), last_(last), terms_(terms), rule_(rule) {}

  /// The rows of the block itself; the column without a pivot, or `last`.
  int diagonal() {
    const int end = first_ + padded(last_ - first_);
    for (int j = first_; j < last_; j += 4) {
      const int wide = std::min(4, last_ - j);
      subtract_before(j, wide, j, end);
      if (const int failed = corner(j, wide); failed < j + wide) return failed;
      below(j, wide, j + 4, end, true);
    }
    return last_;
  }
  /// Rows [begin, end) under the block.
  void rows(int begin, int end) {
    for (int j = first_; j < last_; j += 4) {
      const int wide = std::min(4, last_ - j);
      subtract_before(j, wide, begin, end);
      below(j, wide, begin, end, false);
    }
  }

 private:
  /// Takes the columns of the block before j from rows of columns j .. j + wide - 1.
  void subtract_before(int j, int wide, int begin, int end) {
    if (j > first_ && begin < end) tiles(panel_ + at(begin, first_, n_), n_, scaled(j, first_), j - first_, end - begin, wide, panel_ + at(begin, j, n_), n_);
  }
  /// Place of D L of row `row` (its four) and column `column`.
  double* scaled(int row, int column) { return scaled_ + std::int64_t{four_below(row - first_)} * block + 4 * (column - first_) + (row - first_) % 4; }

  /// Four rows on the diagonal.
  int corner(int j, int wide) {
    for (int c = 0; c < wide; ++c) {
      double* column = panel_ + at(0, j + c, n_);
      double& d = column[j + c];
      if (!std::isfinite(d)) {
        rule_.pivot[j + c] = d;
        return j + c;
      }
      if (std::abs(d) <= doubtful_pivot * terms_[j + c]) rule_.mark[j + c] = doubtful_mark;
      if (std::abs(d) <= rule_.lost * terms_[j + c]) {
        rule_.mark[j + c] = replaced_mark;
        if (!rule_.substitute) {
          rule_.pivot[j + c] = d;
          return j + c;
        }
        const double by = rule_.substitute[j + c];
        d = by == 0.0 ? 0.0 : std::copysign(std::max(std::abs(by), 1e-8 * terms_[j + c]), by);
      }
      rule_.pivot[j + c] = d;
      d = inverse_[c] = d == 0.0 ? 0.0 : 1.0 / d;
      for (int i = c + 1; i < 4; ++i) {
        const double u = column[j + i], l = u * inverse_[c];
        lower_[i][c] = column[j + i] = l;
        if (i < wide) *scaled(j + i, j + c) = u;
        terms_[j + i] += std::abs(u * l);
        for (int k = c + 1; k < wide && k <= i; ++k) panel_[at(j + i, j + k, n_)] -= l * (k == i ? u : *scaled(j + k, j + c));
      }
    }
    std::copy_n(&inverse_[0], 4, kept_inverse(j));
    std::copy_n(&lower_[0][0], 16, kept_lower(j));
    return j + wide;
  }
  double* kept_inverse(int j) { return corners_ + 5 * (j - first_); }
  double* kept_lower(int j) { return corners_ + 5 * (j - first_) + 4; }

  template <int Wide>
  void below(int j, int begin, int end, bool keep) {
    const double *inverse = kept_inverse(j), *lower = kept_lower(j);
    double* column = panel_ + at(0, j, n_);
    for (int i = begin; i < end; i += 4) {
      Pack u[Wide], term = load<Pack>(terms_ + i);
#pragma GCC unroll 4
      for (int c = 0; c < Wide; ++c) {
        u[c] = load<Pack>(column + at(i, c, n_));
#pragma GCC unroll 4
        for (int k = 0; k < c; ++k) u[c] -= u[k] * lower[4 * c + k];
        const Pack l = u[c] * inverse[c], size = l * u[c];
        store(l, column + at(i, c, n_));
        term += size < 0.0 ? -size : size;
        if (keep) store(u[c], scaled(i, j + c));
      }
      store(term, terms_ + i);
    }
  }
  void below(int j, int wide, int begin, int end, bool keep) {
    switch (wide) {
      case 4: return below<4>(j, begin, end, keep);
      case 3: return below<3>(j, begin, end, keep);
      case 2: return below<2>(j, begin, end, keep);
      default: return below<1>(j, begin, end, keep);
    }
  }

  double* panel_;
  int n_, first_, last_;
  double* terms_;
  const PivotRule& rule_;
  double scaled_[block * block], corners_[5 * block];
  double inverse_[4] = {}, lower_[4][4] = {};
};

}  // namespace

int ldlt_panel(double* panel, int n, int p, double* terms, const PivotRule& rule, Threads* threads) {
  for (int first = 0; first < p; first += block) {
    const int last = std::min(first + block, p), below = first + padded(last - first);
    Block columns(panel, n, first, last, terms, rule);
    if (const int failed = columns.diagonal(); failed < last) return failed;
    const auto rows = [&](int task) { columns.rows(below + task * slab, std::min(below + (task + 1) * slab, n)); };
    const int tasks = (n - below + slab - 1) / slab;
    if (threads && tasks > 1 && std::int64_t{n - below} * (last - first) * (last - first) >= worth_sharing) threads->each(tasks, rows);
    else
      for (int t = 0; t < tasks; ++t) rows(t);
    const double* done = panel + at(last, first, n);
    if (last < p) subtract({done, n, done, 1, n, rule.pivot + first, n - last, p - last, last - first, panel + at(last, last, n), n, true}, threads);
  }
  return p;
}

void subtract_ldlt(const double* L, int stride, const double* D, int r, int p, double* U, Threads* threads) {
  subtract({L, stride, L, 1, stride, D, padded(r), r, p, U, padded(r), true}, threads);
}

void subtract_product(const double* A, int a_stride, const double* B, int b_stride, int r, int p, double* U, Threads* threads) {
  subtract({A, a_stride, B, 1, b_stride, nullptr, padded(r), r, p, U, padded(r), false}, threads);
}

namespace {

constexpr int strip = 24;  // columns of an LU that are factored before the others hear of them

void exchange(double* panel, int n, int p, double* side, int r, int i, int j) {
  for (int k = 0; k < p; ++k) std::swap(panel[at(i, k, n)], panel[at(j, k, n)]);
  std::swap_ranges(side + at(0, i, padded(r)), side + at(0, i + 1, padded(r)), side + at(0, j, padded(r)));
}

/// Columns [first, last) of the panel among themselves.
int lu_strip(double* panel, int n, int p, int below, double* side, int r, int* pivots, double threshold, int first, int last) {
  for (int j = first; j < last; ++j) {
    double* column = panel + at(0, j, n);
    int best = j;
    for (int i = j + 1; i < p; ++i)
      if (std::abs(column[i]) > std::abs(column[best])) best = i;
    double largest = 0.0;
    if (threshold > 0.0)
      for (int i = below; i < n; ++i) largest = std::max(largest, std::abs(column[i]));
    pivots[j] = best;
    if (best != j) exchange(panel, n, p, side, r, j, best);
    if (!(std::abs(column[j]) > threshold * largest) || !std::isfinite(column[j])) return j;
    const double f = 1.0 / column[j];
    for (int i = j + 1; i < n; ++i) column[i] *= f;
    for (int k = j + 1; k < last; ++k) {
      double* right = panel + at(0, k, n);
      const double g = right[j];
      if (g == 0.0) continue;
      for (int i = j + 1; i < n; ++i) right[i] -= g * column[i];
    }
  }
  return last;
}

/// Rows [first, last) of the columns to the right of a strip, and its part of `side`.
void lu_right(double* panel, int n, int p, double* side, int r, int first, int last) {
  for (int k = last; k < p; ++k) {
    double* right = panel + at(0, k, n);
    for (int j = first; j < last; ++j) {
      const double g = right[j];
      const double* left = panel + at(0, j, n);
      for (int i = j + 1; i < last; ++i) right[i] -= g * left[i];
    }
  }
  const int stride = padded(r);
  for (int j = first; j < last; ++j)
    for (int i = j + 1; i < last; ++i) {
      const double f = panel[at(i, j, n)];
      double* target = side + at(0, i, stride);
      const double* source = side + at(0, j, stride);
      for (int k = 0; k < r; ++k) target[k] -= f * source[k];
    }
}

}  // namespace

int lu_panel(double* panel, int n, int p, int below, double* side, int r, int* pivots, double threshold, Threads* threads) {
  for (int first = 0; first < p; first += strip) {
    const int last = std::min(first + strip, p);
    if (const int failed = lu_strip(panel, n, p, below, side, r, pivots, threshold, first, last); failed < last) return failed;
    lu_right(panel, n, p, side, r, first, last);
    if (last == p) break;
    // Trailing columns: panel(last:, k) -= panel(last:, strip) panel(strip, k); side(:, k) likewise with rows of L.
    subtract({panel + at(last, first, n), n, panel + at(first, last, n), n, 1, nullptr, n - last, p - last, last - first, panel + at(last, last, n), n, false}, threads);
    subtract({side + at(0, first, padded(r)), padded(r), panel + at(last, first, n), 1, n, nullptr, padded(r), p - last, last - first, side + at(0, last, padded(r)), padded(r), false}, threads);
  }
  for (int j = 0; j < p; ++j) panel[at(j, j, n)] = 1.0 / panel[at(j, j, n)];
  return p;
}

void permute(const int* pivots, int p, double* x) {
  for (int j = 0; j < p; ++j)
    if (pivots[j] != j) std::swap(x[j], x[pivots[j]]);
}

void permute_back(const int* pivots, int p, double* x) {
  for (int j = p - 1; j >= 0; --j)
    if (pivots[j] != j) std::swap(x[j], x[pivots[j]]);
}

namespace {

// y -= A f, A of four columns.
void subtract_four(const double* A, int stride, const double* f, int rows, double* y) {
  const double *a = A, *b = a + stride, *c = b + stride, *d = c + stride;
  for (int i = 0; i < rows; ++i) y[i] -= (a[i] * f[0] + b[i] * f[1]) + (c[i] * f[2] + d[i] * f[3]);
}

double total(const Pack& sum) { return (sum[0] + sum[1]) + (sum[2] + sum[3]); }

// y -= A^T x.
template <int columns>
void subtract_inner(const double* A, int stride, const double* x, int rows, double* y) {
  Pack sum[columns] = {};
  int i = 0;
  for (; i + 4 <= rows; i += 4) {
    const Pack xi = load<Pack>(x + i);
#pragma GCC unroll 4
    for (int j = 0; j < columns; ++j) sum[j] += load<Pack>(A + std::int64_t{j} * stride + i) * xi;
  }
  for (int j = 0; j < columns; ++j) {
    double rest = total(sum[j]);
    for (int k = i; k < rows; ++k) rest += A[std::int64_t{j} * stride + k] * x[k];
    y[j] -= rest;
  }
}

}  // namespace

void lower_solve(const double* panel, int n, int p, double* x) {
  for (int first = 0; first < p; first += 4) {
    const int last = std::min(first + 4, p);
    for (int j = first; j < last; ++j)
      for (int i = j + 1; i < last; ++i) x[i] -= x[j] * panel[at(i, j, n)];
    if (last < p) subtract_four(panel + at(last, first, n), n, x + first, p - last, x + last);
  }
}

void lower_transposed_solve(const double* panel, int n, int p, double* x) {
  for (int first = (p - 1) / 4 * 4; first >= 0; first -= 4) {
    const int last = std::min(first + 4, p);
    if (last < p) subtract_inner<4>(panel + at(last, first, n), n, x + last, p - last, x + first);
    for (int j = last - 1; j >= first; --j)
      for (int i = j + 1; i < last; ++i) x[j] -= panel[at(i, j, n)] * x[i];
  }
}

void upper_solve(const double* panel, int n, int p, double* x) {
  for (int first = (p - 1) / 4 * 4; first >= 0; first -= 4) {
    const int last = std::min(first + 4, p);
    for (int j = last - 1; j >= first; --j) {
      x[j] *= panel[at(j, j, n)];
      for (int i = first; i < j; ++i) x[i] -= panel[at(i, j, n)] * x[j];
    }
    if (first == 0) continue;
    if (last - first == 4) {
      subtract_four(panel + at(0, first, n), n, x + first, first, x);
    } else {
      for (int j = first; j < last; ++j)
        for (int i = 0; i < first; ++i) x[i] -= panel[at(i, j, n)] * x[j];
    }
  }
}

void upper_transposed_solve(const double* panel, int n, int p, double* x) {
  for (int j = 0; j < p; ++j) {
    subtract_inner<1>(panel + at(0, j, n), n, x, j, x + j);
    x[j] *= panel[at(j, j, n)];
  }
}

void subtract_from(const double* A, int stride, const double* x, int r, int p, double* y) {
  int j = 0;
  for (; j + 4 <= p; j += 4) subtract_four(A + std::int64_t{j} * stride, stride, x + j, r, y);
  for (; j < p; ++j) {
    const double* a = A + std::int64_t{j} * stride;
    for (int i = 0; i < r; ++i) y[i] -= a[i] * x[j];
  }
}

void subtract_transposed(const double* A, int stride, const double* x, int r, int p, double* y) {
  int j = 0;
  for (; j + 4 <= p; j += 4) subtract_inner<4>(A + std::int64_t{j} * stride, stride, x, r, y + j);
  for (; j < p; ++j) subtract_inner<1>(A + std::int64_t{j} * stride, stride, x, r, y + j);
}

}  // namespace saltus
