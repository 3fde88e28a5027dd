// Shapes of bodies for contact, each about its own frame.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "saltus/math/vec.hpp"

namespace saltus {

enum class ShapeKind : int { plane, sphere, capsule, cylinder, box };

/// A plane is the half-space z <= 0; a box has half edges `half`; a cylinder and the segment of a capsule lie along z, half[2] is half
/// their length. All lengths in m.
struct Shape {
  ShapeKind kind = ShapeKind::sphere;
  double radius = 0.0;
  Vec3<double> half{};

  /// Radius of a ball about the origin that holds the shape.
  double bound() const {
    switch (kind) {
      case ShapeKind::plane: return std::numeric_limits<double>::infinity();
      case ShapeKind::sphere: return radius;
      case ShapeKind::capsule: return radius + half[2];
      case ShapeKind::cylinder: return std::hypot(radius, half[2]);
      case ShapeKind::box: return norm(half);
    }
    return 0.0;
  }

  /// Radius of a ball about the origin that the shape holds.
  double inner() const {
    switch (kind) {
      case ShapeKind::plane: return std::numeric_limits<double>::infinity();
      case ShapeKind::sphere:
      case ShapeKind::capsule: return radius;
      case ShapeKind::cylinder: return std::min(radius, half[2]);
      case ShapeKind::box: return std::min({half[0], half[1], half[2]});
    }
    return 0.0;
  }
};

}  // namespace saltus
