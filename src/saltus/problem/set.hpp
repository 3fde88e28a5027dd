// What a solver knows of a law: a set with its prox, and what else that set can do. Solvers never name a law;
// they ask for capabilities (a null pointer means: cannot).
#pragma once

#include <string_view>

namespace saltus {

/// An arm of a cone over r_n: |(r_i / friction_i)| <= r_n of the rows first, ..., one or two of them.
struct FrictionArm {
  static constexpr int most = 3;  // of a cone
  int first = 1, count = 1;
  double friction[2] = {};

  bool acts() const { return friction[0] > 0.0; }
};

/// Table of a set K of `dim` rows: -w in N_K(r) up to the law's shift, that is r = prox(r, w, rho, set_scale).
/// `parameters` belong to the block (friction, bounds, ...). All arrays have `dim` entries, matrices dim x dim row-major.
struct SetType {
  std::string_view name;
  int dim;  // rows; 0: any number (equality, half-lines, box)

  /// P_K(r - rho (w + shift(w))), K scaled by set_scale (cones ignore it).
  void (*prox)(const double* parameters, int dim, const double* r, const double* w, double rho, double set_scale,
               double* result);
  /// Generalized derivatives of prox: by_r = d prox / d r, by_w = d prox / d w.
  void (*prox_derivative)(const double* parameters, int dim, const double* r, const double* w, double rho,
                          double set_scale, double* by_r, double* by_w);

  /// Row-wise bounds low <= r <= high (infinite where free): equality, half-line, box. Makes the block fit for pivoting.
  void (*bounds)(const double* parameters, int dim, double set_scale, double* low, double* high) = nullptr;
  /// Coulomb-like cone {r: |r_T| <= friction r_N}: friction coefficient, with the De Saxce shift. Makes it fit for
  /// cone methods; in two dimensions for pivoting as well.
  double (*friction)(const double* parameters) = nullptr;
  /// Rows behind the first that slide against friction; those behind them roll and spin.
  int sliding = 0;
  /// Arms of a cone, their number returned: each gives the multiplier against which its rows slip, and can stick while others slip.
  int (*arms)(const double* parameters, FrictionArm* arms) = nullptr;
  /// Where friction depends on the speed of the slip: parameters of the set that reads twice the slip. Null: it does not, or there is none.
  void (*halved)(const double* parameters, double* out) = nullptr;
  /// Of a characteristic: its multipliers low <= r <= high where the rows stand at w; equal but where it is upright. Null: of no characteristic.
  void (*standing)(const double* parameters, int dim, const double* w, double set_scale, double* low, double* high) = nullptr;
};

}  // namespace saltus
