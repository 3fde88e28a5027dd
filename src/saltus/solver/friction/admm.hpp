// Alternating directions in the scaled coordinates, the De Saxce term inside, with Anderson acceleration.
#pragma once

#include <cstdint>
#include <vector>

#include "saltus/solver/friction/kernel.hpp"

namespace saltus::friction {

/// State t; z = P_L(t), xi = t - z, y = -rho xi; (W' + rho) x = rho (z - xi) - q' - rho |xi_T| e;
/// T(t) = 1.6 x - 0.6 z + xi. Anderson type II, memory 10, falls back to the best point and plain steps when |T(t) - t|
/// doubles. Sources: Acary, Armand et al. 2018 (ADMM for friction); Walker, Ni 2011 (Anderson).
class Admm {
 public:
  Admm(const Scaled& problem, Kernel& kernel, const std::vector<double>& x, bool accelerated);

  /// `count` iterations; false where the factorization failed. Another user of the kernel may have refactored it before.
  bool iterate(int count);

  /// Projected impulses of the current state.
  const std::vector<double>& impulses() const { return z_; }
  double step_size() const { return rho_; }
  /// Starts again at x with the velocities y in L that go with it.
  void restart(const std::vector<double>& x, const std::vector<double>& u);
  std::int64_t flops() const { return flops_; }
  int iterations() const { return iterations_; }

 private:
  void forget();              // the acceleration's memory
  bool refactor();
  double map();               // next_ = T(t_), change_ = next_ - t_; returns |change_|
  void accelerate(double size);
  void adapt();

  static constexpr int memory = 10;
  const Scaled& problem_;
  Kernel& kernel_;
  bool accelerated_;
  double rho_ = 0.1;
  std::vector<double> t_, z_, xi_, x_, next_, change_, z_old_;
  std::vector<double> last_next_, last_change_, best_;
  std::vector<double> differences_, images_;  // memory columns of dF and dG
  double gram_[memory][memory] = {};
  int columns_ = 0, head_ = 0, plain_ = 0, penalty_ = 0, good_ = 0;
  bool have_last_ = false;
  double best_size_ = 0.0;
  double ratio_log_ = 0.0;
  int ratio_count_ = 0, iterations_ = 0, last_adapt_ = 0;
  std::int64_t flops_ = 0;
};

}  // namespace saltus::friction
