// Explicit Runge-Kutta schemes on the configuration's Lie group (Munthe-Kaas 1999).
#pragma once

#include "saltus/integrate/scheme.hpp"

namespace saltus {

/// Coefficients of an explicit scheme whose last stage stands at the end of the step: its derivative opens the next step.
struct Tableau {
  static constexpr int most_stages = 7;
  int stages = 0;
  int order = 0;
  double c[most_stages] = {};
  double a[most_stages][most_stages] = {};  // the last row holds the weights of the step
  double error[most_stages] = {};           // weights minus embedded weights; zeros: no estimate
  bool estimates() const { return error[0] != 0.0; }
};

Tableau dormand_prince_tableau();

/// Classical scheme of order 4, fixed steps (Kutta 1901).
const Scheme& runge_kutta_4();
/// Dormand, Prince 1980: order 5 with an embedded order 4. With error control: the largest error against the motion of its
/// coordinate (ErrorNorm); step by Hairer's PI controller (Hairer, Wanner 1996, IV.2: beta = 0.04).
const Scheme& dormand_prince();
/// h |lambda| of the fastest small deviations in the last step of such a workspace that is watched: beyond about 3 (decaying) or 1
/// (swinging) stability bounds the step, not accuracy.
void watch_stiffness(Workspace& workspace);
double stiffness_seen(const Workspace& workspace);

}  // namespace saltus
