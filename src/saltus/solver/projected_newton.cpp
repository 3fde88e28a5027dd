#include "saltus/solver/projected_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/math/dense.hpp"

namespace saltus {
namespace {
constexpr int dense_limit = 160;
using SparseColumns = Eigen::SparseMatrix<double>;
std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }
}  // namespace

/// F with block rows divided by sqrt(rho), which puts r and w on one footing; leaves w in w_.
double ProjectedNewton::map(const Problem& problem, std::span<const double> rho, const Eigen::VectorXd& x, Eigen::VectorXd& F) {
  const Eigen::Index n = problem.unknowns(), m = problem.rows();
  const auto v = x.head(n);
  const auto r = x.tail(m);
  F.resize(n + m);
  Eigen::VectorXd w = Eigen::Map<const Eigen::VectorXd>(problem.b.data(), m);
  if (problem.D.nonZeros() > 0) w += problem.D * r;
  if (n > 0) {
    w += problem.H * v;
    Eigen::VectorXd dynamics = problem.M * v;
    dynamics -= Eigen::Map<const Eigen::VectorXd>(problem.p0.data(), n);
    if (problem.G.nonZeros() > 0) dynamics -= problem.G * r;
    else dynamics -= problem.H.transpose() * r;
    F.head(n) = dynamics.cwiseQuotient(row_scale_);
  }
  w_.assign(w.data(), w.data() + m);
  for (std::size_t k = 0; k < problem.blocks.size(); ++k) {
    const Block& block = problem.blocks[k];
    double* out = F.data() + n + block.begin;
    block.set->prox(block.parameters, block.dim, r.data() + block.begin, w_.data() + block.begin, rho[k], block.set_scale, out);
    const double scale = 1.0 / std::sqrt(rho[k]);
    for (int i = 0; i < block.dim; ++i) out[i] = scale * (r[block.begin + i] - out[i]);
  }
  const double norm = F.norm();
  return std::isfinite(norm) ? norm : std::numeric_limits<double>::infinity();
}

void ProjectedNewton::assemble(const Problem& problem, std::span<const double> rho) {
  const Eigen::Index n = problem.unknowns();
  entries_.clear();
  for (Eigen::Index i = 0; i < n; ++i)
    for (SparseRows::InnerIterator a(problem.M, i); a; ++a) entries_.emplace_back(i, a.col(), a.value() / row_scale_[i]);
  if (problem.G.nonZeros() > 0) {
    for (Eigen::Index i = 0; i < n; ++i)
      for (SparseRows::InnerIterator a(problem.G, i); a; ++a) entries_.emplace_back(i, n + a.col(), -a.value() / row_scale_[i]);
  } else if (n > 0) {
    for (Eigen::Index j = 0; j < problem.rows(); ++j)
      for (SparseRows::InnerIterator a(problem.H, j); a; ++a) entries_.emplace_back(a.col(), n + j, -a.value() / row_scale_[a.col()]);
  }
  for (std::size_t k = 0; k < problem.blocks.size(); ++k) {
    const Block& block = problem.blocks[k];
    const int d = block.dim;
    by_r_.resize(at(d) * at(d));
    by_w_.resize(at(d) * at(d));
    block.set->prox_derivative(block.parameters, d, x_.data() + n + block.begin, w_.data() + block.begin, rho[k],
                               block.set_scale, by_r_.data(), by_w_.data());
    const double scale = 1.0 / std::sqrt(rho[k]);
    for (int i = 0; i < d; ++i)
      for (int j = 0; j < d; ++j) {
        const double direct = (i == j ? 1.0 : 0.0) - by_r_[at(i) * at(d) + at(j)];
        if (direct != 0.0) entries_.emplace_back(n + block.begin + i, n + block.begin + j, scale * direct);
        const double through = -scale * by_w_[at(i) * at(d) + at(j)];
        if (through == 0.0) continue;
        const Eigen::Index row = block.begin + j;
        if (n > 0)
          for (SparseRows::InnerIterator a(problem.H, row); a; ++a) entries_.emplace_back(n + block.begin + i, a.col(), through * a.value());
        if (problem.D.nonZeros() > 0)
          for (SparseRows::InnerIterator a(problem.D, row); a; ++a) entries_.emplace_back(n + block.begin + i, n + a.col(), through * a.value());
      }
  }
}

bool ProjectedNewton::step(const Problem& problem, std::span<const double> rho, const Eigen::VectorXd& F, Eigen::VectorXd& dx) {
  assemble(problem, rho);
  const Eigen::Index size = x_.size();
  if (size <= dense_limit) {
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(size, size);
    for (const auto& e : entries_) J(e.row(), e.col()) += e.value();
    const dense::Lu lu(J);
    if (lu.regular(1e-13)) dx = -lu.solve(F);
    else dx = -dense::least_norm(J, F);
    return dx.allFinite();
  }
  for (int attempt = 0; attempt < 2; ++attempt) {
    SparseColumns J(size, size);
    J.setFromTriplets(entries_.begin(), entries_.end());
    Eigen::SparseLU<SparseColumns> lu;
    lu.compute(J);
    if (lu.info() == Eigen::Success) {
      dx = -lu.solve(F);
      if (dx.allFinite() && (J * dx + F).norm() <= 0.1 * F.norm()) return true;
    }
    for (std::size_t k = 0; k < problem.blocks.size(); ++k) {  // singular: damp the multipliers
      const Block& block = problem.blocks[k];
      for (int i = 0; i < block.dim; ++i) {
        const Eigen::Index j = problem.unknowns() + block.begin + i;
        entries_.emplace_back(j, j, 1e-9 / std::sqrt(rho[k]));
      }
    }
  }
  return false;
}

int ProjectedNewton::run(const Problem& problem, std::span<const double> rho, int max_iterations, std::span<double> v,
                         std::span<double> r) {
  const Eigen::Index n = problem.unknowns(), m = problem.rows();
  row_scale_ = Eigen::VectorXd::Ones(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    double sum = 0;
    for (SparseRows::InnerIterator a(problem.M, i); a; ++a) sum += std::abs(a.value());
    if (sum > 0.0) row_scale_[i] = std::sqrt(sum);
  }
  x_.resize(n + m);
  for (Eigen::Index i = 0; i < n; ++i) x_[i] = v[at(i)];
  for (Eigen::Index i = 0; i < m; ++i) x_[n + i] = r[at(i)];
  double error = map(problem, rho, x_, F_);
  best_ = error;
  best_x_ = x_;
  int iteration = 0, uphill = 0;
  for (; iteration < max_iterations && error > 0.0 && uphill < 4; ++iteration) {
    if (!step(problem, rho, F_, dx_)) break;
    double t = 1.0, least = std::numeric_limits<double>::infinity(), least_t = 1.0;
    bool down = false;
    for (int halving = 0; halving < 7 && !down; ++halving, t *= 0.5) {
      trial_ = x_ + t * dx_;
      const double trial = map(problem, rho, trial_, trial_F_);
      down = trial < (1.0 - 1e-4 * t) * error;
      if (trial < least) {
        least = trial;
        least_t = t;
      }
    }
    // A kink may hide the descent: a few steps uphill are taken, the best point is kept.
    if (!down) ++uphill;
    x_ += (down ? least_t : 1.0) * dx_;
    error = map(problem, rho, x_, F_);
    if (!std::isfinite(error)) break;
    if (error < best_) {
      const bool stalled = error > 0.5 * best_ && error < 1e-13 * (1.0 + x_.norm());
      best_ = error;
      best_x_ = x_;
      if (stalled) break;
    }
  }
  for (Eigen::Index i = 0; i < n; ++i) v[at(i)] = best_x_[i];
  for (Eigen::Index i = 0; i < m; ++i) r[at(i)] = best_x_[n + i];
  return iteration;
}

}  // namespace saltus
