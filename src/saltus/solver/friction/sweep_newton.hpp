// Gauss-Seidel sweeps and proximal Newton steps in turns: for flowing states, where neither gets on alone.
#pragma once

#include <cstdint>
#include <vector>

#include "saltus/solver/friction/gauss_seidel.hpp"
#include "saltus/solver/friction/semismooth.hpp"

namespace saltus::friction {

/// One round: a semismooth Newton step regularized by eps / rho, then sweeps. The sweeps set every contact right by itself, the
/// Newton step moves what reaches through the packing. The residual may grow by a factor of five in a round: friction is
/// not monotone, and there are places of small residual without a solution near them (two solutions that have just
/// vanished), where every method stops that only goes down; Gauss-Seidel, and this, drift through. eps is about the root
/// of the residual (Li, Fukushima, Qi, Yamashita 2004), smaller while full steps succeed. Source for sweeps and Newton in
/// turns: Silcowitz, Niebuhr, Erleben 2010.
class SweepNewton {
 public:
  SweepNewton(const Scaled& problem, Kernel& kernel, const std::vector<double>& x);

  /// Tells the residual of `trial()`; called several times in a round.
  template <class Residual>
  void round(const Residual& residual) {
    if (rounds_++ == 0) {
      sweep(start_sweeps);
      keep(residual());
      return;
    }
    if (!direction()) return;
    double length = 1.0;
    for (int k = 0; k < lengths; ++k, length *= 0.5) {
      move(length);
      const double here = residual();
      if (here < growth * error_) {
        if (k == 0) boost_ = std::max(0.3 * boost_, 1e-3);
        sweep(round_sweeps);
        keep(residual());
        return;
      }
    }
    boost_ = std::min(4.0 * boost_, 1e4);
    sweeps_.restart(x_);
    sweep(2 * round_sweeps);
    keep(residual());
  }

  /// Impulses after the last sweeps.
  const std::vector<double>& trial() const { return sweeps_.impulses(); }
  double error() const { return error_; }
  std::int64_t flops() const { return flops_ + newton_.flops(); }

 private:
  static constexpr int start_sweeps = 100, round_sweeps = 100, settling_sweeps = 5, lengths = 3;
  static constexpr double growth = 5.0;

  bool direction();
  void move(double length);  // trial = sweeps from P_L(x + length dx)
  void sweep(int count);
  void keep(double error);

  const Scaled& problem_;
  GaussSeidel sweeps_;
  Semismooth newton_;
  std::vector<double> x_, moved_;
  double error_ = 1.0, boost_ = 1.0;
  int rounds_ = 0;
  std::int64_t flops_ = 0;
};

}  // namespace saltus::friction
