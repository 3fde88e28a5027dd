// How well a point solves a problem. The one function by which every solver is judged.
#pragma once

#include <span>
#include <vector>

#include "saltus/problem/problem.hpp"

namespace saltus {

struct Certificate {
  double residual = 0;         // |r - prox(r, w, 1)| / max(|b|, |r|, |w|), or `dynamics` where that is larger
  double scaled_residual = 0;  // the same with rows made free of units, largest block
  double velocity_residual = 0;  // |r - prox(r, w, 1)| / |sizes of the terms of w|: a large r cannot hide w here; or `dynamics`
  double siconos_error = 0;    // |r - prox(r, w, 1)| / max(|b|, |r|, |w|) plus `dynamics`: what Siconos 4.4 calls the error of a point
  double dynamics = 0;         // |M v - p0 - G r| / max(|M v|, |p0|, |G r|); 0 without M
  int worst_block = -1;        // largest share of `residual`; -1 if it is 0
};

/// Judges (v, r); writes w = H v + D r + b. Without M, v is ignored (may be empty).
///
/// residual: natural map of the whole problem with rho = 1, Euclidean norms; an all-zero problem is solved by zero
/// (0/0 = 0); a point that is not finite gives infinity. For W given alone it is the map of cases/numerics, whose shift
/// mu |u_T| stands in the prox. With M the local free velocity H M^-1 p0 + b need not exist, so |b| takes its place,
/// which makes the measure stricter.
///
/// scaled_residual: for each kind of set, beta = largest sum of magnitudes |b_i| + sum |H_ij| max(|v_j|, |p0_j/M_jj|,
/// max_k |G_jk r_k/M_jj|) + sum |D_ij r_j| over its rows (unit of w) and gamma = largest |r_i| or finite bound (unit of r); a block gives |r - prox(r, w, gamma/beta)| / gamma, or
/// |w - its part in range| / beta where r = 0 altogether. It does not change when r, w or time change their units.
///
/// velocity_residual: the error of the natural map against velocities alone, the sums of magnitudes of scaled_residual as
/// their size. Where |r| is much larger than |w| in the units given, `residual` allows |w| errors of its part of |r|.
///
/// Shapes: v n, r m, w m. Allocates only while `scratch` grows.
struct ResidualScratch {
  std::vector<double> dynamics, magnitude, prox, beta, gamma, bounds;
};
Certificate certificate(const Problem& problem, std::span<const double> v, std::span<const double> r, std::span<double> w,
                        ResidualScratch& scratch);

}  // namespace saltus
