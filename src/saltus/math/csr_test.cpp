#include "saltus/math/csr.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace saltus {
namespace {

TEST(Csr, SumsOverlappingRandomBlocksLikeADenseMatrix) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 50; ++trial) {
    const int rows = 1 + static_cast<int>(random() % 12), cols = 1 + static_cast<int>(random() % 9);
    CsrBuilder builder(rows, cols);
    std::vector<std::vector<double>> entries;
    std::map<std::pair<int, int>, double> dense;
    for (int block = 0; block < 6; ++block) {
      std::vector<int> r(random() % 4), c(random() % 4);
      for (int& i : r) i = static_cast<int>(random() % (static_cast<unsigned>(rows) + 1)) - 1;
      for (int& j : c) j = static_cast<int>(random() % (static_cast<unsigned>(cols) + 1)) - 1;
      EXPECT_EQ(builder.add_block(r, c), block);
      entries.emplace_back();
      for (const int i : r)
        for (const int j : c) {
          entries.back().push_back(static_cast<double>(random() % 100));
          if (i >= 0 && j >= 0) dense[{i, j}] += 2.0 * entries.back().back();
        }
    }
    const CsrLayout layout = builder.build();
    std::vector<double> values(layout.pattern.nonzeros(), 0.0);
    for (int block = 0; block < 6; ++block) layout.add(block, entries[block].data(), values.data(), 2.0);
    ASSERT_EQ(dense.size(), values.size());
    for (const auto& [at, value] : dense) {
      const int slot = layout.pattern.slot(at.first, at.second);
      ASSERT_GE(slot, 0);
      EXPECT_EQ(values[slot], value);
    }
    const CsrTranspose t = transposed(layout.pattern);
    EXPECT_EQ(transposed(t.pattern).pattern, layout.pattern);
    for (const auto& [at, value] : dense)
      EXPECT_EQ(values[t.source[t.pattern.slot(at.second, at.first)]], value);
  }
}

TEST(Csr, TransposedProductIsTheAdjoint) {
  CsrBuilder builder(2, 3);
  builder.add_block(std::vector<int>{0, 1}, std::vector<int>{2, 0});
  const CsrLayout layout = builder.build();
  std::vector<double> values(4, 0.0);
  const double block[] = {1.0, 2.0, 3.0, 4.0};
  layout.add(0, block, values.data());
  const double x[] = {1.0, 10.0, 100.0}, y[] = {5.0, 7.0};
  double Ax[2] = {}, Aty[3] = {};
  multiply_add(layout.pattern, values.data(), x, Ax);
  multiply_transposed_add(layout.pattern, values.data(), y, Aty);
  EXPECT_EQ(Ax[0], 102.0);
  EXPECT_EQ(Ax[1], 304.0);
  EXPECT_EQ(5.0 * Ax[0] + 7.0 * Ax[1], Aty[0] + 10.0 * Aty[1] + 100.0 * Aty[2]);
}

TEST(Csr, FindsComponentsInTheOrderOfTheirFirstVertex) {
  CsrBuilder square(5, 5);
  square.add_diagonal(0, 5);
  square.add_entry(4, 1), square.add_entry(3, 0);
  const Components c = components(square.build().pattern);
  EXPECT_EQ(c.count, 3);
  EXPECT_EQ(c.of, (std::vector<int>{0, 1, 2, 0, 1}));
  CsrBuilder rows(3, 4);
  rows.add_entry(0, 3), rows.add_entry(2, 3), rows.add_entry(1, 0);
  EXPECT_EQ(row_components(rows.build().pattern).of, (std::vector<int>{0, 1, 0}));
}

}  // namespace
}  // namespace saltus
