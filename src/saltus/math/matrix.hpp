// Dense matrix of run-time size as data of items; algebra on it is Eigen's (Map over `values`).
#pragma once

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

}  // namespace saltus
