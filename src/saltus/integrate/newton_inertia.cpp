// Signs of a Newton matrix within the constraints: whether an equilibrium is stable.
#include "saltus/integrate/newton.hpp"
#include "saltus/math/dense.hpp"

namespace saltus {
namespace {
constexpr int dense_most = 500;  // unknowns and rows: below, an eigenvalue problem on the kernel of C; above, signs of pivots
constexpr double rank_tolerance = 1e-9;
constexpr double rounding = 1e-10;
}  // namespace

/// Signs of pivots fail where A has zeros on its diagonal, as the stiffness of a mechanism has: lost ones are replaced by positive ones,
/// and what they leave is rounding of 1e8 times its size.
int NewtonMatrix::dense_negative_directions() const {
  const CsrPattern& pattern = layout_.pattern;
  const int nu = system_.layout.unknowns(), rows = system_.layout.rows;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(nu, nu), C = Eigen::MatrixXd::Zero(nu, rows);  // C transposed
  for (int i = 0; i < pattern.rows; ++i)
    for (int k = pattern.begin[i]; k < pattern.begin[i + 1]; ++k) {
      const int j = pattern.column[k];
      const double value = values_[k];
      if (i < nu && j < nu) A(i, j) += 0.5 * value, A(j, i) += 0.5 * value;
      if (i >= nu && j < nu) C(j, i - nu) = value;
    }
  if (!A.allFinite() || !C.allFinite()) return 0;
  int free = nu;
  Eigen::MatrixXd reduced = A;
  if (rows > 0) {
    for (int r = 0; r < rows; ++r)
      if (const double norm = C.col(r).norm(); norm > 0.0) C.col(r) /= norm;
    const dense::PivotedQr qr = dense::pivoted_qr(C, rank_tolerance);
    free = nu - qr.rank;
    const Eigen::MatrixXd kernel = qr.Q.rightCols(free);
    reduced = kernel.transpose() * A * kernel;
  }
  if (free == 0) return 0;
  const Eigen::VectorXd values = dense::symmetric_eigenvalues(reduced);
  return static_cast<int>((values.array() < -rounding * A.cwiseAbs().maxCoeff()).count());
}

NewtonMatrix::Inertia NewtonMatrix::negative_directions() {
  if (size() <= dense_most) return {dense_negative_directions(), true};
  const CsrPattern& pattern = layout_.pattern;
  const int nu = system_.layout.unknowns(), rows = system_.layout.rows;
  if (transposed_.empty()) {
    for (int i = 0; i < pattern.rows; ++i)
      for (const int j : pattern.row(i)) transposed_.push_back(pattern.slot(j, i));
    inertia_.analyze(MatrixKind::symmetric_quasidefinite, pattern, rows);
  }
  // [sym A, C^T; C, -D]: as many negative pivots as rows, and one more a negative direction of A on the kernel of C.
  std::vector<double> symmetric(values_.size());
  for (int i = 0; i < pattern.rows; ++i)
    for (int k = pattern.begin[i]; k < pattern.begin[i + 1]; ++k) {
      const int j = pattern.column[k];
      const double own = values_[k], other = transposed_[k] >= 0 ? values_[transposed_[k]] : 0.0;
      symmetric[k] = i < nu && j < nu ? 0.5 * (own + other) : i < nu ? other : j < nu ? own : -own;
    }
  const FactorReport f = inertia_.factorize(symmetric);
  return {f.status == FactorStatus::not_finite ? 0 : std::max(0, f.negative_pivots - rows), f.lost_pivots == 0};
}

}  // namespace saltus
