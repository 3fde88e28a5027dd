// L U of a sparse matrix with exchanges of all rows, behind functions: Eigen's templates for it, seconds of compiler time, stand in one file.
#pragma once

#include <Eigen/SparseCore>
#include <cstdint>
#include <memory>

#include "saltus/math/csr.hpp"

namespace saltus {

class SparseLu {
 public:
  using Matrix = Eigen::SparseMatrix<double>;

  SparseLu();
  ~SparseLu();
  /// False where A is singular.
  bool compute(const Matrix& A);
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const;
  Eigen::MatrixXd solve(const Eigen::MatrixXd& right) const;
  Matrix solve(const Matrix& right) const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

/// The same of R A (R: rows scaled to unit largest entry, powers of two), its pattern read once.
class ExchangingLu {
 public:
  ExchangingLu();
  ~ExchangingLu();
  /// memory: bytes that the factor may take; 0: what is free.
  void analyze(const CsrPattern& pattern, double memory);
  /// False where a pivot is exactly zero.
  bool factorize(const CsrPattern& pattern, const double* values);
  /// Where it is; -1: not known.
  int zero() const;
  void solve(double* x);
  void solve_transposed(double* x);
  std::int64_t fill() const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
};

}  // namespace saltus
