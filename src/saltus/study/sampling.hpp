// What changes the data of a state in a run: sampled controllers, whose outputs are held until the next sample, and schedules of parameters.
#pragma once

#include "saltus/integrate/simulate.hpp"
#include "saltus/study/quantity.hpp"

namespace saltus {

/// Sample times are the products k * period, exactly, and those of schedules, which come first; delayed outputs act at k * period + delay. All
/// controllers that are due at a time read the state as it was before, and what controllers without outputs (sensors, observers) have just found;
/// of these, those that others read come first.
/// Throws ModelError where an input is no quantity or the function's size does not fit; what a controller's function throws, and
/// ModelError where it gives a number that is not finite, ends the run.
class ControllerSampler final : public Sampler {
 public:
  explicit ControllerSampler(std::shared_ptr<const System> system);
  double next(double t) const override;
  void sample(State& state) override;

 private:
  struct Controller {
    const ControllerEntry* entry;
    std::vector<Quantity> inputs;
    std::vector<double> in, out;
    int rank = 0;  // those of a lower one are sampled before
  };
  void pass(State& state, int rank);
  void order();


  std::shared_ptr<const System> system_;
  Assembly assembly_;
  std::vector<Controller> controllers_;
  int ranks_ = 1;
};

}  // namespace saltus
