// Semismooth Newton method on the natural map of any mixture of sets.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseLU>
#include <span>
#include <vector>

#include "saltus/problem/problem.hpp"

namespace saltus {

/// Newton on F(v, r) = (M v - p0 - G r, r - prox(r, w, rho)), w = H v + D r + b, with the generalized derivative of each
/// prox (Qi, Sun 1993; Alart, Curnier 1991 for friction). M may be singular or absent. Keeps the best iterate.
/// Source of rho: prox_steps where the problem is in W form, else the caller's.
class ProjectedNewton {
 public:
  /// (v, r) is start and result. Returns the iterations; best norm of the scaled F in error().
  int run(const Problem& problem, std::span<const double> rho, int max_iterations, std::span<double> v, std::span<double> r);
  double error() const { return best_; }

 private:
  double map(const Problem& problem, std::span<const double> rho, const Eigen::VectorXd& x, Eigen::VectorXd& F);
  bool step(const Problem& problem, std::span<const double> rho, const Eigen::VectorXd& F, Eigen::VectorXd& dx);
  void assemble(const Problem& problem, std::span<const double> rho);
  Eigen::VectorXd x_, F_, dx_, trial_, trial_F_, best_x_, row_scale_;
  std::vector<double> w_, by_r_, by_w_;
  std::vector<Eigen::Triplet<double>> entries_;
  double best_ = 0;
};

}  // namespace saltus
