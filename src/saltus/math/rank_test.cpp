#include "saltus/math/rank.hpp"

#include <gtest/gtest.h>

#include <random>

namespace saltus {
namespace {

TEST(DependentRows, NamesTheRowThatEarlierRowsMakeRedundant) {
  CsrBuilder builder(5, 4);
  std::vector<double> values;
  auto entry = [&](int i, int j, double v) { builder.add_entry(i, j), values.push_back(v); };
  entry(0, 0, 1.0), entry(0, 1, 1e3);
  entry(1, 2, 1.0);
  entry(2, 1, 5.0);
  entry(3, 0, 2.0);          // = 2 (row 0 - 200 row 2)
  entry(4, 3, 0.0);          // nothing
  const CsrLayout H = builder.build();
  const auto found = dependent_rows(H.pattern, values);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].row, 3);
  EXPECT_EQ(found[0].with, (std::vector<int>{0, 2}));
  EXPECT_EQ(found[1].row, 4);
  EXPECT_TRUE(found[1].with.empty());
}

TEST(DependentRows, FindsExactlyTheRowsThatWereBuiltAsCombinationsDenseAndSparse) {
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  for (const int rows : {8, 40, 120, 1700}) {  // the last takes the sparse factorization: one component
    const int cols = rows + 5;
    std::vector<std::vector<double>> dense;
    std::vector<int> expected;
    for (int i = 0; i < rows; ++i) {
      std::vector<double> row(cols, 0.0);
      if (i > 3 && i % 7 == 4) {
        for (int j = 0; j < cols; ++j) row[j] = 1e3 * (dense[i - 1][j] - 0.5 * dense[i - 3][j]);
        expected.push_back(i);
      } else {
        row[i] = 1.0 + std::abs(normal(random)), row[i + 1] = normal(random);
        if (i > 0) row[i - 1] = normal(random);
      }
      dense.push_back(std::move(row));
    }
    CsrBuilder builder(rows, cols);
    std::vector<double> values;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j)
        if (dense[i][j] != 0.0) builder.add_entry(i, j), values.push_back(dense[i][j]);
    std::vector<int> found;
    for (const DependentRow& d : dependent_rows(builder.build().pattern, values)) {
      found.push_back(d.row);
      EXPECT_EQ(d.with, (std::vector<int>{d.row - 3, d.row - 1})) << rows;
    }
    EXPECT_EQ(found, expected) << rows;
  }
}

/// Planar four-bars side by side, each joined to the next by a row that is free of redundancy: per cell 12 columns, and rows
/// of which exactly the last is the sum of the first two.
TEST(DependentRows, FindsOneInEachCellOfALongConnectedLadder) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  constexpr int cells = 400, width = 12, height = 7;
  CsrBuilder builder(cells * height, (cells + 1) * width);
  std::vector<double> values;
  for (int c = 0; c < cells; ++c) {
    std::vector<std::vector<double>> rows;
    for (int r = 0; r < height - 2; ++r) {
      std::vector<double> row(width);
      for (double& x : row) x = normal(random);
      rows.push_back(row);
    }
    rows.push_back(std::vector<double>(width));
    for (int j = 0; j < width; ++j) rows.back()[j] = rows[0][j] + 0.5 * rows[1][j];
    for (int r = 0; r < height - 1; ++r)
      for (int j = 0; j < width; ++j) builder.add_entry(c * height + r, c * width + j), values.push_back(rows[r][j]);
    for (int j = 0; j < 2 * width; ++j) builder.add_entry(c * height + height - 1, c * width + j), values.push_back(normal(random));
  }
  const auto found = dependent_rows(builder.build().pattern, values);
  ASSERT_EQ(found.size(), static_cast<std::size_t>(cells));
  for (int c = 0; c < cells; ++c) {
    EXPECT_EQ(found[c].row, c * height + height - 2);
    EXPECT_EQ(found[c].with, (std::vector<int>{c * height, c * height + 1}));
  }
}

}  // namespace
}  // namespace saltus
