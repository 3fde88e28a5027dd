// The stages of an explicit Runge-Kutta step on the configuration's Lie group (Munthe-Kaas 1999).
#pragma once

#include <algorithm>
#include <vector>

#include "saltus/integrate/explicit.hpp"
#include "saltus/math/long_vectors.hpp"

namespace saltus {

/// Derivatives [rate of the tangent | vdot | xdot] by stage, and the point y that the last move led to.
class RungeKuttaStages {
 public:
  RungeKuttaStages(const System& system, int stages) : layout(system.layout) {
    stride = static_cast<std::size_t>(2 * layout.nv + layout.nx + layout.nz + 1);
    derivative.assign(stride * static_cast<std::size_t>(stages), 0.0);
    change.assign(stride, 0.0);
    zero.assign(stride, 0.0);
    y.assign(layout.y_size(), 0.0);
    lambda.assign(layout.rows, 0.0);
    const KinematicMap& map = system.map;
    flat = map.rotations.empty() && layout.nq == layout.nv;
    for (int i = 0; i < layout.nv; ++i) flat &= map.q_of_v[i] == i;
  }
  double* stage(int i) { return derivative.data() + stride * static_cast<std::size_t>(i); }
  /// change := h sum of weights[j] stage j, over [tangent | v | x].
  void combine(const double* weights, int count, double h) { sum(zero.data(), weights, count, h, 0, 2 * layout.nv + layout.nx, change.data()); }
  /// y := y0 (+) h sum of weights[j] stage j; algebraic unknowns stay as they are. Where q + tangent is a plain sum, y has the
  /// order of the stages and no tangent is kept.
  void move(const System& system, const double* y0, const double* weights, int count, double h) {
    const int rates = layout.nv + layout.nx;
    if (flat) return sum(y0, weights, count, h, 0, layout.nv + rates, y.data());
    sum(zero.data(), weights, count, h, 0, layout.nv, change.data());
    system.map.retract(y0, change.data(), layout.nq, y.data());
    sum(y0 + layout.v_begin(), weights, count, h, layout.nv, rates, y.data() + layout.v_begin());
  }
  /// Rate of the tangent at y, where the last move went.
  void tangent_rate(const System& system, int i) {
    const double* v = y.data() + layout.v_begin();
    if (flat) std::copy(v, v + layout.nv, stage(i));
    else system.map.tangent_rate(change.data(), v, stage(i));
  }

  Layout layout;
  std::size_t stride = 0;
  std::vector<double> derivative, change, zero, y, lambda;
  bool flat = false;  // q and its tangent are the same numbers

 private:
  void sum(const double* base, const double* weights, int count, double h, int begin, int n, double* out) {
    double w[Tableau::most_stages];
    const double* k[Tableau::most_stages];
    for (int j = 0; j < count; ++j) w[j] = h * weights[j], k[j] = stage(j) + begin;
    add_weighted_sum(n, base, count, w, k, out);
  }
};

}  // namespace saltus
