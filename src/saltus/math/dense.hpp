// Factorizations of dense matrices behind functions: Eigen's templates for them, seconds of compiler time each, stand in one file.
#pragma once

#include <Eigen/Core>
#include <memory>

namespace saltus::dense {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;
using Permutation = Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int>;

Matrix product(const Matrix& A, const Matrix& B);

/// A P = Q R with column pivots; pivots below threshold times the largest count as zero.
struct PivotedQr {
  Matrix Q, R;  // square, of the size of A
  Permutation P;
  int rank = 0;
};
PivotedQr pivoted_qr(const Matrix& A, double threshold, bool with_Q = true);
/// x of A x = b by it, A with independent columns.
Vector least_squares(const Matrix& A, const Vector& b);
/// Orthonormal columns with the span of those of A, which are independent.
Matrix orthonormal(const Matrix& A);
/// Least squares, and of these the least norm. threshold <= 0: Eigen's.
Matrix least_norm(const Matrix& A, const Matrix& right, double threshold = 0.0);
/// The same of one right-hand side, with Eigen's threshold; equal to rounding.
Vector least_norm_vector(const Matrix& A, const Vector& right);

/// L U with full pivoting.
class FullLu {
 public:
  /// threshold <= 0: Eigen's.
  explicit FullLu(const Matrix& A, double threshold = 0.0);
  ~FullLu();
  int rank() const;
  bool invertible() const;
  double rcond() const;
  Matrix solve(const Matrix& right) const;
  Matrix kernel() const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

/// L U with partial pivoting, kept: no allocation for matrices of the last size.
class Lu {
 public:
  Lu();
  explicit Lu(const Matrix& A);
  ~Lu();
  void compute(const Matrix& A);
  Vector solve(const Vector& right) const;
  Matrix solve(const Matrix& right) const;
  void solve(const Vector& right, Vector& x) const;
  /// Smallest over largest diagonal entry of U by amount.
  bool regular(double least) const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

/// Of a symmetric matrix, rising.
Vector symmetric_eigenvalues(const Matrix& A);
/// Whether a symmetric matrix is positive definite.
bool positive_definite(const Matrix& A);

}  // namespace saltus::dense
