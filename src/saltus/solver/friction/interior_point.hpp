// Interior point for the scaled problem: Nesterov-Todd scaling, the De Saxce term inside Newton or held.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "saltus/solver/friction/kernel.hpp"

namespace saltus::friction {

struct InteriorPointOptions {
  double fraction = 0.99;       // of the way to the boundary
  double neighbourhood = 1e-4;  // least eigenvalue of Q_sqrt(x) y over its mean
};

struct Scaling;  // of one contact

/// One step: predictor and corrector with one factorization of W' + J N, N x = y, J = I - e |y_T|' . x and y stay inside L
/// and inside a neighbourhood of the central path. Source: Nesterov, Todd 1998; Mehrotra 1992; the friction term as in
/// Acary, Armand, Nguyen 2023.
class InteriorPoint {
 public:
  /// Cold: x = y = e. Warm: from impulses x and velocities u = W'x + q', pushed inside by `shift`.
  InteriorPoint(const Scaled& problem, Kernel& kernel, const InteriorPointOptions& options);
  void warm(const std::vector<double>& x, const std::vector<double>& u, double shift);
  /// Begins anew from x = y = e with the slips s held: y = W'x + q' + s e, which is a convex problem.
  void hold(const std::vector<double>& slips);

  /// False where no step could be made: a factorization failed or the step length collapsed.
  bool step();

  const std::vector<double>& impulses() const { return x_; }
  const std::vector<double>& velocities() const { return y_; }
  /// Of the point before the last step: the larger of |W'x + q' + s e - y| and the mean of x.y.
  double gap() const { return gap_; }
  /// With slips held: how |y_T| of all contacts changes with the slip of contact c, by the matrix of the last step. False where it has none.
  bool slopes(int c, double* out);
  std::int64_t flops() const { return flops_; }

 private:
  /// x = y = e.
  void centre();
  /// Scales each pair x, y and writes the blocks of Newton's matrix, their inverses and its right-hand side: the sum of x y, and how many
  /// pairs cannot be scaled.
  std::array<double, 2> scaled_equations(std::vector<Scaling>& scale);
  /// Goes along dx, dy as far as all pairs stay in the neighbourhood; the share, 0 where they do not however short it is.
  double along_the_path();
  void residual(const double* x, const double* y, double* p);
  /// y_T / |y_T|, zero where slips are held.
  Triple direction(const double* y) const;
  double length(const double* dx, const double* dy, double fraction) const;
  /// Of Q_sqrt(x) y at the trial point, contacts [first, last); -1 outside of the cones.
  double least_eigenvalue(int first, int last) const;

  const Scaled& problem_;
  Kernel& kernel_;
  InteriorPointOptions options_;
  std::vector<double> x_, y_, p_, dx_, dy_, rhs_, trial_x_, trial_y_;
  std::vector<Square> D_, E_;
  std::vector<double> held_;  // slips, empty: |y_T|
  double gap_ = 0.0;
  bool factored_ = false;
  int collapsed_ = 0;
  std::int64_t flops_ = 0;
};

}  // namespace saltus::friction
