#include "saltus/solver/linear_reduction.hpp"

#include <algorithm>
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
  const auto keep = [&](const std::vector<double>& of_all, std::vector<double>& of_kept) {
    of_kept.resize(of_all.empty() ? 0 : kept);
    for (std::size_t i = 0; i < of_all.size(); ++i)
      if (place_[i] >= 0) of_kept[place_[i]] = of_all[i];
  };
  keep(problem.rest, local_.rest), keep(problem.springs, local_.springs);
  return kept;
}

/// A factor of a singular matrix shows in what it solves: a probe with known answer.
bool LinearReduction::solves() {
  const Eigen::Index size = K_.rows();
  probe_.resize(size);
  for (Eigen::Index i = 0; i < size; ++i) probe_[i] = 1.0 + 0.5 * std::sin(1.0 + 3.7 * static_cast<double>(i));
  load_ = K_ * probe_;
  solve(load_);
  return (load_ - probe_).lpNorm<Eigen::Infinity>() < (by_fronts_ ? 1e-10 : 1e-6);
}

bool LinearReduction::factor() {
  constexpr int few = 40;  // unknowns of which fronts gain nothing
  const int size = static_cast<int>(K_.rows());
  by_fronts_ = false;
  if (size <= few) return lu_.compute(SparseColumns(K_)) && solves();
  const bool same = pattern_.rows == size && std::equal(pattern_.begin.begin(), pattern_.begin.end(), K_.outerIndexPtr()) && std::ssize(pattern_.column) == K_.nonZeros() &&
                    std::equal(pattern_.column.begin(), pattern_.column.end(), K_.innerIndexPtr());
  if (!same) {
    pattern_ = {size, size, {K_.outerIndexPtr(), K_.outerIndexPtr() + size + 1}, {K_.innerIndexPtr(), K_.innerIndexPtr() + K_.nonZeros()}};
    fronts_.analyze(MatrixKind::unsymmetric, pattern_, equalities_);
  }
  by_fronts_ = fronts_.factorize({K_.valuePtr(), static_cast<std::size_t>(K_.nonZeros())}).status == FactorStatus::ok;
  if (by_fronts_ && solves()) return true;
  by_fronts_ = false;
  return lu_.compute(SparseColumns(K_)) && solves();
}

void LinearReduction::solve(Eigen::VectorXd& x) {
  if (by_fronts_) fronts_.apply({x.data(), static_cast<std::size_t>(x.size())});
  else x = lu_.solve(x);
}

SparseRows LinearReduction::through(const SparseRows& out) {
  if (!by_fronts_) return out * SparseRows(lu_.solve(input_));
  Triplets entries;
  Eigen::VectorXd x(input_.rows()), w(out.rows());
  for (int c = 0; c < input_.cols(); ++c) {
    x.setZero();
    for (SparseColumns::InnerIterator a(input_, c); a; ++a) x[a.row()] = a.value();
    solve(x);
    w.noalias() = out * x;
    for (int i = 0; i < w.size(); ++i)
      if (w[i] != 0.0) entries.emplace_back(i, c, w[i]);
  }
  SparseRows all(out.rows(), input_.cols());
  all.setFromTriplets(entries.begin(), entries.end());
  return all;
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

  if (!factor()) return false;
  Eigen::VectorXd free = k0_;
  solve(free);
  if (!free.allFinite()) return false;
  local_.D = SparseRows(local_.D + through(out));
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
    load_ = k0_ + input_ * rs;
    x_ = load_;
    solve(x_);
    load_ -= K_ * x_;  // one refinement
    solve(load_);
    x_ += load_;
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
