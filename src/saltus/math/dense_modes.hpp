// Functions of dense matrices by their eigenvectors or by series: modes and exponentials.
#pragma once

#include "saltus/math/dense.hpp"

namespace saltus::dense {

/// Eigenvalues of a symmetric matrix, rising, and orthonormal eigenvectors as columns.
struct SymmetricModes {
  Vector values;
  Matrix vectors;
};
SymmetricModes symmetric_modes(const Matrix& A);
/// exp(A), by scaling and squaring (Moler, Van Loan 2003).
Matrix exponential(const Matrix& A);

}  // namespace saltus::dense
