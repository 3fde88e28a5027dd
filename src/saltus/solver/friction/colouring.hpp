// An order of contacts in which threads can work on them, the same for every number of threads.
#pragma once

#include <span>
#include <vector>

#include "saltus/base/index.hpp"

namespace saltus::friction {

/// Lists of numbers, one after the other.
struct Lists {
  std::vector<int> begin{0}, items;
  std::span<const int> operator[](int i) const {
    const std::size_t k = i;
    return {items.data() + begin[k], static_cast<std::size_t>(begin[k + 1] - begin[k])};
  }
  int count() const { return count_of(begin) - 1; }
  void close() { begin.push_back(count_of(items)); }
};

/// Contacts in chunks of neighbours (about `chunk_size`), chunks in colours: two chunks of a colour have nothing in common, so
/// that they can be swept at once and the sweep is still Gauss and Seidel's. The order goes colour after colour. A contact
/// beside its neighbours keeps the cache; a chunk costs more than handing it over.
struct Colouring {
  std::vector<int> order;   // contact at each place
  std::vector<int> chunk;   // chunk k: places [chunk[k], chunk[k + 1])
  std::vector<int> colour;  // colour k: chunks [colour[k], colour[k + 1])
};

inline constexpr int chunk_size = 32;

/// Contacts that touch a common body are not in two chunks of one colour. `bodies`: of each contact, `body_count` of them.
/// Source: greedy colouring (Welsh, Powell 1967) of chunks grown breadth first.
Colouring coloured(const Lists& bodies, int body_count);

/// Neighbours by a symmetric relation, of each contact.
Colouring coloured(const Lists& neighbours);

}  // namespace saltus::friction
