// Alternating directions in the scaled coordinates, the De Saxce term inside, with Anderson acceleration.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "saltus/solver/friction/anderson.hpp"
#include "saltus/solver/friction/kernel.hpp"

namespace saltus::friction {

/// State t; z = P_L(t), xi = t - z, y = -rho xi; (W' + rho) x = rho (z - xi) - q' - rho |xi_T| e;
/// T(t) = 1.6 x - 0.6 z + xi, with or without Anderson acceleration. Source: Acary, Brémond, Huber 2018, section on ADMM.
class Admm {
 public:
  Admm(const Scaled& problem, Kernel& kernel, const std::vector<double>& x, bool accelerated);

  /// `count` iterations; false where the factorization failed. Another user of the kernel may have refactored it before.
  bool iterate(int count);

  /// Projected impulses of the current state.
  const std::vector<double>& impulses() const { return z_; }
  std::int64_t flops() const { return flops_ + (anderson_ ? anderson_->flops() : 0); }

 private:
  bool refactor();
  void map();  // x_ = T(t_)
  void adapt();

  const Scaled& problem_;
  Kernel& kernel_;
  std::optional<Anderson> anderson_;
  double rho_ = 0.1;
  std::int64_t held_ = -1;  // version of the kernel's factor made for rho_
  std::vector<double> t_, z_, x_;  // x_ becomes T(t_)
  double far_ = 0.0, moved_ = 0.0;  // |x - z|^2, |z - z of the iteration before|^2
  double ratio_log_ = 0.0;
  int ratio_count_ = 0, iterations_ = 0, last_adapt_ = 0;
  std::int64_t flops_ = 0;
};

}  // namespace saltus::friction
