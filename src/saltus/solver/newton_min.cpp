#include "saltus/solver/newton_min.hpp"

#include <algorithm>
#include <set>

#include "saltus/math/dense.hpp"
#include "saltus/math/sparse_lu.hpp"
#include "saltus/solver/projected_sweeps.hpp"
#include "saltus/solver/row_bounds.hpp"

namespace saltus {
namespace {

constexpr int dense_limit = 200;
using SparseColumns = Eigen::SparseMatrix<double>;

void response(const Problem& local, std::span<const double> r, std::vector<double>& w) {
  w = local.b;
  for (int i = 0; i < local.D.outerSize(); ++i)
    for (SparseRows::InnerIterator a(local.D, i); a; ++a) w[i] += a.value() * r[a.col()];
}

}  // namespace

/// W_II r_I = -(b_I + W_IA r_A): I inside, A on their bounds.
bool NewtonMin::solve_inside(const Problem& local, std::span<double> r) {
  int size = 0;
  for (std::size_t i = 0; i < side_.size(); ++i) {
    place_[i] = side_[i] == Side::inside ? size++ : -1;
    if (side_[i] != Side::inside) r[i] = side_[i] == Side::low ? low_[i] : high_[i];
  }
  if (size == 0) return true;
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd right(size);
  for (int i = 0; i < local.rows(); ++i) {
    const int row = place_[i];
    if (row < 0) continue;
    double sum = -local.b[i];
    for (SparseRows::InnerIterator a(local.D, i); a; ++a) {
      const std::size_t j = a.col();
      if (place_[j] >= 0) entries.emplace_back(row, place_[j], a.value());
      else sum -= a.value() * r[j];
    }
    right[row] = sum;
  }
  SparseColumns W(size, size);
  W.setFromTriplets(entries.begin(), entries.end());
  Eigen::VectorXd x;
  if (size <= dense_limit) {
    x = dense::least_norm_vector(dense::Matrix(W), right);  // where the set is redundant
  } else {
    SparseLu lu;
    if (!lu.compute(W)) return false;
    x = lu.solve(right);
    x += lu.solve(Eigen::VectorXd(right - W * x));
  }
  if (!x.allFinite() || (W * x - right).norm() > 1e-6 * (right.norm() + x.norm() * W.norm())) return false;
  for (std::size_t i = 0; i < side_.size(); ++i)
    if (place_[i] >= 0) r[i] = x[place_[i]];
  return true;
}

int NewtonMin::run(const Problem& local, int most_steps, std::span<double> r) {
  row_bounds(local, low_, high_);
  prox_steps(local, step_);
  const std::size_t m = local.b.size();
  side_.assign(m, Side::inside);
  place_.resize(m);
  std::vector<double> c(m);
  for (std::size_t k = 0; k < local.blocks.size(); ++k)
    std::fill_n(c.begin() + local.blocks[k].begin, local.blocks[k].dim, step_[k]);
  std::set<std::vector<Side>> seen;
  std::vector<Side> next(m);
  for (int step = 0;; ++step) {
    response(local, r, w_);
    for (std::size_t i = 0; i < m; ++i) {
      // Inside rows have w = 0 up to round-off, rows on a bound r = bound: each is judged by the other.
      const double free = step > 0 && side_[i] == Side::inside ? r[i] : r[i] - c[i] * w_[i];
      next[i] = free <= low_[i] ? Side::low : free >= high_[i] ? Side::high : Side::inside;
    }
    if (step > 0 && next == side_) return cause_ = {}, step;
    if (!seen.insert(next).second) return cause_ = "Newton-min runs in a circle of active sets", step;
    if (step == most_steps) return cause_ = "Newton-min has not found the active set in its steps", step;
    side_ = next;
    if (!solve_inside(local, r)) return cause_ = "the rows inside their bounds are contradictory or singular", step;
  }
}

}  // namespace saltus
