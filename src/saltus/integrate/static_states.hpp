// Operating points: first-order states and algebraic unknowns at rest, with the laws of diodes, switches and relays.
#pragma once

#include <memory>

#include "saltus/integrate/static_contacts.hpp"

namespace saltus {

/// Whether a system with laws has no bodies: circuits and first-order states alone.
bool holds_states_alone(const System& system);
/// A step ends where
///   0 = f(x, z, t + h) + B lambda,   y = h(x, z, lambda) with lambda in the set of its law, -y in the cone of its normals.
///
/// Newton's method with the laws left whole: each iteration solves A du = f + B lambda with the rows y + H du + D lambda in their laws, A = -df/du, as one mixed complementarity problem.
/// What has no rest of its own, such as a capacitor that nothing discharges, and what is far from its rest goes by implicit Euler, A + d on the states, with d that falls from step to step.
std::unique_ptr<StaticWork> static_states(const Plan& plan);

}  // namespace saltus
