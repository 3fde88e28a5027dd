// Pattern of a lattice of points, of tests and measurements of factorizations.
#pragma once

#include <utility>

#include "saltus/math/csr.hpp"

namespace saltus {

/// Neighbours on a cube of side^3 points, with or without the points themselves.
inline CsrPattern lattice_pattern(int side, bool diagonal = false) {
  CsrBuilder builder(side * side * side, side * side * side);
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      for (int k = 0; k < side; ++k) {
        const int here = (i * side + j) * side + k;
        if (diagonal) builder.add_entry(here, here);
        for (const auto& [near, inside] : {std::pair{here + 1, k + 1 < side}, {here + side, j + 1 < side}, {here + side * side, i + 1 < side}})
          if (inside) builder.add_entry(here, near), builder.add_entry(near, here);
      }
  return builder.build().pattern;
}

}  // namespace saltus
