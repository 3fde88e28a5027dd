// Coulomb friction as convex problems with slips held, and Newton's method on the slips.
#pragma once

#include <cstdint>
#include <vector>

#include "saltus/solver/friction/interior_point.hpp"

namespace saltus::friction {

/// With slips s held, y = W'x + q' + s e, x.y = 0 in L is the optimality of a cone program, which an interior point solves from any start. A solution of
/// the friction problem is a fixed point s = |y_T(s)|. Newton's method finds it: the derivative of |y_T| is that of the central path at its end. Where a
/// step of it gains less than a third, s = |y_T| is taken, whose error falls by itself as a rule. Source: Acary, Cadoux, Lemarechal, Malick 2011
/// for the fixed point; Newton's steps on it are of this project.
class HeldSlips {
 public:
  HeldSlips(const Scaled& problem, Kernel& kernel);

  /// One convex problem to its end, and the slips of the next. False where the slips came no nearer for several rounds.
  bool round();
  /// Largest change of a slip in the last round, before Newton's step.
  double change() const { return change_; }
  const std::vector<double>& impulses() const { return interior_.impulses(); }
  std::int64_t flops() const { return interior_.flops() + flops_; }

 private:
  bool newton(std::vector<double>& step);

  const Scaled& problem_;
  InteriorPoint interior_;
  std::vector<double> slips_, found_;
  double change_ = 0.0, least_ = 0.0;
  int rounds_ = 0, idle_ = 0;
  std::int64_t flops_ = 0;
};

}  // namespace saltus::friction
