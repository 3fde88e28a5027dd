// Error control by step doubling, around a scheme that has no error estimate of its own.
#pragma once

#include <memory>
#include <optional>

#include "saltus/integrate/error_norm.hpp"
#include "saltus/integrate/event_search.hpp"
#include "saltus/integrate/gap_passes.hpp"
#include "saltus/integrate/scheme.hpp"

namespace saltus {

/// One step of h beside two of h/2, which are kept as they are, so that joints and rotations hold: their difference over 2^order - 1 is the error of the two (Richardson 1911; Hairer, Norsett,
/// Wanner 1993, II.4), against the range of each motion (ErrorNorm). Of order 2 and more a step may make its share of the tolerance, h over the time in which the motion runs through its
/// range, so that the error of a run follows the tolerance; of order 1 the whole of it, so that it follows the root.
/// Where an impact acted in one of the three the scheme is of order 1: velocities do not count, positions by half a step times the jump of the velocities, and EventSearch closes in on it;
/// impacts whose jumps are small enough are passed several a step. A gap that closed and opened between their ends, or bodies that went through each other, make the step shorter.
/// Where the flow between impacts is exact, or drives prescribe all of the motion, the cubic between the states bounds the step: it is what is read between them.
/// A scheme whose velocities are means over its steps is judged by positions and first-order states.
/// While something is held (a foot that sticks) no error tells how its forces run: down to the coarse step they are within the root of the tolerance of a line through the step.
/// State memory behind that of the scheme: [EventSearch | length of the last half | ErrorNorm].
class StepDoubling final : public Scheme {
 public:
  explicit StepDoubling(std::unique_ptr<const Scheme> one) : one_(std::move(one)) {}
  const SchemeType& type() const override { return one_->type(); }
  std::unique_ptr<Plan> bind(std::shared_ptr<const System> system, const SchemeOptions& options) const override;
  std::unique_ptr<Workspace> new_workspace(const Plan& plan) const override;
  StepReport start(const Plan& plan, State& state, Workspace& work) const override;
  StepReport step(const Plan& plan, State& state, Workspace& work, double h) const override;
  Rates rates() const override { return one_->rates(); }
  bool carries_rates() const override { return one_->carries_rates(); }
  std::span<const double> samples(const Plan& plan, const State& state) const override;
  bool finds_contacts() const override { return one_->finds_contacts(); }

 private:
  std::unique_ptr<const Scheme> one_;
};

}  // namespace saltus
