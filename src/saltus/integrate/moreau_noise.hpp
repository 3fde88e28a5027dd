// What a solution of Moreau's step leaves open, for the control of its error.
#pragma once

#include "saltus/integrate/moreau_contacts.hpp"
#include "saltus/integrate/moreau_model.hpp"
#include "saltus/integrate/moreau_problem.hpp"

namespace saltus {

class StepNoise {
 public:
  StepNoise(const MoreauModel& model, const ActiveRows& rows, const StepBefore& before, const MoreauProblem& problem, const MoreauSolution& solution, const StepEnd& end, const MoreauContacts& contacts)
      : plan_(model.plan), system_(model.system), block_begin_(model.block_begin), rows_(rows), before_(before), problem_(problem), solution_(solution), end_(end), contacts_(contacts) {
    noise_.resize(system_.layout.nv + system_.layout.nx);
  }

  /// By energies, whatever the units: what is left of an equation is an impulse on its mass, of a row a speed of what it moves. Contacts and
  /// joints pass it on from one body to the next.
  double energy_left(double& size) const;
  /// From the residuals `left` of the solution; `before`: what the step before it left in the velocities, which this one puts right or keeps, and then what this one does.
  void find(const Residuals& left, double& before);
  /// By velocity and first-order state.
  const std::vector<double>& noise() const { return noise_; }
  /// Which part of a change of a velocity or first-order state the last step saw: the rest springs and dampers that are stiff for it took.
  double seen(int i) const {
    const int slot = system_.diagonal_slot[i];
    return before_.mass[slot] > 0.0 && problem_.A[slot] > before_.mass[slot] ? before_.mass[slot] / problem_.A[slot] : 1.0;
  }

 private:
  const MoreauPlan& plan_;
  const System& system_;
  const std::vector<int>& block_begin_;
  const ActiveRows& rows_;
  const StepBefore& before_;
  const MoreauProblem& problem_;
  const MoreauSolution& solution_;
  const StepEnd& end_;
  const MoreauContacts& contacts_;
  std::vector<double> noise_;
};

}  // namespace saltus
