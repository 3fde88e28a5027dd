// The smooth motion of Moreau's scheme while no law acts: steps of Dormand and Prince's.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "saltus/integrate/accelerations.hpp"
#include "saltus/integrate/error_norm.hpp"
#include "saltus/integrate/least_reactions.hpp"
#include "saltus/integrate/moreau_plan.hpp"
#include "saltus/system/contacts.hpp"

namespace saltus {

/// Where all gaps are open and stay so through a step, a scheme of higher order makes it: with joints as accelerations, and projected onto them. Between its
/// ends the motion is the cubic of q and v, and multipliers are linear: it is as short as both are good for.
class MoreauFlight {
 public:
  explicit MoreauFlight(const MoreauPlan& plan);
  /// Whether laws are those of gaps alone, which do nothing where these are open, and the rest has rates.
  static bool possible(const MoreauPlan& plan);
  /// A step of length h at most, and at least `least`; nothing where gaps could close in that. Accepted: the state is at its end; rejected: it is untouched.
  std::optional<StepReport> step(State& state, double h, double least);

 private:
  struct Gaps {
    std::vector<double> value, rate;
  };
  bool begin(const State& state);
  double fastest();
  double nearest(double within);
  void look(const State& at, Gaps& gaps);
  bool stays_open(double h);
  double curve_error(double h, double& next);
  void write(State& state) const;

  const MoreauPlan& plan_;
  const System& system_;
  std::unique_ptr<Plan> smooth_;
  std::unique_ptr<Workspace> work_;
  Accelerations accelerations_;
  Assembly assembly_;  // of gaps
  LeastReactions reactions_;
  ErrorNorm norm_;
  ContactSet contacts_;
  State before_, after_;
  Gaps at_start_, at_end_;
  std::vector<double> way_, y_, lambda_, rates_, position_, velocity_;
};

}  // namespace saltus
