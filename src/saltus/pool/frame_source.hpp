// A source of frames: a frame as a function of other frames and of coordinates. What markers on it need, beside position and rates.
#pragma once

#include <span>

#include "saltus/base/field.hpp"
#include "saltus/pool/endpoint.hpp"

namespace saltus {

/// All sources of one type (frame_pool.hpp makes them from a pose). A source's columns are those of its port, one after the other: where two
/// ends stand on the same unknowns these come twice.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  virtual int size() const = 0;
  /// Ends of item i, all older than the source's own frame.
  virtual std::span<const Endpoint> endpoints(int item) const = 0;
  virtual void place(int item, FrameUse& use) = 0;
  virtual int columns(const Kinematics& k, int item, int* out) const = 0;

  /// Position, rotation, velocities.
  virtual Frame<double> frame(const Kinematics& k, int item) const = 0;
  /// The same frame's acceleration at vdot = 0.
  virtual Vec6<double> bias(const Kinematics& k, int item) const = 0;
  /// J (6 x n) := Jacobian of the frame.
  virtual void jacobian(const Kinematics& k, int item, double* J) const = 0;
  /// What the type offers to be read beside its frame, and number `which` of it.
  virtual std::span<const ItemQuantity> quantities() const { return {}; }
  virtual Vec3<double> quantity(const Kinematics&, int /*item*/, int /*which*/) const { return {}; }
  /// Passes a wrench on the frame on to the ends.
  virtual void scatter(const Kinematics& k, int item, const Vec6<double>& wrench, const ForceSink& sink) const = 0;
  /// G (rows of n) += d(J^T wrench)/dq at fixed wrench, at a row and column offset.
  virtual void add_geometric(const Kinematics& k, int item, const Vec6<double>& wrench, double* G, int n, int offset) const = 0;
  /// V (rows x n) += map (rows x 6) d(J v)/dq at fixed v, at a column offset; false where it is zero.
  virtual bool add_rate_jacobian(const Kinematics& k, int item, const double* map, int rows, double* V, int n, int offset) const = 0;
};

}  // namespace saltus
