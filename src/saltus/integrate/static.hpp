// Static equilibrium by Newton with load steps; where that fails, by following the overdamped motion to its rest.
#pragma once

#include "saltus/integrate/scheme.hpp"

namespace saltus {

/// One step ends at an equilibrium of the loads at its end: 0 = F(q, v = 0, t + h) + H^T lambda, y(q, t + h) = 0.
///
/// Equation solved for s from 0 to 1 in `load_steps` steps (option, default 1), halved where Newton fails:
/// U(q, lambda) = (1 - s) U(q0, lambda0), y(q) = (1 - s) y(q0), with U = F + H^T lambda: whatever is out of balance at the
/// start is applied in parts, so s = 0 is solved by the start itself. The last resort is pseudo-transient continuation
/// (Kelley, Keyes 1998), taken also where Newton ends at an unstable equilibrium of a mechanical system; one that stays
/// unstable (a pendulum balanced upright) is the event `unstable_equilibrium`. First-order states end where xdot = 0.
/// Neutral mechanisms (a rod free to spin about its own axis) keep their place in the directions that nothing holds, which a
/// warning names; where a load pulls along one it fails and names the unknown. Equalities written at rate are refused.
/// Where laws that are no equalities hold something, each load step is a problem of its own: static_contacts.hpp.
const Scheme& static_scheme();

}  // namespace saltus
