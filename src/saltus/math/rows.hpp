// Rows of a few numbers, added in vector registers: the compiler's cost model leaves loops of six alone.
#pragma once

#include <type_traits>

#include "saltus/math/packs.hpp"

namespace saltus {

/// out[c] += factor x[c], c < N.
template <int N>
inline void add_row(double factor, const double* x, double* out) {
  int c = 0;
  for (; c + 4 <= N; c += 4) store(load<FourDoubles>(out + c) + factor * load<FourDoubles>(x + c), out + c);
  for (; c + 2 <= N; c += 2) store(load<TwoDoubles>(out + c) + factor * load<TwoDoubles>(x + c), out + c);
  for (; c < N; ++c) out[c] += factor * x[c];
}
/// The same for a number of entries that the compiler may know (std::integral_constant) or not.
template <class Count>
inline void add_row(double factor, const double* x, Count columns, double* out) {
  if constexpr (std::is_same_v<Count, int>) {
    for (int c = 0; c < columns; ++c) out[c] += factor * x[c];
  } else {
    add_row<Count::value>(factor, x, out);
  }
}

/// body(columns) with the number of columns known to the compiler where it is that of one or two rigid bodies.
template <class F>
void with_columns(int columns, F body) {
  if (columns == 6) body(std::integral_constant<int, 6>{});
  else if (columns == 12) body(std::integral_constant<int, 12>{});
  else body(columns);
}

}  // namespace saltus
