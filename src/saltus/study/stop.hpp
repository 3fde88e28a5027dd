// Conditions that end a run, of quantities and of expressions.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "saltus/integrate/simulate.hpp"
#include "saltus/model/model.hpp"

namespace saltus {

enum class Passes { below, above, either };

/// Met where the sum of the quantities (`name.quantity`, alike) passes `bound`; component: of the sum, "" for numbers, "norm".
/// Throws ModelError where a quantity or component is not there, or the sum is no number.
StopCondition stop_at(std::shared_ptr<const System> system, std::span<const std::string> quantities, const std::string& component,
                      Passes passes, double bound);

/// Met where an expression of t, named outputs of the model (numbers) and parameters is not 0.
StopCondition stop_where(std::shared_ptr<const System> system, const Model& model, const std::string& expression);

}  // namespace saltus
