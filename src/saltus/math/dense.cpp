#include "saltus/math/dense.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace saltus::dense {

Matrix product(const Matrix& A, const Matrix& B) { return A * B; }

struct FullLu::Factor {
  Eigen::FullPivLU<Matrix> lu;
};
FullLu::FullLu(const Matrix& A, double threshold) : factor_(new Factor{Eigen::FullPivLU<Matrix>(A)}) {
  if (threshold > 0.0) factor_->lu.setThreshold(threshold);
}
FullLu::~FullLu() = default;
int FullLu::rank() const { return static_cast<int>(factor_->lu.rank()); }
bool FullLu::invertible() const { return factor_->lu.isInvertible(); }
double FullLu::rcond() const { return factor_->lu.rcond(); }
Matrix FullLu::solve(const Matrix& right) const { return factor_->lu.solve(right); }
Matrix FullLu::kernel() const { return factor_->lu.kernel(); }

struct Lu::Factor {
  Eigen::PartialPivLU<Matrix> lu;
};
Lu::Lu() : factor_(new Factor) {}
Lu::Lu(const Matrix& A) : Lu() { compute(A); }
Lu::~Lu() = default;
void Lu::compute(const Matrix& A) { factor_->lu.compute(A); }
Vector Lu::solve(const Vector& right) const { return factor_->lu.solve(right); }
Matrix Lu::solve(const Matrix& right) const { return factor_->lu.solve(right); }
void Lu::solve(const Vector& right, Vector& x) const { x.noalias() = factor_->lu.solve(right); }
bool Lu::regular(double least) const {
  const auto diagonal = factor_->lu.matrixLU().diagonal().cwiseAbs();
  return diagonal.minCoeff() > least * diagonal.maxCoeff();
}

bool positive_definite(const Matrix& A) { return Eigen::LLT<Matrix>(A).info() == Eigen::Success; }

}  // namespace saltus::dense
