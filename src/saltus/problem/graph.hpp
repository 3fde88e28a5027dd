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

/// Where a characteristic turns: at the row w from `high` down to `low`, infinite where it goes on without end, equal at a kink; slopes dr/dw before and behind it.
struct GraphCorner {
  double w = 0.0, low = 0.0, high = 0.0, before = 0.0, behind = 0.0;
};
/// Those of a characteristic by its parameters, in the order of w; of a straight line its first point.
std::vector<GraphCorner> graph_corners(const double* parameters);

/// What is wrong with the corners; empty: nothing.
std::string wrong_corners(int count, const double* corners);

}  // namespace saltus
