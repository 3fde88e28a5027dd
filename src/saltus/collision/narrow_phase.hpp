// Points at which two shapes touch or come near.
#pragma once

#include "saltus/collision/shape.hpp"

namespace saltus {

/// Place of a shape's frame in the world.
struct Pose {
  Vec3<double> p{};
  Mat3<double> R = identity<double>();
};

/// One point of contact: material points on both surfaces, unit normal from A to B, gap along it (negative: they overlap). World axes.
/// The feature tells points of one pair apart from step to step.
struct ContactPoint {
  Vec3<double> on_A, on_B, normal;
  double gap = 0.0;
  int feature = 0;
};

struct ContactPoints {
  static constexpr int most = 16;
  union { ContactPoint point[most]; };  // not set beyond `count`, as setting all takes longer than their use
  int count = 0;

  ContactPoints() {}
  void add(const ContactPoint& p, double within) {
    if (p.gap <= within && count < most) point[count++] = p;
  }
};

/// Whether there is a contact of these two kinds: all but those of two that are a plane, hollow, or an implicit surface.
bool can_touch(ShapeKind a, ShapeKind b);

/// Points of B against A whose gap is at most `within` [m]. A box touches a plane with its corners, a cylinder with the lowest
/// point of a rim and two beside it, or, nearly flat, with eight that it keeps; capsules that lie side by side touch at both ends of their overlap. Sphere centres inside a box or cylinder
/// leave it through the nearest face. Others: convex_points, mesh_points, mesh_on_mesh.
ContactPoints contact_points(const Shape& a, const Pose& A, const Shape& b, const Pose& B, double within);

}  // namespace saltus
