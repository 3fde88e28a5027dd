// What a factorization without exchange of pivots tells.
#pragma once

namespace saltus {

/// A pivot that is less of the size of the terms it was computed from keeps ten digits at the most, fewer if rounding has grown.
constexpr double doubtful_pivot = 1e-6;

/// What a factorization met. Rows are the caller's.
struct PivotReport {
  bool finite = true;
  int row = -1;            // first replaced pivot, or the first that was not finite
  int replaced = 0;        // pivots lost to rounding or zero, replaced by +- `substitute`
  int doubtful = 0;        // pivots of which fewer than ten digits may be left, those that were lost too
  int negative = 0;        // inertia: number of negative pivots
  int first_negative = -1;
  double smallest = 0.0;   // |pivot|
  double largest = 0.0;
};

}  // namespace saltus
