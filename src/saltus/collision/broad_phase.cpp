#include "saltus/collision/broad_phase.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace saltus {
namespace {
constexpr double widest = 1e12;  // radius over the smallest one: beyond, a ball meets all others one by one
constexpr double far = 1e9;  // cells from the origin: beyond, all share the outermost
std::int32_t cell_of(double x, double size) { return static_cast<std::int32_t>(std::floor(std::clamp(x / size, -far, far))); }
}  // namespace

std::size_t BroadPhase::slot(const std::int32_t cell[3], int level) const {
  std::uint64_t h = static_cast<std::uint64_t>(level) * 0x9E3779B97F4A7C15u;
  for (int i = 0; i < 3; ++i) h = (h ^ static_cast<std::uint32_t>(cell[i])) * 0xD6E8FEB86659FD93u, h ^= h >> 32;
  return static_cast<std::size_t>(h) & (heads_.size() - 1);
}

const std::vector<std::pair<int, int>>& BroadPhase::pairs(std::span<const BoundingBall> balls) {
  pairs_.clear();
  const std::size_t n = balls.size();
  entries_.resize(n);
  heads_.assign(std::bit_ceil(2 * n + 1), -1);
  levels_.clear();
  double smallest = std::numeric_limits<double>::infinity();
  for (const BoundingBall& b : balls)
    if (b.radius > 0.0) smallest = std::min(smallest, b.radius);
  if (!std::isfinite(smallest)) smallest = 1.0;
  const auto size = [&](int level) { return std::ldexp(2.0 * smallest, level); };  // radius <= size / 2
  const auto finite = [&](const BoundingBall& b) { return std::isfinite(b.center[0]) && std::isfinite(b.center[1]) && std::isfinite(b.center[2]); };
  const auto wide = [&](const BoundingBall& b) { return !(b.radius <= widest * smallest); };
  const auto meet = [&](std::size_t i, std::size_t j) {
    const Vec3<double> d = balls[j].center - balls[i].center;
    const double reach = balls[i].radius + balls[j].radius;
    if (dot(d, d) <= reach * reach) pairs_.emplace_back(static_cast<int>(std::min(i, j)), static_cast<int>(std::max(i, j)));
  };
  for (std::size_t i = 0; i < n; ++i) {
    if (!finite(balls[i]) || !wide(balls[i])) continue;
    for (std::size_t j = 0; j < n; ++j)
      if (j != i && finite(balls[j]) && (j > i || !wide(balls[j]))) meet(i, j);
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (!finite(balls[i]) || wide(balls[i])) continue;
    Entry& e = entries_[i];
    e.level = std::max(0, static_cast<int>(std::ceil(std::log2(std::max(balls[i].radius, smallest) / smallest) - 1e-12)));
    for (int k = 0; k < 3; ++k) e.cell[k] = cell_of(balls[i].center[k], size(e.level));
    int& head = heads_[slot(e.cell, e.level)];
    e.next = head, head = static_cast<int>(i);
    if (std::find(levels_.begin(), levels_.end(), e.level) == levels_.end()) levels_.push_back(e.level);
  }
  std::sort(levels_.begin(), levels_.end());
  for (std::size_t i = 0; i < n; ++i) {
    if (!finite(balls[i]) || wide(balls[i])) continue;
    const Entry& e = entries_[i];
    for (const int level : levels_) {
      if (level < e.level) continue;
      // Balls of this level reach half a cell: those that this one meets have their centre within its radius and that half.
      std::int32_t low[3], high[3], cell[3];
      for (int k = 0; k < 3; ++k) {
        const double reach = balls[i].radius + 0.5 * size(level);
        low[k] = cell_of(balls[i].center[k] - reach, size(level)), high[k] = cell_of(balls[i].center[k] + reach, size(level));
      }
      for (cell[0] = low[0]; cell[0] <= high[0]; ++cell[0])
        for (cell[1] = low[1]; cell[1] <= high[1]; ++cell[1])
          for (cell[2] = low[2]; cell[2] <= high[2]; ++cell[2])
            for (int j = heads_[slot(cell, level)]; j >= 0; j = entries_[j].next) {
              const Entry& other = entries_[j];
              if (other.level != level || !std::equal(cell, cell + 3, other.cell)) continue;  // another cell of the slot
              const int me = static_cast<int>(i);
              if (level == e.level && j <= me) continue;  // met from the other side
              meet(i, j);
            }
    }
  }
  std::sort(pairs_.begin(), pairs_.end());
  return pairs_;
}

}  // namespace saltus
