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
/// States without decay of their own, such as voltages of capacitors, go by implicit Euler, A + d with one d for all of them, which keeps their charge; d falls until their rates shrink at least a
/// hundredfold from step to step, so that the rest does not depend on it. A state that goes on is named. What is far from its rest where Newton's method fails gets a d likewise, which falls to 0.
std::unique_ptr<StaticWork> static_states(const Plan& plan);

}  // namespace saltus
