// Dense matrix of run-time size as data of items; algebra on it is Eigen's (Map over `values`).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace saltus {

/// rows x cols, row-major.
struct Matrix {
  int rows = 0;
  int cols = 0;
  std::vector<double> values;

  double& operator()(int i, int j) { return values[index(i, j)]; }
  double operator()(int i, int j) const { return values[index(i, j)]; }
  bool operator==(const Matrix&) const = default;

 private:
  std::size_t index(int i, int j) const { return static_cast<std::size_t>(i) * static_cast<std::size_t>(cols) + static_cast<std::size_t>(j); }
};

/// Outer-product elimination; pivots and what stays in their rows may vanish to round-off.
inline bool positive_semidefinite(Matrix m) {
  const int n = m.rows;
  double size = 0.0;
  for (double x : m.values) size = std::max(size, std::abs(x));
  const double small = 1e-12 * size;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      if (std::abs(m(i, j) - m(j, i)) > small) return false;
  for (int k = 0; k < n; ++k) {
    if (m(k, k) < -small) return false;
    for (int i = k + 1; i < n; ++i) {
      if (m(k, k) <= small) {
        if (m(i, k) * m(i, k) > small * size) return false;
        continue;
      }
      const double factor = m(i, k) / m(k, k);
      for (int j = k + 1; j < n; ++j) m(i, j) -= factor * m(k, j);
    }
  }
  return true;
}

}  // namespace saltus
