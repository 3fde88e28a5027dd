// Fill-reducing order of a graph by nested dissection.
#pragma once

#include <span>
#include <vector>

#include "saltus/math/csr.hpp"
#include "saltus/math/front_tree.hpp"

namespace saltus {

/// Order in which to eliminate the vertices of a graph: both halves, then what separates them (George 1973). The separator is found
/// on a coarse graph and refined on the way back (Karypis, Kumar 1998), vertex by vertex (Fiduccia, Mattheyses 1982; Ashcraft, Liu
/// 1997). Small pieces are ordered by approximate minimum degree. graph: symmetric, entries (i, i) are ignored; weight: unknowns
/// of each vertex. On grids in space the factor takes a half to a quarter of the work that minimum degree alone leads to.
/// The same graph has the same order everywhere: signs and choices come from a generator with a fixed seed.
std::vector<int> nested_dissection(const CsrPattern& graph, std::span<const int> weight);

/// Approximate minimum degree (Amestoy, Davis, Duff 1996).
std::vector<int> minimum_degree(const CsrPattern& graph);

/// The graph with vertex sequence[k] as number k.
CsrPattern renumbered(const CsrPattern& graph, std::span<const int> sequence);

/// By minimum degree, or by nested dissection where that takes less work; the second is looked for where one factorization takes longer
/// than the search. adjusted(order): the order that is used for it.
template <class Adjust>
std::vector<int> fill_reducing_order(const CsrPattern& graph, std::span<const int> size, const Adjust& adjusted) {
  const auto flops = [&](const std::vector<int>& order) {
    std::vector<int> ordered_size;
    for (const int v : order) ordered_size.push_back(size[v]);
    return elimination_cost(renumbered(graph, order), ordered_size).flops;
  };
  constexpr double worth_dissecting = 3e5;  // flops a vertex: 13 us of search, at what dense kernels do in that time
  std::vector<int> order = adjusted(minimum_degree(graph));
  const double work = flops(order);
  if (work > worth_dissecting * graph.rows)
    if (std::vector<int> other = adjusted(nested_dissection(graph, size)); flops(other) < work) return other;
  return order;
}

}  // namespace saltus
