// Proof that a problem has no solution, judged from the problem alone.
#pragma once

#include <span>
#include <vector>

#include "saltus/problem/problem.hpp"

namespace saltus {

/// What every solution has in a row: w = 0 (equality), w >= 0 (no upper bound on r, the normal of a friction cone), w <= 0 (no
/// lower bound on r), or nothing.
enum class RowSign : char { none, zero, positive, negative };
std::vector<RowSign> row_signs(const Problem& problem);

/// Whether the multipliers y (m) of the rows prove that no v, r fulfil all laws: signs as `row_signs` allow, y.(H, D) = 0 column by
/// column to rounding, and y.b < 0 by more than rounding of the free motion in these rows. For then y.w = y.b < 0 for every v and r, while the laws ask for y.w >= 0. Where W is
/// symmetric and without D, no other proof of this kind exists: y.W r <= 0 on all cones, of which y is one point, gives H^T y = 0.
/// Source: Farkas 1902; for friction (u_n >= 0 is what u + mu |u_T| n in the dual cone says) Acary, Cadoux, Lemarechal, Malick 2011.
bool is_impossible(const Problem& problem, std::span<const double> y);

}  // namespace saltus
