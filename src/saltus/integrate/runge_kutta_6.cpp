// Butcher's scheme of order 6 with seven stages (Butcher 1964).
#include "saltus/integrate/explicit.hpp"

namespace saltus {

const Scheme& runge_kutta_6() {
  static const auto scheme = explicit_scheme("runge_kutta_6", "Butcher's scheme of order 6 with seven stages, on the Lie group (Butcher 1964); joints as accelerations.",
                                             {6,
                                              {0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0, 0.5, 0.5, 1.0},
                                              {{1.0 / 3.0},
                                               {0.0, 2.0 / 3.0},
                                               {1.0 / 12.0, 1.0 / 3.0, -1.0 / 12.0},
                                               {-1.0 / 16.0, 9.0 / 8.0, -3.0 / 16.0, -3.0 / 8.0},
                                               {0.0, 9.0 / 8.0, -3.0 / 8.0, -3.0 / 4.0, 0.5},
                                               {9.0 / 44.0, -9.0 / 11.0, 63.0 / 44.0, 18.0 / 11.0, 0.0, -16.0 / 11.0},
                                               {11.0 / 120.0, 0.0, 27.0 / 40.0, 27.0 / 40.0, -4.0 / 15.0, -4.0 / 15.0, 11.0 / 120.0}}});
  return *scheme;
}

}  // namespace saltus
