// Two and four numbers at once, read from and written to any place in an array of double.
#pragma once

namespace saltus {

// The attributes stand behind the name: within the type, clang keeps the natural alignment of the vector.
using TwoDoubles __attribute__((vector_size(16), aligned(8), may_alias)) = double;
using FourDoubles __attribute__((vector_size(32), aligned(8), may_alias)) = double;
static_assert(alignof(TwoDoubles) == alignof(double) && alignof(FourDoubles) == alignof(double));

}  // namespace saltus
