// Friction against the speed, smooth about rest.
#pragma once

#include <cmath>

namespace saltus {

/// s / sqrt(s^2 + s_0^2), s the sliding speed.
template <class S>
S sliding_share(const S& speed, double slip_speed) {
  using std::sqrt;
  return speed / sqrt(speed * speed + slip_speed * slip_speed);
}

}  // namespace saltus
