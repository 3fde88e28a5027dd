// Numbers on the stack that are not set to anything.
#pragma once

#include <cstddef>
#include <type_traits>

namespace saltus {

/// Room for numbers that are written before they are read: none is set to 0.
template <class S, int Size>
class Room {
 public:
  S* data() { return reinterpret_cast<S*>(bytes_); }

 private:
  static_assert(std::is_trivially_destructible_v<S>);
  alignas(S) unsigned char bytes_[sizeof(S) * static_cast<std::size_t>(Size)];
};

}  // namespace saltus
