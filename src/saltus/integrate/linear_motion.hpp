// The equations of motion of a linear system as matrices, for schemes that are exact on them.
#pragma once

#include <string_view>

#include "saltus/base/errors.hpp"
#include "saltus/integrate/accelerations_mass.hpp"
#include "saltus/math/dense_modes.hpp"

namespace saltus {

/// A fault for each pool of items whose forces are not linear with constant coefficients, by its first item, and for each relation whose rows are not; the same for
/// algebraic unknowns, rotations and contacts between groups.
void refuse_nonlinear(const System& system, std::string_view scheme, Faults& faults);

/// w' = A w + g + B l of w = [q | v | x] and the multipliers l of all rows. Only where refuse_nonlinear() finds nothing and no relation is an equality.
class LinearMotion {
 public:
  explicit LinearMotion(const System& system, int threads = 1);

  int size() const { return 2 * nv_ + nx_; }
  const dense::Matrix& A() const { return A_; }
  const dense::Vector& g() const { return g_; }
  const dense::Matrix& B() const { return B_; }
  const dense::Matrix& mass() const { return mass_; }
  /// Rows y of relations (rate: ydot of those written at value) and, if asked, their dependence on multipliers, at t, y and lambda = 0.
  void rows(double t, const double* y, const double* data, dense::Vector& value, dense::Vector& rate, dense::Matrix* D = nullptr);

 private:
  dense::Vector rates(const double* y);

  const System& s_;
  Assembly assembly_;
  MassMatrix masses_;
  int nv_, nx_;
  dense::Matrix A_, B_, mass_;
  dense::Vector g_;
  std::vector<double> force_, none_, values_, h_t_, square_;
};

}  // namespace saltus
