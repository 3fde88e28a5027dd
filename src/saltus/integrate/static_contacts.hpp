// Statics of bodies that contacts, friction and relays hold: one problem of Signorini and Coulomb a load step.
#pragma once

#include <memory>

#include "saltus/integrate/scheme.hpp"

namespace saltus {

/// What a static run steps with.
class StaticWork : public Workspace {
 public:
  [[nodiscard]] virtual StepReport start(State& state) = 0;
  [[nodiscard]] virtual StepReport step(State& state, double h) = 0;
};

/// Whether some law of the system is more than an equality.
bool holds_by_laws(const System& system);
/// A fault for each law that no static problem has.
void refuse_in_statics(const System& system, Faults& faults);

/// A load step ends where
///   0 = F(q, t + h) + H^T r,   y = 0 of joints,   0 <= y complementary to r_N >= 0 of gaps,   friction and relays on s,
/// with s the displacement along a row since the load step began, in place of its velocity: equations that know no rate. Of a gap it counts while
/// the contact carries.
///
/// Each iteration solves (K + d W) dq = F + H^T r with the rows linear in dq, by the solvers of motions. K is the symmetric part of the stiffness of
/// forces and joint reactions; d W, small, holds what nothing but contacts holds, and what is unstable: where such bodies
/// can be in equilibrium, dq ends at 0 and leaves no trace. Where they cannot, dq does not end; once they have come `reach` of the model's size
/// the step fails, with the motion that begins. Friction of the sliding speed is that of rest. `load_steps` parts of a step follow each other in time, in the first step
/// of a run with loads that grow from nothing beside it. Equilibria that are found are stable for the forces and joints alone.
std::unique_ptr<StaticWork> static_with_laws(const Plan& plan, double reach, int load_steps);

}  // namespace saltus
