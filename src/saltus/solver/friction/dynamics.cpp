#include "saltus/solver/friction/dynamics.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "saltus/base/index.hpp"
#include "saltus/math/sparse_lu.hpp"

namespace saltus::friction {
namespace {

constexpr int largest_body = 6;
using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, largest_body, largest_body>;

/// Connected components of M in the order of their first column, each sorted; none: one is too large. Stored zeros join nothing:
/// a pattern may hold couplings that another step would have.
Bodies components(const SparseRows& M) {
  const int n = static_cast<int>(M.rows());
  std::vector<int> root(n), place(n, -1);
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (int i = 0; i < n; ++i)
    for (SparseRows::InnerIterator it(M, i); it; ++it) {
      if (it.value() == 0.0 || it.col() == i) continue;
      const int a = find(i), b = find(static_cast<int>(it.col()));
      if (a != b) root[std::max(a, b)] = std::min(a, b);
    }
  Bodies parts;
  parts.begin.reserve(static_cast<std::size_t>(n) + 1);
  std::vector<int> size;
  size.reserve(n);
  for (int i = 0; i < n; ++i) {  // the root is the first of its part
    int& k = place[find(i)];
    if (k < 0) k = count_of(size), size.push_back(0);
    if (++size[k] > largest_body) return {};
  }
  for (const int of : size) parts.begin.push_back(parts.begin.back() + of);
  parts.columns.resize(n);
  for (std::size_t k = 0; k < size.size(); ++k) size[k] = parts.begin[k];  // where the next column goes
  for (int i = 0; i < n; ++i) parts.columns[size[place[find(i)]]++] = i;
  return parts;
}

/// The entries of M among `columns`, row by row, to n x n.
void dense(const SparseRows& M, std::span<const int> columns, double* block) {
  const std::size_t n = columns.size();
  std::fill_n(block, n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (SparseRows::InnerIterator it(M, columns[i]); it; ++it)
      if (it.value() != 0.0) block[n * i + static_cast<std::size_t>(std::lower_bound(columns.begin(), columns.end(), it.col()) - columns.begin())] += it.value();
}

/// L U in place, rows exchanged for the largest pivot; a singular matrix leaves what is not finite behind.
void factorize_small(double* A, int n, int* pivot) {
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; i < n; ++i)
      if (std::abs(A[n * i + k]) > std::abs(A[n * best + k])) best = i;
    pivot[k] = best;
    if (best != k) std::swap_ranges(A + n * k, A + n * (k + 1), A + n * best);
    for (int i = k + 1; i < n; ++i) {
      const double factor = A[n * i + k] /= A[n * k + k];
      for (int j = k + 1; j < n; ++j) A[n * i + j] -= factor * A[n * k + j];
    }
  }
}

void solve_small(const double* A, int n, const int* pivot, double* x) {
  for (int k = 0; k < n; ++k) {
    std::swap(x[k], x[pivot[k]]);
    for (int i = k + 1; i < n; ++i) x[i] -= A[n * i + k] * x[k];
  }
  for (int k = n - 1; k >= 0; --k) {
    for (int j = k + 1; j < n; ++j) x[k] -= A[n * k + j] * x[j];
    x[k] /= A[n * k + k];
  }
}

/// out = p0 + G r.
void load(const Problem& problem, std::span<const double> r, std::vector<double>& out) {
  out.assign(problem.p0.begin(), problem.p0.end());
  if (r.empty()) return;
  Eigen::Map<Eigen::VectorXd> p(out.data(), static_cast<Eigen::Index>(out.size()));
  const Eigen::Map<const Eigen::VectorXd> impulse(r.data(), static_cast<Eigen::Index>(r.size()));
  if (problem.G.nonZeros() > 0) p += problem.G * impulse;
  else p += problem.H.transpose() * impulse;
}

}  // namespace

Motion::Motion(const Problem& problem) : problem_(problem) {
  if (problem.M.rows() == 0) return;
  parts_ = components(problem.M);
  if (parts_.count() > 0) return;
  whole_ = std::make_shared<SparseLu>();
  singular_ = !whole_->compute(problem.M);
}

void Motion::factorize() {
  factor_begin_.assign(1, 0);
  for (int k = 0; k < parts_.count(); ++k) factor_begin_.push_back(factor_begin_.back() + static_cast<int>(parts_[k].size() * parts_[k].size()));
  factors_.resize(factor_begin_.back());
  pivots_.resize(parts_.columns.size());
  for (int k = 0; k < parts_.count(); ++k) {
    double* block = factors_.data() + factor_begin_[k];
    dense(problem_.M, parts_[k], block);
    factorize_small(block, count_of(parts_[k]), pivots_.data() + parts_.begin[k]);
  }
}

void Motion::solve_parts(double* v) const {
  double x[largest_body];
  for (int k = 0; k < parts_.count(); ++k) {
    const std::span<const int> part = parts_[k];
    for (std::size_t i = 0; i < part.size(); ++i) x[i] = load_[part[i]];
    solve_small(factors_.data() + factor_begin_[k], count_of(part), pivots_.data() + parts_.begin[k], x);
    for (std::size_t i = 0; i < part.size(); ++i) v[part[i]] = x[i];
  }
}

bool Motion::operator()(std::span<const double> r, std::vector<double>& v) {
  if (singular_) return false;
  load(problem_, r, load_);
  v.resize(load_.size());
  if (!whole_) {
    if (factor_begin_.empty()) factorize();
    solve_parts(v.data());
  } else {
    const Eigen::Map<const Eigen::VectorXd> p(load_.data(), static_cast<Eigen::Index>(load_.size()));
    Eigen::Map<Eigen::VectorXd> result(v.data(), p.size());
    result = whole_->solve(Eigen::VectorXd(p));
    result += whole_->solve(Eigen::VectorXd(p - problem_.M * result));  // one step of refinement
  }
  return std::all_of(v.begin(), v.end(), [](double x) { return std::isfinite(x); });
}

std::optional<Bodies> bodies(const Problem& problem, const Motion& motion, std::span<const int> block_of_row) {
  const Bodies& parts = motion.parts();
  if (parts.count() == 0) return std::nullopt;
  // Contacts that meet each column.
  const std::size_t n = problem.p0.size();
  std::vector<int> begin(n + 1, 0), last(n, -1), met;
  const auto each = [&](const auto& take) {
    std::fill(last.begin(), last.end(), -1);
    for (int i = 0; i < problem.H.rows(); ++i)
      for (SparseRows::InnerIterator it(problem.H, i); it; ++it)
        if (std::exchange(last[it.col()], block_of_row[i]) != block_of_row[i]) take(it.col(), block_of_row[i]);
  };
  each([&](Eigen::Index column, int) { ++begin[column + 1]; });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  met.resize(begin.back());
  std::vector<int> next(begin.begin(), begin.end() - 1);
  each([&](Eigen::Index column, int block) { met[next[column]++] = block; });
  Bodies result;
  result.columns.reserve(n), result.begin.reserve(n + 1);
  std::vector<int> contacts, group, both;  // of a part, of the last body, of the two
  for (int k = 0; k < parts.count(); ++k) {
    const std::span<const int> part = parts[k];
    contacts.clear();
    for (const int column : part) contacts.insert(contacts.end(), met.begin() + begin[column], met.begin() + begin[column + 1]);
    std::sort(contacts.begin(), contacts.end());
    contacts.erase(std::unique(contacts.begin(), contacts.end()), contacts.end());
    if (contacts.empty()) continue;  // a free body: no solver needs it
    both.clear();
    std::set_intersection(contacts.begin(), contacts.end(), group.begin(), group.end(), std::back_inserter(both));
    const bool same = !both.empty() && both.size() == std::min(contacts.size(), group.size());
    const bool joins = same && result[result.count() - 1].size() + part.size() <= largest_body;
    result.columns.insert(result.columns.end(), part.begin(), part.end());
    if (joins) {
      result.begin.back() = count_of(result.columns);
      if (contacts.size() > group.size()) std::swap(contacts, group);  // the larger one holds the other
    } else {
      result.close();
      std::swap(contacts, group);
    }
  }
  for (int k = 0; k < result.count(); ++k) std::sort(result.columns.begin() + result.begin[k], result.columns.begin() + result.begin[k + 1]);
  return result;
}

std::vector<double> relative_velocity(const Problem& problem, std::span<const double> v, std::span<const double> r) {
  std::vector<double> w = problem.b;
  Eigen::Map<Eigen::VectorXd> result(w.data(), static_cast<Eigen::Index>(w.size()));
  if (!v.empty()) result += problem.H * Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
  if (!r.empty() && problem.D.nonZeros() > 0)
    result += problem.D * Eigen::Map<const Eigen::VectorXd>(r.data(), static_cast<Eigen::Index>(r.size()));
  return w;
}

namespace {
// H M^-1 G where M has small blocks: each block joins the few rows that meet it.
std::optional<SparseRows> condensed_by_parts(const Problem& problem, const Bodies& parts) {
  const int m = problem.rows();
  const Eigen::SparseMatrix<double> H = problem.H;  // by column: which rows meet it
  const SparseRows G = problem.G.nonZeros() > 0 ? problem.G : SparseRows(problem.H.transpose());
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<int> place_of_row(m, -1), rows;
  Eigen::MatrixXd left, right, product;
  for (int number = 0; number < parts.count(); ++number) {
    const std::span<const int> part = parts[number];
    const auto size = static_cast<Eigen::Index>(part.size());
    rows.clear();
    const auto meet = [&](Eigen::Index row) {
      int& place = place_of_row[row];
      if (place < 0) place = count_of(rows), rows.push_back(static_cast<int>(row));
    };
    for (const int column : part) {
      for (Eigen::SparseMatrix<double>::InnerIterator it(H, column); it; ++it) meet(it.row());
      for (SparseRows::InnerIterator it(G, column); it; ++it) meet(it.col());
    }
    if (rows.empty()) continue;
    left.setZero(static_cast<Eigen::Index>(rows.size()), size);
    right.setZero(size, static_cast<Eigen::Index>(rows.size()));
    for (Eigen::Index k = 0; k < size; ++k) {
      const int column = part[k];
      for (Eigen::SparseMatrix<double>::InnerIterator it(H, column); it; ++it) left(place_of_row[it.row()], k) += it.value();
      for (SparseRows::InnerIterator it(G, column); it; ++it) right(k, place_of_row[it.col()]) += it.value();
    }
    Small mass(size, size);
    dense(problem.M, part, mass.data());
    const Eigen::PartialPivLU<Small> lu(mass);
    product = left * lu.solve(right);
    if (!product.allFinite()) return std::nullopt;
    for (std::size_t j = 0; j < rows.size(); ++j)
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (const double value = product(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)); value != 0.0) entries.emplace_back(rows[i], rows[j], value);
    for (const int row : rows) place_of_row[row] = -1;
  }
  SparseRows W(m, m);
  W.setFromTriplets(entries.begin(), entries.end());
  if (problem.D.nonZeros() > 0) W += problem.D;
  return W;
}
}  // namespace

std::optional<SparseRows> condensed(const Problem& problem, const Motion& motion) {
  if (motion.parts().count() > 0) return condensed_by_parts(problem, motion.parts());
  SparseLu lu;
  if (!lu.compute(problem.M)) return std::nullopt;
  const int m = problem.rows();
  const Eigen::SparseMatrix<double> G =
      problem.G.nonZeros() > 0 ? Eigen::SparseMatrix<double>(problem.G) : Eigen::SparseMatrix<double>(problem.H.transpose());
  std::vector<Eigen::Triplet<double>> entries;
  constexpr int chunk = 32;
  for (int first = 0; first < m; first += chunk) {
    const int count = std::min(chunk, m - first);
    const Eigen::MatrixXd X = lu.solve(Eigen::MatrixXd(G.middleCols(first, count)));
    const Eigen::MatrixXd W = problem.H * X;
    for (int j = 0; j < count; ++j)
      for (int i = 0; i < m; ++i)
        if (W(i, j) != 0.0) entries.emplace_back(i, first + j, W(i, j));
  }
  SparseRows W(m, m);
  W.setFromTriplets(entries.begin(), entries.end());
  if (problem.D.nonZeros() > 0) W += problem.D;
  return W;
}

}  // namespace saltus::friction
