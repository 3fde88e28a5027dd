// The explicit midpoint rule (Runge 1895).
#include "saltus/integrate/explicit.hpp"

namespace saltus {

const Scheme& explicit_midpoint() {
  static const auto scheme = explicit_scheme("explicit_midpoint", "The explicit midpoint rule of order 2, on the Lie group (Runge 1895); joints as accelerations.",
                                             {2, {0.0, 0.5}, {{0.5}, {0.0, 1.0}}});
  return *scheme;
}

}  // namespace saltus
