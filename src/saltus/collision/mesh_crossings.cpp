#include "saltus/collision/mesh_crossings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace saltus {
namespace {
using V = Vec3<double>;
constexpr double deep_of_size = 1e-6;
constexpr int leaf = 4;
constexpr long most_pairs = 2'000'000;  // a fan of 10,000 needles has more
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Box {
  V low{{infinity, infinity, infinity}}, high{{-infinity, -infinity, -infinity}};
  void add(const V& x) {
    for (int k = 0; k < 3; ++k) low[k] = std::min(low[k], x[k]), high[k] = std::max(high[k], x[k]);
  }
  bool meets(const Box& b) const {
    for (int k = 0; k < 3; ++k)
      if (low[k] > b.high[k] || b.low[k] > high[k]) return false;
    return true;
  }
  int longest() const {
    const V d = high - low;
    return d[0] >= d[1] && d[0] >= d[2] ? 0 : d[1] >= d[2] ? 1 : 2;
  }
};

class Search {
 public:
  Search(std::span<const V> points, std::span<const int> corners) : points_(points), corners_(corners), order_(corners.size() / 3), boxes_(order_.size()) {
    Box all;
    for (std::size_t t = 0; t < boxes_.size(); ++t)
      for (int i = 0; i < 3; ++i) boxes_[t].add(at(static_cast<int>(t), i)), all.add(at(static_cast<int>(t), i));
    const V d = all.high - all.low;
    deep_ = deep_of_size * std::max({d[0], d[1], d[2]});
    std::iota(order_.begin(), order_.end(), 0);
    if (!order_.empty()) build(0, static_cast<int>(order_.size())), pairs(0, 0);
    std::ranges::sort(found_, {}, [](const Crossing& c) { return std::pair{c.a, c.b}; });
  }
  std::vector<Crossing> found() && { return std::move(found_); }

 private:
  struct Node { Box box; int begin, count, right; };  // right -1: a leaf; else the left half stands behind it

  const V& at(int t, int i) const { return points_[corners_[3 * t + i]]; }

  int build(int begin, int count) {
    const int here = static_cast<int>(nodes_.size());
    nodes_.push_back({{}, begin, count, -1});
    for (int i = begin; i < begin + count; ++i) nodes_[here].box.add(boxes_[order_[i]].low), nodes_[here].box.add(boxes_[order_[i]].high);
    if (count <= leaf) return here;
    const int axis = nodes_[here].box.longest();
    const auto middle = [&](int t) { return std::pair{boxes_[t].low[axis] + boxes_[t].high[axis], t}; };
    const auto from = order_.begin() + begin;
    std::nth_element(from, from + count / 2, from + count, [&](int s, int t) { return middle(s) < middle(t); });
    build(begin, count / 2);
    const int right = build(begin + count / 2, count - count / 2);
    nodes_[here].right = right;
    return here;
  }

  /// Pairs of a triangle of one node and one of another, or of one among themselves.
  void pairs(int i, int j) {
    const Node &a = nodes_[i], &b = nodes_[j];
    if (looked_ >= most_pairs || (i != j && !a.box.meets(b.box))) return;
    if (a.right < 0 && b.right < 0) return leaves(a, b, i == j);
    if (i == j) return pairs(i + 1, i + 1), pairs(a.right, a.right), pairs(i + 1, a.right);
    if (b.right < 0 || (a.right >= 0 && a.count >= b.count)) return pairs(i + 1, j), pairs(a.right, j);
    pairs(i, j + 1), pairs(i, b.right);
  }
  void leaves(const Node& a, const Node& b, bool same) {
    for (int x = a.begin; x < a.begin + a.count; ++x)
      for (int y = same ? x + 1 : b.begin; y < b.begin + b.count; ++y)
        if (boxes_[order_[x]].meets(boxes_[order_[y]])) look(std::min(order_[x], order_[y]), std::max(order_[x], order_[y]));
  }
  void look(int s, int t) {
    ++looked_;
    int common = 0;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) common += corners_[3 * s + i] == corners_[3 * t + j];
    if (common > 1) return;
    std::optional<V> through = pierced(s, t);
    if (!through) through = pierced(t, s);
    if (through) found_.push_back({s, t, *through});
  }
  /// Where an edge of s goes through t, both ends deeper on either side.
  std::optional<V> pierced(int s, int t) const {
    const V &a = at(t, 0), across = cross(at(t, 1) - a, at(t, 2) - a), n = across * (1.0 / norm(across));
    double height[3];
    for (int i = 0; i < 3; ++i) height[i] = dot(at(s, i) - a, n);
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      if (!(std::min(height[i], height[j]) < -deep_ && std::max(height[i], height[j]) > deep_)) continue;
      const V p = at(s, i) + (at(s, j) - at(s, i)) * (height[i] / (height[i] - height[j]));
      bool inside = true;
      for (int k = 0; k < 3; ++k) {
        const V side = at(t, (k + 1) % 3) - at(t, k);
        inside &= dot(cross(side, p - at(t, k)), n) >= -deep_ * norm(side);
      }
      if (inside) return p;
    }
    return std::nullopt;
  }

  std::span<const V> points_;
  std::span<const int> corners_;
  std::vector<int> order_;
  std::vector<Box> boxes_;
  std::vector<Node> nodes_;
  std::vector<Crossing> found_;
  double deep_ = 0.0;
  long looked_ = 0;
};
}  // namespace

std::vector<Crossing> crossings(std::span<const Vec3<double>> points, std::span<const int> corners) { return Search(points, corners).found(); }

}  // namespace saltus
