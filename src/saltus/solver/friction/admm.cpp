#include "saltus/solver/friction/admm.hpp"

#include <algorithm>

namespace saltus::friction {
Admm::Admm(const Scaled& problem, Kernel& kernel, const std::vector<double>& x, bool accelerated)
    : problem_(problem), kernel_(kernel) {
  const std::size_t n = problem.size();
  z_ = t_ = x;
  x_.resize(n);
  if (accelerated) anderson_.emplace(n);
}

bool Admm::refactor() {
  if (!kernel_.factor({Square{rho_, 0, 0, 0, rho_, 0, 0, 0, rho_}}, true)) return false;
  held_ = kernel_.version();
  flops_ += kernel_.factor_flops();
  return true;
}

void Admm::map() {
  const auto [moved] = problem_.loops.sums<1>([&](int first, int last, double* out) {
    double sum = 0.0;
    for (int c = first; c < last; ++c) {
      const double* t = t_.data() + 3 * c;
      double *z = z_.data() + 3 * c, *x = x_.data() + 3 * c;
      Triple before{z[0], z[1], z[2]}, xi;
      project(t, z);
      for (int i = 0; i < 3; ++i) {
        sum += (z[i] - before[i]) * (z[i] - before[i]);
        xi[i] = t[i] - z[i];
        x[i] = rho_ * (z[i] - xi[i]) - problem_.q[3 * c + i];
      }
      x[0] -= rho_ * tangent_norm(xi.data());
    }
    out[0] = sum;
  });
  kernel_.solve(x_.data(), x_.data());
  const auto [far] = problem_.loops.sums<1>([&](int first, int last, double* out) {
    double sum = 0.0;
    for (int i = 3 * first; i < 3 * last; ++i) {
      sum += (x_[i] - z_[i]) * (x_[i] - z_[i]);
      x_[i] = t_[i] + 1.6 * (x_[i] - z_[i]);  // 1.6 x - 0.6 z + xi
    }
    out[0] = sum;
  });
  far_ = far, moved_ = moved;
  flops_ += kernel_.solve_flops() + 40 * problem_.contacts;
}

// rp = |x - z|, rd = rho |z+ - z|: balance them over the last iterations.
void Admm::adapt() {
  if (far_ > 0.0 && moved_ > 0.0) ratio_log_ += 0.5 * std::log(far_ / moved_) - std::log(rho_), ++ratio_count_;
  if (iterations_ - last_adapt_ < 50 + last_adapt_ / 4) return;
  last_adapt_ = iterations_;
  if (ratio_count_ == 0) return;
  const double ratio = std::sqrt(std::exp(ratio_log_ / ratio_count_));
  ratio_log_ = 0.0, ratio_count_ = 0;
  if (ratio > 0.5 && ratio < 2.0) return;
  const double factor = std::clamp(ratio, 0.1, 10.0);
  const double old = rho_;
  rho_ = std::clamp(rho_ * factor, 1e-8, 1e8);
  for (int c = 0; c < problem_.contacts; ++c) {  // y = -rho xi stays
    Triple z;
    project(t_.data() + 3 * c, z.data());
    for (int i = 0; i < 3; ++i) t_[3 * c + i] = z[i] + (t_[3 * c + i] - z[i]) * (old / rho_);
  }
  if (anderson_) anderson_->forget();
}

bool Admm::iterate(int count) {
  if (held_ != kernel_.version() && !refactor()) return false;
  for (int k = 0; k < count; ++k) {
    map();
    ++iterations_;
    if (anderson_) anderson_->advance(t_, x_, problem_.loops);
    else t_.swap(x_);
    const double old = rho_;
    adapt();
    if (rho_ != old && !refactor()) return false;
  }
  for (int c = 0; c < problem_.contacts; ++c) project(t_.data() + 3 * c, z_.data() + 3 * c);
  return true;
}

}  // namespace saltus::friction
