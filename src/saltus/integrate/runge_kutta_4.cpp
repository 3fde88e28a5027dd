// The classical scheme of order 4 (Kutta 1901).
#include "saltus/integrate/explicit.hpp"

namespace saltus {

const Scheme& runge_kutta_4() {
  static const auto scheme = explicit_scheme("runge_kutta_4", "The classical scheme of order 4, on the Lie group (Kutta 1901; Munthe-Kaas 1999); joints as accelerations.",
                                             {4, {0.0, 0.5, 0.5, 1.0}, {{0.5}, {0.0, 0.5}, {0.0, 0.0, 1.0}, {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0}}});
  return *scheme;
}

}  // namespace saltus
