// Kutta's scheme of order 3 (Kutta 1901).
#include "saltus/integrate/explicit.hpp"

namespace saltus {

const Scheme& runge_kutta_3() {
  static const auto scheme = explicit_scheme("runge_kutta_3", "Kutta's scheme of order 3, on the Lie group (Kutta 1901); joints as accelerations.",
                                             {3, {0.0, 0.5, 1.0}, {{0.5}, {-1.0, 2.0}, {1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0}}});
  return *scheme;
}

}  // namespace saltus
