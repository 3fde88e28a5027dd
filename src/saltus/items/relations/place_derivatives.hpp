// How a user's functions of places vary along the directions in which the ends of an item move.
#pragma once

#include <memory>
#include <vector>

#include "saltus/items/relations/sizes.hpp"
#include "saltus/math/formula_derivatives.hpp"

namespace saltus {

/// Directions of the ends along which one input varies, by how much each.
struct Spread {
  int count = 0;
  int direction[3];
  double by[3];

  void add(int d, double factor) { direction[count] = d, by[count++] = factor; }
  /// Of an entry of the rotation matrix of a frame whose directions begin at `first`: d(R) = R skew(e_k) d(theta_k).
  void add_rotation(const Frame<double>& f, int first, int entry);
};

/// Inputs that move along no direction; along several, those of an axis; with the time.
inline constexpr int no_direction = -1, several_directions = -2, time_direction = -3;

/// Of a function whose inputs are the time (if `timed`), place and rotation matrix of each frame, coordinates, and others that stay. Directions are those of
/// CoordinateView; second derivatives have the displacement first and the direction of the slope after it, R (I + [a]) (I + [b]).
class PlaceDerivatives {
 public:
  PlaceDerivatives() = default;
  /// Knows nothing of a function that is no formula.
  PlaceDerivatives(const Function& f, int frames, int n, bool timed);
  bool known() const { return formulas_ != nullptr; }

  /// y: results; slope (results x directions, added to). False where a derivative is not finite.
  bool slopes(const CoordinateView<double>& x, const double* in, double* y, double* slope) const;
  /// The same, and curvature (directions x directions, added to), rows by the direction of the slope: of the results times `weight`.
  bool curvature(const CoordinateView<double>& x, const double* in, const double* weight, double* y, double* slope, double* curvature) const;
  /// turning (results x directions, added to): derivatives of the results' rates while the ends move at `rate` by direction.
  bool turning(const CoordinateView<double>& x, const double* in, const double* rate, double* turning) const;

 private:
  using Values = detail::Buffer<double, 256>;
  bool values(const CoordinateView<double>& x, const double* in, int order, Values& out) const;
  Spread spread(const CoordinateView<double>& x, int input) const;
  void add_slopes(const CoordinateView<double>& x, const double* out, double* y, double* slope) const;
  /// put(result, direction of the slope or of time, direction of the displacement, value).
  template <class Put>
  void each_curve(const CoordinateView<double>& x, const double* out, const Put& put) const;

  std::shared_ptr<const FormulaDerivatives> formulas_;
  std::vector<int> direction_;  // by input
  int first_ = 0;               // input of the first frame
};

}  // namespace saltus
