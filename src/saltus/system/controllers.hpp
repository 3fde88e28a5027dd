// What sampled controllers change in a model before it is compiled: loads and drives that hold a value of the state.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "saltus/system/compile.hpp"

namespace saltus {

/// The controllers that the model holds, `controllers: {name: {period, function, inputs, outputs, initial, memory, delay, shown}}`: `function` is
/// one formula, or one a number, of t, the names of `inputs` and m0, m1, ... of `memory`; new values of the memory come last.
std::vector<ControllerRecord> written_controllers(const Model& model, Faults& faults);

/// The model with held functions in the fields that controllers set, and the controllers for the builder.
/// Those that the model holds come before those given. Throws ModelError with all mistakes: a period that is not positive, outputs that take no function or that two controllers
/// set, a function whose sizes do not fit.
struct Controlled {
  Model model;
  std::vector<Function> functions;
  std::vector<std::pair<ControllerEntry, std::vector<double>>> entries;  // with the initial values of outputs and memory

  Controlled(const Model& model, std::span<const Function> functions, std::span<const ControllerRecord> controllers);
};

}  // namespace saltus
