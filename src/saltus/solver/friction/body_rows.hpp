// Products with the 3 x 6 block of one body in one contact, in vector registers.
#pragma once

#include "saltus/math/packs.hpp"
#include "saltus/solver/friction/cone.hpp"

namespace saltus::friction {

/// Sum of J v over the bodies of a contact, J 3 x 6 row-major.
class RowSums {
 public:
  void add(const double* J, const double* v) {
    const auto v4 = load<FourDoubles>(v);
    const auto v2 = load<TwoDoubles>(v + 4);
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
      four_[i] += load<FourDoubles>(J + 6 * i) * v4;
      two_[i] += load<TwoDoubles>(J + 6 * i + 4) * v2;
    }
  }
  double operator[](int i) const {
    const TwoDoubles low = {four_[i][0], four_[i][1]}, high = {four_[i][2], four_[i][3]};
    const TwoDoubles sum = low + high + two_[i];
    return sum[0] + sum[1];
  }

 private:
  FourDoubles four_[3] = {};
  TwoDoubles two_[3] = {};
};

/// v += J^T x.
inline void add_transposed(const double* J, const double* x, double* v) {
  auto v4 = load<FourDoubles>(v);
  auto v2 = load<TwoDoubles>(v + 4);
#pragma GCC unroll 3
  for (int i = 0; i < 3; ++i) {
    v4 += load<FourDoubles>(J + 6 * i) * x[i];
    v2 += load<TwoDoubles>(J + 6 * i + 4) * x[i];
  }
  store(v4, v);
  store(v2, v + 4);
}

}  // namespace saltus::friction
