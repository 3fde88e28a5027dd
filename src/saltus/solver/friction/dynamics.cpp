#include "saltus/solver/friction/dynamics.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <numeric>

#include "saltus/math/sparse_lu.hpp"

namespace saltus::friction {
namespace {

constexpr int largest_body = 6;
using Small = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, largest_body, largest_body>;
using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, largest_body, 1>;

// Connected components of M, each sorted, in the order of their first column; empty: one is too large. Stored zeros join nothing:
// a pattern may hold couplings that another step would have.
std::vector<std::vector<int>> components(const SparseRows& M) {
  const int n = static_cast<int>(M.rows());
  std::vector<int> root(n);
  std::iota(root.begin(), root.end(), 0);
  auto find = [&](int i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (int i = 0; i < n; ++i)
    for (SparseRows::InnerIterator it(M, i); it; ++it) {
      if (it.value() == 0.0) continue;
      const int a = find(i), b = find(static_cast<int>(it.col()));
      if (a != b) root[std::max(a, b)] = std::min(a, b);
    }
  std::vector<int> slot(n, -1);
  std::vector<std::vector<int>> result;
  for (int i = 0; i < n; ++i) {
    const int a = find(i);
    if (slot[a] < 0) slot[a] = static_cast<int>(result.size()), result.emplace_back();
    result[slot[a]].push_back(i);
    if (result[slot[a]].size() > largest_body) return {};
  }
  return result;
}

Small dense(const SparseRows& M, const std::vector<int>& columns) {
  const int n = static_cast<int>(columns.size());
  Small block = Small::Zero(n, n);
  for (int i = 0; i < n; ++i)
    for (SparseRows::InnerIterator it(M, columns[i]); it; ++it)
      if (it.value() != 0.0) block(i, std::lower_bound(columns.begin(), columns.end(), it.col()) - columns.begin()) += it.value();
  return block;
}

Eigen::VectorXd load(const Problem& problem, std::span<const double> r) {
  Eigen::VectorXd p = Eigen::Map<const Eigen::VectorXd>(problem.p0.data(), problem.unknowns());
  if (r.empty()) return p;
  const Eigen::Map<const Eigen::VectorXd> impulse(r.data(), static_cast<Eigen::Index>(r.size()));
  if (problem.G.nonZeros() > 0) p += problem.G * impulse;
  else p += problem.H.transpose() * impulse;
  return p;
}

}  // namespace

std::optional<Bodies> bodies(const Problem& problem, std::span<const int> block_of_row) {
  const auto parts = components(problem.M);
  if (parts.empty()) return std::nullopt;
  std::vector<std::vector<int>> met(problem.unknowns());
  for (int i = 0; i < problem.H.rows(); ++i)
    for (SparseRows::InnerIterator it(problem.H, i); it; ++it) {
      auto& list = met[it.col()];
      if (list.empty() || list.back() != block_of_row[i]) list.push_back(block_of_row[i]);
    }
  Bodies result;
  std::vector<int> group_contacts;
  for (const auto& part : parts) {
    std::vector<int> contacts;
    for (int column : part) contacts.insert(contacts.end(), met[column].begin(), met[column].end());
    std::sort(contacts.begin(), contacts.end());
    contacts.erase(std::unique(contacts.begin(), contacts.end()), contacts.end());
    if (contacts.empty()) continue;  // a free body: no solver needs it
    std::vector<int> both, either;
    std::set_intersection(contacts.begin(), contacts.end(), group_contacts.begin(), group_contacts.end(),
                          std::back_inserter(both));
    const bool same = !both.empty() && both.size() == std::min(contacts.size(), group_contacts.size());
    if (same && result.columns.back().size() + part.size() <= largest_body) {
      result.columns.back().insert(result.columns.back().end(), part.begin(), part.end());
      std::set_union(contacts.begin(), contacts.end(), group_contacts.begin(), group_contacts.end(),
                     std::back_inserter(either));
      group_contacts = std::move(either);
    } else {
      result.columns.push_back(part);
      group_contacts = std::move(contacts);
    }
  }
  for (auto& columns : result.columns) std::sort(columns.begin(), columns.end());
  return result;
}

std::optional<std::vector<double>> motion(const Problem& problem, std::span<const double> r) {
  const Eigen::VectorXd p = load(problem, r);
  std::vector<double> v(p.size());
  Eigen::Map<Eigen::VectorXd> result(v.data(), p.size());
  if (const auto parts = components(problem.M); !parts.empty()) {
    for (const auto& part : parts) {
      const Eigen::PartialPivLU<Small> lu(dense(problem.M, part));
      SmallVector a(static_cast<Eigen::Index>(part.size()));
      for (std::size_t i = 0; i < part.size(); ++i) a[i] = p[part[i]];
      a = lu.solve(a).eval();
      for (std::size_t i = 0; i < part.size(); ++i) result[part[i]] = a[i];
    }
  } else {
    SparseLu lu;
    if (!lu.compute(problem.M)) return std::nullopt;
    result = lu.solve(p);
    result += lu.solve(Eigen::VectorXd(p - problem.M * result));  // one step of refinement
  }
  if (!result.allFinite()) return std::nullopt;
  return v;
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
std::optional<SparseRows> condensed_by_parts(const Problem& problem, const std::vector<std::vector<int>>& parts) {
  const int m = problem.rows();
  const Eigen::SparseMatrix<double> H = problem.H;  // by column: which rows meet it
  const SparseRows G = problem.G.nonZeros() > 0 ? problem.G : SparseRows(problem.H.transpose());
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<int> place_of_row(static_cast<std::size_t>(m), -1), rows;
  Eigen::MatrixXd left, right, product;
  for (const auto& part : parts) {
    const auto size = static_cast<Eigen::Index>(part.size());
    rows.clear();
    const auto meet = [&](Eigen::Index row) {
      int& place = place_of_row[row];
      if (place < 0) place = static_cast<int>(rows.size()), rows.push_back(static_cast<int>(row));
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
    const Eigen::PartialPivLU<Small> lu(dense(problem.M, part));
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

std::optional<SparseRows> condensed(const Problem& problem) {
  if (const auto parts = components(problem.M); !parts.empty()) return condensed_by_parts(problem, parts);
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
