#include "saltus/solver/friction/admm.hpp"

#include <algorithm>

namespace saltus::friction {
Admm::Admm(const Scaled& problem, Kernel& kernel, const std::vector<double>& x, bool accelerated)
    : problem_(problem), kernel_(kernel) {
  const std::size_t n = problem.size();
  z_ = x, xi_.assign(n, 0.0), t_ = x;
  x_.resize(n), next_.resize(n), z_old_ = z_;
  if (accelerated) anderson_.emplace(n);
}

bool Admm::refactor() {
  std::vector<Square> D(problem_.contacts, Square{rho_, 0, 0, 0, rho_, 0, 0, 0, rho_});
  if (!kernel_.factor(D, true)) return false;
  held_ = kernel_.version();
  flops_ += kernel_.factor_flops();
  return true;
}

void Admm::map() {
  problem_.loops.all([&](int first, int last) {
    for (int c = first; c < last; ++c) {
      const double* t = t_.data() + 3 * c;
      double *z = z_.data() + 3 * c, *xi = xi_.data() + 3 * c, *x = x_.data() + 3 * c;
      std::copy_n(z, 3, z_old_.data() + 3 * c);
      project(t, z);
      for (int i = 0; i < 3; ++i) {
        xi[i] = t[i] - z[i];
        x[i] = rho_ * (z[i] - xi[i]) - problem_.q[3 * c + i];
      }
      x[0] -= rho_ * tangent_norm(xi);
    }
  });
  kernel_.solve(x_.data(), x_.data());
  problem_.loops.all([&](int first, int last) {
    for (int i = 3 * first; i < 3 * last; ++i) next_[i] = 1.6 * x_[i] - 0.6 * z_[i] + xi_[i];
  });
  flops_ += kernel_.solve_flops() + 40 * problem_.contacts;
}

// rp = |x - z|, rd = rho |z+ - z|: balance them over the last iterations.
void Admm::adapt() {
  const auto [primal, dual] = problem_.loops.sums<2>([&](int first, int last, double* out) {
    double far = 0.0, moved = 0.0;
    for (int i = 3 * first; i < 3 * last; ++i) {
      far += (x_[i] - z_[i]) * (x_[i] - z_[i]);
      moved += (z_[i] - z_old_[i]) * (z_[i] - z_old_[i]);
    }
    out[0] = far, out[1] = moved;
  });
  if (primal > 0.0 && dual > 0.0) ratio_log_ += 0.5 * std::log(primal / dual) - std::log(rho_), ++ratio_count_;
  if (iterations_ - last_adapt_ < 50 + last_adapt_ / 4) return;
  last_adapt_ = iterations_;
  if (ratio_count_ == 0) return;
  const double ratio = std::sqrt(std::exp(ratio_log_ / ratio_count_));
  ratio_log_ = 0.0, ratio_count_ = 0;
  if (ratio > 0.5 && ratio < 2.0) return;
  const double factor = std::clamp(ratio, 0.1, 10.0);
  const double old = rho_;
  rho_ = std::clamp(rho_ * factor, 1e-8, 1e8);
  for (std::size_t i = 0; i < t_.size(); ++i) t_[i] = z_[i] + xi_[i] * (old / rho_);
  if (anderson_) anderson_->forget();
}

bool Admm::iterate(int count) {
  if (held_ != kernel_.version() && !refactor()) return false;
  for (int k = 0; k < count; ++k) {
    map();
    ++iterations_;
    if (anderson_) anderson_->advance(t_, next_, problem_.loops);
    else t_.swap(next_);
    const double old = rho_;
    adapt();
    if (rho_ != old && !refactor()) return false;
  }
  for (int c = 0; c < problem_.contacts; ++c) project(t_.data() + 3 * c, z_.data() + 3 * c);
  return true;
}

}  // namespace saltus::friction
