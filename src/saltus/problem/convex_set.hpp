// Projection on a convex set given by formulas.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "saltus/math/formula_derivatives.hpp"
#include "saltus/problem/set.hpp"

namespace saltus {

/// {x: g_i(x) <= 0}, bounded, with a point a inside where all g_i < 0. g_i are smooth near their zeros and convex, or have convex level sets.
class ConvexSet {
 public:
  static constexpr int most_rows = 6, most_constraints = 12;

  /// Null, and what is wrong: no formula, no number, `interior` not inside, unbounded or not convex along and between rays from it.
  static std::shared_ptr<const ConvexSet> of(const Function& g, const std::vector<double>& interior, std::string& wrong);

  int rows() const { return static_cast<int>(inside_.size()); }
  /// The nearest point x of the set to c; derivative: dx/dc, rows x rows, or null. x - c + sum l_i grad g_i = 0, l_i >= 0, g_i <= 0, l_i g_i = 0 by Newton's method
  /// from where the way from a to c leaves the set, else from projections on planes that bound it (Kelley 1960). These conditions are enough for it to be the nearest
  /// (Arrow, Enthoven 1961). False where none was found to fulfil them; x is then the best point.
  bool nearest(const double* c, double* x, double* derivative) const;
  /// What a block of `convex_set` reads: this set, which lives as long as the block does.
  double parameter() const;
  static const ConvexSet& of_parameter(double parameter);

 private:
  struct Point;
  struct Try;
  ConvexSet(std::shared_ptr<const FormulaDerivatives> g, const std::vector<double>& interior) : g_(std::move(g)), inside_(interior) {}
  double largest(const double* x) const;
  Point at(const double* x) const;
  /// How far along a unit vector from a the set goes; infinite where it goes on.
  double reach(const double* along) const;
  std::string unlike_a_set();
  bool by_newton(Try& t) const;
  bool improved(Try& t) const;
  bool by_planes(Try& t) const;
  void derivative_of(const Try& t, double* out) const;

  std::shared_ptr<const FormulaDerivatives> g_;
  std::vector<double> inside_, unit_;  // a; largest slope of each constraint where rays from a end
  double size_ = 1.0;  // largest distance from a to where it ends, as far as was looked
};

/// A ConvexSet times set_scale; at an instant nothing but 0. Parameter: ConvexSet::parameter. As many rows as the set has.
extern const SetType convex_set;

}  // namespace saltus
