// Where formulas of time jump, have a kink or vary between the times at which a step asks, found by interval arithmetic: a step that ends there
// cannot leap over a pulse.
#pragma once

#include <span>

#include "saltus/math/expression.hpp"

namespace saltus {

/// A time just in front of the first one in (from, to) at which f changes a branch: a condition, sign, step, floor, mod, abs, min or max
/// of its input 0. `to` if there is none. Moore 1966: where no branch is open over an interval of time, none changes in it, however
/// narrow a pulse is. Branches that other inputs decide do not count; `from` itself and what lies within rounding behind it are passed.
/// Where intervals cannot tell (branches open everywhere, too many of them) `to`, as if there were none. data: of the state, which stays as it is.
double first_break(const Expression& f, int inputs, double from, double to, const double* data = nullptr);

/// Whether there may be one at any time.
bool has_breaks(const Expression& f, int inputs);

/// Whether f changes its branch at `from`, or that little behind it that first_break() passes.
bool begins_with_break(const Expression& f, int inputs, double from, double to, const double* data = nullptr);

/// How far behind first_break() the change itself lies at most, in a search up to `to`.
double passed_break(double from, double to);

/// What in f varies with its input 0, the time, alone: the largest parts that read no other input, split at sums and factors that are numbers;
/// none that are the time itself.
std::vector<Expression> time_parts(const Expression& f);

/// The end of the longest step from `from` to `to` at most, of those halved, that sees how f, a formula of its first input alone, varies: f leaves
/// what it is at the samples (shares of the step, ascending, 0 and 1 among them) by no more than half of what these differ by and a
/// thousandth of the largest value. A pulse that none of them sees begins at that end. Where intervals cannot tell, `to`.
/// `beyond`: in place of that half. Whoever looks for the largest force takes a small one, and the ends as samples.
double resolved_end(const Expression& f, double from, double to, std::span<const double> samples, const double* data = nullptr, double beyond = 0.5);

}  // namespace saltus
