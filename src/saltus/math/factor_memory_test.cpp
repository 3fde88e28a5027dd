#include "saltus/math/factor_memory.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <string>

#include "saltus/base/memory.hpp"
#include "saltus/math/lattice_testing.hpp"
#include "saltus/math/ldlt.hpp"
#include "saltus/math/sparse_solver.hpp"

namespace saltus {
namespace {

std::vector<int> natural(int n) {
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::string refusal(const auto& work) {
  try {
    work();
  } catch (const MemoryError& error) {
    return error.what();
  }
  return "";
}

TEST(FactorMemory, CountsTheEntriesOfKnownFactors) {
  // A band of half width b fills its band; an arrow fills nothing if its tip comes last, everything if it comes first.
  const int n = 30;
  CsrBuilder band(n, n), arrow(n, n);
  for (int i = 0; i < n; ++i) {
    for (const int d : {0, 3})
      if (i + d < n) band.add_entry(i, i + d), band.add_entry(i + d, i);
    arrow.add_entry(i, i), arrow.add_entry(i, n - 1), arrow.add_entry(n - 1, i);
  }
  std::vector<int> order = natural(n), reversed(order.rbegin(), order.rend());
  EXPECT_EQ(factor_entries(band.build().pattern, order.data(), 1e9), n + (n - 3));
  EXPECT_EQ(factor_entries(arrow.build().pattern, order.data(), 1e9), n + (n - 1));
  EXPECT_EQ(factor_entries(arrow.build().pattern, reversed.data(), 1e9), n * (n + 1) / 2);
  // Points of a cube in their order: each plane couples with the next one, L has side^2 entries a column behind the first plane.
  const int side = 8, columns = side * side * side;
  const double entries = factor_entries(lattice_pattern(side, true), natural(columns).data(), 1e9);
  EXPECT_GT(entries, 0.8 * (columns - side * side) * side * side);
  EXPECT_LT(entries, columns * (side * side + 1));
}

TEST(FactorMemory, StopsCountingAboveTheMost) {
  const CsrPattern pattern = lattice_pattern(10, true);
  const double entries = factor_entries(pattern, natural(pattern.rows).data(), 5000.0);
  EXPECT_GT(entries, 5000.0);
  EXPECT_LE(entries, 5000.0 + pattern.rows);
}

TEST(FactorMemory, IsRefusedBeforeItIsTakenWithUnknownsEntriesAndBytes) {
  const CsrPattern pattern = lattice_pattern(12, true);
  for (const MatrixKind kind : {MatrixKind::symmetric_quasidefinite, MatrixKind::unsymmetric}) {
    SparseSolver solver(SparseOptions{.memory = 1e5});
    const std::string words = refusal([&] { solver.analyze(kind, pattern); });
    EXPECT_NE(words.find("1728 unknowns"), std::string::npos) << words;
    EXPECT_NE(words.find("entries and needs"), std::string::npos) << words;
    EXPECT_NE(words.find("100 kB are free"), std::string::npos) << words;
    EXPECT_EQ(refusal([&] { SparseSolver(SparseOptions{.memory = 1e9}).analyze(kind, pattern); }), "");
  }
}

}  // namespace
}  // namespace saltus
