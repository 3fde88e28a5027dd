#include "saltus/solver/linear_reduction.hpp"

#include <cmath>

namespace saltus {
namespace {

bool all_free(const Block& block, std::vector<double>& scratch) {
  if (!block.set->bounds) return false;
  scratch.resize(2 * static_cast<std::size_t>(block.dim));
  block.set->bounds(block.parameters, block.dim, block.set_scale, scratch.data(), scratch.data() + block.dim);
  for (int i = 0; i < block.dim; ++i)
    if (std::isfinite(scratch[i]) || std::isfinite(scratch[block.dim + i]))
      return false;
  return true;
}

using Triplets = std::vector<Eigen::Triplet<double>>;

}  // namespace

bool LinearReduction::worthwhile(const Problem& problem, bool with_equalities) {
  if (problem.unknowns() > 0) return true;
  if (!with_equalities) return false;
  std::vector<double> scratch;
  for (const Block& block : problem.blocks)
    if (all_free(block, scratch)) return true;
  return false;
}

int LinearReduction::place_rows(const Problem& problem, bool with_equalities) {
  velocities_ = problem.unknowns();
  equalities_ = 0;
  int kept = 0;
  place_.assign(problem.rows(), 0);
  local_.blocks.clear();
  std::vector<double> scratch;
  for (const Block& block : problem.blocks) {
    const bool out = with_equalities && all_free(block, scratch);
    if (!out) {
      local_.blocks.push_back(block);
      local_.blocks.back().begin = kept;
    }
    for (int i = 0; i < block.dim; ++i) place_[block.begin + i] = out ? -1 - equalities_++ : kept++;
  }
  local_.rest.resize(problem.rest.empty() ? 0 : static_cast<std::size_t>(kept));
  for (std::size_t i = 0; i < problem.rest.size(); ++i)
    if (place_[i] >= 0) local_.rest[place_[i]] = problem.rest[i];
  return kept;
}

bool LinearReduction::reduce(const Problem& problem, bool with_equalities) {
  const int n = problem.unknowns(), m = problem.rows(), kept = place_rows(problem, with_equalities), size = n + equalities_;
  const auto place = [&](int row) { return place_[row]; };
  const auto unknown = [&](int row) { return n - 1 - place(row); };

  Triplets K, input, output, direct;
  local_.b.assign(kept, 0.0);
  k0_ = Eigen::VectorXd::Zero(size);
  for (int i = 0; i < n; ++i) {
    k0_[i] = problem.p0[i];
    for (SparseRows::InnerIterator a(problem.M, i); a; ++a) K.emplace_back(i, static_cast<int>(a.col()), a.value());
  }
  const auto add_input = [&](int i, int row, double g) {
    if (place(row) < 0) K.emplace_back(i, unknown(row), -g);
    else input.emplace_back(i, place(row), g);
  };
  const bool own_input = problem.G.nonZeros() > 0;
  for (int i = 0; own_input && i < n; ++i)
    for (SparseRows::InnerIterator a(problem.G, i); a; ++a) add_input(i, static_cast<int>(a.col()), a.value());
  for (int row = 0; row < m; ++row) {
    const double b = problem.b[row];
    if (place(row) < 0) k0_[unknown(row)] = -b;
    else local_.b[place(row)] = b;
    if (n > 0)
      for (SparseRows::InnerIterator a(problem.H, row); a; ++a) {
        const int i = static_cast<int>(a.col());
        if (place(row) < 0) K.emplace_back(unknown(row), i, a.value());
        else output.emplace_back(place(row), i, a.value());
        if (!own_input) add_input(i, row, a.value());
      }
    if (problem.D.nonZeros() == 0) continue;
    for (SparseRows::InnerIterator a(problem.D, row); a; ++a) {
      const int col = static_cast<int>(a.col());
      if (place(row) < 0 && place(col) < 0) K.emplace_back(unknown(row), unknown(col), a.value());
      else if (place(row) < 0) input.emplace_back(unknown(row), place(col), -a.value());
      else if (place(col) < 0) output.emplace_back(place(row), unknown(col), a.value());
      else direct.emplace_back(place(row), place(col), a.value());
    }
  }
  K_.resize(size, size);
  K_.setFromTriplets(K.begin(), K.end());
  K_.makeCompressed();
  input_.resize(size, kept);
  input_.setFromTriplets(input.begin(), input.end());
  SparseRows out(kept, size);
  out.setFromTriplets(output.begin(), output.end());
  local_.D.resize(kept, kept);
  local_.D.setFromTriplets(direct.begin(), direct.end());
  if (size == 0) return true;

  if (!lu_.compute(K_)) return false;
  const Eigen::VectorXd free = lu_.solve(k0_);
  // A factor of a singular matrix shows in what it solves: a probe with known answer, and the size of the answers.
  Eigen::VectorXd probe(size);
  for (int i = 0; i < size; ++i) probe[i] = 1.0 + 0.5 * std::sin(1.0 + 3.7 * i);
  const double error = (lu_.solve(Eigen::VectorXd(K_ * probe)) - probe).lpNorm<Eigen::Infinity>();
  if (!free.allFinite() || !(error < 1e-6)) return false;
  SparseColumns response = lu_.solve(input_);
  const SparseRows through = (out * SparseRows(response)).eval();
  local_.D = SparseRows(local_.D + through);
  local_.D.makeCompressed();
  const Eigen::VectorXd w0 = out * free;
  for (int i = 0; i < kept; ++i) local_.b[i] += w0[i];
  for (int i = 0; i < kept; ++i)
    for (SparseRows::InnerIterator a(local_.D, i); a; ++a)
      if (!std::isfinite(a.value())) return false;
  return true;
}

void LinearReduction::expand(std::span<const double> r_s, std::span<double> v, std::span<double> r) {
  const Eigen::Map<const Eigen::VectorXd> rs(r_s.data(), static_cast<Eigen::Index>(r_s.size()));
  if (velocities_ + equalities_ > 0) {
    const Eigen::VectorXd load = k0_ + input_ * rs;
    x_ = lu_.solve(load);
    x_ += lu_.solve(Eigen::VectorXd(load - K_ * x_));  // one refinement
  }
  for (int i = 0; i < velocities_; ++i) v[i] = x_[i];
  for (std::size_t i = 0; i < place_.size(); ++i) r[i] = place_[i] < 0 ? x_[velocities_ - 1 - place_[i]] : r_s[place_[i]];
}

void LinearReduction::restrict(std::span<const double> r, std::vector<double>& r_s) const {
  r_s.assign(local_.b.size(), 0.0);
  for (std::size_t i = 0; i < place_.size(); ++i)
    if (place_[i] >= 0) r_s[place_[i]] = r[i];
}

}  // namespace saltus
