// Weights of generalized-alpha on the old step, spectral radius 0.8, and what they make of one coordinate.
#pragma once

namespace limit {

struct Alpha {
  static constexpr double S = 0.8, alpha_m = (2 * S - 1) / (1 + S), alpha_f = S / (1 + S), gamma = 0.5 + alpha_f - alpha_m, beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
  static constexpr double c = (1 - alpha_f) / (1 - alpha_m);  // da+ / dvdot+
  double h, b0 = h * h * beta * c, b1 = h * gamma * c;        // dq+, dv+ / dvdot+

  /// a+ = kept(vdot, a) + c vdot+.
  static double kept(double vdot, double a) { return (alpha_f * vdot - alpha_m * a) / (1 - alpha_m); }
  double step(double v, double a, double next) const { return h * v + h * h * ((0.5 - beta) * a + beta * next); }
  double speed(double v, double a, double next) const { return v + h * ((1 - gamma) * a + gamma * next); }
  /// a at the start, from vdot and its rate.
  double start(double vdot, double rate) const { return vdot + (alpha_m - alpha_f) * h * rate; }
};

}  // namespace limit
