// Where formulas of time jump or have a kink, found by interval arithmetic: a step that ends there cannot leap over a pulse.
#pragma once

#include "saltus/math/expression.hpp"

namespace saltus {

/// A time just in front of the first one in (from, to) at which f changes a branch: a condition, sign, step, floor, mod, abs, min or max
/// of its input 0. `to` if there is none. Moore 1966: where no branch is open over an interval of time, none changes in it, however
/// narrow a pulse is. Branches that other inputs decide do not count; `from` itself and what lies within rounding behind it are passed.
/// Where intervals cannot tell (branches open everywhere, too many of them) `to`, as if there were none.
double first_break(const Expression& f, int inputs, double from, double to);

/// Whether there may be one at any time.
bool has_breaks(const Expression& f, int inputs);

/// Whether f changes its branch at `from`, or that little behind it that first_break() passes.
bool begins_with_break(const Expression& f, int inputs, double from, double to);

/// How far behind first_break() the change itself lies at most, in a search up to `to`.
double passed_break(double from, double to);

}  // namespace saltus
