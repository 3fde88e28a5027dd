// Checks a problem before a solver sees it.
#pragma once

#include "saltus/base/errors.hpp"
#include "saltus/problem/problem.hpp"

namespace saltus {

/// Adds a fault for each mistake: sizes that do not fit, entries that are not finite, blocks that overlap or leave rows
/// without a law, negative friction, bounds in the wrong order. Bounds may be infinite, matrices empty as Problem says.
void validate(const Problem& problem, Faults& faults);

/// Throws ModelError with all faults.
void validate(const Problem& problem);

}  // namespace saltus
