// Two and four numbers at once, read from and written to any place in an array of double.
#pragma once

#include <cstring>

namespace saltus {

using TwoDoubles __attribute__((vector_size(16))) = double;
using FourDoubles __attribute__((vector_size(32))) = double;

// Copies, not pointers to vectors of smaller alignment: gcc and clang each drop that attribute in some place. One unaligned
// instruction either way.
template <class Pack>
inline Pack load(const double* from) {
  Pack pack;
  std::memcpy(&pack, from, sizeof(Pack));
  return pack;
}
template <class Pack>
inline void store(const Pack& pack, double* to) {
  std::memcpy(to, &pack, sizeof(Pack));
}

}  // namespace saltus
