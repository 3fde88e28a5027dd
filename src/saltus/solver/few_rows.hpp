// A few rows of bounds and Coulomb cones, with or without bodies: one dense elimination, then Newton's method on the laws.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "saltus/problem/problem.hpp"

namespace saltus {

/// The problem of a step with few contacts, without a sparse factor and, once warm, without new memory.
///
/// M is eliminated with the rows of p0 and G beside it (partial pivoting; zeros are passed over, so bodies stay apart): that gives
/// v = y + Y r and w = W r + w0. Rows are scaled so that W has a unit diagonal (the tangents of a contact share a factor): x = t r,
/// y = w / t, mu t_T / t_n for mu. The natural map F = x - P_K(x - y - mu |y_T| e) = 0 is solved by Newton's method from the given point, with exact solutions of one block after the other in between where its steps do not lead down.
/// W singular: the loads are shared as by equal springs under the rows, so they depend on the problem alone and not on the start; where that does not
/// lead to a solution, the Jacobian is that of W + 1e-8, the map is not. Sources: De Saxce, Feng 1998; Alart, Curnier 1991.
class FewRows {
 public:
  static constexpr int most_rows = 36, most_unknowns = 72;

  /// Blocks of bounds and Coulomb cones of two or three rows with finite friction, few of them, or none: motion alone.
  static bool can(const Problem& problem);
  /// Blocks of this kind.
  static bool can(const Block& block);

  /// `r` is the start and receives the solution, `v` its motion. True where the map is zero to rounding; false leaves both as they
  /// were. `only_isolated`: a solution counts only where no other one is near, for W is symmetric positive definite, the
  /// Jacobian is regular, and no block stands between two of its states.
  bool solve(const Problem& problem, bool only_isolated, std::span<double> v, std::span<double> r);
  int iterations() const { return iterations_; }
  std::int64_t flops() const { return flops_; }

 private:
  enum class Kind { bounds, line, cone };  // line: a cone of two rows
  struct Part {
    int begin, dim;
    Kind kind;
    double mu;  // scaled
  };

  bool eliminate(const Problem& problem);
  void local(const Problem& problem);
  bool read(const Problem& problem);
  bool definite();
  /// y = W x + q, F; returns |F|^2.
  double map(const double* x, double* y, double* F) const;
  bool newton(int steps);
  void write_jacobian();
  bool newton_step();
  bool isolated();
  bool share_alike();
  bool from_soft_springs();
  bool moves_otherwise(const std::vector<double>& other);
  void share_exactly();
  void write_springs();
  bool newton_or_shared(bool cold);
  void exact_bounds(const Problem& problem, std::span<double> r);
  void sweep();
  void solve_block(const Part& part, const double* c, double* x) const;
  /// Of x_, by amount.
  double largest() const;
  /// |F|^2 = `square` at x_ is within `level` of the size of its terms.
  bool at_rounding(double square, double level) const;

  int n_ = 0, m_ = 0, width_ = 0, stride_ = 0;  // unknowns, rows; columns of rows_, of W_
  std::vector<double> rows_;                    // n x (M, p0, G), then the identity, y, Y
  std::vector<double> W_, q_;                   // scaled
  std::vector<double> factor_;                  // of a row: x_i = factor_i r_i, y_i = w_i / factor_i
  std::vector<double> low_, high_;              // scaled
  std::vector<Part> parts_;
  std::vector<double> x_, y_, F_, trial_, trial_y_, trial_F_, jacobian_;
  struct { std::vector<double> compliance, springs, held; } share_;  // of the springs by which loads are shared, scaled; by row and row, with the rows that hold
  std::vector<double> kept_[2];  // points to go back to
  struct { double W = 0.0, q = 0.0; } norm_;
  struct {
    double shift = 0.0, compliance = 0.0;  // to the diagonal of W: in the Jacobian; in the problem itself
    std::vector<double> rest;              // x at which the compliance is relaxed
  } added_;
  double least_pivot_ = 0.0;
  bool definite_ = false;
  int iterations_ = 0;
  std::int64_t flops_ = 0;
};

}  // namespace saltus
