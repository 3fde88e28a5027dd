// Reactions of redundant joints: of all that load the bodies alike those of least norm, the same in every scheme.
#pragma once

#include <vector>

#include "saltus/integrate/accelerations_mass.hpp"
#include "saltus/math/ldlt.hpp"

namespace saltus {

/// Where rows of joints depend on each other, H^T lambda does not tell lambda, and each scheme would leave another part of it behind (a
/// regularized factor adds the rounding of contradicting rows over its regularization, step after step). Takes that part out: lambda
/// becomes the one of least lambda^T W lambda with the same H^T lambda. W is the size of the rows in displacements, squared, at the initial
/// configuration, turns counting by the size of the bodies: forces and moments compare, and neither masses, steps nor the place of the
/// origin matter. Only rows that redundant ones can reach through the bodies are touched; what the others carry keeps its bits.
///
/// n = (S + delta)^-1 delta lambda, S = H W^-1 H^T, repeated: the part in the null space stays, the rest falls by delta over the
/// eigenvalues of S (Rockafellar 1976).
class LeastReactions {
 public:
  /// Looks for redundant rows at the initial configuration; the assembly is left there.
  LeastReactions(const System& system, Assembly& assembly);

  bool needed() const { return !entries_.empty(); }
  /// lambda (by row of the system; impulses too) at the configuration of the assembly, after its input_blocks().
  void apply(Assembly& assembly, double* lambda);

 private:
  void build(Assembly& assembly, const std::vector<char>& chosen);

  const System& system_;
  std::vector<int> entries_, row_;  // relation entries; rows of the system
  int columns_ = 0;
  CsrLayout layout_;
  std::vector<double> block_scale_, scale_;  // by entry of the blocks: column scale over row scale; by row: sqrt W
  std::vector<double> values_, block_, shift_, scaled_, solution_;
  SparseLdlt ldlt_;
};

}  // namespace saltus
