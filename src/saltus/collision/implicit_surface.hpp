// Solids given by a formula, for contact: d(x, y, z) < 0 inside.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "saltus/collision/narrow_phase.hpp"
#include "saltus/collision/surface_foot.hpp"
#include "saltus/math/formula_derivatives.hpp"

namespace saltus {

/// Where d(x, y, z) is negative, in a box of half edges `half` about the origin. d is smooth near its zeros; it need not be a distance.
class ImplicitSurface {
 public:
  /// Null, and what is wrong, where d is no formula, is not a number somewhere in the box, or has one sign in it: looked for on a grid.
  static std::shared_ptr<const ImplicitSurface> of(const Function& d, const Vec3<double>& half, std::string& wrong);

  /// With derivatives up to an order; those beyond are 0.
  SurfaceValue at(const Vec3<double>& x, int order) const;
  double size() const { return size_; }
  static constexpr bool bowl = false;
  /// Whether no part of the surface, which is in the box, can be within `reach` of x: d would have to change faster than anywhere on the grid, by half.
  bool clear(const Vec3<double>& x, double reach) const;

  /// Where the surface is nearest to p, of what Newton's method finds from x (own axes): x - p + l grad d = 0, d = 0. None where it ends
  /// outside the box, or at a place of the surface that is farther from p than those around it.
  std::optional<SurfaceFoot> foot(const Vec3<double>& p, Vec3<double> x) const;

 private:
  ImplicitSurface(std::shared_ptr<const FormulaDerivatives> d, const Vec3<double>& half) : d_(std::move(d)), half_(half), size_(norm(half)) {}
  bool holds(const Vec3<double>& x) const;
  bool onto(Vec3<double>& x) const;

  static constexpr int most_numbers = 10;  // d, 3 slopes, 6 curvatures
  std::shared_ptr<const FormulaDerivatives> d_;
  Vec3<double> half_;
  double size_, steepest_ = 0.0;  // half the diagonal of the box; the largest slope of d that is reckoned with
};

/// Points of B on the surface A. A ball touches where the surface is nearest to its centre, at up to nine places; what has corners touches with these, with places of its edges and faces
/// where d is least between their ends; what has rims and curved faces with the places of these where d is least.
ContactPoints implicit_points(const ImplicitSurface& surface, const Pose& A, const Shape& b, const Pose& B, double within);

}  // namespace saltus
