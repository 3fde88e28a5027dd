// The taut rope: the shortest way through points and around sheaves, cylinders and spheres, without friction. Its length, gradient and curvature.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/math/rigid_motion.hpp"

namespace saltus {

/// What a rope runs through. The frame of a point is its place, of the others the centre; of sheaves and cylinders z is the axis, about which the rope
/// winds by the right hand. On a sheave it stays whatever happens, in the groove in the plane z = 0, with a wrap from -90 to 270 degrees and `turns` whole
/// turns besides; from cylinders, with up to half a turn, and from spheres it may lift off.
enum class RopeOver { point, sheave, cylinder, sphere };
struct RopeElement {
  RopeOver kind = RopeOver::point;
  double radius = 0.0;
  int turns = 0;
};

/// Between two points. Straight spans are tangent to what they leave and meet. Points part the rope into sections:
/// - Of points and sheaves alone the length is a sum over spans, each of the relative pose of two frames (groove_span.hpp).
/// - With cylinders or spheres: on a cylinder the rope is a helix of the same pitch as its spans, on a sphere an arc of a great circle (geodesics). Each place of
///   tangency depends on the neighbours alone; where wraps follow each other they are solved by Newton's method from the common tangents of
///   parallel axes. Gradient and curvature take the motion of these places into account (adjoint, implicit function theorem).
class TautPath {
 public:
  using Frames = std::span<const RigidMotion<double>>;
  static constexpr int most = 32;  // elements

  explicit TautPath(std::vector<RopeElement> elements);
  /// What is measured: the length, and over a sheave whose neighbours in its section are points and sheaves
  /// - the slip: what the rope passes over a sheave towards its last end, against the surface of the sheave, known up to whole turns of it,
  /// - the wrap: the angle by which it lies on the sheave.
  enum class Measure { length, slip, wrap };
  /// The same way; false in `measures` where the element is no such sheave.
  TautPath over(Measure measure, int element) const;
  bool measures() const { return measures_; }
  Measure measure() const { return measure_; }
  /// Of a slip: what a radian of the sheave is in it [m].
  double lever() const { return measure_ == Measure::slip ? elements_[element_].radius : 1.0; }
  int size() const { return count_of(elements_); }

  /// Of the measure. Not a number where an end is inside a wrap, or wraps inside each other.
  double length(Frames at) const;
  /// g: one entry a frame, by its tangent (translation in world axes, rotation in its own). Returns the measure.
  double gradient(Frames at, Vec6<double>* g) const;
  /// K (6 n x 6 n): derivative of the gradient's entries by the tangents.
  void turning(Frames at, double* K) const;
  /// The rope as a line: corners with the element that each is on, arcs in steps of a few degrees. Empty where there is no way.
  struct Corner {
    int element;
    Vec3<double> p;
  };
  std::vector<Corner> line(Frames at) const;
  /// What is wrong with it in this position, and for which element; empty if nothing is.
  struct Wrong {
    int element = -1;
    std::string message, remedy;
  };
  Wrong wrong(Frames at) const;

 private:
  /// From a point to the next one.
  struct Section {
    int first, last;
    bool wraps;
  };
  template <class F>
  void each_section(Frames at, const F& f) const;
  template <class G>
  double value_of(const Section& s, const G& grooves, std::span<const RopeElement> elements) const;
  /// What the span from an element to the next counts in the measure: one marks the rope on the sheave, whose two spans go with opposite signs.
  double share(int element) const { return measure_ == Measure::length ? 1.0 : measure_ == Measure::wrap ? 0.0 : element < element_ ? -0.5 : 0.5; }

  std::vector<RopeElement> elements_;
  std::vector<Section> sections_;
  Measure measure_ = Measure::length;
  int element_ = -1;
  bool measures_ = true;
};

}  // namespace saltus
