// Block Gauss-Seidel and a semismooth Newton method by prox alone: they fit any mixture of sets.
#pragma once

#include <span>
#include <vector>

#include "saltus/problem/problem.hpp"

namespace saltus {

/// 1 over the largest absolute row sum of W in each block's rows: the step of a prox. The whole row counts, not the
/// diagonal block, which may be zero (a relay that drives through other rows). Rows without entries get 1.
void prox_steps(const Problem& local, std::vector<double>& rho);

/// One pass: each block is solved with the others fixed, r_b = prox(r_b, W_bb r_b + c, rho), by Newton's method on the
/// block (bounded rows: in closed form); a block with W_bb = 0 takes the prox step. W form only (local.M empty).
class ProjectedSweeps {
 public:
  void start(const Problem& local);
  /// Returns the largest relative change of r.
  double sweep(const Problem& local, std::span<double> r);

 private:
  void solve_rows(const Problem& local, const Block& block, std::span<double> r);
  void solve_block(const Problem& local, const Block& block, double rho, std::span<double> r);
  bool newton_on_block(const Block& block, double rho, double* r);
  double block_error(const Block& block, double rho, const double* r, double* residual);
  std::vector<double> rho_, Wbb_, c_, w_, residual_, trial_, by_r_, by_w_, dx_, old_;
};

}  // namespace saltus
