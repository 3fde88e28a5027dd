// Friction as schemes that follow slip need it: which multiplier acts against which motion while an arm of a cone slips.
#pragma once

#include "saltus/problem/sets.hpp"

namespace saltus {

/// An arm of a cone over r_n: |(r_i / friction_i)| <= r_n + base of some rows. What slips has the multipliers -friction_i d_i share (r_n + base) along the unit
/// vector d of friction_i u_i; its speed is |(friction_i u_i)| over the first friction.
struct SlipArm {
  static constexpr int most_rows = 3;
  int row[most_rows] = {}, count = 0;
  double friction[most_rows] = {};  // at rest
  double base = 0.0;                // a force: friction without pressure is that of so much
  double (*of_speed)(const double* parameters, double speed) = nullptr;  // the first friction while it slips; null: as at rest
  const double* parameters = nullptr;

  bool acts() const { return friction[0] > 0.0; }
  double weight(int k) const { return friction[k] / friction[0]; }
  double share(double speed) const { return of_speed ? of_speed(parameters, speed) / friction[0] : 1.0; }
};

/// Arms of a cone, at most FrictionArm::most, their number; 0: it has none.
int slip_arms(const SetType& set, const double* parameters, SlipArm* arms);
/// The cone of `count` arms at rest, rows in their order behind the first; its parameters into a buffer of FrictionArm::most. No arm: the half-line.
const SetType& cone_of_arms(const SlipArm* arms, int count, double* parameters);

/// (r_n, r_1, r_2, r_3): |(r_i / m_i)| <= r_n. Parameters: m_1, m_2, m_3.
extern const SetType elliptic_3_set;

}  // namespace saltus
