// Numbers on the stack: not set to anything; or of a number known at run time.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

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

namespace detail {
/// Numbers on the stack, 0 at first; on the heap only where an item is larger than usual.
template <class T, int small = 32>
class Buffer {
 public:
  explicit Buffer(int size) : size_(size), large_(size > small ? static_cast<std::size_t>(size) : 0), data_(size > small ? large_.data() : small_.data()) {
    if (size <= small) std::uninitialized_value_construct_n(data_, size);
  }
  Buffer(Buffer&& other) noexcept : size_(other.size_), large_(std::move(other.large_)), data_(size_ > small ? large_.data() : small_.data()) {
    if (size_ <= small) std::uninitialized_copy_n(other.data_, size_, data_);
  }
  Buffer& operator=(const Buffer&) = delete;
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](int i) { return data_[i]; }
  const T& operator[](int i) const { return data_[i]; }
  int size() const { return size_; }

 private:
  int size_;
  Room<T, small> small_;
  std::vector<T> large_;
  T* data_;
};
}  // namespace detail

}  // namespace saltus
