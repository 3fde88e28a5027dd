// Whether an equilibrium with contacts, friction and relays is stable: its stiffness in the motions that they leave.
#pragma once

#include <span>
#include <vector>

#include "saltus/integrate/hold_of.hpp"
#include "saltus/integrate/law_blocks.hpp"

namespace saltus {

/// The equilibrium that a problem of rows has found.
struct FoundEquilibrium {
  double t = 0.0;
  const double *y = nullptr, *data = nullptr;
  const double* lambda = nullptr;        // of all relations
  std::span<const HeldRows> held;        // rows of the last problem, and their multipliers
  const double* multipliers = nullptr;
  const std::vector<double>* weight = nullptr;  // by velocity: 1, or 1 / length of what turns
  double closed = 0.0;                   // a gap that is none
};

/// How many motions that joints, closed contacts and friction leave are not held: negative eigenvalues of
///   N^T K N,   K = -d(F + H^T lambda)/dq with what contacts add where surfaces are curved,   H N = 0 for rows that hold.
/// Contacts without force count as closed. 0 also where that is not known: something slides or is about to, points of contact are others beside the state while their pair moves, the matrix is not symmetric, there are more than 300 velocities.
int motions_not_held(RowProblem& rows, const LawBlocks& blocks, const FoundEquilibrium& found);

/// The event of an unstable equilibrium, and where it is `surely` one its warning.
void tell_unstable(StepReport& report, double t, bool surely);

}  // namespace saltus
