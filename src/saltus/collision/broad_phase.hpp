// Which of many balls overlap: uniform grids by size of the balls.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "saltus/math/vec.hpp"

namespace saltus {

struct BoundingBall {
  Vec3<double> center{};
  double radius = 0.0;  // finite
};

/// Overlapping pairs in about n steps: each ball lies in the cell of its centre, in a grid whose cells are 2 to 4 times as wide as its
/// radius; it is compared with the cells around it in its own grid and in the coarser ones (Eitz, Gu 2007, hierarchical spatial
/// hashing). Keeps its memory.
class BroadPhase {
 public:
  /// Pairs (i, j), i < j, of balls that overlap or touch, ascending. Balls with a centre that is not finite meet none.
  const std::vector<std::pair<int, int>>& pairs(std::span<const BoundingBall> balls);

 private:
  struct Entry { std::int32_t cell[3]; int level; int next; };
  std::size_t slot(const std::int32_t cell[3], int level) const;

  std::vector<Entry> entries_;
  std::vector<int> heads_, levels_;  // first entry of each slot of the hash table; levels that are used, ascending
  std::vector<std::pair<int, int>> pairs_;
};

}  // namespace saltus
