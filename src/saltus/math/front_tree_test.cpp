#include "saltus/math/front_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "saltus/math/dissection.hpp"
#include "saltus/math/lattice_testing.hpp"

namespace saltus {
namespace {

/// Symmetric random graph of vertices with 1 to 4 unknowns each.
struct RandomGraph {
  CsrPattern graph;
  std::vector<int> size;
  RandomGraph(int count, unsigned seed, int sparsity) {
    std::mt19937 random(seed);
    CsrBuilder builder(count, count);
    for (int i = 0; i < count; ++i) {
      size.push_back(1 + static_cast<int>(random() % 4));
      for (int j = 0; j < i; ++j)
        if (random() % static_cast<unsigned>(sparsity) == 0) builder.add_entry(i, j), builder.add_entry(j, i);
    }
    graph = builder.build().pattern;
  }
};

/// Later vertices in each column of L, by elimination of vertex after vertex.
std::vector<std::set<int>> eliminated(const CsrPattern& graph) {
  std::vector<std::set<int>> later(graph.rows);
  for (int i = 0; i < graph.rows; ++i)
    for (const int j : graph.row(i))
      if (j > i) later[i].insert(j);
  for (auto& column : later)
    for (auto i = column.begin(); i != column.end(); ++i)
      for (auto j = std::next(i); j != column.end(); ++j) later[*i].insert(*j);
  return later;
}

TEST(EliminationCost, CountsWhatEliminationOneByOneFills) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const RandomGraph g(40, seed, 4 + static_cast<int>(seed));
    const auto later = eliminated(g.graph);
    double entries = 0.0;
    int longest = 0;
    for (int v = 0; v < g.graph.rows; ++v) {
      int rest = 0;
      for (const int u : later[v]) rest += g.size[u];
      for (int i = 0; i < g.size[v]; ++i) entries += g.size[v] - i + rest;
      longest = std::max(longest, g.size[v] + rest);
    }
    const EliminationCost cost = elimination_cost(g.graph, g.size);
    EXPECT_EQ(cost.entries, entries) << seed;
    EXPECT_EQ(cost.longest, longest) << seed;
  }
}

TEST(FrontTree, HoldsAllRowsOfTheFactorAndHandsThemToTheParent) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const RandomGraph g(60, seed, 5 + static_cast<int>(seed));
    FrontTree tree;
    tree.build(g.graph, g.size);
    EXPECT_EQ(tree.size(), std::accumulate(g.size.begin(), g.size.end(), 0));
    const auto later = eliminated(g.graph);
    std::vector<int> row(tree.size()), above = row;
    int covered = 0;
    for (const FrontTree::Front& f : tree.fronts()) {
      std::fill(row.begin(), row.end(), -1);
      tree.enter(f, row);
      for (int v = 0; v < g.graph.rows; ++v) {
        if (const int at = tree.position()[v]; at < f.begin || at >= f.begin + f.width) continue;
        ++covered;
        for (const int u : later[v]) EXPECT_GE(row[tree.position()[u]], 0) << seed;  // eliminated later, thus here or above
      }
      if (f.parent < 0) {
        EXPECT_EQ(f.rest, 0);
        continue;
      }
      std::fill(above.begin(), above.end(), -1);
      tree.enter(tree.fronts()[f.parent], above);
      for (const FrontTree::Run& run : tree.runs(f))
        for (int i = 0; i < run.length; ++i) EXPECT_EQ(above[run.position + i], run.row + i) << seed;
    }
    EXPECT_EQ(covered, g.graph.rows);
  }
}

TEST(FrontTree, NeedsTheStackItForecastsAndNoUpdateCoversOneThatWaits) {
  const CsrPattern points = lattice_pattern(11);
  const std::vector<int> order = nested_dissection(points, std::vector<int>(points.rows, 3));
  FrontTree tree;
  tree.build(renumbered(points, order), std::vector<int>(points.rows, 3));
  ASSERT_GT(tree.tasks().size(), 2u);
  for (const bool divided : {false, true}) {
    std::vector<int> sequence;
    for (const auto& task : tree.tasks())
      for (int f = task.first; f < task.last; ++f) sequence.push_back(f);
    sequence.insert(sequence.end(), tree.top().begin(), tree.top().end());
    if (!divided) std::sort(sequence.begin(), sequence.end());
    ASSERT_EQ(sequence.size(), tree.fronts().size());
    std::map<std::int64_t, std::int64_t> waiting;  // begin, end of what parents have not taken yet
    const auto overlaps = [&](std::int64_t begin, std::int64_t end) {
      const auto after = waiting.lower_bound(begin);
      return (after != waiting.end() && after->first < end) || (after != waiting.begin() && std::prev(after)->second > begin);
    };
    std::int64_t most = 0;
    for (const int f : sequence) {
      const FrontTree::Front& front = tree.fronts()[f];
      const FrontTree::Place place = tree.places(divided)[f];
      most = std::max(most, place.built + front.update());
      if (front.update() > 0) { EXPECT_FALSE(overlaps(place.built, place.built + front.update())); }
      for (const int c : tree.children(front)) waiting.erase(tree.places(divided)[c].kept);
      if (front.update() == 0) continue;
      EXPECT_FALSE(overlaps(place.kept, place.kept + front.update()));
      waiting[place.kept] = place.kept + front.update();
    }
    EXPECT_TRUE(waiting.empty());
    EXPECT_EQ(most, tree.stack_size(divided));
  }
}

TEST(Dissection, OrdersEachVertexOnceInGraphsOfAnyKind) {
  CsrBuilder star(2000, 2000), nothing(500, 500);
  for (int i = 1; i < 2000; ++i) star.add_entry(0, i), star.add_entry(i, 0);
  for (const CsrPattern& graph : {star.build().pattern, nothing.build().pattern, lattice_pattern(9), RandomGraph(700, 3, 200).graph, CsrPattern{}}) {
    std::vector<int> order = nested_dissection(graph, std::vector<int>(graph.rows, 1));
    std::sort(order.begin(), order.end());
    ASSERT_EQ(order.size(), static_cast<std::size_t>(graph.rows));
    for (int i = 0; i < graph.rows; ++i) EXPECT_EQ(order[i], i);
  }
}

TEST(Dissection, TakesLessWorkThanMinimumDegreeOnACubeAndIsTakenThere) {
  const CsrPattern points = lattice_pattern(20);
  const std::vector<int> size(points.rows, 3);
  const auto flops = [&](const std::vector<int>& order) { return elimination_cost(renumbered(points, order), size).flops; };
  const double degree = flops(minimum_degree(points)), chosen = flops(fill_reducing_order(points, size, [](std::vector<int> order) { return order; }));
  EXPECT_LT(chosen, 0.85 * degree);
  // The last separator alone, side^2 points, is a dense matrix; all of it is some ten times as much (George 1973).
  const double last = std::pow(3.0 * 20 * 20, 3) / 3.0;
  EXPECT_GT(chosen, last);
  EXPECT_LT(chosen, 15.0 * last);
}

}  // namespace
}  // namespace saltus
