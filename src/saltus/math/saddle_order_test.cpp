#include "saltus/math/saddle_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "saltus/base/index.hpp"

namespace saltus {
namespace {

/// Bodies of six unknowns and joints of `rows` rows between pairs of them (-1: ground), in a shuffled numbering of the bodies.
struct Mechanism {
  int bodies, rows;
  std::vector<std::pair<int, int>> joints;

  CsrPattern pattern() const {
    const int n = 6 * bodies, all = n + rows * count_of(joints);
    CsrBuilder builder(all, all);
    std::vector<int> unknowns, numbers;
    const auto of = [&](int body) {
      unknowns.assign(6, -1);
      if (body >= 0) std::iota(unknowns.begin(), unknowns.end(), 6 * body);
    };
    for (int b = 0; b < bodies; ++b) of(b), builder.add_block(unknowns, unknowns);
    for (int j = 0; j < count_of(joints); ++j) {
      numbers.resize(rows);
      std::iota(numbers.begin(), numbers.end(), n + rows * j);
      for (const int body : {joints[j].first, joints[j].second}) of(body), builder.add_block(numbers, unknowns);
    }
    return builder.build().pattern;
  }
  /// Place of each unknown; checks that the order is a permutation.
  std::vector<int> places() const {
    const CsrPattern p = pattern();
    const std::vector<int> order = saddle_order(p, 6 * bodies).unknown;
    std::vector<int> place(order.size(), -1);
    for (int k = 0; k < count_of(order); ++k) place[order[k]] = k;
    EXPECT_EQ(std::count(place.begin(), place.end(), -1), 0);
    return place;
  }
  /// Bodies of joint j all of whose unknowns are eliminated before its first row.
  int before(const std::vector<int>& place, std::size_t j) const {
    const auto first = place.begin() + 6 * bodies + rows * static_cast<long>(j);
    const int earliest = *std::min_element(first, first + rows);
    int count = 0;
    for (const int body : {joints[j].first, joints[j].second})
      count += body >= 0 && *std::max_element(place.begin() + 6 * body, place.begin() + 6 * body + 6) < earliest;
    return count;
  }
};

std::vector<int> shuffled(int n) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  return order;
}

TEST(SaddleOrder, EliminatesABodyOfItsOwnBeforeEachJointOfATree) {
  for (const bool grounded : {true, false}) {
    const int n = 200;
    const std::vector<int> name = shuffled(n);
    std::mt19937 random(9);
    Mechanism tree{n, 5, {}};
    if (grounded) tree.joints.push_back({-1, name[0]});
    for (int b = 1; b < n; ++b) tree.joints.push_back({name[static_cast<int>(random() % static_cast<unsigned>(b))], name[b]});
    const std::vector<int> place = tree.places();
    // Distinct bodies for the joints: each joint's rows directly follow theirs.
    std::vector<int> taken(n, 0);
    for (int j = 0; j < count_of(tree.joints); ++j) {
      EXPECT_GE(tree.before(place, j), 1) << j;
      const int first = place[6 * n + 5 * j];
      for (const int body : {tree.joints[j].first, tree.joints[j].second})
        if (body >= 0 && place[6 * body + 5] == first - 1) ++taken[body];
    }
    EXPECT_EQ(std::count(taken.begin(), taken.end(), 1), static_cast<long>(tree.joints.size()));
  }
}

TEST(SaddleOrder, EliminatesAJointThatClosesALoopAfterBothItsBodies) {
  Mechanism loops{30, 5, {}};
  const std::vector<int> name = shuffled(30);
  for (int k = 0; k < 10; ++k) {
    const int a = name[3 * k], b = name[3 * k + 1], c = name[3 * k + 2];
    for (const auto& joint : {std::pair{-1, a}, {a, b}, {b, c}, {c, -1}}) loops.joints.push_back(joint);
  }
  const std::vector<int> place = loops.places();
  for (int k = 0; k < 10; ++k) {
    int all = 0;
    for (std::size_t j = 4 * static_cast<std::size_t>(k); j < 4 * static_cast<std::size_t>(k) + 4; ++j) {
      const int bodies = (loops.joints[j].first >= 0) + (loops.joints[j].second >= 0), before = loops.before(place, j);
      EXPECT_GE(before, 1);
      all += before == bodies;
    }
    EXPECT_GE(all, 1);
  }
}

TEST(SaddleOrder, TakesRowsOnScalarUnknownsAndRowsWithoutAny) {
  // Two rows on three unknowns of their own, one row on nothing, one unknown in no row.
  CsrBuilder builder(7, 7);
  for (const auto& [i, j] : {std::pair{4, 0}, {4, 1}, {5, 1}, {5, 2}}) builder.add_entry(i, j);
  builder.add_diagonal(0, 7);
  const std::vector<int> order = saddle_order(builder.build().pattern, 4).unknown;
  std::vector<int> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (int i = 0; i < 7; ++i) EXPECT_EQ(sorted[i], i);
  const auto place = [&](int i) { return std::find(order.begin(), order.end(), i) - order.begin(); };
  EXPECT_GT(place(4), std::min(place(0), place(1)));
  EXPECT_GT(place(5), std::min(place(1), place(2)));
}

TEST(SaddleOrder, GivesEachRodOfAChainOfBallJointsOneOfThem) {
  // Six unknowns and three rows each: a rod has room for both its joints, but held at both ends it has no motion along itself, and
  // the second joint no pivot.
  const int n = 7;
  CsrBuilder builder(9 * n, 9 * n);
  builder.add_diagonal(0, 9 * n);
  for (int j = 0; j < n; ++j)
    for (int r = 0; r < 3; ++r)
      for (int k = 0; k < 6; ++k) {
        builder.add_entry(6 * n + 3 * j + r, 6 * j + k);
        if (j > 0) builder.add_entry(6 * n + 3 * j + r, 6 * (j - 1) + k);
      }
  const EliminationOrder order = saddle_order(builder.build().pattern, 6 * n);
  ASSERT_EQ(order.part_begin.size(), n + 1u);
  for (int p = 0; p < n; ++p) EXPECT_EQ(order.part_begin[p + 1] - order.part_begin[p], 9);
}

}  // namespace
}  // namespace saltus
