#include "saltus/solver/projected_sweeps.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "saltus/base/index.hpp"

namespace saltus {
namespace {

/// -(1 - by_r - by_w W)^-1 F of a block of d rows, `Most` at most; memory only where that is Eigen::Dynamic.
template <int Most>
bool block_step(int d, const std::vector<double>& by_r, const std::vector<double>& by_w, const std::vector<double>& W, const std::vector<double>& F, double* step) {
  using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor, Most, Most>;
  using Column = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, Most, 1>;
  const auto square = [d](const std::vector<double>& x) { return Eigen::Map<const Square>(x.data(), d, d); };
  Square J = Square::Identity(d, d) - square(by_r);
  J.noalias() -= square(by_w).lazyProduct(square(W));
  const Column dx = -J.partialPivLu().solve(Column(Eigen::Map<const Column>(F.data(), d)));
  std::copy_n(dx.data(), d, step);
  return dx.allFinite();
}
}  // namespace

void prox_steps(const Problem& local, std::vector<double>& rho) {
  rho.assign(local.blocks.size(), 1.0);
  for (std::size_t k = 0; k < local.blocks.size(); ++k) {
    const Block& block = local.blocks[k];
    double largest = 0;
    for (int i = block.begin; i < block.begin + block.dim; ++i) {
      double sum = 0;
      for (SparseRows::InnerIterator a(local.D, i); a; ++a) sum += std::abs(a.value());
      largest = std::max(largest, sum);
    }
    if (largest > 0.0) rho[k] = 1.0 / largest;
  }
}

void ProjectedSweeps::start(const Problem& local) {
  prox_steps(local, rho_);
  std::size_t dim = 1;
  for (const Block& block : local.blocks) dim = std::max(dim, at(block.dim));
  for (auto* x : {&c_, &w_, &residual_, &trial_, &old_}) x->resize(2 * dim);
}

double ProjectedSweeps::sweep(const Problem& local, std::span<double> r) {
  double change = 0, size = 0;
  for (std::size_t k = 0; k < local.blocks.size(); ++k) {
    const Block& block = local.blocks[k];
    std::copy_n(&r[block.begin], block.dim, old_.begin());
    if (block.set->bounds) solve_rows(local, block, r);
    else solve_block(local, block, rho_[k], r);
    for (int i = 0; i < block.dim; ++i) {
      change = std::max(change, std::abs(r[block.begin + i] - old_[i]));
      size = std::max(size, std::abs(r[block.begin + i]));
    }
  }
  return size > 0.0 ? change / size : change;
}

void ProjectedSweeps::solve_rows(const Problem& local, const Block& block, std::span<double> r) {
  block.set->bounds(block.parameters, block.dim, block.set_scale, trial_.data(), trial_.data() + block.dim);
  for (int i = 0; i < block.dim; ++i) {
    const int row = block.begin + i;
    double w = local.b[row], diagonal = 0, sum = 0;
    for (SparseRows::InnerIterator a(local.D, row); a; ++a) {
      w += a.value() * r[static_cast<int>(a.col())];
      sum += std::abs(a.value());
      if (a.col() == row) diagonal = a.value();
    }
    const double scale = diagonal > 1e-12 * sum ? diagonal : sum > 0.0 ? sum : 1.0;
    r[row] = std::clamp(r[row] - w / scale, trial_[i], trial_[block.dim + i]);
  }
}

double ProjectedSweeps::block_error(const Block& block, double rho, const double* r, double* residual) {
  const int d = block.dim;
  for (int i = 0; i < d; ++i) {
    w_[i] = c_[i];
    for (int j = 0; j < d; ++j) w_[i] += Wbb_[i * d + j] * r[j];
  }
  block.set->prox(block.parameters, d, r, w_.data(), rho, block.set_scale, residual);
  double sum = 0;
  for (int i = 0; i < d; ++i) {
    residual[i] = r[i] - residual[i];
    sum += residual[i] * residual[i];
  }
  return std::sqrt(sum);
}

bool ProjectedSweeps::newton_on_block(const Block& block, double rho, double* r) {
  const int d = block.dim;
  by_r_.resize(d * d);
  by_w_.resize(d * d);
  double error = block_error(block, rho, r, residual_.data());
  for (int step = 0; step < 20; ++step) {
    double size = 0;
    for (int i = 0; i < d; ++i) size = std::max({size, std::abs(r[i]), rho * std::abs(c_[i])});
    if (error <= 1e-15 * size) return true;
    block.set->prox_derivative(block.parameters, d, r, w_.data(), rho, block.set_scale, by_r_.data(), by_w_.data());
    dx_.resize(d);
    if (!(d <= 8 ? block_step<8>(d, by_r_, by_w_, Wbb_, residual_, dx_.data()) : block_step<Eigen::Dynamic>(d, by_r_, by_w_, Wbb_, residual_, dx_.data()))) return false;
    double t = 1.0, best = error;
    bool down = false;
    for (int halving = 0; halving < 8 && !down; ++halving, t *= 0.5) {
      for (int i = 0; i < d; ++i) trial_[i] = r[i] + t * dx_[i];
      best = block_error(block, rho, trial_.data(), residual_.data());
      down = best < error;
    }
    if (!down) {
      block_error(block, rho, r, residual_.data());
      return error <= 1e-12 * size;
    }
    std::copy_n(trial_.begin(), d, r);
    error = best;
  }
  return true;
}

void ProjectedSweeps::solve_block(const Problem& local, const Block& block, double rho, std::span<double> r) {
  const int d = block.dim;
  Wbb_.assign(d * d, 0.0);
  double trace = 0;
  for (int i = 0; i < d; ++i) {
    const int row = block.begin + i;
    double sum = local.b[row];
    for (SparseRows::InnerIterator a(local.D, row); a; ++a) {
      const int j = static_cast<int>(a.col()) - block.begin;
      if (j >= 0 && j < d) Wbb_[i * d + j] = a.value();
      else sum += a.value() * r[static_cast<int>(a.col())];
    }
    c_[i] = sum;
    trace += Wbb_[i * d + i];
  }
  double* x = &r[block.begin];
  if (trace * rho > 1e-10 && newton_on_block(block, d / trace, x)) return;
  // Fixed-point steps with the row's rho: slow, but they need no regular block.
  for (int step = 0; step < 5; ++step) {
    block_error(block, rho, x, residual_.data());
    for (int i = 0; i < d; ++i) x[i] -= residual_[i];
  }
}

}  // namespace saltus
