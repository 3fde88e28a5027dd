#include "saltus/solver/linear_reduction.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"

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
  local_.rest.resize(problem.rest.empty() ? 0 : at(kept));
  for (int i = 0; i < count_of(problem.rest); ++i)
    if (place_[i] >= 0) local_.rest[place_[i]] = problem.rest[i];
  return kept;
}

void LinearReduction::solve_symmetric(const double* y, double* x) {
  const int size = velocities_ + equalities_;
  std::copy_n(y, size, x);
  saddle_.solve(x);
  if (equalities_ == 0) return;  // M alone is positive definite
  rest_.assign(y, y + size);
  saddle_.subtract(x, rest_.data());
  saddle_.solve(rest_.data());
  for (int i = 0; i < size; ++i) x[i] += rest_[i];
}

/// By a factor whose pattern is kept; false where it does not hold what it promises.
bool LinearReduction::reduce_symmetric(const Problem& problem, int kept) {
  constexpr std::int64_t most_entries = 4'000'000;  // of the responses, which are dense
  constexpr double accurate = 1e-8;
  const int n = problem.unknowns(), size = n + equalities_;
  if (static_cast<std::int64_t>(kept) * size > most_entries || !saddle_.compute(problem, place_)) return false;
  k0_.resize(size);
  for (int i = 0; i < n; ++i) k0_[i] = problem.p0[i];
  rows_.resize(kept, n);
  local_.b.assign(kept, 0.0);
  rows_.reserve(problem.H.nonZeros());
  for (int row = 0; row < problem.rows(); ++row) {
    if (place_[row] < 0) {
      k0_[n - 1 - place_[row]] = -problem.b[row];
      continue;
    }
    local_.b[place_[row]] = problem.b[row];
    rows_.startVec(place_[row]);
    for (SparseRows::InnerIterator a(problem.H, row); a; ++a) rows_.insertBack(place_[row], a.col()) = a.value();
  }
  rows_.finalize();
  // A factor of a nearly singular matrix shows in what it solves: a probe with known answer.
  load_.resize(size);
  x_.resize(size);
  for (int i = 0; i < size; ++i) x_[i] = 1.0 + 0.5 * std::sin(1.0 + 3.7 * i);
  std::fill(load_.begin(), load_.end(), 0.0);
  saddle_.subtract(x_.data(), load_.data());
  saddle_.solve(load_.data());
  double error = 0.0;
  for (int i = 0; i < size; ++i) error = std::max(error, std::abs(load_[i] + x_[i]));
  if (!(error < accurate)) return false;

  solve_symmetric(k0_.data(), x_.data());
  for (int row = 0; row < kept; ++row)
    for (SparseRows::InnerIterator a(rows_, row); a; ++a) local_.b[row] += a.value() * x_[a.col()];
  response_.assign(at(kept) * at(kept), 0.0);  // W
  for (int row = 0; row < kept; ++row) {
    std::fill(load_.begin(), load_.end(), 0.0);
    for (SparseRows::InnerIterator a(rows_, row); a; ++a) load_[a.col()] = a.value();
    solve_symmetric(load_.data(), x_.data());
    for (int other = 0; other < kept; ++other) {
      double sum = 0.0;
      for (SparseRows::InnerIterator a(rows_, other); a; ++a) sum += a.value() * x_[a.col()];
      response_[other * kept + row] = sum;
    }
  }
  if (problem.D.nonZeros() > 0)
    for (int row = 0; row < problem.rows(); ++row)
      if (place_[row] >= 0)
        for (SparseRows::InnerIterator a(problem.D, row); a; ++a) response_[place_[row] * kept + place_[a.col()]] += a.value();
  local_.D.resize(kept, kept);
  local_.D.reserve(kept * kept);
  for (int row = 0; row < kept; ++row) {
    local_.D.startVec(row);
    for (int column = 0; column < kept; ++column) {
      const double a = response_[row * kept + column];
      if (!std::isfinite(a)) return false;
      if (a != 0.0) local_.D.insertBack(row, column) = a;
    }
  }
  local_.D.finalize();
  return true;
}

bool LinearReduction::reduce(const Problem& problem, bool with_equalities) {
  const int n = problem.unknowns(), m = problem.rows(), kept = place_rows(problem, with_equalities), size = n + equalities_;
  symmetric_ = problem.symmetric && problem.G.nonZeros() == 0 && n > 0 && reduce_symmetric(problem, kept);
  if (symmetric_) return true;
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
  if (symmetric_) {
    std::copy_n(k0_.data(), k0_.size(), load_.data());
    for (int row = 0; row < count_of(r_s); ++row)
      for (SparseRows::InnerIterator a(rows_, row); a; ++a) load_[a.col()] += a.value() * r_s[row];
    solve_symmetric(load_.data(), x_.data());
  } else if (velocities_ + equalities_ > 0) {
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
