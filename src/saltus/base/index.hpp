// Between vectors and the ints that the engine counts with.
#pragma once

#include <cstddef>

#include "saltus/base/index.hpp"

namespace saltus {

/// i as a place, for products that may be larger than an int.
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

/// How many elements there are.
template <class List>
constexpr int count_of(const List& list) { return static_cast<int>(list.size()); }

}  // namespace saltus
