// Semismooth Newton on the projection equation: a finisher for iterates that are nearly right.
#pragma once

#include <cstdint>
#include <vector>

#include "saltus/solver/friction/kernel.hpp"

namespace saltus::friction {

/// F(x) = x - P_L(x - rho (W'x + q' + |u_T| e)) = 0 with rho = 3 / tr W'_cc a contact; a step solves (W' + D) dx = a with
/// D from the derivative of the projection, regularized by eps / rho; line search on |F|. With `pull` > 0 the equation is that
/// of the proximal point iteration, W' + pull and q' - pull times the centre. Source: Alart, Curnier 1991; Christensen et al. 1998.
class Semismooth {
 public:
  Semismooth(const Scaled& problem, Kernel& kernel, const std::vector<double>& x);

  /// One Newton step with its line search; false where a factorization failed or |F| could not be reduced.
  bool step();
  /// The step from x regularized by `eps`, without line search, into dx(); false where the factorization failed.
  bool direction(const std::vector<double>& x, double eps);
  const std::vector<double>& dx() const { return rhs_; }
  /// Sets the centre of the proximal term to the current point.
  void pull(double strength);

  /// P_L of the current point.
  const std::vector<double>& impulses() const { return x_; }
  double size() const { return size_; }
  std::int64_t flops() const { return flops_; }

 private:
  /// D, its inverse and the right-hand side of contacts [first, last); false where a block has no inverse.
  bool linearize(int first, int last);
  bool direction();  // rhs_ = Newton's direction at x_
  double evaluate(const std::vector<double>& x, std::vector<double>& u, std::vector<double>& F);

  const Scaled& problem_;
  Kernel& kernel_;
  std::vector<double> x_, u_, F_, trial_, trial_u_, trial_F_, rhs_, centre_, rho_;
  std::vector<Square> D_, E_;
  double eps_ = 1e-6, size_ = 0.0, pull_ = 0.0;
  std::int64_t flops_ = 0;
};

}  // namespace saltus::friction
