// Euler's explicit scheme (Euler 1768).
#include "saltus/integrate/explicit.hpp"

namespace saltus {

const Scheme& explicit_euler() {
  static const auto scheme = explicit_scheme("explicit_euler", "Euler's explicit scheme of order 1, on the Lie group; joints as accelerations.",
                                             {1, {0.0}, {{1.0}}});
  return *scheme;
}

}  // namespace saltus
