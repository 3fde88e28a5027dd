#include "saltus/math/dissection.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <queue>

#include "saltus/base/index.hpp"

namespace saltus {
namespace {

constexpr int smallest_cut = 120;    // vertices; pieces below go to minimum degree
constexpr double hub = 10.0;         // times the root of their number: who has more neighbours is in each separator, and comes last
constexpr int coarsest = 80;         // vertices on which the first separators are tried
constexpr int first_tries = 6;
constexpr int most_passes = 8;       // of the refinement on a level
constexpr int patience = 60;         // moves without a better separator before a pass ends
constexpr double largest_half = 0.6; // of the weight
constexpr std::size_t smallest_share = 20;  // a half of fewer vertices than this part is none: each cut would cost a pass over all

enum Side : char { left, right, between };

/// Weighted graph; neighbours of v: to[begin[v]] .. to[begin[v + 1] - 1].
struct Graph {
  std::vector<int> begin{0}, to;
  std::vector<std::int64_t> edge, weight;

  int size() const { return count_of(weight); }
  std::int64_t total() const { return std::accumulate(weight.begin(), weight.end(), std::int64_t{0}); }
};

/// Numerical Recipes' generator: an order to visit vertices in needs no more.
class Shuffle {
 public:
  std::vector<int> order(int n) {
    std::vector<int> out(n);
    std::iota(out.begin(), out.end(), 0);
    for (int i = n - 1; i > 0; --i) std::swap(out[i], out[next(i + 1)]);
    return out;
  }
  int next(int below) {
    state_ = state_ * 1664525u + 1013904223u;
    return static_cast<int>((std::uint64_t{state_} * static_cast<std::uint64_t>(below)) >> 32);
  }

 private:
  std::uint32_t state_ = 12345;
};

/// Pairs of neighbours that share the heaviest edges become one vertex. coarse_of: by vertex.
Graph coarsened(const Graph& g, Shuffle& shuffle, std::vector<int>& coarse_of) {
  const int n = g.size();
  const std::int64_t heaviest = std::max<std::int64_t>(1, 3 * g.total() / (2 * coarsest));
  coarse_of.assign(n, -1);
  std::vector<int> first, second;
  for (const int v : shuffle.order(n)) {
    if (coarse_of[v] >= 0) continue;
    int best = v;
    std::int64_t heavy = -1;
    for (int k = g.begin[v]; k < g.begin[v + 1]; ++k)
      if (const int u = g.to[k]; coarse_of[u] < 0 && g.edge[k] > heavy && g.weight[u] + g.weight[v] <= heaviest) best = u, heavy = g.edge[k];
    coarse_of[v] = coarse_of[best] = count_of(first);
    first.push_back(v), second.push_back(best);
  }
  Graph out;
  std::vector<int> place(first.size(), -1);
  for (int c = 0; c < count_of(first); ++c) {
    const int begin = out.begin.back();
    const auto take = [&](int v) {
      for (int k = g.begin[v]; k < g.begin[v + 1]; ++k) {
        const int to = coarse_of[g.to[k]];
        if (to == c) continue;
        if (place[to] < begin) place[to] = count_of(out.to), out.to.push_back(to), out.edge.push_back(0);
        out.edge[place[to]] += g.edge[k];
      }
    };
    take(first[c]);
    if (second[c] != first[c]) take(second[c]);
    out.weight.push_back(g.weight[first[c]] + (second[c] != first[c] ? g.weight[second[c]] : 0));
    out.begin.push_back(count_of(out.to));
  }
  return out;
}

/// A separator under improvement: a vertex between goes to a side, and draws its neighbours on the other one in between.
class Separator {
 public:
  Separator(const Graph& graph, std::vector<Side>& side) : g_(graph), side_(side), locked_(side.size(), 0), most_(static_cast<std::int64_t>(largest_half * static_cast<double>(graph.total()))) {
    for (int v = 0; v < g_.size(); ++v) weight_[side_[v]] += g_.weight[v];
  }

  void refine() {
    for (int pass = 0; pass < most_passes && improve(); ++pass) {}
  }
  /// Less is better: what stands between, and halves of unlike weight a little.
  double cost() const {
    const std::int64_t heavy = std::max(weight_[left], weight_[right]), all = weight_[left] + weight_[right] + weight_[between];
    return static_cast<double>(weight_[between]) * (1.0 + 0.3 * static_cast<double>(2 * heavy - all) / static_cast<double>(all)) + (heavy > most_ ? static_cast<double>(heavy - most_) : 0.0);
  }

 private:
  struct Candidate {
    std::int64_t gain;
    int vertex;
    bool operator<(const Candidate& other) const { return gain != other.gain ? gain < other.gain : vertex > other.vertex; }
  };
  static Side other(Side s) { return s == left ? right : left; }

  std::int64_t gain(int v, Side to) const {
    std::int64_t sum = g_.weight[v];
    for (int k = g_.begin[v]; k < g_.begin[v + 1]; ++k)
      if (side_[g_.to[k]] == other(to)) sum -= g_.weight[g_.to[k]];
    return sum;
  }
  void add_candidate(int v) {
    if (locked_[v]) return;
    for (const Side to : {left, right}) heap_[to].push({gain(v, to), v});
  }
  /// The best candidate for a side that is still what it was when it became one.
  const Candidate* top(Side to) {
    auto& heap = heap_[to];
    while (!heap.empty()) {
      const Candidate& c = heap.top();
      if (side_[c.vertex] == between && !locked_[c.vertex] && c.gain == gain(c.vertex, to)) {
        if (weight_[to] + g_.weight[c.vertex] <= most_ || weight_[to] < weight_[other(to)]) return &c;
        return nullptr;
      }
      heap.pop();
    }
    return nullptr;
  }
  void put(int v, Side to) {
    moves_.push_back({v, side_[v]});
    weight_[side_[v]] -= g_.weight[v];
    side_[v] = to;
    weight_[to] += g_.weight[v];
  }
  void move(int v, Side to) {
    put(v, to);
    locked_[v] = 1;
    touched_.push_back(v);
    drawn_.clear();
    for (int k = g_.begin[v]; k < g_.begin[v + 1]; ++k)
      if (const int u = g_.to[k]; side_[u] == other(to)) put(u, between), drawn_.push_back(u);
    for (const int u : drawn_) {
      add_candidate(u);
      for (int k = g_.begin[u]; k < g_.begin[u + 1]; ++k)
        if (side_[g_.to[k]] == between) add_candidate(g_.to[k]);
    }
    for (int k = g_.begin[v]; k < g_.begin[v + 1]; ++k)
      if (side_[g_.to[k]] == between) add_candidate(g_.to[k]);
  }
  /// One pass; true where it found a better separator.
  bool improve() {
    for (auto& heap : heap_) heap = {};
    for (const int v : touched_) locked_[v] = 0;
    touched_.clear(), moves_.clear();
    for (int v = 0; v < g_.size(); ++v)
      if (side_[v] == between) add_candidate(v);
    const double before = cost();
    double best = before;
    std::size_t kept = 0;
    for (int idle = 0; idle < patience; ++idle) {
      const Candidate *l = top(left), *r = top(right);
      if (!l && !r) break;
      const bool to_left = l && (!r || l->gain > r->gain || (l->gain == r->gain && weight_[left] <= weight_[right]));
      move(to_left ? l->vertex : r->vertex, to_left ? left : right);
      if (const double now = cost(); now < best) best = now, kept = moves_.size(), idle = 0;
    }
    while (moves_.size() > kept) {
      const auto [v, from] = moves_.back();
      moves_.pop_back();
      weight_[side_[v]] -= g_.weight[v];
      side_[v] = from;
      weight_[from] += g_.weight[v];
    }
    return best < before;
  }

  const Graph& g_;
  std::vector<Side>& side_;
  std::vector<char> locked_;
  std::int64_t most_;
  std::int64_t weight_[3] = {0, 0, 0};
  std::priority_queue<Candidate> heap_[2];
  std::vector<std::pair<int, Side>> moves_;
  std::vector<int> touched_, drawn_;
};

/// Vertices in the order of a search in breadth from `start`; all of a connected graph.
std::vector<int> breadth_first(const Graph& g, int start) {
  std::vector<int> order{start};
  std::vector<char> seen(g.size(), 0);
  seen[start] = 1;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (int k = g.begin[order[i]]; k < g.begin[order[i] + 1]; ++k)
      if (const int u = g.to[k]; !seen[u]) seen[u] = 1, order.push_back(u);
  return order;
}

std::vector<Side> first_separator(const Graph& g, Shuffle& shuffle) {
  std::vector<Side> best;
  double least = 0.0;
  const std::int64_t half = g.total() / 2;
  for (int attempt = 0; attempt < first_tries; ++attempt) {
    int start = shuffle.next(g.size());
    if (attempt % 2 == 0) start = breadth_first(g, start).back();  // from an end
    std::vector<Side> side(g.size(), right);
    std::int64_t taken = 0;
    for (const int v : breadth_first(g, start)) {
      if (taken >= half) break;
      side[v] = left, taken += g.weight[v];
    }
    for (int v = 0; v < g.size(); ++v)
      if (side[v] == left)
        for (int k = g.begin[v]; k < g.begin[v + 1]; ++k)
          if (side[g.to[k]] == right) side[v] = between;
    Separator separator(g, side);
    separator.refine();
    if (const double cost = separator.cost(); best.empty() || cost < least) least = cost, best = std::move(side);
  }
  return best;
}

std::vector<Side> separated(const Graph& g, Shuffle& shuffle) {
  std::vector<int> coarse_of;
  if (g.size() <= coarsest) return first_separator(g, shuffle);
  const Graph coarse = coarsened(g, shuffle, coarse_of);
  std::vector<Side> side;
  if (coarse.size() > 0.95 * g.size()) {
    side = first_separator(g, shuffle);
  } else {
    const std::vector<Side> of_coarse = separated(coarse, shuffle);
    side.resize(g.size());
    for (int v = 0; v < g.size(); ++v) side[v] = of_coarse[coarse_of[v]];
    Separator(g, side).refine();
  }
  return side;
}

/// Appends vertices of the whole graph in their order of elimination.
class Dissection {
 public:
  Dissection(const CsrPattern& graph, std::span<const int> weight) : graph_(graph), weight_(weight), local_(static_cast<std::size_t>(graph.rows), -1) { order.reserve(local_.size()); }

  void take(std::vector<int> vertices) {
    if (count_of(vertices) <= smallest_cut) return by_degree(vertices);
    const Graph g = part(vertices);
    std::vector<int> small;
    std::vector<char> seen(vertices.size(), 0);
    std::vector<std::vector<int>> large;
    for (int v = 0; v < g.size(); ++v) {
      if (seen[v]) continue;
      std::vector<int> component = breadth_first(g, v);
      for (int& u : component) seen[u] = 1, u = vertices[u];
      std::sort(component.begin(), component.end());
      if (count_of(component) <= smallest_cut) small.insert(small.end(), component.begin(), component.end());
      else large.push_back(std::move(component));
    }
    if (!small.empty()) by_degree(small);
    if (large.size() == 1 && small.empty()) return cut(g, vertices);
    for (std::vector<int>& component : large) take(std::move(component));
  }

  std::vector<int> order;

 private:
  void cut(const Graph& g, const std::vector<int>& vertices) {
    const std::vector<Side> side = separated(g, shuffle_);
    std::vector<int> of[3];
    for (int v = 0; v < g.size(); ++v) of[side[v]].push_back(vertices[v]);
    if (std::min(of[left].size(), of[right].size()) < vertices.size() / smallest_share) return by_degree(vertices);
    take(std::move(of[left]));
    take(std::move(of[right]));
    by_degree(of[between]);
  }
  Graph part(const std::vector<int>& vertices) {
    Graph g;
    for (int i = 0; i < count_of(vertices); ++i) local_[vertices[i]] = i;
    for (const int v : vertices) {
      for (const int u : graph_.row(v))
        if (u != v && local_[u] >= 0) g.to.push_back(local_[u]), g.edge.push_back(1);
      g.begin.push_back(count_of(g.to));
      g.weight.push_back(weight_[v]);
    }
    for (const int v : vertices) local_[v] = -1;
    return g;
  }
  void by_degree(const std::vector<int>& vertices) {
    const Graph g = part(vertices);
    CsrPattern pattern{g.size(), g.size(), g.begin, g.to};
    for (const int k : minimum_degree(pattern)) order.push_back(vertices[k]);
  }

  const CsrPattern& graph_;
  std::span<const int> weight_;
  std::vector<int> local_;
  Shuffle shuffle_;
};

}  // namespace

std::vector<int> minimum_degree(const CsrPattern& graph) {
  using Matrix = Eigen::SparseMatrix<double>;
  if (graph.rows == 0) return {};
  Matrix pattern(graph.rows, graph.rows);
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(graph.column.size() + graph.rows);
  for (int i = 0; i < graph.rows; ++i) {
    entries.emplace_back(i, i, 1.0);
    for (const int j : graph.row(i))
      if (j != i) entries.emplace_back(i, j, 1.0);
  }
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::internal::minimum_degree_ordering(pattern, order);
  return {order.indices().data(), order.indices().data() + order.size()};
}

CsrPattern renumbered(const CsrPattern& graph, std::span<const int> sequence) {
  std::vector<int> number(sequence.size());
  for (int k = 0; k < count_of(sequence); ++k) number[sequence[k]] = k;
  CsrPattern out{graph.rows, graph.rows, {0}, {}};
  out.column.reserve(graph.column.size());
  for (const int v : sequence) {
    for (const int u : graph.row(v)) out.column.push_back(number[u]);
    std::sort(out.column.begin() + out.begin.back(), out.column.end());
    out.begin.push_back(out.nonzeros());
  }
  return out;
}

std::vector<int> nested_dissection(const CsrPattern& graph, std::span<const int> weight) {
  std::vector<int> others, hubs;
  const double most = hub * std::sqrt(static_cast<double>(graph.rows));
  for (int v = 0; v < graph.rows; ++v) (static_cast<double>(graph.row(v).size()) > most ? hubs : others).push_back(v);
  Dissection dissection(graph, weight);
  dissection.take(std::move(others));
  dissection.order.insert(dissection.order.end(), hubs.begin(), hubs.end());
  return std::move(dissection.order);
}

}  // namespace saltus
