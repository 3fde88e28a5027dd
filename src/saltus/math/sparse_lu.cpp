#include "saltus/math/sparse_lu.hpp"

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <string>

#include "saltus/base/memory.hpp"
#include "saltus/math/factor_memory.hpp"

namespace saltus {

struct SparseLu::Factor {
  Eigen::SparseLU<Matrix> lu;
};

SparseLu::SparseLu() : factor_(new Factor) {}
SparseLu::~SparseLu() = default;

bool SparseLu::compute(const Matrix& A) {
  factor_->lu.compute(A);
  return factor_->lu.info() == Eigen::Success;
}

Eigen::VectorXd SparseLu::solve(const Eigen::VectorXd& right) const { return factor_->lu.solve(right); }
Eigen::MatrixXd SparseLu::solve(const Eigen::MatrixXd& right) const { return factor_->lu.solve(right); }
SparseLu::Matrix SparseLu::solve(const Matrix& right) const { return factor_->lu.solve(right); }

struct ExchangingLu::Factor {
  void analyze(const CsrPattern& pattern, double memory) {
    const CsrTranspose t = transposed(pattern);
    source = t.source;
    matrix.resize(pattern.rows, pattern.cols);
    matrix.resizeNonZeros(pattern.nonzeros());
    std::copy(t.pattern.begin.begin(), t.pattern.begin.end(), matrix.outerIndexPtr());
    std::copy(t.pattern.column.begin(), t.pattern.column.end(), matrix.innerIndexPtr());
    std::fill_n(matrix.valuePtr(), pattern.nonzeros(), 1.0);
    scale.resize(pattern.rows);
    work.resize(pattern.rows);
    lu.isSymmetric(false);
    lu.analyzePattern(matrix);
    // L and U without pivoting; columns that are exchanged add to it. Eigen holds a value an entry of both, an index one of U.
    constexpr double bytes = 20.0;
    const double free = memory > 0.0 ? memory : available_memory();
    const double entries = factor_entries(pattern, lu.colsPermutation().indices().data(), free / bytes);
    check_factor_memory(pattern.rows, 2.0 * entries, bytes * entries, free, false, true);
  }
  bool factorize(const CsrPattern& pattern, const double* values) {
    for (int i = 0; i < pattern.rows; ++i) {
      double largest = 0.0;
      for (int s = pattern.begin[i]; s < pattern.begin[i + 1]; ++s) largest = std::max(largest, std::abs(values[s]));
      if (largest == 0.0) {
        zero = i;
        return false;
      }
      scale[i] = std::ldexp(1.0, -std::ilogb(largest));
    }
    for (int s = 0; s < pattern.nonzeros(); ++s)
      matrix.valuePtr()[s] = values[source[s]] * scale[matrix.innerIndexPtr()[s]];
    lu.factorize(matrix);
    if (lu.info() == Eigen::Success) return true;
    // Eigen tells the eliminated column only in its message.
    const std::string message = lu.lastErrorMessage();
    const auto digits = message.find_first_of("0123456789");
    zero = -1;
    if (digits != std::string::npos) {
      const int step = std::stoi(message.substr(digits)) - 1;
      const auto& order = lu.colsPermutation().indices();  // column j is eliminated at step order[j]
      for (int j = 0; j < order.size(); ++j)
        if (order[j] == step) zero = j;
    }
    return false;
  }
  void solve(double* x) {
    for (int i = 0; i < work.size(); ++i) work[i] = x[i] * scale[i];
    Eigen::Map<Eigen::VectorXd>(x, work.size()) = lu.solve(work);
  }
  void solve_transposed(double* x) {
    work = Eigen::Map<Eigen::VectorXd>(x, work.size());
    Eigen::Map<Eigen::VectorXd> out(x, work.size());
    out = lu.transpose().solve(work);
    for (int i = 0; i < work.size(); ++i) out[i] *= scale[i];
  }
  std::int64_t fill() const { return static_cast<std::int64_t>(lu.nnzL()) + static_cast<std::int64_t>(lu.nnzU()); }

  Eigen::SparseMatrix<double> matrix;
  Eigen::SparseLU<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> lu;
  std::vector<int> source;
  std::vector<double> scale;
  Eigen::VectorXd work;
  int zero = -1;
};

ExchangingLu::ExchangingLu() : factor_(new Factor) {}
ExchangingLu::~ExchangingLu() = default;
void ExchangingLu::analyze(const CsrPattern& pattern, double memory) { factor_->analyze(pattern, memory); }
bool ExchangingLu::factorize(const CsrPattern& pattern, const double* values) { return factor_->factorize(pattern, values); }
int ExchangingLu::zero() const { return factor_->zero; }
void ExchangingLu::solve(double* x) { factor_->solve(x); }
void ExchangingLu::solve_transposed(double* x) { factor_->solve_transposed(x); }
std::int64_t ExchangingLu::fill() const { return factor_->fill(); }

}  // namespace saltus
