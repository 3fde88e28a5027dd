// A straight span of a rope between two ends, each a point or the groove of a sheave: its length, gradient and curvature in the relative pose of their frames.
#pragma once

#include "saltus/math/rigid_motion.hpp"

namespace saltus {

/// The rope touches a sheave in the circle of its groove, in the plane z = 0 of its frame, where the span, seen along the axis, is tangent to the circle. Aside of
/// the plane the length is not stationary in that place: with n outward, t onward, u along the span, the angle phi of the place moves it by
/// r (1 - u . t), and n . d = 0 decides phi, d from A to B. The multipliers of these conditions, two a span, enter the gradient; in the plane they vanish.
class GrooveSpan {
 public:
  /// A point has radius 0. Positions are best taken near the origin.
  GrooveSpan(const RigidMotion<double>& A, double radius_A, const RigidMotion<double>& B, double radius_B);

  /// False where there is no such place: an end inside a sheave, sheaves inside each other.
  bool found() const { return found_; }
  /// Without what lies on the sheaves.
  double length() const { return l_; }
  /// Of the places, from A's or B's centre, in world axes; 0 for points.
  Vec3<double> arm_A() const { return A_.n * A_.r; }
  Vec3<double> arm_B() const { return B_.n * B_.r; }
  /// Of the places in the sheaves' own axes, -pi to pi; 0 for points.
  double angle_A() const { return angle(A_); }
  double angle_B() const { return angle(B_); }

  /// Of length() + r_A angle_A() - r_B angle_B(), by the tangents of A and B (translation in world axes, rotation in its own): factor times it is added to g.
  void add_gradient(Vec6<double>& g_A, Vec6<double>& g_B, double factor = 1.0) const;
  /// Derivative of add_gradient, added to the 12 x 12 block from K on, whose rows are `stride` apart.
  void add_turning(double* K, int stride, double factor = 1.0) const;
  /// The same of angle_A() alone, or of angle_B().
  enum class Of { A, B };
  void add_angle_gradient(Of end, double factor, Vec6<double>& g_A, Vec6<double>& g_B) const;
  void add_angle_turning(Of end, double factor, double* K, int stride) const;

 private:
  struct End {
    Mat3<double> R;
    double r = 0.0;
    Vec3<double> z{}, n{}, t{};  // axis, outward, onward
    bool groove() const { return r > 0.0; }
    void put(const Vec3<double>& outward) { n = outward, t = cross(z, n); }
  };
  /// Of A and of B. The equations of the multipliers are the transpose of those of the angles.
  struct Pair {
    double a, b;
  };
  static End end(const RigidMotion<double>& frame, double radius);
  static double angle(const End& e);
  static bool start(End& e, const Vec3<double>& along, double sine, bool exact);
  bool solve_places();
  void join();
  Pair angles(double left_A, double left_B) const { return {(left_A * bb_ - ab_ * left_B) / whole_, (aa_ * left_B - ba_ * left_A) / whole_}; }
  template <class S>
  S angle_along(Of end, const Vec<S, 12>& displaced, const Vec<S, 12>& along) const;
  Pair multipliers(double left_A, double left_B) const { return {(left_A * bb_ - ba_ * left_B) / whole_, (aa_ * left_B - ab_ * left_A) / whole_}; }

  End A_, B_;
  Vec3<double> centres_, d_{}, u_{}, pull_{}, on_A_{}, on_B_{};  // on: what the places' directions n feel
  double l_ = 0.0, aa_ = 1.0, ab_ = 0.0, ba_ = 0.0, bb_ = 1.0, whole_ = 1.0;
  Pair mu_{0.0, 0.0};
  bool found_ = false;
};

}  // namespace saltus
