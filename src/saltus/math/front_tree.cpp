#include "saltus/math/front_tree.hpp"

#include <algorithm>
#include <numeric>

#include "saltus/base/index.hpp"

namespace saltus {
namespace {

constexpr double divided_from = 60'000;  // entries; below, handing over costs more than it saves
constexpr int shares = 16;               // a task has at most this part of the work

std::vector<int> filled(int n, int value) { return std::vector<int>(n, value); }

/// Parents in the elimination tree (Liu 1986); -1: a root.
std::vector<int> elimination_tree(const CsrPattern& graph) {
  std::vector<int> parent = filled(graph.rows, -1), ancestor = parent;
  for (int j = 0; j < graph.rows; ++j)
    for (const int start : graph.row(j)) {
      if (start >= j) continue;
      for (int i = start; i != -1 && i < j;) {
        const int next = ancestor[i];
        ancestor[i] = j;
        if (next == -1) parent[i] = j;
        i = next;
      }
    }
  return parent;
}

/// Children before parents, each subtree in one run; children in the order of their lists.
std::vector<int> postorder(const std::vector<int>& parent, const std::vector<std::vector<int>>& children) {
  std::vector<int> order, stack;
  order.reserve(parent.size());
  for (int root = 0; root < count_of(parent); ++root) {
    if (parent[root] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {  // a vertex comes back, complemented, behind its children
      const int j = stack.back();
      stack.pop_back();
      if (j < 0) {
        order.push_back(~j);
        continue;
      }
      stack.push_back(~j);
      for (auto child = children[j].rbegin(); child != children[j].rend(); ++child) stack.push_back(*child);
    }
  }
  return order;
}

std::vector<std::vector<int>> children_of(const std::vector<int>& parent) {
  std::vector<std::vector<int>> children(parent.size());
  for (int j = 0; j < count_of(parent); ++j)
    if (parent[j] >= 0) children[parent[j]].push_back(j);
  return children;
}

/// Unknowns in column j of L from the vertex j on: by the leaves of each row's subtree and where their ways meet.
std::vector<int> column_lengths(const CsrPattern& graph, std::span<const int> size, const std::vector<int>& parent, const std::vector<int>& post) {
  const int n = graph.rows;
  std::vector<int> first = filled(n, -1), most_first = first, leaf = first, ancestor(n), length = filled(n, 0);
  std::iota(ancestor.begin(), ancestor.end(), 0);
  for (int k = 0; k < n; ++k) {
    int j = post[k];
    if (first[j] < 0) length[j] = size[j];
    for (; j >= 0 && first[j] < 0; j = parent[j]) first[j] = k;
  }
  for (const int j : post) {
    if (parent[j] >= 0) length[parent[j]] -= size[j];
    for (const int i : graph.row(j)) {
      if (i <= j || first[j] <= most_first[i]) continue;
      most_first[i] = first[j];
      length[j] += size[i];
      if (const int before = leaf[i]; before >= 0) {
        int meet = before;
        while (meet != ancestor[meet]) meet = ancestor[meet];
        for (int s = before; s != meet;) {
          const int up = ancestor[s];
          ancestor[s] = meet;
          s = up;
        }
        length[meet] -= size[i];
      }
      leaf[i] = j;
    }
    if (parent[j] >= 0) ancestor[j] = parent[j];
  }
  for (const int j : post)
    if (parent[j] >= 0) length[parent[j]] += length[j];
  return length;
}

double front_entries(double p, double r) { return p * (p + 1.0) / 2.0 + p * r; }
double front_flops(double p, double r) { return p * p * p / 3.0 + p * p * r + p * r * r; }

/// Zeros that a front of so many pivots may hold, of its entries.
double allowed_zeros(int pivots) { return pivots <= 12 ? 0.5 : pivots <= 32 ? 0.25 : pivots <= 96 ? 0.1 : 0.03; }

}  // namespace

EliminationCost elimination_cost(const CsrPattern& graph, std::span<const int> size) {
  const std::vector<int> parent = elimination_tree(graph);
  const std::vector<int> length = column_lengths(graph, size, parent, postorder(parent, children_of(parent)));
  EliminationCost cost;
  for (int j = 0; j < graph.rows; ++j) {
    cost.entries += front_entries(size[j], length[j] - size[j]);
    cost.flops += front_flops(size[j], length[j] - size[j]);
    cost.longest = std::max(cost.longest, length[j]);
  }
  return cost;
}

/// Fronts while they join.
struct FrontTree::Merged {
  std::vector<std::vector<int>> members, children;  // vertices of a front in their order; empty: joined
  std::vector<int> parent, width, rest;
  std::vector<double> zeros;

  Merged(std::span<const int> size, const std::vector<int>& tree, const std::vector<int>& post, const std::vector<int>& length) {
    std::vector<int> front_of(tree.size());
    for (std::size_t k = 0; k < post.size(); ++k) {
      const int j = post[k], before = k > 0 ? post[k - 1] : -1;
      const bool same = before >= 0 && tree[before] == j && length[before] - size[before] == length[j];
      if (!same) members.emplace_back(), width.push_back(0), rest.push_back(0);
      members.back().push_back(j);
      width.back() += size[j];
      rest.back() = length[j] - size[j];
      front_of[j] = count_of(members) - 1;
    }
    const int n = count_of(members);
    parent = filled(n, -1);
    for (int f = 0; f < n; ++f)
      if (const int above = tree[members[f].back()]; above >= 0) parent[f] = front_of[above];
    children = children_of(parent);
    zeros.assign(n, 0.0);
    for (int f = 0; f < n; ++f) join_children(f);
  }

  /// Zeros of front and child as one.
  double together(int child, int f) const {
    return zeros[child] + zeros[f] + static_cast<double>(width[child]) * (width[f] + rest[f] - rest[child]);
  }
  bool joins(int child, int f) const {
    const int pivots = width[child] + width[f];
    return together(child, f) <= allowed_zeros(pivots) * front_entries(pivots, rest[f]);
  }
  void join_children(int f) {
    for (;;) {
      int best = -1;
      double least = 0.0;
      for (const int c : children[f])
        if (joins(c, f))
          if (const double zeros_of = together(c, f) / width[c]; best < 0 || zeros_of < least) best = c, least = zeros_of;
      if (best < 0) return;
      zeros[f] = together(best, f);
      width[f] += width[best];
      members[best].insert(members[best].end(), members[f].begin(), members[f].end());
      members[f] = std::move(members[best]);
      members[best].clear();
      std::erase(children[f], best);
      for (const int c : children[best]) parent[c] = f, children[f].push_back(c);
      children[best].clear();
      parent[best] = best;
    }
  }
};

void FrontTree::build(const CsrPattern& graph, std::span<const int> size) {
  *this = FrontTree{};
  const std::vector<int> tree = elimination_tree(graph), post = postorder(tree, children_of(tree));
  Merged merged(size, tree, post, column_lengths(graph, size, tree, post));
  number(merged, size);
  find_rows(graph, size, merged.members);
  divide();
  stack(false, places_, stack_);
  stack(true, divided_places_, divided_stack_);
}

/// Fronts as they are eliminated: of the children first those that need most beyond what they leave (Liu 1986). Positions follow.
void FrontTree::number(Merged& merged, std::span<const int> size) {
  const int n = count_of(merged.members);
  std::vector<double> own(n), peak(own.size());
  for (int f = 0; f < n; ++f) {
    if (merged.members[f].empty()) continue;
    auto& children = merged.children[f];
    own[f] = static_cast<double>(merged.rest[f]) * merged.rest[f];
    std::sort(children.begin(), children.end(), [&](int a, int b) { return peak[a] - own[a] != peak[b] - own[b] ? peak[a] - own[a] > peak[b] - own[b] : a < b; });
    double waiting = 0.0;
    for (const int c : children) peak[f] = std::max(peak[f], waiting + peak[c]), waiting += own[c];
    peak[f] = std::max(peak[f], waiting + own[f]);
  }
  std::vector<int> place(n, -1);
  std::vector<std::vector<int>> members;
  position_.resize(size.size());
  for (const int f : postorder(merged.parent, merged.children)) {
    place[f] = count_of(fronts_);
    Front& front = fronts_.emplace_back();
    front.begin = size_, front.width = merged.width[f], front.rest = merged.rest[f];
    for (const int v : merged.members[f]) position_[v] = size_, size_ += size[v];
    for (const int c : merged.children[f]) fronts_[place[c]].parent = place[f];
    members.push_back(std::move(merged.members[f]));
  }
  merged.members = std::move(members);
}

/// Rows of each front: of its own entries and of what its children reach beyond it. Then the runs that these are in the parent.
void FrontTree::find_rows(const CsrPattern& graph, std::span<const int> size, const std::vector<std::vector<int>>& members) {
  const int n = count_of(fronts_);
  const std::vector<std::vector<int>> below = children_of([&] {
    std::vector<int> parent;
    for (const Front& f : fronts_) parent.push_back(f.parent);
    return parent;
  }());
  std::vector<std::vector<int>> rows(n);  // vertices, by position
  std::vector<int> mark = filled(count_of(size), -1), row = filled(size_, 0);
  front_at_ = filled(size_, 0);
  for (int f = 0; f < n; ++f) {
    Front& front = fronts_[f];
    std::fill_n(front_at_.begin() + front.begin, front.width, f);
    const auto take = [&](int v) {
      if (position_[v] >= front.begin + front.width && mark[v] != f) mark[v] = f, rows[f].push_back(v);
    };
    for (const int v : members[f])
      for (const int u : graph.row(v)) take(u);
    for (const int c : below[f])
      for (const int v : rows[c]) take(v);
    std::sort(rows[f].begin(), rows[f].end(), [&](int a, int b) { return position_[a] < position_[b]; });
    front.child_begin = count_of(children_);
    children_.insert(children_.end(), below[f].begin(), below[f].end());
    front.child_end = count_of(children_);
    int next = front.rest_row();
    for (int i = 0; i < front.width; ++i) row[front.begin + i] = i;
    for (const int v : rows[f])
      for (int i = 0; i < size[v]; ++i) row[position_[v] + i] = next++;
    for (const int c : below[f]) {
      fronts_[c].run_begin = count_of(runs_);
      for (const int v : rows[c]) {
        const int at = position_[v], in_front = row[at];
        if (Run* last = count_of(runs_) > fronts_[c].run_begin ? &runs_.back() : nullptr; last && last->position + last->length == at && last->row + last->length == in_front) last->length += size[v];
        else runs_.push_back({at, in_front, size[v]});
      }
      fronts_[c].run_end = count_of(runs_);
      rows[c] = {};
    }
    front.panel = panel_size_, front.side = side_size_, front.sums = sums_size_;
    panel_size_ += std::int64_t{front.rows()} * front.width;
    side_size_ += std::int64_t{front.rest_rows()} * front.width;
    sums_size_ += front.rest_rows();
    widest_ = std::max(widest_, front.rows());
    entries_ += front_entries(front.width, front.rest);
    flops_ += front_flops(front.width, front.rest);
  }
}

int FrontTree::front_of(int position) const { return front_at_[position]; }

void FrontTree::enter(const Front& f, std::vector<int>& row) const {
  for (int i = 0; i < f.width; ++i) row[f.begin + i] = i;
  int next = f.rest_row();
  for (const Run& run : runs(f))
    for (int i = 0; i < run.length; ++i) row[run.position + i] = next++;
}

/// Tasks: runs of whole subtrees of at most a share of the work. Small factors have none.
void FrontTree::divide() {
  const int n = count_of(fronts_);
  std::vector<double> below(n, 0.0);  // entries of the subtree
  std::vector<int> first(n);
  std::iota(first.begin(), first.end(), 0);
  for (int f = 0; f < n; ++f) {
    below[f] += front_entries(fronts_[f].width, fronts_[f].rest);
    if (const int parent = fronts_[f].parent; parent >= 0) below[parent] += below[f], first[parent] = std::min(first[parent], first[f]);
  }
  const double most = entries_ >= divided_from ? entries_ / shares : -1.0;
  std::vector<int> roots;
  for (int f = n - 1; f >= 0;) {
    if (below[f] <= most) roots.push_back(f), f = first[f] - 1;
    else top_.push_back(f--);
  }
  std::reverse(top_.begin(), top_.end());
  double size = 0.0;
  for (auto root = roots.rbegin(); root != roots.rend(); ++root) {
    if (!tasks_.empty() && tasks_.back().last == first[*root] && size + below[*root] <= most) {
      tasks_.back().last = *root + 1;
      size += below[*root];
    } else {
      tasks_.push_back({first[*root], *root + 1});
      size = below[*root];
    }
  }
}

/// An update is built above those of the children, and then moved down onto them. What children in another stack leave stays there.
void FrontTree::stack(bool divided, std::vector<Place>& places, std::int64_t& most) {
  std::vector<int> stack_of = filled(count_of(fronts_), -1);
  if (divided)
    for (int t = 0; t < count_of(tasks_); ++t) std::fill(stack_of.begin() + tasks_[t].first, stack_of.begin() + tasks_[t].last, t);
  places.resize(fronts_.size());
  most = 0;
  std::int64_t base = 0, depth = 0;
  const auto push = [&](int f) {
    std::int64_t released = 0;
    for (const int c : children(fronts_[f]))
      if (stack_of[c] == stack_of[f]) released += fronts_[c].update();
    places[f] = {base + depth, base + depth - released};
    most = std::max(most, base + depth + fronts_[f].update());
    depth += fronts_[f].update() - released;
  };
  if (!divided) {
    for (int f = 0; f < count_of(fronts_); ++f) push(f);
    return;
  }
  for (const Task& task : tasks_) {
    base = most, depth = 0;
    for (int f = task.first; f < task.last; ++f) push(f);
  }
  base = most, depth = 0;
  for (const int f : top_) push(f);
}

}  // namespace saltus
