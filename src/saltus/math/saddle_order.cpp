#include "saltus/math/saddle_order.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>

#include "saltus/base/index.hpp"
#include "saltus/math/dissection.hpp"

namespace saltus {
namespace {

constexpr int largest_group = 16;  // unknowns; what is in more rows together keeps its own places in the order

using Lists = std::vector<std::vector<int>>;

/// Who meets whom, both ways, each pair once, without pairs (i, i): from entries of a pattern whose rows and columns are in parts.
template <class PartOf>
CsrPattern quotient(const CsrPattern& pattern, int parts, const PartOf& part_of) {
  std::vector<std::pair<int, int>> pairs;
  pairs.reserve(pattern.nonzeros());
  for (int i = 0; i < pattern.rows; ++i) {
    const int a = part_of(i);
    for (const int j : pattern.row(i)) {
      const int b = part_of(j);
      if (a != b && (pairs.empty() || pairs.back() != std::pair{a, b})) pairs.emplace_back(a, b);
    }
  }
  const std::size_t count = pairs.size();
  for (std::size_t k = 0; k < count; ++k) pairs.emplace_back(pairs[k].second, pairs[k].first);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  CsrPattern graph{parts, parts, {0}, {}};
  graph.column.reserve(pairs.size());
  for (const auto& [a, b] : pairs) {
    while (count_of(graph.begin) <= a) graph.begin.push_back(graph.nonzeros());
    graph.column.push_back(b);
  }
  graph.begin.resize(parts + 1, graph.nonzeros());
  return graph;
}

/// Groups of equal non-empty lists; those that are empty or too large fall apart. out[i]: group of i, from `first` on.
int group(const Lists& lists, int first, int largest, std::vector<int>& out) {
  std::map<std::vector<int>, std::vector<int>> equal;
  for (int i = 0; i < count_of(lists); ++i) equal[lists[i]].push_back(i);
  out.assign(lists.size(), -1);
  for (const auto& [list, members] : equal)
    if (!list.empty() && count_of(members) <= largest)
      for (const int i : members) out[i] = members.front();
  std::map<int, int> number;
  for (int i = 0; i < count_of(out); ++i) {
    const int key = out[i] < 0 ? i : out[i];
    const auto [at, fresh] = number.try_emplace(key, first);
    if (fresh) ++first;
    out[i] = at->second;
  }
  return first;
}

/// What unknowns of a group have in common: their rows; for those in no row their neighbours and themselves, as the coordinates of a
/// point between springs (indistinguishable nodes; George, Liu 1989).
Lists alike(const CsrPattern& pattern, const Lists& rows_of) {
  const int primal = count_of(rows_of);
  Lists lists = rows_of;
  const auto is_free = [&](int i) { return i < primal && rows_of[i].empty(); };
  const auto meet = [&](int i, int j) {
    if (is_free(i)) lists[i].push_back(pattern.rows + j);  // no number of a row
  };
  for (int i = 0; i < primal; ++i) {
    meet(i, i);
    for (const int j : pattern.row(i))
      if (j != i) meet(i, j), meet(j, i);
  }
  for (int i = 0; i < primal; ++i) {
    if (!is_free(i)) continue;
    std::vector<int>& list = lists[i];
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
    for (const int b : bodies_of[j])
      if (const int left = room[b]; left >= rows[j]) {
        if (left >= most) most = left, roomiest = b;
        ++count;
      }
    return count;
  };
  const auto open_joints = [&](int b, int& only) {
    int count = 0;
    for (const int j : joints_of[b])
      if (!done[j] && room[b] >= rows[j]) only = j, ++count;
    return count;
  };
  std::deque<int> forced_joints, forced_bodies;
  const auto take = [&](int j, int b) {
    match[j] = b;
    done[j] = 1;
    if (b >= 0) room[b] -= rows[j];
    for (const int other : bodies_of[j]) {
      forced_bodies.push_back(other);
      for (const int near : joints_of[other])
        if (!done[near] && other == b) forced_joints.push_back(near);
    }
  };
  for (std::size_t j = 0; j < joints; ++j) forced_joints.push_back(static_cast<int>(j));
  for (int b = 0; b < count_of(joints_of); ++b) forced_bodies.push_back(b);
  for (std::size_t next = 0;;) {
    int only = -1;
    if (!forced_joints.empty()) {
      const int j = forced_joints.front();
      forced_joints.pop_front();
      if (done[j]) continue;
      const int count = candidates(j, only);
      if (count == 0) done[j] = 1;
      if (count == 1) take(j, only);
    } else if (!forced_bodies.empty()) {
      const int b = forced_bodies.front();
      forced_bodies.pop_front();
      if (room[b] == all[b] && open_joints(b, only) == 1) take(only, b);
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
  Lists rows_of(primal), unknowns_of(multipliers);
  for (int i = primal; i < n; ++i)
    for (const int j : pattern.row(i))
      if (j < primal) rows_of[j].push_back(i - primal), unknowns_of[i - primal].push_back(j);
  std::vector<int> group_of, joint_of;
  const int bodies = group(alike(pattern, rows_of), 0, largest_group, group_of);
  std::vector<int> room(bodies, 0);
  for (const int g : group_of) ++room[g];

  // Joints: rows on equal unknowns, if some body can take them all; else each row for itself.
  Lists by_row(multipliers);
  for (int r = 0; r < multipliers; ++r) {
    std::vector<int>& list = by_row[r];
    for (const int j : unknowns_of[r]) list.push_back(group_of[j]);
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  int most_room = 1;
  for (const int r : room) most_room = std::max(most_room, r);
  const int joints = group(by_row, 0, most_room, joint_of);
  std::vector<int> rows(joints, 0);
  Lists bodies_of(joints), joints_of(bodies);
  for (int r = 0; r < multipliers; ++r) {
    const std::size_t j = joint_of[r];
    if (rows[j]++ == 0) {
      bodies_of[j] = by_row[r];
      for (const int b : bodies_of[j]) joints_of[b].push_back(static_cast<int>(j));
    }
  }
  const std::vector<int> match = matched(bodies_of, joints_of, rows, room);

  // Order of the quotient graph: a body with its joints, a joint that closes a loop.
  int parts = bodies;
  std::vector<int> part_of_joint(joints);
  for (int j = 0; j < joints; ++j) part_of_joint[j] = match[j] >= 0 ? match[j] : parts++;
  const auto part_of = [&](int i) { return i < primal ? group_of[i] : part_of_joint[joint_of[i - primal]]; };
  std::vector<int> size(parts, 0);
  for (int i = 0; i < n; ++i) ++size[part_of(i)];
  // Joints that close loops follow the last of their bodies.
  const auto closing_last = [&](const std::vector<int>& sequence) {
    std::vector<double> place(sequence.size());
    for (std::size_t k = 0; k < sequence.size(); ++k) place[sequence[k]] = static_cast<double>(k);
    for (int j = 0; j < joints; ++j)
      if (const int p = part_of_joint[j]; p >= bodies)
        for (const int b : bodies_of[j]) place[p] = std::max(place[p], place[b] + 0.5);
    std::vector<int> order(sequence.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return place[a] < place[b]; });
    return order;
  };
  const std::vector<int> sequence = fill_reducing_order(quotient(pattern, parts, part_of), size, closing_last);
  std::vector<int> place(parts);
  for (int k = 0; k < parts; ++k) place[sequence[k]] = k;
  EliminationOrder order;
  order.unknown.resize(n);
  std::iota(order.unknown.begin(), order.unknown.end(), 0);
  // Unknowns come before the multipliers of their part: stable.
  std::stable_sort(order.unknown.begin(), order.unknown.end(), [&](int x, int y) { return place[part_of(x)] < place[part_of(y)]; });
  for (int k = 0; k < n; ++k)
    if (k == 0 || part_of(order.unknown[k]) != part_of(order.unknown[k - 1])) order.part_begin.push_back(k);
  order.part_begin.push_back(n);
  const auto group_at = [&](int k) {
    const int i = order.unknown[k];
    return i < primal ? group_of[i] : bodies + joint_of[i - primal];
  };
  std::vector<int> number(n);
  for (int k = 0; k < n; ++k) {
    if (k == 0 || group_at(k) != group_at(k - 1)) order.group_size.push_back(0);
    ++order.group_size.back();
    number[order.unknown[k]] = count_of(order.group_size) - 1;
  }
  order.groups = quotient(pattern, count_of(order.group_size), [&](int i) { return number[i]; });
  order.cost = elimination_cost(order.groups, order.group_size);
  return order;
}


}  // namespace saltus
