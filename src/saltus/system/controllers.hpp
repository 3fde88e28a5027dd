// What sampled controllers change in a model before it is compiled: loads and drives that hold a value of the state.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "saltus/system/compile.hpp"

namespace saltus {

/// The model with held functions in the fields that controllers set, and the controllers for the builder.
/// Throws ModelError with all mistakes: a period that is not positive, outputs that take no function or that two controllers
/// set, a function whose sizes do not fit.
struct Controlled {
  Model model;
  std::vector<Function> functions;
  std::vector<std::pair<ControllerEntry, std::vector<double>>> entries;  // with the initial values of outputs and memory

  Controlled(const Model& model, std::span<const Function> functions, std::span<const ControllerRecord> controllers);
};

}  // namespace saltus
