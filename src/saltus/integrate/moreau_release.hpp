// Whether a multiplier leaves its set late in a step whose means stay inside it.
#pragma once

#include "saltus/pool/law.hpp"

namespace saltus {

/// A step by two halves knows a multiplier by its means over them, which stand for a quarter and three quarters of the step. Drawn on in
/// a straight line: the share of the step, 0 to 1/4, that is left when it leaves its law's set (a contact opens, a joint with dry friction
/// or a foot begins to slip); 0 where it stays inside, or was not strictly inside both times. first, second: the means (rows) [N].
double late_release(const LawType& law, const double* parameters, int rows, const double* first, const double* second);

}  // namespace saltus
