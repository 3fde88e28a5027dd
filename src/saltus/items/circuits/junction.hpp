// Characteristic of a pn junction, as a curve that Newton's method follows from anywhere.
#pragma once

#include <algorithm>
#include <cmath>

namespace saltus {

/// i = I_S (exp(v / V_T) - 1) (Shockley 1949) by a parameter s: v = s up to the voltage of largest curvature at 1 Ohm, V_T ln(V_T / (sqrt(2) I_S))
/// (Nagel 1975), and i a line in s beyond it, so that neither grows as an exponential does.
struct Junction {
  double saturation, thermal, bend, current_there;  // I_S, V_T, s and I_S exp(s / V_T) at the bend

  Junction(double saturation_current, double thermal_voltage)
      : saturation(saturation_current), thermal(thermal_voltage),
        bend(thermal * std::max(0.0, std::log(thermal / (std::sqrt(2.0) * saturation)))), current_there(saturation * std::exp(bend / thermal)) {}

  template <class S>
  S voltage(const S& s) const {
    using std::log;
    return val(s) <= bend ? s : bend + thermal * log(1.0 + (s - bend) * (1.0 / thermal));
  }
  template <class S>
  S current(const S& s) const {
    using std::exp;
    return val(s) <= bend ? saturation * (exp(s * (1.0 / thermal)) - 1.0) : current_there * (1.0 + (s - bend) * (1.0 / thermal)) - saturation;
  }
};

}  // namespace saltus
