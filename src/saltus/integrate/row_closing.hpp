// Joints closed at one configuration by reactions along their directions at another, as schemes that hold positions or velocities do.
#pragma once

#include <vector>

#include "saltus/integrate/accelerations_mass.hpp"

namespace saltus {

class RowClosing {
 public:
  explicit RowClosing(const System& system, int threads = 1);

  /// Rows that joints hold by position; rows with a velocity level.
  bool has_position_rows() const { return position_rows_; }
  bool has_velocity_rows() const { return mass_.rows() > 0; }
  /// Reactions act along the rows at this configuration from now on.
  [[nodiscard]] LinearOutcome hold(double t, const double* y, const double* data);
  /// Changes rates [v | x] by reactions, so that rows held by position close at t1 behind the way h v from q0. `y` becomes that position.
  /// Newton's iteration with the matrix of hold(), whose rate of convergence is the turn of the rows within h.
  [[nodiscard]] LinearOutcome close_positions(double t1, const double* q0, double h, const double* data, double* rates, double* y);
  /// Changes rates [v | x], of which `share` counts in the velocity at `y`, so that this moves within the rows there.
  [[nodiscard]] LinearOutcome close_velocities(double t1, double share, const double* data, double* rates, double* y);

 private:
  double open(bool velocity, double t, const double* y, const double* data);

  const System& system_;
  Assembly at_, assembly_;  // where reactions act; where rows are closed
  MassMatrix mass_;
  std::vector<RowForm> form_;
  std::vector<double> scale_, target_, values_, h_t_, change_, multiplier_, none_, tangent_;
  bool position_rows_ = false;
};

}  // namespace saltus
