#include "saltus/problem/named_problems.hpp"

#include <string>

#include "saltus/base/index.hpp"
#include "saltus/problem/polyhedron.hpp"
#include "saltus/problem/validate.hpp"

namespace saltus {
namespace {

bool is_symmetric(const SparseRows& A) {
  const SparseRows transposed = A.transpose();
  return A.rows() == A.cols() && (A - transposed).norm() <= 1e-14 * A.norm();
}

/// Sets blocks and parameters, then checks the whole.
NamedProblem finished(NamedProblem&& named, const std::vector<BlockSpec>& specs) {
  Faults faults;
  for (std::size_t k = 0; k < specs.size(); ++k) {
    const BlockSpec& spec = specs[k];
    const int expected = spec.set ? parameters_needed(*spec.set, spec.dim, spec.parameters.empty() ? nullptr : spec.parameters.data()) : -1;
    if (expected >= 0 && count_of(spec.parameters) != expected)
      faults.error({}, "blocks/" + std::to_string(k), "has " + std::to_string(spec.parameters.size()) +
                                                          " parameters, needs " + std::to_string(expected));
    named.parameters.insert(named.parameters.end(), spec.parameters.begin(), spec.parameters.end());
  }
  faults.raise();
  const double* parameters = named.parameters.data();
  int begin = 0;
  for (const BlockSpec& spec : specs) {
    named.problem.blocks.push_back({begin, spec.dim, spec.set, parameters});
    begin += spec.dim;
    parameters += spec.parameters.size();
  }
  validate(named.problem, faults);
  faults.raise();
  return std::move(named);
}

NamedProblem local(SparseRows W, std::vector<double> q) {
  NamedProblem named;
  named.problem.D = std::move(W);
  named.problem.D.makeCompressed();
  named.problem.b = std::move(q);
  return named;
}

NamedProblem global(SparseRows M, SparseRows H, std::vector<double> p0, std::vector<double> b) {
  NamedProblem named;
  named.problem.symmetric = is_symmetric(M);
  named.problem.M = std::move(M);
  named.problem.H = std::move(H);
  named.problem.M.makeCompressed();
  named.problem.H.makeCompressed();
  named.problem.p0 = std::move(p0);
  named.problem.b = std::move(b);
  return named;
}

std::vector<BlockSpec> friction_blocks(int dimension, const std::vector<double>& friction) {
  if (dimension != 2 && dimension != 3)
    throw ModelError("dimension", "is " + std::to_string(dimension) + ", must be 2 or 3");
  std::vector<BlockSpec> blocks;
  for (double mu : friction) blocks.push_back({dimension == 2 ? &coulomb_2d_set : &coulomb_3d_set, dimension, {mu}});
  return blocks;
}

std::vector<BlockSpec> rolling_blocks(int dimension, const std::vector<double>& friction, const std::vector<double>& rolling) {
  if (dimension != 3 && dimension != 5)
    throw ModelError("dimension", "is " + std::to_string(dimension) + ", must be 3 or 5");
  if (friction.size() != rolling.size())
    throw ModelError("mu_r", "has " + std::to_string(rolling.size()) + " entries, mu has " + std::to_string(friction.size()));
  std::vector<BlockSpec> blocks;
  for (std::size_t i = 0; i < friction.size(); ++i)
    blocks.push_back({dimension == 3 ? &rolling_2d_set : &rolling_3d_set, dimension, {friction[i], rolling[i]}});
  return blocks;
}

void append(std::vector<Eigen::Triplet<double>>& to, const SparseRows& A, int row, int col, double factor, bool transposed) {
  for (int i = 0; i < A.outerSize(); ++i)
    for (SparseRows::InnerIterator entry(A, i); entry; ++entry) {
      const int r = static_cast<int>(entry.row()), c = static_cast<int>(entry.col());
      to.emplace_back(row + (transposed ? c : r), col + (transposed ? r : c), factor * entry.value());
    }
}

}  // namespace

SparseRows sparse(std::span<const double> dense, int rows, int cols) {
  if (dense.size() != static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols))
    throw ModelError("matrix", "has " + std::to_string(dense.size()) + " entries, must have " + std::to_string(rows) + " x " +
                                   std::to_string(cols));
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j)
      if (const double a = dense[i * cols + j]; a != 0.0) entries.emplace_back(i, j, a);
  SparseRows A(rows, cols);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

NamedProblem mixed(SparseRows W, std::vector<double> q, const std::vector<BlockSpec>& blocks) {
  return finished(local(std::move(W), std::move(q)), blocks);
}

NamedProblem global_mixed(SparseRows M, SparseRows H, std::vector<double> p0, std::vector<double> b,
                          const std::vector<BlockSpec>& blocks) {
  return finished(global(std::move(M), std::move(H), std::move(p0), std::move(b)), blocks);
}

NamedProblem linear_complementarity(SparseRows W, std::vector<double> q) {
  const int m = count_of(q);
  std::vector<BlockSpec> blocks;
  if (m > 0) blocks.push_back({&half_line_set, m, {}});
  return mixed(std::move(W), std::move(q), blocks);
}

NamedProblem mixed_complementarity(SparseRows W, std::vector<double> q, const std::vector<bool>& complementary) {
  if (complementary.size() != q.size())
    throw ModelError("complementary", "has " + std::to_string(complementary.size()) + " entries, q has " +
                                          std::to_string(q.size()));
  std::vector<BlockSpec> blocks;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const SetType* set = complementary[i] ? &half_line_set : &equality_set;
    if (!blocks.empty() && blocks.back().set == set) ++blocks.back().dim;
    else blocks.push_back({set, 1, {}});
  }
  return mixed(std::move(W), std::move(q), blocks);
}

NamedProblem box_inequality(SparseRows W, std::vector<double> q, std::vector<double> low, std::vector<double> high) {
  if (low.size() != q.size() || high.size() != q.size())
    throw ModelError("bounds", "have " + std::to_string(low.size()) + " and " + std::to_string(high.size()) +
                                   " entries, q has " + std::to_string(q.size()));
  const int m = count_of(q);
  low.insert(low.end(), high.begin(), high.end());
  std::vector<BlockSpec> blocks;
  if (m > 0) blocks.push_back({&box_set, m, std::move(low)});
  return mixed(std::move(W), std::move(q), blocks);
}

NamedProblem quadratic_program(const SparseRows& Q, const std::vector<double>& c, const std::vector<double>& low,
                               const std::vector<double>& high, const SparseRows& A, const std::vector<double>& a,
                               const SparseRows& B, const std::vector<double>& b_low) {
  const int n = count_of(c), na = count_of(a), nb = count_of(b_low);
  const auto expect = [](const SparseRows& S, int rows, int cols, const char* name) {
    if (S.rows() != rows || (S.cols() != cols && rows > 0))
      throw ModelError(name, "is " + std::to_string(S.rows()) + " x " + std::to_string(S.cols()) + ", must be " +
                                 std::to_string(rows) + " x " + std::to_string(cols));
  };
  expect(Q, n, n, "Q");
  expect(A, na, n, "A");
  expect(B, nb, n, "B");
  if (low.size() != c.size() || high.size() != c.size()) throw ModelError("bounds", "need one entry a variable");
  std::vector<Eigen::Triplet<double>> entries;
  append(entries, Q, 0, 0, 1.0, false);
  append(entries, A, 0, n, -1.0, true);
  append(entries, A, n, 0, 1.0, false);
  append(entries, B, 0, n + na, -1.0, true);
  append(entries, B, n + na, 0, 1.0, false);
  SparseRows W(n + na + nb, n + na + nb);
  W.setFromTriplets(entries.begin(), entries.end());
  std::vector<double> q = c;
  for (double x : a) q.push_back(-x);
  for (double x : b_low) q.push_back(-x);
  std::vector<double> bounds = low;
  bounds.insert(bounds.end(), high.begin(), high.end());
  std::vector<BlockSpec> blocks;
  if (n > 0) blocks.push_back({&box_set, n, std::move(bounds)});
  if (na > 0) blocks.push_back({&equality_set, na, {}});
  if (nb > 0) blocks.push_back({&half_line_set, nb, {}});
  return mixed(std::move(W), std::move(q), blocks);
}

NamedProblem friction(int dimension, SparseRows W, std::vector<double> q, std::vector<double> friction) {
  return mixed(std::move(W), std::move(q), friction_blocks(dimension, friction));
}

NamedProblem global_friction(int dimension, SparseRows M, SparseRows H, std::vector<double> p0, std::vector<double> b,
                             std::vector<double> friction) {
  return global_mixed(std::move(M), std::move(H), std::move(p0), std::move(b), friction_blocks(dimension, friction));
}

NamedProblem rolling_friction(int dimension, SparseRows W, std::vector<double> q, const std::vector<double>& friction,
                              const std::vector<double>& rolling) {
  return mixed(std::move(W), std::move(q), rolling_blocks(dimension, friction, rolling));
}

NamedProblem global_rolling_friction(int dimension, SparseRows M, SparseRows H, std::vector<double> p0,
                                     std::vector<double> b, const std::vector<double>& friction,
                                     const std::vector<double>& rolling) {
  return global_mixed(std::move(M), std::move(H), std::move(p0), std::move(b), rolling_blocks(dimension, friction, rolling));
}

}  // namespace saltus
