// Time stepping through impacts: Moreau-Jean for mechanical coordinates and Euler-Moreau for first-order states in one code.
#pragma once

#include "saltus/integrate/scheme.hpp"

namespace saltus {

/// Theta scheme on the unknown xi = (v+, x+, z+):
///   M(q_m) (v+ - v) = h [(1 - theta) F + theta F+] + H^T r,   q+ = q (+) h [(1 - theta) v + theta v+],
///   x+ - x = h [(1 - theta) F + theta F+] + h g(lambda+),     0 = F+ (algebraic),   q_m = q (+) h/2 v,
/// rows at the end of the step by level: rate (impulse) or value (force); contacts that are closed by y + h/2 ydot <= 0
/// (Jean 1999; Acary, Brogliato 2008, ch. 10) or carried an impulse and had no bounce in the last step. Directions and contact
/// rows stand in q_m, joint rows hold in q+; with error control those of lasting contacts too.
/// Newton's method over the nonlinear terms, one nonsmooth problem an iteration. Steps in which a law of a circuit
/// switches, and the next, are taken with theta = 1, else algebraic unknowns would ring (Marti, Lin 1989).
/// Multipliers are forces, r / h. Where an impact law acted, it and what hangs together with it keep the force from before
/// the step, and the rest of their impulse is an event: `impact` (the value of its first row, N s) and `percussion` (norm over
/// the rows of a joint or another contact). The sums of h lambda and of the events' impulses are the whole momentum.
/// Without a step the error is controlled, see MoreauControl.
/// Options: MoreauOptions; with drift `ggl` the positions of joints and lasting contacts hold in each iterate of the step.
/// State memory: [r of all rows | status of all relations | implicit steps to come | step control | modes, see MoreauKept | largest multipliers and terms | contacts].
const Scheme& moreau_jean();

}  // namespace saltus
