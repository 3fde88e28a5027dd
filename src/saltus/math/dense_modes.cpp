#include "saltus/math/dense_modes.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace saltus::dense {

SymmetricModes symmetric_modes(const Matrix& A) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vector symmetric_eigenvalues(const Matrix& A) { return Eigen::SelfAdjointEigenSolver<Matrix>(A, Eigen::EigenvaluesOnly).eigenvalues(); }

Matrix exponential(const Matrix& A) {
  const double size = A.size() > 0 ? A.cwiseAbs().rowwise().sum().maxCoeff() : 0.0;
  const int squarings = size > 0.5 ? static_cast<int>(std::ceil(std::log2(size / 0.5))) : 0;
  const Matrix scaled = A * std::ldexp(1.0, -squarings);
  Matrix sum = Matrix::Identity(A.rows(), A.cols()), term = sum;
  for (int k = 1; k <= 16; ++k) {  // 0.5^17 / 17! is below rounding
    term = product(term, scaled) / k;
    sum += term;
  }
  for (int k = 0; k < squarings; ++k) sum = product(sum, sum);
  return sum;
}

}  // namespace saltus::dense
