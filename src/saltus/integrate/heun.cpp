// The explicit trapezoidal rule (Heun 1900).
#include "saltus/integrate/explicit.hpp"

namespace saltus {

const Scheme& heun() {
  static const auto scheme = explicit_scheme("heun", "The explicit trapezoidal rule of order 2, on the Lie group (Heun 1900); joints as accelerations.",
                                             {2, {0.0, 1.0}, {{1.0}, {0.5, 0.5}}});
  return *scheme;
}

}  // namespace saltus
