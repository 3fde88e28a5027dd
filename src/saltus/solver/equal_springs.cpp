#include "saltus/solver/equal_springs.hpp"

#include <Eigen/Dense>

namespace saltus {

bool share_by_springs(const double* J, const double* held, const double* S, int m, int stride, const double* rest, double* x) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, springs_most_rows, springs_most_rows>;
  using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, springs_most_rows, 1>;
  using Rows = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>, 0, Eigen::OuterStride<>>;
  constexpr double rank = 1e-10, regular = 1e-6;  // of the largest pivot
  Matrix of = Rows(J, m, m, Eigen::OuterStride<>(stride));
  Eigen::FullPivLU<Matrix> lu(m, m);
  lu.setThreshold(rank);
  const auto kernel = [&]() -> Matrix {
    lu.compute(of);
    return lu.dimensionOfKernel() > 0 ? Matrix(lu.kernel()) : Matrix(m, 0);
  };
  const Matrix right = kernel();
  if (right.cols() == 0) return false;
  of = Rows(held, m, m, Eigen::OuterStride<>(stride)).transpose();
  const Matrix left = kernel();
  if (left.cols() != right.cols()) return false;
  const Matrix pushed = left.transpose() * Rows(S, m, m, Eigen::OuterStride<>(stride));
  lu.setThreshold(regular);
  lu.compute(pushed * right);
  if (!lu.isInvertible()) return false;
  Eigen::Map<Vector> at(x, m);
  const Vector by = lu.solve(Vector(pushed * (at - Eigen::Map<const Vector>(rest, m))));
  if (!by.allFinite()) return false;
  at.noalias() -= right * by;
  return true;
}

}  // namespace saltus
