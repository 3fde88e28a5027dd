// Solids given by a formula, for contact: d(x, y, z) < 0 inside.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "saltus/collision/narrow_phase.hpp"
#include "saltus/math/formula_derivatives.hpp"

namespace saltus {

/// Where d(x, y, z) is negative, in a box of half edges `half` about the origin. d is smooth near its zeros; it need not be a distance.
class ImplicitSurface {
 public:
  /// Null, and what is wrong, where d is no formula, is not a number somewhere in the box, or has one sign in it: looked for on a grid.
  static std::shared_ptr<const ImplicitSurface> of(const Function& d, const Vec3<double>& half, std::string& wrong);

  struct Value {
    double d = 0.0;
    Vec3<double> gradient{};
    Mat3<double> curvature{};  // second derivatives
  };
  Value at(const Vec3<double>& x) const;
  const Vec3<double>& half() const { return half_; }

  /// Where the surface is nearest to p, of what Newton's method finds from x (own axes): x - p + l grad d = 0, d = 0. None where it ends
  /// outside the box, or at a place of the surface that is farther from p than those around it.
  struct Foot {
    Vec3<double> x, n;  // unit normal, outwards
    double gap;         // of p, negative inside
  };
  std::optional<Foot> foot(const Vec3<double>& p, Vec3<double> x) const;

 private:
  ImplicitSurface(std::shared_ptr<const FormulaDerivatives> d, const Vec3<double>& half) : d_(std::move(d)), half_(half), size_(norm(half)) {}
  bool holds(const Vec3<double>& x) const;
  bool onto(Vec3<double>& x) const;

  static constexpr int most_numbers = 10;  // d, 3 slopes, 6 curvatures
  std::shared_ptr<const FormulaDerivatives> d_;
  Vec3<double> half_;
  double size_;
};

/// Points of B, a sphere, capsule, box or hull, on the surface A. A ball touches where the surface is nearest to its centre, at up to nine places; what has
/// corners touches with these, with places of its edges and faces where d is least between their ends.
ContactPoints implicit_points(const ImplicitSurface& surface, const Pose& A, const Shape& b, const Pose& B, double within);

}  // namespace saltus
