// What a kernel may see: frames (position, rotation, velocities) and coordinates. Never global vectors.
#pragma once

#include <span>

#include "saltus/math/dual.hpp"
#include "saltus/math/rotation.hpp"
#include "saltus/math/vec.hpp"

namespace saltus {

/// A frame M that moves: p_WM and v_WM in world axes, R_WM, angular velocity w in the axes of M.
/// Tangent (6): translation in world axes, rotation in the axes of M (R <- R exp(rotation)).
template <class S>
struct Frame {
  Vec3<S> p;
  Mat3<S> R = identity<S>();
  Vec3<S> v;
  Vec3<S> w;
};

/// Which equation a coordinate belongs to. `none` is ground: value 0, never a column.
enum class CoordinateKind : int { ode2 = 0, ode1 = 1, algebraic = 2, none = 3 };

/// Where a scalar coordinate lives: value and rate in Kinematics::y. Of a node: unknown in [v | x | z | trash]. Of a joint
/// (joint_coordinates.hpp), which is a function of two frames: kind ode2, and no unknown of its own.
struct CoordinateRef {
  int value = -1;
  int rate = -1;
  int dof = -1;
  CoordinateKind kind = CoordinateKind::none;

  static CoordinateRef of_joint(int number) { return {-1, -1, -2 - number, CoordinateKind::ode2}; }  // where it stands is known at the end
  bool is_of_joint() const { return dof < -1; }
  int joint() const { return -2 - dof; }  // its number among the joint coordinates
};
class JointCoordinates;
class FrameSource;

/// What a frame stands on that is not a node: item of a pool of sources (frame_source.hpp). Null: a node, or the world.
struct SourceRef {
  const FrameSource* pool = nullptr;
  int item = 0;
};

/// d(value)/d(xi) and d(rate)/d(xi) of the unknown xi that a scheme iterates on, by kind of coordinate.
/// ODE2: (dq/dxi, dv/dxi); ODE1: (dx/dxi, -); algebraic: (1, -).
struct Seeds {
  double value[4] = {1.0, 1.0, 1.0, 0.0};
  double rate[4] = {0.0, 0.0, 0.0, 0.0};
};

/// The evaluated motion that all pools read: one configuration, one time.
struct Kinematics {
  double t = 0.0;
  Vec3<double> gravity{};
  const double* y = nullptr;       // [q | v | x | z | 0 | value and rate of each joint coordinate]
  const double* lambda = nullptr;  // multipliers, by relation row
  const double* data = nullptr;    // history variables d
  const double* history = nullptr; // what items remember of an earlier accepted state, null: nothing yet (pool/history.hpp)
  double since = 0.0;              // time from that state to t
  // Frame markers; marker 0 is the ground.
  const Frame<double>* frames = nullptr;
  const Vec6<double>* bias = nullptr;        // acceleration of the frame at vdot = 0 (p in W, rotation in M)
  const int* column_begin = nullptr;         // columns of marker m: [column_begin[m], column_begin[m + 1])
  const int* columns = nullptr;              // unknowns
  const double* jacobian = nullptr;          // 6 x n row-major per marker, at 6 * column_begin[m]
  const Vec3<double>* arm = nullptr;           // p_NM in the axes of the base frame N: of a node or of a source
  const int* base = nullptr;                   // the marker that is the frame N itself, -1: fixed in the world
  const std::span<const int>* moves = nullptr; // of N, by marker: NodePool::moves(), empty of a source
  const SourceRef* source = nullptr;           // of N, by marker
  const JointCoordinates* joints = nullptr;
  const Vec6<double>* joint_gradient = nullptr;  // of each joint coordinate, by the tangent of its pair of frames
  const double* joint_bias = nullptr;            // its second derivative at vdot = 0
};

/// Where forces are summed: wrenches by marker (force in W, torque in M), generalized forces by unknown. With `points` the
/// force at a point that lies in y goes straight to its unknowns, else to the wrench of its marker.
struct ForceSink {
  Vec6<double>* wrench = nullptr;
  double* force = nullptr;
  bool points = false;
};

}  // namespace saltus
