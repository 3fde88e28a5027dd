#include "saltus/solver/friction/block_factor.hpp"

#include <algorithm>
#include <numeric>

#include "saltus/base/index.hpp"
#include "saltus/math/dissection.hpp"

namespace saltus::friction {
namespace {

CsrPattern graph_of(int count, const std::vector<BlockFactor::Edge>& edges) {
  CsrPattern graph{count, count, std::vector<int>(static_cast<std::size_t>(count) + 1, 0), std::vector<int>(2 * edges.size())};
  for (const auto& [i, j] : edges) ++graph.begin[i + 1], ++graph.begin[j + 1];
  std::partial_sum(graph.begin.begin(), graph.begin.end(), graph.begin.begin());
  std::vector<int> next(graph.begin.begin(), graph.begin.end() - 1);
  for (const auto& [i, j] : edges) graph.column[next[i]++] = j, graph.column[next[j]++] = i;
  for (int i = 0; i < count; ++i) std::sort(graph.column.begin() + graph.begin[i], graph.column.begin() + graph.begin[i + 1]);
  return graph;
}

}  // namespace

void BlockFactor::analyse(int count, int block, const std::vector<Edge>& edges) {
  block_ = block;
  const CsrPattern graph = graph_of(count, edges);
  const std::vector<int> size(count, block);
  const std::vector<int> order = fill_reducing_order(graph, size, [](std::vector<int> as_it_is) { return as_it_is; });
  std::vector<int> unknown;
  for (const int node : order)
    for (int i = 0; i < block; ++i) unknown.push_back(node * block + i);
  factor_.analyze(renumbered(graph, order), size, unknown);
  place(edges);
}

void BlockFactor::place(const std::vector<Edge>& edges) {
  const FrontTree& tree = factor_.tree();
  const auto& fronts = tree.fronts();
  const auto position = [&](int node) { return factor_.position()[node * block_]; };
  const auto front_of = [&](const Edge& e) { return tree.front_of(std::min(position(e.first), position(e.second))); };
  entry_begin_.assign(fronts.size() + 1, 0);
  for (const Edge& e : edges) ++entry_begin_[front_of(e) + 1];
  std::partial_sum(entry_begin_.begin(), entry_begin_.end(), entry_begin_.begin());
  entries_.resize(edges.size());
  std::vector<int> next(entry_begin_.begin(), entry_begin_.end() - 1), row(tree.size());
  for (int e = 0; e < count_of(edges); ++e) {
    const int a = position(edges[e].first), b = position(edges[e].second);
    entries_[next[front_of(edges[e])]++] = {e, std::max(a, b), std::min(a, b), a < b};
  }
  for (std::size_t f = 0; f < fronts.size(); ++f) {
    tree.enter(fronts[f], row);
    for (int e = entry_begin_[f]; e < entry_begin_[f + 1]; ++e) entries_[e].row = row[entries_[e].row], entries_[e].column = row[entries_[e].column];
  }
}

void BlockFactor::fill(int f, const FrontFactor::Target& target, const double* diagonal, const double* lower, const double* upper) const {
  const int b = block_, area = b * b;
  const auto& front = factor_.tree().fronts()[f];
  // Row-major block into a column-major target of leading dimension `stride`.
  const auto put = [b](const double* source, double* to, int stride, bool transposed) {
    for (int i = 0; i < b; ++i)
      for (int j = 0; j < b; ++j) {
        if (transposed) to[j + std::int64_t{i} * stride] = source[b * i + j];
        else to[i + std::int64_t{j} * stride] = source[b * i + j];
      }
  };
  for (int i = 0; i < front.width; i += b) put(diagonal + std::int64_t{b} * factor_.unknown()[front.begin + i], target.panel + std::int64_t{i} * (target.rows + 1), target.rows, false);
  for (int e = entry_begin_[f]; e < entry_begin_[f + 1]; ++e) {
    const Entry& entry = entries_[e];
    const double* low = lower + std::int64_t{area} * entry.edge;
    double* to = target.panel + entry.row + std::int64_t{entry.column} * target.rows;
    if (target.symmetric) {
      put(low, to, target.rows, entry.swapped);
      continue;
    }
    const double* up = upper + std::int64_t{area} * entry.edge;
    put(entry.swapped ? up : low, to, target.rows, false);
    const double* mirror = entry.swapped ? low : up;  // A(column, row)
    if (entry.row < front.width) put(mirror, target.panel + entry.column + std::int64_t{entry.row} * target.rows, target.rows, false);
    else put(mirror, target.side + (entry.row - target.rest_row) + std::int64_t{entry.column} * target.side_rows, target.side_rows, true);
  }
}

bool BlockFactor::factor(bool symmetric, const double* diagonal, const double* lower, const double* upper, Threads* threads) {
  const auto blocks = [&](int f, const FrontFactor::Target& target) { fill(f, target, diagonal, lower, upper); };
  if (!symmetric) return factor_.factorize_general(blocks, 0.0, threads).row < 0;
  const PivotReport report = factor_.factorize_symmetric(blocks, {}, 0.0, threads);
  return report.row < 0 && report.negative == 0;
}

}  // namespace saltus::friction
