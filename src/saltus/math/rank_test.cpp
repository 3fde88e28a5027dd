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
      std::vector<double> row(static_cast<std::size_t>(cols), 0.0);
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

}  // namespace
}  // namespace saltus
