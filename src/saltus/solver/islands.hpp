// Parts of a problem that do not know of each other.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "saltus/base/index.hpp"
#include "saltus/problem/problem.hpp"

namespace saltus {

/// Connected components of the graph whose nodes are blocks and velocities, joined by the entries of M, G, H and D that are
/// not zero. Order: by their first block; velocities that no block touches come last: parts above `small_part`, then the others together.
/// Keeps its memory.
class Islands {
 public:
  /// Velocities of a part without blocks up to which it is one of many that are solved at once.
  static constexpr int small_part = 12;
  /// Returns the number of islands.
  int find(const Problem& problem);
  int count() const { return count_; }
  /// Island `k` as a problem of its own: rows, velocities and blocks in the order of the whole, entries with equal bits.
  /// Its blocks point to the parameters of the whole.
  void extract(const Problem& problem, int k, Problem& island) const;
  /// The island of all small parts without blocks, the last one; -1: there is none.
  int free() const { return free_parts() > 0 ? count_ - 1 : -1; }
  /// Its parts, which M does not join, and the velocities of each, rising.
  int free_parts() const { return std::max(count_of(free_start_) - 1, 0); }
  std::span<const int> free_part(int part) const { return this->part(free_velocities_, free_start_, part); }
  /// Rows and velocities of island `k`, rising.
  std::span<const int> rows(int k) const { return part(rows_, row_start_, k); }
  std::span<const int> velocities(int k) const { return part(velocities_, velocity_start_, k); }

 private:
  static std::span<const int> part(const std::vector<int>& all, const std::vector<int>& start, int k) {
    const std::size_t begin = start[k];
    return {all.data() + begin, static_cast<std::size_t>(start[k + 1]) - begin};
  }
  int root(int node);
  void join(int a, int b);
  void label_idle(int blocks, int n);
  void sort_free(int blocks);
  void sort_into(std::span<const int> island_of, std::vector<int>& members, std::vector<int>& start, std::vector<int>& place);

  int count_ = 0, parts_ = 0;                         // islands; trees of `parent_` while they are joined
  std::vector<int> parent_, label_;                   // of nodes: blocks, then velocities
  std::vector<int> row_block_, row_island_, velocity_island_;
  std::vector<int> rows_, row_start_, row_place_;     // members of each island; place of a row in its island
  std::vector<int> velocities_, velocity_start_, velocity_place_;
  std::vector<int> free_velocities_, free_start_;     // of small parts without blocks
};

}  // namespace saltus
