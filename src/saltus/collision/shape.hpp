// Shapes of bodies for contact, each about its own frame.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "saltus/collision/hull.hpp"

namespace saltus {

struct TriangleMesh;
class ImplicitSurface;

enum class ShapeKind : int { plane, sphere, capsule, cylinder, box, cone, ellipsoid, hull, mesh, hollow_sphere, hollow_cylinder, implicit_surface };

/// A plane is the half-space z <= 0; a box has half edges `half`, an ellipsoid half axes; a cylinder and the segment of a capsule lie along z,
/// half[2] is half their length. A cone has its base at z = -half[0], its tip at z = half[2]. What is hollow is solid
/// outside of its radius; a hollow cylinder lies along z, without end. An implicit surface is in a box of half edges `half`. All lengths in m.
struct Shape {
  ShapeKind kind = ShapeKind::sphere;
  double radius = 0.0;
  Vec3<double> half{};
  std::shared_ptr<const Hull> hull = {};
  std::shared_ptr<const TriangleMesh> mesh = {};
  std::shared_ptr<const ImplicitSurface> implicit = {};

  /// Has no other side and no ball that holds it.
  bool endless() const { return kind == ShapeKind::plane || hollow(); }
  /// A surface, one side of which is free.
  bool surface() const { return kind == ShapeKind::mesh || kind == ShapeKind::implicit_surface; }
  bool hollow() const { return kind == ShapeKind::hollow_sphere || kind == ShapeKind::hollow_cylinder; }
  /// Radius of a ball about the origin that holds the shape.
  double bound() const {
    switch (kind) {
      case ShapeKind::plane:
      case ShapeKind::hollow_sphere:
      case ShapeKind::hollow_cylinder: return std::numeric_limits<double>::infinity();
      case ShapeKind::sphere: return radius;
      case ShapeKind::capsule: return radius + half[2];
      case ShapeKind::cylinder: return std::hypot(radius, half[2]);
      case ShapeKind::box:
      case ShapeKind::implicit_surface: return norm(half);
      case ShapeKind::cone: return std::max(half[2], std::hypot(radius, half[0]));
      case ShapeKind::ellipsoid: return std::max({half[0], half[1], half[2]});
      case ShapeKind::hull: return hull->bound;
      case ShapeKind::mesh: return mesh_bound();
    }
    return 0.0;
  }

  /// Radius of a ball that the shape holds: of a hull, whose frame may be anywhere, about the mean of its corners; else inner().
  double thickness() const { return kind == ShapeKind::hull ? hull->thickness : inner(); }
  /// Radius of a ball about the origin that the shape holds.
  double inner() const {
    switch (kind) {
      case ShapeKind::plane:
      case ShapeKind::hollow_sphere:
      case ShapeKind::hollow_cylinder: return std::numeric_limits<double>::infinity();
      case ShapeKind::sphere:
      case ShapeKind::capsule: return radius;
      case ShapeKind::cylinder: return std::min(radius, half[2]);
      case ShapeKind::box:
      case ShapeKind::ellipsoid: return std::min({half[0], half[1], half[2]});
      case ShapeKind::cone: return std::min(half[0], half[2] * radius / std::hypot(radius, half[0] + half[2]));
      case ShapeKind::hull: return hull->inner;
      case ShapeKind::mesh:
      case ShapeKind::implicit_surface: return 0.0;
    }
    return 0.0;
  }

 private:
  double mesh_bound() const;
};

}  // namespace saltus
