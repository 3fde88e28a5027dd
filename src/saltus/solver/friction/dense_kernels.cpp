#include "saltus/solver/friction/dense_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "saltus/math/packs.hpp"

namespace saltus::friction {
namespace {

using Pack = FourDoubles;

// C (4 packs x 4 at leading dimension `c_stride`) -= A B^T over p terms; the tile stays in registers.
template <int packs>
void tile(const double* A, int a_stride, const double* B, int b_stride, int p, double* C, int c_stride) {
  Pack sum[packs][4] = {};
  for (int k = 0; k < p; ++k) {
    Pack a[packs];
#pragma GCC unroll 3
    for (int i = 0; i < packs; ++i) a[i] = load<Pack>(A + static_cast<std::int64_t>(k) * a_stride + 4 * i);
    const double* b = B + static_cast<std::int64_t>(k) * b_stride;
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) {
      const Pack f = {b[j], b[j], b[j], b[j]};
#pragma GCC unroll 3
      for (int i = 0; i < packs; ++i) sum[i][j] += a[i] * f;
    }
  }
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) {
    double* c = C + static_cast<std::int64_t>(j) * c_stride;
#pragma GCC unroll 3
    for (int i = 0; i < packs; ++i) store(load<Pack>(c + 4 * i) - sum[i][j], c + 4 * i);
  }
}

void tile_rest(const double* A, int a_stride, const double* B, int b_stride, int p, int rows, int columns, double* C,
               int c_stride) {
  double sum[8 * 4] = {};
  for (int k = 0; k < p; ++k) {
    const double* a = A + static_cast<std::int64_t>(k) * a_stride;
    const double* b = B + static_cast<std::int64_t>(k) * b_stride;
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i) sum[8 * j + i] += a[i] * b[j];
  }
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) C[i + static_cast<std::int64_t>(j) * c_stride] -= sum[8 * j + i];
}

// rows x columns; `triangle`: only tiles that meet the lower triangle (i >= j) are computed.
void subtract_columns(const double* A, int a_stride, const double* B, int b_stride, int rows, int begin, int columns, int p, double* C,
                      int c_stride, bool triangle) {
  for (int j = begin; j < columns; j += 4) {
    const int wide = std::min(4, columns - j);
    int i = triangle ? j : 0;
    while (i < rows) {
      double* c = C + i + static_cast<std::int64_t>(j) * c_stride;
      if (wide == 4 && rows - i >= 12) tile<3>(A + i, a_stride, B + j, b_stride, p, c, c_stride), i += 12;
      else if (wide == 4 && rows - i >= 8) tile<2>(A + i, a_stride, B + j, b_stride, p, c, c_stride), i += 8;
      else if (wide == 4 && rows - i >= 4) tile<1>(A + i, a_stride, B + j, b_stride, p, c, c_stride), i += 4;
      else {
        const int tall = std::min(wide == 4 ? 4 : 8, rows - i);
        tile_rest(A + i, a_stride, B + j, b_stride, p, tall, wide, c, c_stride);
        i += tall;
      }
    }
  }
}

// Tiles of columns by threads where there is enough to do.
void subtract(const double* A, int a_stride, const double* B, int b_stride, int rows, int columns, int p, double* C, int c_stride,
              bool triangle, Threads* threads) {
  if (p == 0) return;
  constexpr std::int64_t worth_sharing = 100'000;  // products
  if (!threads || static_cast<std::int64_t>(rows) * columns * p < worth_sharing)
    return subtract_columns(A, a_stride, B, b_stride, rows, 0, columns, p, C, c_stride, triangle);
  const int wide = std::max(4, columns / (8 * threads->count()) / 4 * 4);
  threads->each((columns + wide - 1) / wide, [&](int i) {
    subtract_columns(A, a_stride, B, b_stride, rows, i * wide, std::min((i + 1) * wide, columns), p, C, c_stride, triangle);
  });
}

constexpr int strip = 24;  // columns factored at a time; the rest is updated by tiles

}  // namespace

bool cholesky_panel(double* panel, int n, int p, Threads* threads) {
  for (int first = 0; first < p; first += strip) {
    const int last = std::min(first + strip, p);
    for (int j = first; j < last; ++j) {
      double* column = panel + static_cast<std::int64_t>(j) * n;
      for (int k = first; k < j; ++k) {
        const double* left = panel + static_cast<std::int64_t>(k) * n;
        const double f = left[j];
        for (int i = j; i < n; ++i) column[i] -= f * left[i];
      }
      if (!(column[j] > 0.0) || !std::isfinite(column[j])) return false;
      const double root = std::sqrt(column[j]), f = 1.0 / root;
      column[j] = root;
      for (int i = j + 1; i < n; ++i) column[i] *= f;
    }
    const double* done = panel + static_cast<std::int64_t>(first) * n;
    subtract(done + last, n, done + last, n, n - last, p - last, last - first, panel + last + static_cast<std::int64_t>(last) * n, n, true, threads);
  }
  return true;
}

bool lu_panel(double* panel, int n, int p, double* other, int r, int* pivots, Threads* threads) {
  for (int first = 0; first < p; first += strip) {
    const int last = std::min(first + strip, p);
    for (int j = first; j < last; ++j) {
      double* column = panel + static_cast<std::int64_t>(j) * n;
      int best = j;
      for (int i = j + 1; i < p; ++i)
        if (std::abs(column[i]) > std::abs(column[best])) best = i;
      pivots[j] = best;
      if (best != j) {
        for (int k = 0; k < p; ++k) std::swap(panel[j + static_cast<std::int64_t>(k) * n], panel[best + static_cast<std::int64_t>(k) * n]);
        std::swap_ranges(other + static_cast<std::int64_t>(j) * r, other + static_cast<std::int64_t>(j + 1) * r, other + static_cast<std::int64_t>(best) * r);
      }
      if (!(std::abs(column[j]) > 0.0) || !std::isfinite(column[j])) return false;
      const double f = 1.0 / column[j];
      for (int i = j + 1; i < n; ++i) column[i] *= f;
      for (int k = j + 1; k < last; ++k) {
        double* right = panel + static_cast<std::int64_t>(k) * n;
        const double g = right[j];
        if (g == 0.0) continue;
        for (int i = j + 1; i < n; ++i) right[i] -= g * column[i];
      }
    }
    // Rows [first, last) of the columns to the right, and the strip's part of `other`.
    for (int k = last; k < p; ++k) {
      double* right = panel + static_cast<std::int64_t>(k) * n;
      for (int j = first; j < last; ++j) {
        const double g = right[j];
        const double* left = panel + static_cast<std::int64_t>(j) * n;
        for (int i = j + 1; i < last; ++i) right[i] -= g * left[i];
      }
    }
    for (int j = first; j < last; ++j)
      for (int i = j + 1; i < last; ++i) {
        const double f = panel[i + static_cast<std::int64_t>(j) * n];
        double* target = other + static_cast<std::int64_t>(i) * r;
        const double* source = other + static_cast<std::int64_t>(j) * r;
        for (int k = 0; k < r; ++k) target[k] -= f * source[k];
      }
    if (last == p) break;
    // Trailing columns: panel(last:, k) -= panel(last:, strip) panel(strip, k); other(:, k) likewise with rows of L.
    for (int k = last; k < p; k += 4) {
      const int wide = std::min(4, p - k);
      double rows[4 * strip];
      for (int j = first; j < last; ++j)
        for (int c = 0; c < 4; ++c) rows[4 * (j - first) + c] = c < wide ? panel[j + static_cast<std::int64_t>(k + c) * n] : 0.0;
      subtract(panel + last + static_cast<std::int64_t>(first) * n, n, rows, 4, n - last, wide, last - first, panel + last + static_cast<std::int64_t>(k) * n, n, false, nullptr);
    }
    subtract(other + static_cast<std::int64_t>(first) * r, r, panel + last + static_cast<std::int64_t>(first) * n, n, r, p - last, last - first, other + static_cast<std::int64_t>(last) * r, r, false, threads);
  }
  return true;
}

void subtract_lower(const double* L, int stride, int r, int p, double* U, Threads* threads) {
  subtract(L, stride, L, stride, r, r, p, U, r, true, threads);
}

void subtract_product(const double* A, int a_stride, const double* B, int b_stride, int r, int p, double* U, Threads* threads) {
  subtract(A, a_stride, B, b_stride, r, r, p, U, r, false, threads);
}

void permute(const int* pivots, int p, double* x) {
  for (int j = 0; j < p; ++j)
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
    for (int j = 0; j < columns; ++j) sum[j] += load<Pack>(A + static_cast<std::int64_t>(j) * stride + i) * xi;
  }
  for (int j = 0; j < columns; ++j) {
    double rest = total(sum[j]);
    for (int k = i; k < rows; ++k) rest += A[static_cast<std::int64_t>(j) * stride + k] * x[k];
    y[j] -= rest;
  }
}

}  // namespace

void invert_diagonal(double* panel, int n, int p) {
  for (int j = 0; j < p; ++j) panel[static_cast<std::int64_t>(j) * (n + 1)] = 1.0 / panel[static_cast<std::int64_t>(j) * (n + 1)];
}

void lower_solve(const double* panel, int n, int p, bool symmetric, double* x) {
  for (int first = 0; first < p; first += 4) {
    const int last = std::min(first + 4, p);
    for (int j = first; j < last; ++j) {
      const double* column = panel + static_cast<std::int64_t>(j) * n;
      if (symmetric) x[j] *= column[j];
      for (int i = j + 1; i < last; ++i) x[i] -= x[j] * column[i];
    }
    if (last < p) subtract_four(panel + static_cast<std::int64_t>(first) * n + last, n, x + first, p - last, x + last);
  }
}

void upper_solve(const double* panel, int n, int p, bool symmetric, double* x) {
  for (int first = (p - 1) / 4 * 4; first >= 0; first -= 4) {
    const int last = std::min(first + 4, p);
    const double* block = panel + static_cast<std::int64_t>(first) * n;
    if (symmetric && last < p) subtract_inner<4>(block + last, n, x + last, p - last, x + first);
    for (int j = last - 1; j >= first; --j) {
      const double* column = panel + static_cast<std::int64_t>(j) * n;
      if (symmetric)
        for (int i = j + 1; i < last; ++i) x[j] -= column[i] * x[i];
      x[j] *= column[j];
      if (!symmetric)
        for (int i = first; i < j; ++i) x[i] -= column[i] * x[j];
    }
    if (symmetric || first == 0) continue;
    if (last - first == 4) {
      subtract_four(block, n, x + first, first, x);
    } else {
      for (int j = first; j < last; ++j)
        for (int i = 0; i < first; ++i) x[i] -= panel[static_cast<std::int64_t>(j) * n + i] * x[j];
    }
  }
}

void product(const double* A, int stride, const double* x, int r, int p, double* y) {
  std::fill_n(y, r, 0.0);
  int j = 0;
  for (; j + 4 <= p; j += 4) {
    const double* a = A + static_cast<std::int64_t>(j) * stride;
    const double f0 = x[j], f1 = x[j + 1], f2 = x[j + 2], f3 = x[j + 3];
    for (int i = 0; i < r; ++i) y[i] += (a[i] * f0 + a[i + stride] * f1) + (a[i + 2 * stride] * f2 + a[i + 3 * stride] * f3);
  }
  for (; j < p; ++j) {
    const double* a = A + static_cast<std::int64_t>(j) * stride;
    for (int i = 0; i < r; ++i) y[i] += a[i] * x[j];
  }
}

void subtract_transposed(const double* A, int stride, const double* x, int r, int p, double* y) {
  int j = 0;
  for (; j + 4 <= p; j += 4) subtract_inner<4>(A + static_cast<std::int64_t>(j) * stride, stride, x, r, y + j);
  for (; j < p; ++j) subtract_inner<1>(A + static_cast<std::int64_t>(j) * stride, stride, x, r, y + j);
}

}  // namespace saltus::friction
