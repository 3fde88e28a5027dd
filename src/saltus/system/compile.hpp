// Model -> System: names become places, joints find their frames, laws their parameters.
#pragma once

#include <memory>
#include <span>

#include "saltus/model/file.hpp"
#include "saltus/system/system.hpp"

namespace saltus {

/// Checks the whole model first and throws ModelError with all faults; `warnings` gets what does not stop a run.
/// `functions` are those given by the program (Handle is an index into them).
std::shared_ptr<const System> compile(const Model& model, std::span<const Function> functions, Faults& warnings);

}  // namespace saltus
