// Model -> System: names become places, joints find their frames, laws their parameters.
#pragma once

#include <memory>
#include <span>

#include "saltus/model/file.hpp"
#include "saltus/system/system.hpp"

namespace saltus {

/// A sampled controller as a program gives it. `function` takes (t, inputs, memory) and gives (outputs, memory).
struct ControllerRecord {
  std::string name;
  double period = 0.0;
  Function function;
  std::vector<std::string> inputs;   // quantities
  std::vector<std::string> outputs;  // loads and drives: item, item.field, item.field.x
  std::vector<double> initial;       // of the outputs, before the first sample; empty: zeros
  std::vector<double> memory;        // initial values of what it keeps from sample to sample
  double delay = 0.0;                // [s] from a sample until its outputs act
  int shown = 0;                     // of the memory: its value
};

/// Checks the whole model first and throws ModelError with all faults; `warnings` gets what does not stop a run.
/// `functions` are those given by the program (Handle is an index into them).
std::shared_ptr<const System> compile(const Model& model, std::span<const Function> functions, Faults& warnings,
                                      std::span<const ControllerRecord> controllers = {});

}  // namespace saltus
