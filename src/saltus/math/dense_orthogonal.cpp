#include "saltus/math/dense.hpp"

#include <Eigen/QR>

namespace saltus::dense {

PivotedQr pivoted_qr(const Matrix& A, double threshold, bool with_Q) {
  Eigen::ColPivHouseholderQR<Matrix> qr;
  qr.setThreshold(threshold);
  qr.compute(A);
  PivotedQr out{{}, qr.matrixR(), qr.colsPermutation(), static_cast<int>(qr.rank())};
  if (with_Q) out.Q = qr.householderQ();
  return out;
}

Vector least_squares(const Matrix& A, const Vector& b) { return Eigen::ColPivHouseholderQR<Matrix>(A).solve(b); }

Matrix orthonormal(const Matrix& A) { return Eigen::HouseholderQR<Matrix>(A).householderQ() * Matrix::Identity(A.rows(), A.cols()); }

Matrix least_norm(const Matrix& A, const Matrix& right, double threshold) {
  if (A.size() == 0) return Matrix::Zero(A.cols(), right.cols());
  Eigen::CompleteOrthogonalDecomposition<Matrix> of(A.rows(), A.cols());
  if (threshold > 0.0) of.setThreshold(threshold);
  of.compute(A);
  return of.solve(right);
}

Vector least_norm_vector(const Matrix& A, const Vector& right) { return Eigen::CompleteOrthogonalDecomposition<Matrix>(A).solve(right); }

}  // namespace saltus::dense
