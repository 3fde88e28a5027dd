// A scheme bound to a system, with a state: what a recorded run and a state that a program steps begin with.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine.hpp"
#include "saltus/study/sampling.hpp"

namespace saltus::python {

/// What to write instead of a name that is no scheme: the nearest one, or all.
std::string other_scheme(std::string_view name);

class BoundRun {
 public:
  BoundRun(const PythonSystem& system, const std::string& scheme, nanobind::dict options, double until, std::optional<double> step, double tolerance,
           bool error_control, int threads, bool consistent, const std::vector<PythonStop>& stop, bool contacts = false);
  std::string_view scheme() const;
  bool is_static() const { return scheme_->is_static(); }
  nanobind::bytes state() const;
  /// Begins at a state that an earlier run passed. sampled: controllers that are due at t have sampled.
  void start_from(double t, Given y, Given data, bool sampled);
  void load_state(nanobind::bytes bytes);

 protected:
  const Scheme* scheme_ = nullptr;
  std::string reason_;
  std::unique_ptr<Plan> plan_;
  State state_;
  SimulateOptions limits_;
  std::unique_ptr<ControllerSampler> sampler_;
  std::vector<Fault> warnings_;
  bool resume_ = false;  // the state holds all that a step reuses
};

}  // namespace saltus::python
