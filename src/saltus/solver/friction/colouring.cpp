#include "saltus/solver/friction/colouring.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "saltus/base/index.hpp"

namespace saltus::friction {
namespace {

constexpr int most_colours = 64;

/// Chunks by their colours, chunks of a colour and contacts of a chunk in the order in which they were made. What found no
/// colour comes last, every chunk alone.
Colouring sorted(const std::vector<std::vector<int>>& chunks, std::vector<int> colour_of) {
  int colours = 0;
  for (int c : colour_of) colours = std::max(colours, c + 1);
  for (int& c : colour_of)
    if (c < 0) c = colours++;
  std::vector<int> by_colour(chunks.size());
  std::iota(by_colour.begin(), by_colour.end(), 0);
  std::stable_sort(by_colour.begin(), by_colour.end(), [&](int a, int b) { return colour_of[a] < colour_of[b]; });
  Colouring result;
  result.chunk.push_back(0);
  for (int k = 0; k < count_of(by_colour); ++k) {
    const auto& chunk = chunks[by_colour[k]];
    if (k == 0 || colour_of[by_colour[k]] != colour_of[by_colour[k - 1]]) result.colour.push_back(k);
    result.order.insert(result.order.end(), chunk.begin(), chunk.end());
    result.chunk.push_back(count_of(result.order));
  }
  result.colour.push_back(count_of(chunks));
  return result;
}

/// Of the colours that are free the one with the fewest chunks, so that colours are about as long; a new one where none is.
class Palette {
 public:
  int pick(std::uint64_t taken) {
    int best = -1;
    for (int c = 0; c < count_of(used_); ++c)
      if (!(taken >> c & 1) && (best < 0 || used_[c] < used_[best])) best = c;
    if (best < 0 && used_.size() < most_colours) best = count_of(used_), used_.push_back(0);
    if (best >= 0) ++used_[best];
    return best;
  }

 private:
  std::vector<int> used_;
};

/// Chunks grown from the first contact left; `spread(c, take)` offers the contacts beside c that may still be free.
template <class Spread>
std::vector<std::vector<int>> grown(int contacts, const Spread& spread) {
  std::vector<char> taken(contacts, 0);
  std::vector<std::vector<int>> chunks;
  for (int seed = 0; seed < contacts; ++seed) {
    if (taken[seed]) continue;
    auto& chunk = chunks.emplace_back();
    const auto take = [&](int c) {
      const bool room = count_of(chunk) < chunk_size;
      if (room && !taken[c]) taken[c] = 1, chunk.push_back(c);
      return room;
    };
    take(seed);
    for (std::size_t k = 0; k < chunk.size() && count_of(chunk) < chunk_size; ++k) spread(chunk[k], taken, take);
  }
  return chunks;
}

}  // namespace

Colouring coloured(const Lists& bodies, int body_count) {
  const int contacts = bodies.count();
  Lists on;  // contacts of each body
  on.begin.assign(static_cast<std::size_t>(body_count) + 1, 0);
  for (int body : bodies.items) ++on.begin[body + 1];
  std::partial_sum(on.begin.begin(), on.begin.end(), on.begin.begin());
  on.items.resize(bodies.items.size());
  std::vector<int> next(on.begin.begin(), on.begin.end() - 1);
  for (int c = 0; c < contacts; ++c)
    for (int body : bodies[c]) on.items[next[body]++] = c;
  // What is taken at the front of a body's list is never looked at again: linear also where one body carries all.
  next.assign(on.begin.begin(), on.begin.end() - 1);
  const auto chunks = grown(contacts, [&](int c, const std::vector<char>& taken, const auto& take) {
    for (int body : bodies[c]) {
      int& first = next[body];
      const int end = on.begin[body + 1];
      while (first < end && taken[on.items[first]]) ++first;
      for (int k = first; k < end && take(on.items[k]); ++k) {}
    }
  });
  Palette palette;
  std::vector<std::uint64_t> mask(body_count, 0);
  std::vector<int> colour(chunks.size());
  for (std::size_t k = 0; k < chunks.size(); ++k) {
    std::uint64_t taken = 0;
    for (int c : chunks[k])
      for (int body : bodies[c]) taken |= mask[body];
    colour[k] = palette.pick(taken);
    if (colour[k] < 0) continue;
    for (int c : chunks[k])
      for (int body : bodies[c]) mask[body] |= std::uint64_t{1} << colour[k];
  }
  return sorted(chunks, std::move(colour));
}

Colouring coloured(const Lists& neighbours) {
  const int contacts = neighbours.count();
  const auto chunks = grown(contacts, [&](int c, const std::vector<char>&, const auto& take) {
    for (int d : neighbours[c])
      if (!take(d)) break;
  });
  Palette palette;
  std::vector<int> colour(chunks.size()), chunk_of(contacts, -1);
  for (int k = 0; k < count_of(chunks); ++k) {
    std::uint64_t taken = 0;
    for (int c : chunks[k])
      for (int d : neighbours[c])
        if (const int j = chunk_of[d]; j >= 0 && colour[j] >= 0) taken |= std::uint64_t{1} << colour[j];
    colour[k] = palette.pick(taken);
    for (int c : chunks[k]) chunk_of[c] = k;
  }
  return sorted(chunks, std::move(colour));
}

}  // namespace saltus::friction
