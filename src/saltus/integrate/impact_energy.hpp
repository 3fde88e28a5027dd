// Restitution that gives no more energy than the impact has.
#pragma once

#include "saltus/integrate/scheme.hpp"

namespace saltus {

/// Newton's restitution may give energy, beside friction or joints some (Kane, Levinson 1985), and where bodies jam without bound: of three balls in a row between two walls the
/// one in the middle must leave across the row, the faster the straighter it is, and cannot where it is straight. An impact that has no solution, or gives more than it would take
/// without restitution, is solved with a half, a quarter, an eighth of its laws' restitution or none, the first that gives nothing (consistency of energy: Glocker 2013); without
/// restitution none can. `solve(share, work)`: the impact with that share of the restitution and what it does; false where no solver did.
/// `solved`, `work`: of all of it. False: there is no solution even so.
template <class Solve>
bool lessen_restitution(bool solved, ImpactWork& work, Solve&& solve) {
  constexpr double rounding = 1e-6;
  if (solved && !(work.done > 1e-3 * work.scale)) return true;
  const ImpactWork whole = work;
  if (!solve(0.0, work)) return solved && solve(1.0, work);
  if (solved && whole.done <= -work.done) return solve(1.0, work);
  for (const double share : {0.5, 0.25, 0.125, 0.0})
    if (solve(share, work) && (share == 0.0 || work.done <= rounding * work.scale)) return work.lessened = 1, true;
  return false;
}

}  // namespace saltus
