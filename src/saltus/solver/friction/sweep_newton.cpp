#include "saltus/solver/friction/sweep_newton.hpp"

#include <algorithm>
#include <cmath>

namespace saltus::friction {

SweepNewton::SweepNewton(const Scaled& problem, Kernel& kernel, const std::vector<double>& x)
    : problem_(problem), sweeps_(problem, x), newton_(problem, kernel, x), x_(x), moved_(x.size()) {}

bool SweepNewton::direction() {
  const double eps = std::min(1.0, 0.3 * boost_ * std::sqrt(error_));
  if (newton_.direction(x_, eps)) return true;
  boost_ = std::min(10.0 * boost_, 1e4);
  return false;
}

void SweepNewton::move(double length) {
  const std::vector<double>& dx = newton_.dx();
  for (std::size_t i = 0; i < moved_.size(); ++i) moved_[i] = x_[i] + length * dx[i];
  for (int c = 0; c < problem_.contacts; ++c) project(moved_.data() + 3 * c, moved_.data() + 3 * c);
  sweeps_.restart(moved_);
  flops_ += problem_.velocity_flops() / 2;
  sweep(settling_sweeps);
}

void SweepNewton::sweep(int count) {
  for (int k = 0; k < count; ++k) sweeps_.sweep_in_order();
  flops_ += count * sweeps_.sweep_flops();
}

void SweepNewton::keep(double error) {
  x_ = sweeps_.impulses();
  error_ = error;
}

}  // namespace saltus::friction
