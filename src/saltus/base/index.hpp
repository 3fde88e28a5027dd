// Places in vectors from the ints that the engine counts with.
#pragma once

#include <cstddef>

namespace saltus {

/// i as a place, for products that may be larger than an int.
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace saltus
