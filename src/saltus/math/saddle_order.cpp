#include "saltus/math/saddle_order.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <deque>
#include <map>
#include <numeric>

namespace saltus {
namespace {

constexpr int largest_group = 16;  // unknowns; what is in more rows together keeps its own places in the order

using Lists = std::vector<std::vector<int>>;

std::vector<int> minimum_degree_order(int size, const std::vector<Eigen::Triplet<double>>& edges) {
  Eigen::SparseMatrix<double> graph(size, size);
  graph.setFromTriplets(edges.begin(), edges.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int>()(graph, order);
  return {order.indices().data(), order.indices().data() + order.size()};
}

/// Groups of equal non-empty lists; those that are empty or too large fall apart. out[i]: group of i, from `first` on.
int group(const Lists& lists, int first, int largest, std::vector<int>& out) {
  std::map<std::vector<int>, std::vector<int>> equal;
  for (std::size_t i = 0; i < lists.size(); ++i) equal[lists[i]].push_back(static_cast<int>(i));
  out.assign(lists.size(), -1);
  for (const auto& [list, members] : equal)
    if (!list.empty() && static_cast<int>(members.size()) <= largest)
      for (const int i : members) out[static_cast<std::size_t>(i)] = members.front();
  std::map<int, int> number;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int key = out[i] < 0 ? static_cast<int>(i) : out[i];
    const auto [at, fresh] = number.try_emplace(key, first);
    if (fresh) ++first;
    out[i] = at->second;
  }
  return first;
}

/// What unknowns of a group have in common: their rows; for those in no row their neighbours and themselves, as the coordinates of a
/// point between springs (indistinguishable nodes; George, Liu 1989).
Lists alike(const CsrPattern& pattern, const Lists& rows_of) {
  const int primal = static_cast<int>(rows_of.size());
  Lists lists = rows_of;
  const auto is_free = [&](int i) { return i < primal && rows_of[static_cast<std::size_t>(i)].empty(); };
  const auto meet = [&](int i, int j) {
    if (is_free(i)) lists[static_cast<std::size_t>(i)].push_back(pattern.rows + j);  // no number of a row
  };
  for (int i = 0; i < primal; ++i) {
    meet(i, i);
    for (const int j : pattern.row(i))
      if (j != i) meet(i, j), meet(j, i);
  }
  for (int i = 0; i < primal; ++i) {
    if (!is_free(i)) continue;
    std::vector<int>& list = lists[static_cast<std::size_t>(i)];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return lists;
}

/// For each joint the body that it is eliminated with, -1: none. bodies_of, joints_of: who touches whom. A body takes a second
/// joint only where nothing else is left for it: held at both ends by ball joints it cannot move along their line, and the second
/// joint would have no pivot.
std::vector<int> matched(const Lists& bodies_of, const Lists& joints_of, const std::vector<int>& rows, std::vector<int> room) {
  const auto joints = bodies_of.size();
  const std::vector<int> all = room;
  std::vector<int> match(joints, -1);
  std::vector<char> done(joints, 0);
  const auto candidates = [&](int j, int& roomiest) {
    int count = 0, most = 0;
    for (const int b : bodies_of[static_cast<std::size_t>(j)])
      if (const int left = room[static_cast<std::size_t>(b)]; left >= rows[static_cast<std::size_t>(j)]) {
        if (left >= most) most = left, roomiest = b;
        ++count;
      }
    return count;
  };
  const auto open_joints = [&](int b, int& only) {
    int count = 0;
    for (const int j : joints_of[static_cast<std::size_t>(b)])
      if (!done[static_cast<std::size_t>(j)] && room[static_cast<std::size_t>(b)] >= rows[static_cast<std::size_t>(j)]) only = j, ++count;
    return count;
  };
  std::deque<int> forced_joints, forced_bodies;
  const auto take = [&](int j, int b) {
    match[static_cast<std::size_t>(j)] = b;
    done[static_cast<std::size_t>(j)] = 1;
    if (b >= 0) room[static_cast<std::size_t>(b)] -= rows[static_cast<std::size_t>(j)];
    for (const int other : bodies_of[static_cast<std::size_t>(j)]) {
      forced_bodies.push_back(other);
      for (const int near : joints_of[static_cast<std::size_t>(other)])
        if (!done[static_cast<std::size_t>(near)] && other == b) forced_joints.push_back(near);
    }
  };
  for (std::size_t j = 0; j < joints; ++j) forced_joints.push_back(static_cast<int>(j));
  for (std::size_t b = 0; b < joints_of.size(); ++b) forced_bodies.push_back(static_cast<int>(b));
  for (std::size_t next = 0;;) {
    int only = -1;
    if (!forced_joints.empty()) {
      const int j = forced_joints.front();
      forced_joints.pop_front();
      if (done[static_cast<std::size_t>(j)]) continue;
      const int count = candidates(j, only);
      if (count == 0) done[static_cast<std::size_t>(j)] = 1;
      if (count == 1) take(j, only);
    } else if (!forced_bodies.empty()) {
      const int b = forced_bodies.front();
      forced_bodies.pop_front();
      if (room[static_cast<std::size_t>(b)] == all[static_cast<std::size_t>(b)] && open_joints(b, only) == 1) take(only, b);
    } else {
      while (next < joints && done[next]) ++next;
      if (next == joints) return match;
      if (candidates(static_cast<int>(next), only) > 0) take(static_cast<int>(next), only);
      else done[next] = 1;
    }
  }
}

}  // namespace

EliminationOrder saddle_order(const CsrPattern& pattern, int primal) {
  const int n = pattern.rows, multipliers = n - primal;
  // Rows of H by unknown, unknowns by row: from the entries below the diagonal.
  Lists rows_of(static_cast<std::size_t>(primal)), unknowns_of(static_cast<std::size_t>(multipliers));
  for (int i = primal; i < n; ++i)
    for (const int j : pattern.row(i))
      if (j < primal) rows_of[static_cast<std::size_t>(j)].push_back(i - primal), unknowns_of[static_cast<std::size_t>(i - primal)].push_back(j);
  std::vector<int> group_of, joint_of;
  const int bodies = group(alike(pattern, rows_of), 0, largest_group, group_of);
  std::vector<int> room(static_cast<std::size_t>(bodies), 0);
  for (const int g : group_of) ++room[static_cast<std::size_t>(g)];

  // Joints: rows on equal unknowns, if some body can take them all; else each row for itself.
  Lists by_row(static_cast<std::size_t>(multipliers));
  for (int r = 0; r < multipliers; ++r) {
    std::vector<int>& list = by_row[static_cast<std::size_t>(r)];
    for (const int j : unknowns_of[static_cast<std::size_t>(r)]) list.push_back(group_of[static_cast<std::size_t>(j)]);
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  int most_room = 1;
  for (const int r : room) most_room = std::max(most_room, r);
  const int joints = group(by_row, 0, most_room, joint_of);
  std::vector<int> rows(static_cast<std::size_t>(joints), 0);
  Lists bodies_of(static_cast<std::size_t>(joints)), joints_of(static_cast<std::size_t>(bodies));
  for (int r = 0; r < multipliers; ++r) {
    const auto j = static_cast<std::size_t>(joint_of[static_cast<std::size_t>(r)]);
    if (rows[j]++ == 0) {
      bodies_of[j] = by_row[static_cast<std::size_t>(r)];
      for (const int b : bodies_of[j]) joints_of[static_cast<std::size_t>(b)].push_back(static_cast<int>(j));
    }
  }
  const std::vector<int> match = matched(bodies_of, joints_of, rows, room);

  // Order of the quotient graph: a body with its joints, a joint that closes a loop.
  int parts = bodies;
  std::vector<int> part_of_joint(static_cast<std::size_t>(joints));
  for (int j = 0; j < joints; ++j) part_of_joint[static_cast<std::size_t>(j)] = match[static_cast<std::size_t>(j)] >= 0 ? match[static_cast<std::size_t>(j)] : parts++;
  const auto part_of = [&](int i) { return i < primal ? group_of[static_cast<std::size_t>(i)] : part_of_joint[static_cast<std::size_t>(joint_of[static_cast<std::size_t>(i - primal)])]; };
  std::vector<Eigen::Triplet<double>> edges;
  for (int p = 0; p < parts; ++p) edges.emplace_back(p, p, 1.0);
  for (int i = 0; i < n; ++i)
    for (const int j : pattern.row(i)) {
      const int a = part_of(i), b = part_of(j);
      if (a != b) edges.emplace_back(a, b, 1.0), edges.emplace_back(b, a, 1.0);
    }
  const std::vector<int> sequence = parts > 0 ? minimum_degree_order(parts, edges) : std::vector<int>{};
  std::vector<double> place(static_cast<std::size_t>(parts));
  for (std::size_t k = 0; k < sequence.size(); ++k) place[static_cast<std::size_t>(sequence[k])] = static_cast<double>(k);
  for (int j = 0; j < joints; ++j)
    if (const int p = part_of_joint[static_cast<std::size_t>(j)]; p >= bodies)
      for (const int b : bodies_of[static_cast<std::size_t>(j)]) place[static_cast<std::size_t>(p)] = std::max(place[static_cast<std::size_t>(p)], place[static_cast<std::size_t>(b)] + 0.5);
  EliminationOrder order;
  order.unknown.resize(static_cast<std::size_t>(n));
  std::iota(order.unknown.begin(), order.unknown.end(), 0);
  std::stable_sort(order.unknown.begin(), order.unknown.end(), [&](int x, int y) {
    const int a = part_of(x), b = part_of(y);
    const double at = place[static_cast<std::size_t>(a)], bt = place[static_cast<std::size_t>(b)];
    return at != bt ? at < bt : a < b;  // unknowns come before the multipliers of their part: stable
  });
  for (int k = 0; k < n; ++k)
    if (k == 0 || part_of(order.unknown[static_cast<std::size_t>(k)]) != part_of(order.unknown[static_cast<std::size_t>(k - 1)])) order.part_begin.push_back(k);
  order.part_begin.push_back(n);
  return order;
}

}  // namespace saltus
