#include "saltus/integrate/held_part.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"
#include "saltus/problem/sets.hpp"

namespace saltus {

namespace {

/// What of a dense matrix is not zero, in memory that stays.
void copy_entries(const double* dense, int rows, int columns, SparseRows& to) {
  to.resize(rows, columns);
  for (int i = 0; i < rows; ++i) {
    to.startVec(i);
    for (int j = 0; j < columns; ++j, ++dense)
      if (*dense != 0.0) to.insertBack(i, j) = *dense;
  }
  to.finalize();
}

}  // namespace

/// Of what sticks the normal alone: rolling is no constraint of places, whose errors add up.
void HeldPart::add_contact(const Block& block, const double* r, const double* w) {
  constexpr double all = 1.0 - 1e-9;
  if (block.set->sliding == 0 || !(r[0] > 0.0)) return;
  double rubs = 0.0;
  for (int i = 1; i < block.dim; ++i) rubs = std::hypot(rubs, r[i]);
  Row normal{.first = block.begin};
  if (const bool coulomb = block.set->friction != nullptr; !coulomb || rubs >= all * block.set->friction(block.parameters) * r[0]) {
    normal.count = block.dim;
    for (int i = 1; i < block.dim; ++i) normal.pushes[i] = r[i] / r[0];
    if (coulomb && block.dim == 3 && rubs > 0.0) {
      Row across{.first = block.begin, .count = 3, .sees = {0.0, -r[2] / rubs, r[1] / rubs}, .pushes = {0.0, -r[2] / rubs, r[1] / rubs}, .yields = std::hypot(w[1], w[2]) / rubs};
      rows_.push_back(across);
    }
  }
  rows_.push_back(normal);
}

bool HeldPart::choose(const Problem& of, std::span<const double> r, std::span<const double> w) {
  rows_.clear();
  double low[most_of_block], high[most_of_block];
  for (const Block& block : of.blocks) {
    if (block.dim > most_of_block) return false;
    if (!block.set->bounds) {
      add_contact(block, r.data() + block.begin, w.data() + block.begin);
      continue;
    }
    block.set->bounds(block.parameters, block.dim, block.set_scale, low, high);
    for (int i = 0; i < block.dim; ++i)
      if (const double x = r[at(block.begin + i)]; x > low[i] && x < high[i]) rows_.push_back({.first = block.begin + i});
  }
  return !rows_.empty();
}

void HeldPart::write(const Problem& of, std::span<const double> difference) {
  const int n = of.unknowns(), m = count_of(rows_);
  problem_.M = of.M;
  problem_.p0.assign(at(n), 0.0), problem_.b.assign(at(m), 0.0);
  for (int i = 0; i < n; ++i)
    for (SparseRows::InnerIterator a(of.M, i); a; ++a) problem_.p0[at(i)] += a.value() * difference[at(a.col())];
  problem_.blocks.clear();
  for (int k = 0; k < m; ++k) problem_.blocks.push_back({.begin = k, .dim = 1, .set = &equality_set, .parameters = nullptr, .set_scale = 1.0});
  problem_.symmetric = of.symmetric && std::all_of(rows_.begin(), rows_.end(), [](const Row& row) { return std::equal(row.sees, row.sees + row.count, row.pushes); });
  const auto sums = [&](bool pushes, int k, auto&& add) {
    const Row& row = rows_[at(k)];
    for (int i = 0; i < row.count; ++i)
      if (const double by = pushes ? row.pushes[i] : row.sees[i]; by != 0.0) add(row.first + i, by);
  };
  dense_.assign(at(n * m), 0.0);
  for (int k = 0; k < m; ++k)
    sums(false, k, [&](int row, double by) { for (SparseRows::InnerIterator a(of.H, row); a; ++a) dense_[at(k * n + a.col())] += by * a.value(); });
  copy_entries(dense_.data(), m, n, problem_.H);
  problem_.D.resize(m, m);
  for (int k = 0; k < m; ++k) {
    problem_.D.startVec(k);
    if (rows_[at(k)].yields > 0.0) problem_.D.insertBack(k, k) = rows_[at(k)].yields;
  }
  problem_.D.finalize();
  if (problem_.symmetric) return problem_.G.resize(0, 0);
  dense_.assign(at(n * m), 0.0);
  const bool own = of.G.nonZeros() > 0;
  for (int k = 0; k < m; ++k)
    sums(true, k, [&](int row, double by) {
      for (SparseRows::InnerIterator a(of.H, row); !own && a; ++a) dense_[at(a.col() * m + k)] += by * a.value();
      for (int j = 0; own && j < n; ++j) dense_[at(j * m + k)] += by * of.G.coeff(j, row);
    });
  copy_entries(dense_.data(), n, m, problem_.G);
}

bool HeldPart::take_out(const Problem& of, std::span<const double> r, std::span<const double> w, std::span<double> difference) {
  if (of.D.nonZeros() > 0 || of.unknowns() > FewRows::most_unknowns || !choose(of, r, w) || count_of(rows_) > FewRows::most_rows) return false;
  write(of, difference);
  r_.assign(rows_.size(), 0.0);
  return few_.solve(problem_, false, difference, r_);
}

}  // namespace saltus
