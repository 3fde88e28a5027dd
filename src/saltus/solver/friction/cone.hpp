// The self-dual cone L = {x: x0 >= |x_T|} in three dimensions and its Jordan algebra, on plain arrays of three.
// Every friction cone becomes L after scaling (scaled.hpp). Source: Alizadeh, Goldfarb 2003.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

namespace saltus::friction {

using Triple = std::array<double, 3>;
using Square = std::array<double, 9>;  // 3 x 3, row-major

inline double tangent_norm(const double* x) { return std::sqrt(x[1] * x[1] + x[2] * x[2]); }
inline double dot3(const double* x, const double* y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; }

/// Euclidean projection of x onto L. `result` may be x.
inline void project(const double* x, double* result) {
  const double s = tangent_norm(x);
  if (s <= x[0]) {
    result[0] = x[0], result[1] = x[1], result[2] = x[2];
  } else if (s <= -x[0]) {
    result[0] = result[1] = result[2] = 0.0;
  } else {
    const double half = 0.5 * (x[0] + s), factor = half / s;
    result[0] = half, result[1] = factor * x[1], result[2] = factor * x[2];
  }
}

/// x0^2 - |x_T|^2 without cancellation of squares.
inline double determinant(const double* x) {
  const double s = tangent_norm(x);
  return (x[0] - s) * (x[0] + s);
}

/// y = A x for a row-major 3 x 3 matrix.
inline void multiply(const double* A, const double* x, double* y) {
  for (int i = 0; i < 3; ++i) y[i] = A[3 * i] * x[0] + A[3 * i + 1] * x[1] + A[3 * i + 2] * x[2];
}

/// Inverse by cofactors; false where the determinant is zero or not finite.
inline bool invert(const double* A, double* inverse) {
  const double c0 = A[4] * A[8] - A[5] * A[7], c1 = A[5] * A[6] - A[3] * A[8], c2 = A[3] * A[7] - A[4] * A[6];
  const double det = A[0] * c0 + A[1] * c1 + A[2] * c2;
  if (!(std::abs(det) > 0.0) || !std::isfinite(det)) return false;
  const double f = 1.0 / det;
  inverse[0] = c0 * f, inverse[3] = c1 * f, inverse[6] = c2 * f;
  inverse[1] = (A[2] * A[7] - A[1] * A[8]) * f;
  inverse[4] = (A[0] * A[8] - A[2] * A[6]) * f;
  inverse[7] = (A[1] * A[6] - A[0] * A[7]) * f;
  inverse[2] = (A[1] * A[5] - A[2] * A[4]) * f;
  inverse[5] = (A[2] * A[3] - A[0] * A[5]) * f;
  inverse[8] = (A[0] * A[4] - A[1] * A[3]) * f;
  return true;
}

/// C = A B, row-major 3 x 3.
inline void multiply_square(const double* A, const double* B, double* C) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

}  // namespace saltus::friction
