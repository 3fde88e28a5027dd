// The one linear kernel of the friction solvers: (W' + D) x = a with D block-diagonal.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <cstdint>
#include <vector>

#include "saltus/solver/friction/block_factor.hpp"
#include "saltus/solver/friction/scaled.hpp"

namespace saltus::friction {

/// Body form: (1 + J^T E J) dv = J^T E a, x = E (a - J dv), E = (D + compliance)^-1, over the graph of bodies.
/// Contact form: blocks of W' + D over the graph of contacts; of a few contacts the whole matrix, each row and column divided by the root of its
/// diagonal, with pivots: near the end of an interior point D ranges over twenty orders, and neither blocks nor 1 + J^T E J keep more than six digits. Symbolic work is done once, when first asked for anything: sweeps
/// that end soon never need it.
class Kernel {
 public:
  static constexpr int few = 33;  // contacts

  explicit Kernel(const Scaled& problem) : problem_(problem) {}

  /// The symbolic work.
  void prepare();

  /// D: one 3 x 3 block a contact, or one for all, row-major; `symmetric` if all are symmetric positive definite. `inverse` = D^-1 where a
  /// closed form knows it better than the rounded entries of D do: slopes of a contact differ by ten orders of magnitude.
  /// False where a pivot is zero; the kernel then holds no factor.
  bool factor(const std::vector<Square>& D, bool symmetric, const std::vector<Square>* inverse = nullptr);

  /// x = (W' + D)^-1 a, arrays of 3 contacts. `x` may be `a`.
  void solve(const double* a, double* x);

  /// Number of the factorization held; changes with every call of `factor`.
  std::int64_t version() const { return version_; }

  /// Of the last factorization.
  std::int64_t factor_flops() const { return factor_flops_; }
  std::int64_t solve_flops() {
    prepare();
    return solve_flops_;
  }
  /// Flops of one factorization with general blocks over those of one solve.
  double factor_to_solve();

 private:
  struct Pair { int edge; bool swapped; };  // limbs (a, b), a < b: block A(body a, body b) is `upper` unless swapped

  bool factor_bodies(const std::vector<Square>& D, bool symmetric, const std::vector<Square>* inverse);
  /// Adds J^T E J of contacts [first, last); false where a block has no inverse.
  bool add_contacts(int first, int last, const std::vector<Square>& D, bool symmetric, const std::vector<Square>* inverse);
  bool factor_contacts(const std::vector<Square>& D, bool symmetric);
  bool factor_few(const std::vector<Square>& D, bool symmetric);
  void prepare_bodies();
  void prepare_contacts();
  std::int64_t few_factor_flops(bool symmetric) const;

  const Scaled& problem_;
  BlockFactor factor_;
  struct Few {
    Eigen::MatrixXd W, A;  // W'; W' + D in the units of `unit`
    Eigen::VectorXd unit, x;
    Eigen::LLT<Eigen::MatrixXd> symmetric;
    Eigen::PartialPivLU<Eigen::MatrixXd> general;
    bool is_symmetric = false;
  } few_;
  std::vector<Square> inverse_;       // E
  std::vector<Pair> pairs_;           // body form: pairs of limbs, contact after contact
  std::vector<int> pair_begin_;
  std::vector<int> lower_of_, upper_of_;  // contact form: edge whose lower (upper) value block k is, or -1
  std::vector<double> diagonal_, lower_, upper_, dv_;
  bool prepared_ = false, symmetric_ = true;  // W'
  std::size_t edges_ = 0;
  std::int64_t version_ = 0;
  std::int64_t factor_flops_ = 0, solve_flops_ = 0;
};

}  // namespace saltus::friction
