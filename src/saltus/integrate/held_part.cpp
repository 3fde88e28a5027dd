#include "saltus/integrate/held_part.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

/// Of what sticks the normal alone: rolling is no constraint of places, whose errors add up.
bool HeldPart::choose(const Problem& of, std::span<const double> r) {
  constexpr double all = 1.0 - 1e-9;
  constexpr int most = 16;
  rows_.clear();
  double low[most], high[most];
  for (const Block& block : of.blocks) {
    const auto x = [&](int i) { return r[at(block.begin + i)]; };
    if (block.set->bounds && block.dim <= most) {
      block.set->bounds(block.parameters, block.dim, block.set_scale, low, high);
      for (int i = 0; i < block.dim; ++i)
        if (x(i) > low[i] && x(i) < high[i]) rows_.push_back({block.begin + i, 0});
      continue;
    }
    if (!(x(0) > 0.0)) continue;
    double rubs = 0.0;
    for (int i = 1; i < block.dim; ++i) rubs = std::hypot(rubs, x(i));
    const bool sticks = block.set->friction && rubs < all * block.set->friction(block.parameters) * x(0);
    rows_.push_back({block.begin, sticks ? 0 : block.dim - 1});
  }
  return !rows_.empty();
}

void HeldPart::write(const Problem& of, std::span<const double> r, std::span<const double> difference) {
  const int n = of.unknowns(), m = count_of(rows_);
  problem_.M = of.M;
  problem_.p0.assign(at(n), 0.0), problem_.b.assign(at(m), 0.0);
  for (int i = 0; i < n; ++i)
    for (SparseRows::InnerIterator a(of.M, i); a; ++a) problem_.p0[at(i)] += a.value() * difference[at(a.col())];
  problem_.blocks.clear();
  for (int k = 0; k < m; ++k) problem_.blocks.push_back({.begin = k, .dim = 1, .set = &equality_set, .parameters = nullptr, .set_scale = 1.0});
  problem_.symmetric = of.symmetric && std::none_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.with > 0; });
  const auto dense = [&](int rows, int columns) { return Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(dense_.data(), rows, columns); };
  dense_.assign(at(n * m), 0.0);
  for (int k = 0; k < m; ++k)
    for (SparseRows::InnerIterator a(of.H, rows_[at(k)].row); a; ++a) dense(m, n)(k, a.col()) += a.value();
  problem_.H = dense(m, n).sparseView();
  if (problem_.symmetric) return problem_.G.resize(0, 0);
  dense_.assign(at(n * m), 0.0);
  const bool own = of.G.nonZeros() > 0;
  for (int k = 0; k < m; ++k)
    for (int i = 0; i <= rows_[at(k)].with; ++i) {
      const int row = rows_[at(k)].row + i;
      const double share = i == 0 ? 1.0 : r[at(row)] / r[at(rows_[at(k)].row)];
      for (SparseRows::InnerIterator a(of.H, row); !own && a; ++a) dense(n, m)(a.col(), k) += share * a.value();
      for (int j = 0; own && j < n; ++j) dense(n, m)(j, k) += share * of.G.coeff(j, row);
    }
  problem_.G = dense(n, m).sparseView();
}

bool HeldPart::take_out(const Problem& of, std::span<const double> r, std::span<double> difference) {
  if (of.D.nonZeros() > 0 || of.unknowns() > FewRows::most_unknowns || !choose(of, r) || count_of(rows_) > FewRows::most_rows) return false;
  write(of, r, difference);
  r_.assign(rows_.size(), 0.0);
  return FewRows::can(problem_) && few_.solve(problem_, false, difference, r_);
}

}  // namespace saltus
