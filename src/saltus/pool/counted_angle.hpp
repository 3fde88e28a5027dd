// An angle whose turns are counted: a rotation gives it up to whole turns, what is remembered of it says which.
#pragma once

#include <algorithm>
#include <cmath>

#include "saltus/math/dual.hpp"

namespace saltus {

/// Remembers (angle, rate) of an accepted state. Within a step the angle is the one nearest to angle + rate t, so that it may turn
/// several times in a step. The end of a step must be near to that, and to the trapezoidal rule with the rate found there: else a
/// turn could be lost.
struct CountedAngle {
  static constexpr int size = 2;
  static constexpr double turn = 6.283185307179586476925286766559;

  /// before: what was remembered `since` ago; null: nothing, the angle is the one near to `near`.
  static double expected(const double* before, double since, double near) { return before ? before[0] + since * before[1] : near; }
  /// angle, shifted by whole turns to within half a turn of `to`.
  template <class S>
  static S nearest(const S& angle, double to) {
    return angle + turn * std::round((to - val(angle)) / turn);
  }
  /// Writes what is remembered of the accepted angle and rate; how long the step was beside the longest that keeps the count.
  static double remember(double angle, double rate, const double* before, double since, double near, double* kept) {
    const double straight = expected(before, since, near), counted = nearest(angle, straight);
    const double change = before ? 0.5 * since * (rate - before[1]) : 0.0;
    const double share = !before ? 0.0 : std::max(std::abs(counted - straight) / (0.375 * turn), std::abs(counted - straight - change) / (0.25 * turn));
    kept[0] = counted, kept[1] = rate;
    return share;
  }
};

}  // namespace saltus
