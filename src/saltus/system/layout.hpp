// Sizes and offsets of the coordinates: y = [q | v | x | z | 0], unknowns = [v | x | z | trash].
#pragma once

#include <vector>

#include "saltus/pool/kinematics.hpp"

namespace saltus {

struct Layout {
  int nq = 0, nv = 0, nx = 0, nz = 0, nd = 0, rows = 0;

  int y_size() const { return nq + nv + nx + nz + 1; }  // the last entry is ground: always 0
  int unknowns() const { return nv + nx + nz; }
  int v_begin() const { return nq; }
  int x_begin() const { return nq + nv; }
  int z_begin() const { return nq + nv + nx; }
  int ground_value() const { return nq + nv + nx + nz; }
  int trash() const { return unknowns(); }
};

/// A unit quaternion in q (4 entries) turned by the body rates in v (3 entries).
struct RotationBlock {
  int q = 0;
  int v = 0;
};

/// The kinematic map: configuration entries that follow one rate each, and quaternions.
struct KinematicMap {
  std::vector<int> q_of_v;  // q index of velocity i, -1 where a rotation block covers it
  std::vector<RotationBlock> rotations;

  /// q <- q (+) tangent, tangent of length nv: addition, and q exp(rotation vector) for quaternions.
  void retract(double* q, const double* tangent) const;
  /// q <- q0 (+) tangent.
  void retract(const double* q0, const double* tangent, int nq, double* q) const;
  /// Rate of the tangent theta in q = q0 (+) theta: v itself, and the inverse right tangent for rotations.
  void tangent_rate(const double* theta, const double* v, double* rate) const;
  /// theta in q = q0 (+) theta.
  void difference(const double* q0, const double* q, double* theta) const;
  /// Scales quaternions back to unit length (round-off only).
  void normalize(double* q) const;
};

}  // namespace saltus
