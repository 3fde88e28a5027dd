// Piecewise linear characteristics: multiplier over row.
#pragma once

#include <string>
#include <vector>

#include "saltus/problem/set.hpp"

namespace saltus {

/// Corners (w, r) of a characteristic that never rises: w never falls, r never rises from corner to corner, none twice in a row. Parts may be
/// level or upright; the first and the last part go on without end. Row by row, r times set_scale.
/// Parameters: number of corners >= 2, then w and r of each. prox is the point of the characteristic on the line through
/// (w, r) that rises by rho: its resolvent (Minty 1962).
extern const SetType graph_set;

/// What is wrong with the corners; empty: nothing.
std::string wrong_corners(int count, const double* corners);

}  // namespace saltus
