// Bogacki and Shampine's pair 3(2) (Bogacki, Shampine 1989).
#include "saltus/integrate/explicit.hpp"

namespace saltus {

const Scheme& bogacki_shampine() {
  static const auto scheme = explicit_scheme("bogacki_shampine", "Bogacki and Shampine's pair 3(2) with error control, on the Lie group; joints as accelerations.",
                                             {3,
                                              {0.0, 0.5, 0.75},
                                              {{0.5}, {0.0, 0.75}, {2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0}},
                                              {-5.0 / 72.0, 1.0 / 12.0, 1.0 / 9.0, -1.0 / 8.0}});
  return *scheme;
}

}  // namespace saltus
