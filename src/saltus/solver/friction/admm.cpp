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
  const int n = problem_.contacts;
  for (int c = 0; c < n; ++c) {
    const double* t = t_.data() + 3 * c;
    double *z = z_.data() + 3 * c, *xi = xi_.data() + 3 * c, *x = x_.data() + 3 * c;
    project(t, z);
    for (int i = 0; i < 3; ++i) {
      xi[i] = t[i] - z[i];
      x[i] = rho_ * (z[i] - xi[i]) - problem_.q[3 * c + i];
    }
    x[0] -= rho_ * tangent_norm(xi);
  }
  kernel_.solve(x_.data(), x_.data());
  for (int i = 0; i < 3 * n; ++i) next_[i] = 1.6 * x_[i] - 0.6 * z_[i] + xi_[i];
  flops_ += kernel_.solve_flops() + 40 * n;
}

// rp = |x - z|, rd = rho |z+ - z|: balance them over the last iterations.
void Admm::adapt() {
  double primal = 0.0, dual = 0.0;
  for (std::size_t i = 0; i < z_.size(); ++i) {
    primal += (x_[i] - z_[i]) * (x_[i] - z_[i]);
    dual += (z_[i] - z_old_[i]) * (z_[i] - z_old_[i]);
  }
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
    z_old_ = z_;
    map();
    ++iterations_;
    if (anderson_) anderson_->advance(t_, next_);
    else t_.swap(next_);
    const double old = rho_;
    adapt();
    if (rho_ != old && !refactor()) return false;
  }
  for (int c = 0; c < problem_.contacts; ++c) project(t_.data() + 3 * c, z_.data() + 3 * c);
  return true;
}

}  // namespace saltus::friction
