#include "saltus/math/rank.hpp"

#include <Eigen/Core>
#include <Eigen/SparseQR>
#include <algorithm>
#include <cmath>
#include <optional>

#include "saltus/base/index.hpp"
#include "saltus/math/dense.hpp"
#include "saltus/math/ldlt.hpp"

namespace saltus {
namespace {

constexpr int largest_dense = 1500;

/// Columns: basis of the left null space, from H^T P = Q [R11 R12; 0 0]: P [-R11^-1 R12; I].
template <class Upper, class Permutation>
Eigen::MatrixXd null_basis(const Upper& R11, const Eigen::MatrixXd& R12, const Permutation& P) {
  const Eigen::Index rank = R12.rows(), null = R12.cols();
  Eigen::MatrixXd basis(rank + null, null);
  basis.topRows(rank) = -R11.template triangularView<Eigen::Upper>().solve(R12);
  basis.bottomRows(null).setIdentity();
  return P * basis;
}

/// The same from the pivots of [I Ht; H 0], which are squared distances of the rows to those before them: rows without a lost
/// pivot are independent, and (A + E)^-1 e_r of a lost one, E its replacement, is a null vector. Nothing where a suspect is
/// not clearly one.
std::optional<Eigen::MatrixXd> null_by_pivots(const Eigen::SparseMatrix<double>& Ht) {
  const int columns = static_cast<int>(Ht.rows()), rows = static_cast<int>(Ht.cols());
  CsrPattern saddle{columns + rows, columns + rows, {0}, {}};
  std::vector<double> values(columns, 1.0);
  for (int i = 0; i < columns; ++i) saddle.column.push_back(i), saddle.begin.push_back(i + 1);
  for (int k = 0; k < rows; ++k) {
    for (Eigen::SparseMatrix<double>::InnerIterator entry(Ht, k); entry; ++entry) saddle.column.push_back(static_cast<int>(entry.row())), values.push_back(entry.value());
    saddle.begin.push_back(saddle.nonzeros());
  }
  SparseLdlt ldlt;
  ldlt.analyze(saddle, rows);
  std::vector<double> substitute(columns, 1.0), x(columns + rows);
  substitute.resize(x.size(), -1.0);
  const PivotReport pivots = ldlt.factorize(values.data(), {}, substitute, 1e-12);
  const auto lost = static_cast<Eigen::Index>(pivots.replaced);
  if (!pivots.finite || lost * rows > 20'000'000) return std::nullopt;
  Eigen::MatrixXd null(rows, lost);
  for (Eigen::Index k = 0; k < lost; ++k) {
    std::fill(x.begin(), x.end(), 0.0);
    x[ldlt.lost_rows()[k]] = 1.0;
    ldlt.solve(x.data());
    const Eigen::Map<const Eigen::VectorXd> vector(x.data() + columns, rows);
    null.col(k) = vector / vector.cwiseAbs().maxCoeff();
    if (!((Ht * null.col(k)).cwiseAbs().maxCoeff() < 1e-9)) return std::nullopt;
  }
  return null;
}

Eigen::MatrixXd left_null_basis(const Eigen::SparseMatrix<double>& Ht, double tolerance) {
  if (const auto null = null_by_pivots(Ht)) return *null;
  if (Ht.cols() <= largest_dense) {
    const dense::PivotedQr qr = dense::pivoted_qr(Eigen::MatrixXd(Ht), tolerance, false);
    const Eigen::MatrixXd R11 = qr.R.topLeftCorner(qr.rank, qr.rank);
    return null_basis(R11, qr.R.topRightCorner(qr.rank, Ht.cols() - qr.rank), qr.P);
  }
  Eigen::SparseQR<Eigen::SparseMatrix<double>, Eigen::COLAMDOrdering<int>> qr;
  qr.setPivotThreshold(tolerance);  // rows have unit length: absolute is relative
  qr.compute(Ht);
  const Eigen::Index r = qr.rank();
  const Eigen::SparseMatrix<double> R = qr.matrixR();
  const Eigen::SparseMatrix<double> R11 = R.topLeftCorner(r, r);
  return null_basis(R11, Eigen::MatrixXd(R.topRightCorner(r, Ht.cols() - r)), qr.colsPermutation());
}

/// Reduces the null vectors from the last row up, so that each ends at another row, the last that it can do without.
std::vector<DependentRow> last_rows(Eigen::MatrixXd null, const std::vector<int>& rows) {
  std::vector<DependentRow> out;
  Eigen::Index left = null.cols();
  for (Eigen::Index i = null.rows() - 1; i >= 0 && left > 0; --i) {
    Eigen::Index at = 0;
    if (null.row(i).head(left).cwiseAbs().maxCoeff(&at) < 1e-7) continue;
    null.col(at).swap(null.col(--left));
    null.col(left) /= null(i, left);
    for (Eigen::Index k = 0; k < null.cols(); ++k)
      if (k != left) null.col(k) -= null(i, k) * null.col(left);
    for (Eigen::Index k = 0; k < left; ++k) {  // keeps the rest of unit size: the threshold is relative
      const double size = null.col(k).cwiseAbs().maxCoeff();
      if (size > 0.0) null.col(k) /= size;
    }
    DependentRow& dependent = out.emplace_back();
    dependent.row = static_cast<int>(i);
  }
  // The columns are in reduced form now: the k-th dependent row found stands in column cols - 1 - k.
  for (std::size_t k = 0; k < out.size(); ++k) {
    const auto column = null.col(null.cols() - 1 - static_cast<Eigen::Index>(k));
    const int row = out[k].row;
    const double size = column.cwiseAbs().maxCoeff();
    for (int j = 0; j < row; ++j)
      if (std::abs(column[j]) > 1e-7 * size) out[k].with.push_back(rows[j]);
    out[k].row = rows[row];
  }
  return out;
}

}  // namespace

std::vector<DependentRow> dependent_rows(const CsrPattern& H, std::span<const double> values,
                                         std::span<const double> column_scale, double tolerance) {
  const Components found = row_components(H);
  std::vector<std::vector<int>> members(found.count);
  for (int i = 0; i < H.rows; ++i) members[found.of[i]].push_back(i);
  std::vector<int> local(H.cols, -1);
  std::vector<DependentRow> out;
  for (const auto& rows : members) {
    std::vector<Eigen::Triplet<double>> entries;
    int columns = 0;
    for (int k = 0; k < count_of(rows); ++k) {
      const std::size_t first = entries.size();
      double square = 0.0;
      for (int s = H.begin[rows[k]]; s < H.begin[rows[k] + 1]; ++s) {
        const int j = H.column[s];
        const double value = values[s] * (column_scale.empty() ? 1.0 : column_scale[j]);
        if (value == 0.0) continue;
        if (local[j] < 0) local[j] = columns++;
        entries.emplace_back(local[j], k, value);
        square += value * value;
      }
      for (std::size_t e = first; e < entries.size(); ++e)
        entries[e] = {entries[e].row(), entries[e].col(), entries[e].value() / std::sqrt(square)};
    }
    if (columns == 0) {
      for (const int row : rows) out.push_back({row, {}});
      continue;
    }
    Eigen::SparseMatrix<double> Ht(columns, static_cast<Eigen::Index>(rows.size()));
    Ht.setFromTriplets(entries.begin(), entries.end());
    const Eigen::MatrixXd null = left_null_basis(Ht, tolerance);
    if (null.cols() == 0) continue;
    for (DependentRow& dependent : last_rows(null, rows)) out.push_back(std::move(dependent));
  }
  std::sort(out.begin(), out.end(), [](const DependentRow& x, const DependentRow& y) { return x.row < y.row; });
  return out;
}

}  // namespace saltus
