// What can be seen of a compiled model before its first step: coordinates without mass, gravity without effect.
#pragma once

#include <span>
#include <vector>

#include "saltus/base/errors.hpp"
#include <optional>

#include "saltus/integrate/scheme.hpp"

namespace saltus {

/// An error for each node with a velocity that can move freely (no row of a relation, no stiffness or damping at the
/// start) and has no mass: no force law gives its acceleration. Static analyses need no mass and do not ask.
std::vector<Fault> massless_coordinates(const System& system);

/// An error where a mass matrix that a user gave as a function is not symmetric positive definite at the start.
std::vector<Fault> wrong_masses(const System& system);

/// Errors of circuits whose topology alone lets no potentials and currents exist or be determined (Circuit::faults).
std::vector<Fault> impossible_circuits(const System& system);

/// Errors of shapes for contact so far out, or at the end of arms so long, that rounding of positions is no longer small beside them, and
/// of those that are a hundred million times as long as they are thick: no solver finds their contacts.
std::vector<Fault> unresolved_shapes(const System& system);

/// A warning where gravity accelerates no coordinate that the equality rows leave free: it stands across the motion, as
/// in a mechanism in the horizontal plane. Probed a little beside the initial position, so that a pendulum that hangs at
/// rest is not meant.
std::vector<Fault> idle_gravity(const System& system);

/// Warnings of contacts and stops that are violated at the start by more than 1e-6 of the model's size.
std::vector<Fault> overlaps_at_start(const System& system);
/// Warnings of bodies that have just appeared where others are.
std::vector<Fault> overlaps_of(const System& system, Assembly& assembly, const State& state, std::span<const Event> came);

/// An error for a law that acts on a rate, in a relation that has none: no scheme can hold it. Nothing for others.
std::optional<Fault> rateless(const System& system, const RelationEntry& entry);
std::vector<Fault> rateless_laws(const System& system);

/// An error where the model has contacts between groups and the scheme does not find them.
std::vector<Fault> unfound_contacts(const System& system, const Scheme& scheme);

}  // namespace saltus
