// Takes what needs no law out of a problem: dynamics, and equality rows where they are regular.
#pragma once

#include <span>
#include <vector>

#include "saltus/math/sparse_lu.hpp"
#include "saltus/math/sparse_solver.hpp"
#include "saltus/problem/problem.hpp"

namespace saltus {

/// Factors K = [M -G_e; H_e D_ee] of the unknowns x = (v, r_e), e the equality rows (those whose `bounds` are infinite),
/// and leaves a problem in W form for the other rows s: W = D_ss + [H_s D_se] K^-1 [G_s; -D_es].
class LinearReduction {
 public:
  /// False where K is singular to working precision: then nothing may be taken out.
  bool reduce(const Problem& problem, bool with_equalities);
  const Problem& local() const { return local_; }
  /// (v, r) of the whole from r_s.
  void expand(std::span<const double> r_s, std::span<double> v, std::span<double> r);
  /// r_s of the whole's r.
  void restrict(std::span<const double> r, std::vector<double>& r_s) const;
  /// Whether something can be taken out at all.
  static bool worthwhile(const Problem& problem, bool with_equalities);

 private:
  /// Numbers the rows that stay, and those of blocks of equalities, which go; how many stay.
  int place_rows(const Problem& problem, bool with_equalities);
  /// Factors K_: by fronts, whose order is kept while the pattern is, or with exchanges of all rows. False: singular.
  bool factor();
  /// Whether the factor solves.
  bool solves();
  /// x := K^-1 x.
  void solve(Eigen::VectorXd& x);
  /// out K^-1 input.
  SparseRows through(const SparseRows& out);

  using SparseColumns = Eigen::SparseMatrix<double>;
  Problem local_;
  std::vector<int> place_;  // of row i: its index in s, or -1 - its index in e
  int velocities_ = 0, equalities_ = 0;
  SparseRows K_;
  SparseColumns input_;  // x = K^-1 (k0 + input r_s)
  Eigen::VectorXd k0_, x_, load_, probe_;
  CsrPattern pattern_;   // that fronts_ is analyzed for
  SparseSolver fronts_;
  SparseLu lu_;
  bool by_fronts_ = false;
};

}  // namespace saltus
