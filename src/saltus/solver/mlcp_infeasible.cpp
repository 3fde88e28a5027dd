#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/problem/polyhedron.hpp"
#include "saltus/solver/mlcp.hpp"

namespace saltus {

/// A ray x of a copositive-plus problem gives multipliers of the rows (y = x): with signs as the laws ask, A^T y <= 0 on
/// what may grow and q.y < 0 no feasible point can exist. Checked on the given (equilibrated) matrix.
bool MlcpSolver::proves_infeasible() {
  const std::span<const double> u = lemke_.ray();
  const std::size_t n = at(n_), pairs = pairs_.size();
  proof_.assign(n, 0.0);
  for (std::size_t k = 0; k < pairs; ++k) {
    const Pair& pair = pairs_[k];
    const std::size_t i = at(pair.equation);
    if (pair.role == Role::plain) proof_[i] += sign_[i] * u[k];
    if (pair.role == Role::plus) proof_[i] += u[k];
    if (pair.role == Role::minus) proof_[i] -= u[k];
    if (pair.role == Role::swapped) {
      double sum = 0;
      for (std::size_t l = 0; l < pairs; ++l) sum += standard_.T[l * pairs + k] * u[l];
      proof_[i] -= sign_[i] * sum;
    }
  }
  for (int i = 0; i < n_; ++i) {  // equations whose slack is a column
    if (!free_[i] || row_of(n_ + i) >= 0) continue;
    double sum = 0;
    for (std::size_t k = 0; k < pairs; ++k)
      sum += (pairs_[k].role == Role::minus ? -u[k] : u[k]) * row(pairs_[k].row)[column_of(n_ + i) + 1];
    proof_[i] = -sum;
  }
  return proof_holds();
}

/// Farkas' multipliers of w and z within their signs and bounds, by least squares.
bool MlcpSolver::contradictory() {
  std::vector<double> rows, limits;
  std::vector<std::pair<int, double>> source;  // row of w and its sign; -1 for a bound of z
  const auto add = [&](int i, double sign) {
    for (int j = 0; j < n_; ++j) rows.push_back(-sign * scaled_.A[at(i) * at(n_) + at(j)]);
    limits.push_back(sign * scaled_.q[i]);
    source.emplace_back(i, sign);
  };
  const auto bound = [&](int j, double sign, double limit) {
    rows.resize(rows.size() + at(n_), 0.0);
    rows[rows.size() - n_ + j] = sign;
    limits.push_back(sign * limit);
    source.emplace_back(-1, 0.0);
  };
  for (int i = 0; i < n_; ++i) {
    const bool low = std::isfinite(scaled_.low[i]), high = std::isfinite(scaled_.high[i]);
    if (!high) add(i, 1.0);
    if (!low) add(i, -1.0);
    if (low) bound(i, -1.0, scaled_.low[i]);
    if (high) bound(i, 1.0, scaled_.high[i]);
  }
  const std::vector<double> u = contradiction({count_of(limits), rows.data(), limits.data()}, n_);
  if (u.empty()) return false;
  proof_.assign(n_, 0.0);
  for (std::size_t k = 0; k < u.size(); ++k)
    if (source[k].first >= 0) proof_[source[k].first] += source[k].second * u[k];
  return proof_holds();
}

/// Whether the multipliers proof_ contradict the rows, judged from the matrix alone.
bool MlcpSolver::proof_holds() {
  const std::size_t n = at(n_);
  double largest = 0;
  for (double y : proof_) largest = std::max(largest, std::abs(y));
  if (!(largest > 0.0) || !std::isfinite(largest)) return false;
  double value = 0, size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double& y = proof_[i] /= largest;
    const bool sign_free = free_[i] != 0;
    const bool must_vanish = std::isfinite(scaled_.low[i]) && std::isfinite(scaled_.high[i]);
    const double allowed = sign_free ? y : must_vanish ? 0.0 : std::isfinite(scaled_.low[i]) ? std::max(y, 0.0) : std::min(y, 0.0);
    if (std::abs(y - allowed) > 1e-10) return false;
    y = allowed;
    value += y * scaled_.q[i];
    size += std::abs(y * scaled_.q[i]);
  }
  for (std::size_t j = 0; j < n; ++j) {
    double g = 0, magnitude = 0;
    for (std::size_t i = 0; i < n; ++i) {
      g += scaled_.A[i * n + j] * proof_[i];
      magnitude += std::abs(scaled_.A[i * n + j] * proof_[i]);
    }
    const double bound = g > 0.0 ? scaled_.high[j] : scaled_.low[j];
    if (std::isinf(bound)) {
      if (std::abs(g) > 1e-11 * magnitude) return false;
    } else {
      value += g * bound;
      size += std::abs(g * bound);
    }
  }
  return value < -1e-9 * size;
}

}  // namespace saltus
