// Drift: positions back onto joints and closed contacts.
#pragma once

#include "saltus/integrate/moreau_statuses.hpp"
#include "saltus/math/sparse_solver.hpp"

namespace saltus {

class PositionProjection {
 public:
  PositionProjection(MoreauModel& model, const RowStatuses& statuses);

  /// Largest |y| of joints and of contacts that rest, at the configuration y.
  double violation(double t, const double* y, const double* data, bool joints_only);
  /// Smallest displacement (in M, or in the `metric`, slots of the system's pattern) that closes the joints and puts contacts that rest on their surface: M dq = H^T l,
  /// H dq = -y (Eich 1993). The violation that is left.
  double project(double t, double* y, const double* data, bool joints_only, const std::vector<double>* metric = nullptr);
  /// Of all rows at the last configuration.
  const std::vector<double>& values() const { return values_; }

 private:
  void fill(bool joints_only);

  const MoreauPlan& plan_;
  const System& system_;
  MoreauModel& model_;
  const RowStatuses& statuses_;
  SparseSolver solver_;
  std::vector<double> values_, mass_, saddle_, rhs_, x_;
};

}  // namespace saltus
